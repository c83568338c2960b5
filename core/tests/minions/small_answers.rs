//! Small questions that the rules themselves do not ask, and what their answers mean.

use barrow_core::hex::{Hex, HexSet, ParseHexError};
use barrow_core::minions::tables::capacities::{QUEUE_CAP, QUEUE_EXTRA, ROW_CAP};
use barrow_core::minions::{
    Action, BoardAction, BoardState, Budget, Builder, CastParams, Change, Deal, Deck, Game, GameConfig,
    GameCopy, GameTurn, GeneralAction, IllegalReason, Invalid, MapLabel, Modifier, Modifiers, Movable, Piece,
    Ruleset, Side, SideArray, Spell, Tech, Techline, TileType, UndoLog, UnitLabel, fen, umi,
};
use barrow_core::rng::Rng;

#[test]
fn tables_are_found_by_index_and_letter() {
    for spell in Spell::ALL {
        assert_eq!(Spell::from_index(spell.index() as u8), Some(spell));
    }
    assert_eq!(Spell::from_index(Spell::ALL.len() as u8), None);
    for kind in Movable::ALL {
        assert_eq!(Movable::from_letter(kind.letter()), Some(kind));
    }
    assert_eq!(Movable::from_letter(b'?'), None);
}

#[test]
fn sets_are_extended_and_made_of_one_hex() {
    let [a, b] = ["c4", "d5"].map(|name| Hex::named(name).unwrap());
    let mut set = HexSet::from(a);
    assert_eq!(set, HexSet::single(a));
    set.extend([b, a]);
    assert_eq!(set, HexSet::single(a).with(b));
}

#[test]
fn errors_say_what_was_wanted() {
    assert_eq!(ParseHexError.to_string(), "a hex is a letter a-j and a digit 0-9");
    let game = Game::new(GameConfig::default(), 1);
    let error = umi::TurnReader::new(&game, "trun").unwrap_err();
    assert!(error.to_string().contains("turn"), "{error}");
}

#[test]
fn only_attacks_are_attacks() {
    let [from, to] = ["c4", "d4"].map(|name| Hex::named(name).unwrap());
    assert!(BoardAction::Attack { from, to }.is_attack());
    assert!(!BoardAction::walk(from, to).is_attack());
    assert!(!BoardAction::EndPhase.is_attack());
}

#[test]
fn a_random_line_has_each_tech_once_and_its_packs_are_sorted() {
    let default = Techline::default();
    let mut differ = false;
    for seed in 0..20 {
        let line = Techline::random(&mut Rng::new(seed));
        assert!(!line.is_empty());
        assert_eq!(line.len(), default.len());
        assert_eq!(line.techs()[..2], default.techs()[..2]);
        let mut numbers: Vec<u8> = line.techs().iter().map(|tech| tech.number()).collect();
        assert!(numbers[2..].iter().step_by(2).is_sorted() && numbers[3..].iter().step_by(2).is_sorted());
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=25).collect::<Vec<_>>());
        differ |= line != default;
        let units = UnitLabel::ALL.into_iter().fold(0, |all, unit| all | line.unit_bits(unit));
        assert_eq!(line.all_units(), units);
        assert_eq!(line.all_units().count_ones(), 22);
    }
    assert!(differ);
}

#[test]
fn a_deck_holds_no_more_than_there_is() {
    let full = *Deck::new(1).left();
    let queue = [Spell::Fester; 200];
    assert!(Deck::with(&[], full, 1).is_some());
    let most = (0..200).rev().find(|&count| Deck::with(&queue[..count], full, 1).is_some()).unwrap();
    assert!((0..most).all(|count| Deck::with(&queue[..count], full, 1).is_some()));
    // Room for two cards on their way to the row.
    assert_eq!(most, QUEUE_CAP - 2);
    let mut more = full;
    more[3] += 1;
    assert!(Deck::with(&[], more, 1).is_none());
}

#[test]
fn a_copy_is_the_game_copied_last() {
    let [first, second] = [1, 2].map(|seed| Game::new(GameConfig::default(), seed));
    let mut copy = GameCopy::new();
    assert!(copy.get().is_none());
    assert!(*copy.copy(&first).unwrap() == first);
    assert!(*copy.copy(&second).unwrap() == second);
    assert!(*copy.get().unwrap() == second);
    let mut game = first.clone();
    game.go_to(second.state());
    assert!(game.state() == second.state());
}

#[test]
fn recorded_cards_join_the_queues() {
    let mut game = Game::new(GameConfig::default(), 1);
    let before = SideArray(Side::ALL.map(|side| game.state().deck(side).queue().to_vec()));
    let cards = SideArray([&[Spell::Fester, Spell::Shield][..], &[Spell::Firestorm][..]]);
    game.append_cards(cards);
    for side in Side::ALL {
        let expected: Vec<Spell> = before[side].iter().chain(cards[side]).copied().collect();
        assert_eq!(game.state().deck(side).queue(), expected);
    }
}

#[test]
fn a_cleared_turn_is_a_new_one() {
    let mut turn = GameTurn::new();
    let game = Game::new(GameConfig::default(), 1);
    let levels = game.state().tech(Side::Yellow);
    for action in [GeneralAction::BuySpell, GeneralAction::Sell, GeneralAction::Assign { board: 0, card: 0 }]
    {
        turn.push_general(game.config(), levels, action).unwrap();
    }
    assert!(turn != GameTurn::new());
    turn.clear();
    assert!(turn == GameTurn::new());
}

#[test]
fn a_cleared_log_has_room_again() {
    let mut changes = vec![Change::default(); 64];
    let mut log = UndoLog::new(&mut changes);
    let start = log.mark();
    let mut game = Game::new(GameConfig::default(), 1);
    game.apply(barrow_core::minions::Action::General(GeneralAction::March), &mut log).unwrap();
    assert!(log.mark() != start);
    log.clear();
    assert!(log.mark() == start);
}

#[test]
fn a_piece_is_fresh_until_it_does_or_suffers_something() {
    let hex = Hex::named("c4").unwrap();
    let piece = Piece::fresh(Side::Yellow, UnitLabel::Zombie, hex);
    assert!(piece.is_fresh());
    let changed = [
        piece.with_damage(1),
        piece.with_walk(1),
        piece.with_exhaustion(),
        piece.with_record(0, 1, false, false),
        piece.with_record(0, 0, true, false),
    ];
    assert!(changed.iter().all(|piece| !piece.is_fresh()));
    for steps in 0..4 {
        for more in 0..4 {
            let walked = piece.with_walk(steps).with_walk(more);
            assert_eq!(walked.steps(), (steps + more).min(3));
        }
        assert_eq!(piece.with_record(steps, 0, true, false).steps(), steps.min(3));
        assert_eq!(piece.with_record(steps + 3, 0, true, false).steps(), 3);
    }
}

#[test]
fn ends_of_games_are_read_back() {
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        for winner in [None, Some(Side::Yellow), Some(Side::Blue)] {
            for drawn in [false, true] {
                let config = GameConfig::default().with_ruleset(ruleset);
                let mut builder = Builder::from_game(Game::new(config, 3));
                builder.winner(winner).drawn(drawn);
                let game = builder.build().unwrap();
                let text = fen::Extended(&game).to_string();
                let read = Game::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!((read.state().winner(), read.state().is_drawn()), (winner, drawn), "{text}");
                assert_eq!(text.contains(" over="), winner.is_some() || drawn, "{text}");
                let wrong = text.replace(" over=", " over=x");
                assert_eq!(Game::from_fen(&wrong).is_err(), wrong != text, "{wrong}");
            }
        }
    }
}

#[test]
fn modifiers_rings_and_maps_answer_for_themselves() {
    let one = Modifiers::EMPTY.with(Modifier::Frozen, 1).unwrap();
    for modifier in Modifier::ALL {
        assert_eq!(one.has(modifier), modifier == Modifier::Frozen);
    }
    let centre = Hex::named("e4").unwrap();
    assert_eq!((HexSet::ring(centre, 2).len(), HexSet::ring(centre, 0)), (12, HexSet::single(centre)));
    assert!(HexSet::EMPTY.is_empty() && !HexSet::ALL.is_empty());
    assert_eq!(HexSet::ALL.len(), 100);
    for (index, map) in MapLabel::ALL.into_iter().enumerate() {
        assert_eq!(map.index(), index);
    }
}

#[test]
fn numbers_below_a_bound_are_those_of_the_method_as_published() {
    // Lemire's method in words of its own: the upper half of the product, unless the lower half is among the few that
    // would favour a number.
    let (mut rng, mut words) = (Rng::new(5), Rng::new(5));
    for bound in
        (1..2_000).chain([3 << 30, (3 << 30) + 1, u32::MAX, 1 << 31, (1 << 31) + 1]).cycle().take(20_000)
    {
        let expected = loop {
            let product = u128::from(words.next_u64() >> 32) * u128::from(bound);
            if product % (1 << 32) >= (1 << 32) % u128::from(bound) {
                break (product >> 32) as u32;
            }
        };
        assert_eq!(rng.below(bound), expected, "{bound}");
    }
}

#[test]
fn what_has_no_room_at_the_end_of_a_turn_is_counted() {
    let mut lost = Vec::new();
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        let config = GameConfig::new(ruleset, &[MapLabel::SorcerersLair, MapLabel::Apocalypse]).unwrap();
        let mut builder = Builder::from_game(Game::new(config, 3));
        for index in 0..2 {
            let board = builder.board(index).unwrap();
            for side in Side::ALL {
                while ruleset == Ruleset::Server && board.push_card(side, Spell::Fester).is_some() {}
                for unit in UnitLabel::ALL {
                    board.set_reserve(side, unit, u8::MAX);
                }
            }
        }
        let mut game = builder.build().unwrap();
        for _ in 0..4 {
            lost.push(game.end_turn().unwrap().lost_to_capacity);
        }
    }
    // Each of the two boards would be dealt a card, where there are cards.
    assert_eq!(lost, [2, 2, 2, 2, 0, 0, 0, 0]);
}

#[test]
fn only_what_a_text_can_say_of_a_configuration_is_said() {
    let says = |config: GameConfig| fen::Extended(&Game::new(config, 1)).to_string().contains(" cfg=");
    assert!(says(GameConfig::default()));
    let unusual: [fn(&mut GameConfig); 3] = [
        |config| config.rules.auto_march = !config.rules.auto_march,
        |config| config.points_needed = 0,
        |config| {
            let techs = [Tech::Copycat, Tech::UnitTech(UnitLabel::Necromancer)];
            config.techline = Techline::new(&techs).unwrap();
        },
    ];
    for change in unusual {
        let mut config = GameConfig::default();
        change(&mut config);
        assert!(!says(config));
    }
    let mut drawn = GameConfig::default();
    drawn.rules.draw_after_turns = Some(9);
    assert!(says(drawn));
}

#[test]
fn marks_are_read_back_and_a_fault_in_them_has_its_column() {
    let game = Game::new(GameConfig::default(), 1);
    let text = fen::Extended(&game).to_string();
    let with = |marks: &str| Game::from_fen(&format!("{text} b0.k={marks}"));
    for (marks, resigned, picks) in [("r", true, 0), ("ru", true, 0), ("u", false, 0)] {
        let read = with(marks).unwrap();
        let read = read.state().boards()[0].marks();
        assert_eq!((read.resigned, read.picks), (resigned, picks), "{marks}");
    }
    let start = text.len() + " b0.k=".len() + 1;
    for (marks, place) in [("999", 0), ("s999", 1), ("x", 0), ("sx", 1)] {
        assert_eq!(with(marks).unwrap_err().column, start + place, "{marks}");
    }
}

fn hex(name: &str) -> Hex {
    Hex::named(name).unwrap()
}

/// A position with one board of a map.
fn one_board(ruleset: Ruleset, map: MapLabel, change: impl FnOnce(&mut Builder)) -> Game {
    let mut builder = Builder::new(GameConfig::new(ruleset, &[map]).unwrap(), 5);
    change(&mut builder);
    builder.build().unwrap()
}

#[test]
fn units_and_cards_that_are_lost_are_added_up() {
    let map = MapLabel::ALL.into_iter().find(|map| map.map().all(TileType::Mist).len() >= 4).unwrap();
    let risen = UnitLabel::ALL.into_iter().find(|unit| unit.server().zombie_each_turn).unwrap();
    let mist: Vec<Hex> = map.map().all(TileType::Mist).into_iter().take(4).collect();
    let ground = |hex: &Hex| map.map().fixed_tile(*hex) == TileType::Ground;
    let plain: Vec<Hex> = Hex::all().filter(ground).take(4).collect();
    let full = |reserves: u8| {
        one_board(Ruleset::Server, map, |builder| {
            let board = builder.board(0).unwrap();
            for (index, &hex) in mist.iter().enumerate() {
                let side = if index < 2 { Side::Yellow } else { Side::Blue };
                board.set_piece(hex, Some(Piece::fresh(side, UnitLabel::Zombie, hex)));
            }
            for &hex in &plain {
                board.set_piece(hex, Some(Piece::fresh(Side::Blue, risen, hex)));
            }
            board.set_state(BoardState::Reset1);
            board.set_free(Side::Yellow, 1);
            board.add_candidate(Side::Yellow, UnitLabel::Warg);
            for unit in UnitLabel::ALL {
                for side in Side::ALL {
                    board.set_reserve(side, unit, reserves);
                }
            }
        })
    };
    // Four in the mist, the dearest candidate, and a zombie for each of four.
    assert_eq!(full(u8::MAX).end_turn().unwrap().lost_to_capacity, 9);
    assert_eq!(full(100).end_turn().unwrap().lost_to_capacity, 0);
    let mut game = full(u8::MAX);
    // Three cards more than the queue of the side that has moved may have.
    let cards = [Spell::Fester; 100];
    let missing = game.config().num_boards() + QUEUE_EXTRA - game.state().deck(Side::Yellow).queue().len();
    let outcome = game.end_turn_with(Deal::Cards(SideArray([&cards[..missing + 3], &[]]))).unwrap();
    assert_eq!(outcome.lost_to_capacity, 9 + 3);
    assert_eq!(game.validate(), Ok(()));
}

#[test]
fn recorded_cards_for_which_there_is_no_room_are_counted() {
    let mut game = Game::new(GameConfig::default(), 1);
    let room = |game: &Game, side| QUEUE_CAP - game.state().deck(side).queue().len();
    let [yellow, blue] = Side::ALL.map(|side| room(&game, side));
    let cards = [Spell::Fester; 100];
    assert_eq!(game.append_cards(SideArray([&cards[..yellow], &cards[..blue + 2]])), 2);
    assert_eq!(Side::ALL.map(|side| room(&game, side)), [0, 0]);
    assert_eq!(game.validate(), Err(Invalid::Queue));
}

#[test]
fn nothing_is_sent_back_for_which_its_owner_has_no_room() {
    let [from, to] = ["c4", "d4"].map(hex);
    let bound = Modifiers::default().with(Modifier::Shielded, 1).unwrap();
    let [attack, cast] = [
        BoardAction::Attack { from, to },
        BoardAction::Cast { spell: Spell::Fester, params: CastParams::Piece(to) },
    ];
    let unsummon = BoardAction::Cast { spell: Spell::Unsummon, params: CastParams::Piece(to) };
    let fresh = |unit| Piece::fresh(Side::Blue, unit, to);
    let cases = [
        (UnitLabel::Necromancer, fresh(UnitLabel::Warg), attack, false),
        (UnitLabel::Necromancer, fresh(UnitLabel::Mummy), attack, false),
        // One damage for what attacks do not send back.
        (UnitLabel::Necromancer, fresh(UnitLabel::ArcaneNecromancer), attack, true),
        (UnitLabel::Warg, fresh(UnitLabel::Mummy), attack, true),
        (UnitLabel::Warg, fresh(UnitLabel::Zombie), attack, true),
        // What is soulbound goes back when it dies, and only then.
        (UnitLabel::Warg, fresh(UnitLabel::Zombie).with_modifiers(bound).with_damage(3), attack, false),
        (UnitLabel::Warg, fresh(UnitLabel::Mummy).with_modifiers(bound), attack, true),
        (UnitLabel::Warg, fresh(UnitLabel::Mummy).with_damage(1), cast, true),
        (UnitLabel::Warg, fresh(UnitLabel::Warg).with_damage(1), unsummon, false),
    ];
    for (attacker, target, action, room_not_needed) in cases {
        for reserves in [u8::MAX - 1, u8::MAX] {
            let mut game = one_board(Ruleset::Server, MapLabel::AllLand, |builder| {
                let board = builder.board(0).unwrap();
                board.set_piece(from, Some(Piece::fresh(Side::Yellow, attacker, from)));
                board.set_piece(to, Some(target));
                board.set_reserve(Side::Blue, target.unit(), reserves);
                for card in [Spell::Fester, Spell::Unsummon] {
                    board.push_card(Side::Yellow, card).unwrap();
                }
            });
            let legal = room_not_needed || reserves < u8::MAX;
            let mut listed = false;
            game.legal_board_actions(0, |legal| listed |= legal == action);
            let answer = game.apply(Action::Board(0, action), &mut UndoLog::off());
            let expected = if legal { Ok(()) } else { Err(IllegalReason::Capacity) };
            assert_eq!((listed, answer), (legal, expected), "{attacker:?} {target:?} {action:?} {reserves}");
        }
    }
}

#[test]
fn spells_are_bought_as_long_as_they_can_be_counted() {
    let buy = Action::General(GeneralAction::BuySpell);
    for (bought, tech_points, possible) in
        [(9, 3, true), (254, 254, true), (254, 255, false), (255, 3, false)]
    {
        let mut game = one_board(Ruleset::Spooky, MapLabel::AllLand, |builder| {
            builder.budget(Budget { bought, tech_points, sold: false });
            builder.souls(SideArray::new(100, 100));
        });
        let mut listed = false;
        game.legal_general_actions(|action| listed |= action == buy);
        assert_eq!(listed, possible);
        let answer = if possible { Ok(()) } else { Err(IllegalReason::Capacity) };
        assert_eq!(game.apply(buy, &mut UndoLog::off()), answer, "{bought} {tech_points}");
    }
}

#[test]
fn a_deck_that_was_shuffled_anew_comes_back() {
    let game = one_board(Ruleset::Server, MapLabel::AllLand, |builder| {
        let left = Deck::new(1).left().map(|_| 0);
        builder.deck(Side::Yellow, Deck::with(&[Spell::Fester], left, 7).unwrap());
        builder.souls(SideArray::new(100, 100));
    });
    let (mut after, mut changes) = (game.clone(), [Change::default(); 64]);
    let mut log = UndoLog::new(&mut changes);
    let start = log.mark();
    after.apply(Action::General(GeneralAction::BuySpell), &mut log).unwrap();
    assert!(after.state().deck(Side::Yellow).left().iter().any(|&copies| copies > 0));
    after.undo(start, &mut log);
    assert!(after == game);
}

#[test]
fn a_piece_that_has_walked_does_not_teleport() {
    let has_teleporter = |map: &MapLabel| !map.map().all(TileType::Teleporter).is_empty();
    let map = MapLabel::ALL.into_iter().find(has_teleporter).unwrap();
    let from = map.map().all(TileType::Teleporter).into_iter().next().unwrap();
    let to = Hex::all().find(|hex| map.map().fixed_tile(*hex) == TileType::Ground).unwrap();
    for (steps, answer) in [(0, Ok(1)), (1, Err(IllegalReason::HasMoved))] {
        let mut game = one_board(Ruleset::Server, map, |builder| {
            let piece = Piece::fresh(Side::Yellow, UnitLabel::Warg, from);
            let walked = if steps > 0 { piece.with_walk(steps) } else { piece };
            builder.board(0).unwrap().set_piece(from, Some(walked));
        });
        let jump = [BoardAction::Teleport { from, to }];
        assert_eq!(game.apply_next(0, &jump, &mut UndoLog::off()), answer, "{steps} steps");
    }
}

#[test]
fn a_hand_is_read_by_the_rules_for_spells() {
    let text = fen::Display(&one_board(Ruleset::Server, MapLabel::AllLand, |_| {})).to_string();
    let read = |ruleset: Ruleset, name: &str| {
        let config = GameConfig::new(ruleset, &[MapLabel::AllLand]).unwrap();
        let text = text.replace("n|||||", &format!("n|||{name}||"));
        let hands = |game: Game| Side::ALL.map(|side| game.state().boards()[0].hand(side).len());
        fen::parse(&text, &config).map(hands).ok().map(|[yellow, blue]| yellow + blue)
    };
    for (name, server, spooky) in [
        (Spell::Shield.name(), Some(1), Some(0)),
        ("blank", None, Some(0)),
        ("unknown", None, Some(0)),
        ("nonsense", None, None),
    ] {
        assert_eq!([read(Ruleset::Server, name), read(Ruleset::Spooky, name)], [server, spooky], "{name}");
    }
}

#[test]
fn a_row_is_read_as_far_as_there_is_room() {
    let game = one_board(Ruleset::Server, MapLabel::AllLand, |builder| {
        builder.row(&[Spell::Fester], 0).unwrap();
    });
    let text = fen::Extended(&game).to_string();
    let with = |count: usize| {
        let cards = vec![Spell::Shield.name(); count - 1].join(",");
        let old = format!("row={}", Spell::Fester.name());
        assert!(text.contains(&old), "{text}");
        Game::from_fen(&text.replace(&old, &format!("row={cards},{}*", Spell::Fester.name())))
    };
    let full = with(ROW_CAP).unwrap();
    assert!(full.state().is_taken(ROW_CAP - 1) && !full.state().is_taken(ROW_CAP - 2));
    assert!(with(ROW_CAP + 1).is_err());
}
