//! Print and parse: every position and every legal turn is read back as it was printed, from the start of a turn and
//! from the middle of one, and the general's actions of a turn lead where they led in the order of their entry.

use barrow_core::hex::Hex;
use barrow_core::minions::GeneralAction::{Advance, Assign, BuySpell, March, Sell};
use barrow_core::minions::players::{Greedy, Random};
use barrow_core::minions::text::{fen, umi};
use barrow_core::minions::{
    Ability, Action, BoardAction, Builder, CastParams, Game, GameConfig, IllegalReason, MapLabel, Piece,
    Ruleset, Side, SideArray, TargetShape, Tech, TechLevels, TechStatus, Techline, UndoLog, UnitLabel,
};
use barrow_core::rng::Rng;
use proptest::prelude::*;

use barrow_testing::generators::actions::{arbitrary, general};
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::positions::position;
use barrow_testing::generators::texts::position_text;
use barrow_testing::generators::turns::turn;
use barrow_testing::print_parse::{check_position, check_turn, read_turn};
use barrow_testing::rounds;

const RULESETS: [Ruleset; 2] = [Ruleset::Server, Ruleset::Spooky];

fn rulesets() -> impl Strategy<Value = Ruleset> {
    prop::sample::select(RULESETS.to_vec())
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), most / 2..most)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: rounds(1500) as u32, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn every_position_is_read_back(ruleset in rulesets(), bytes in bytes(900)) {
        check_position(&position(&mut Choices::new(&bytes), ruleset));
    }

    #[test]
    fn every_legal_turn_is_read_back_and_leads_to_the_same_position(ruleset in rulesets(), bytes in bytes(1200)) {
        let choices = &mut Choices::new(&bytes);
        let mut game = position(choices, ruleset);
        while !choices.is_empty() && !game.state().is_over() {
            let turn = turn(choices, &game, 16);
            game = match check_turn(&game, &turn) {
                Some(after) => after,
                None => break,
            };
        }
    }

    #[test]
    fn every_action_line_is_read_back(bytes in bytes(24)) {
        let game = Game::new(GameConfig::default(), 0);
        let action = arbitrary(&mut Choices::new(&bytes));
        // A joined move is printed with its group, and a cast or an ability has the arguments of its kind.
        let fits = match action {
            BoardAction::Cast { spell, params } => shape(params) == spell.shape(),
            BoardAction::UseAbility { ability, terrain, .. } => {
                terrain.is_some() == (ability == Ability::MoveTerrain)
            }
            _ => !action.is_joined(),
        };
        if fits {
            let line = format!("turn\naction board 1 {}", umi::BoardActText(&action));
            let read = read_turn(&game, &line).unwrap();
            prop_assert_eq!(read.board(1), [action], "{}", line);
        }
    }

    #[test]
    fn every_configuration_is_read_back(
        ruleset in rulesets(), maps in prop::collection::vec(prop::sample::select(MapLabel::ALL.to_vec()), 1..9),
        points in 1u8.., seed in any::<u64>(), techs in 1usize..26,
    ) {
        let line = Techline::random(&mut Rng::new(seed));
        let line = Techline::new(&line.techs()[..techs]).unwrap();
        let config = GameConfig::new(ruleset, &maps).unwrap().with_points(points).with_techline(line);
        let text = fen::ConfigLine(&config).to_string();
        prop_assert_eq!(fen::parse_config(&text, ruleset), Ok(config), "{}", text);
    }

    #[test]
    fn the_generals_actions_lead_where_they_led_in_the_order_of_their_entry(
        ruleset in rulesets(), bytes in bytes(700),
    ) {
        let choices = &mut Choices::new(&bytes);
        let start = position(choices, ruleset);
        let mut entered = start.clone();
        let mut actions = Vec::new();
        for _ in 0..24 {
            let action = general(choices, &entered);
            if entered.apply(Action::General(action), &mut UndoLog::off()).is_ok() {
                actions.push(action);
            }
        }
        let turn = start.general_turn(actions.iter().copied()).unwrap();
        let mut played = start.clone();
        prop_assert_eq!(played.enter(&turn, &mut UndoLog::off()), Ok(()), "{:?}", actions);
        prop_assert!(played == entered, "another position after {actions:?}");
    }
}

fn shape(params: CastParams) -> TargetShape {
    match params {
        CastParams::None => TargetShape::None,
        CastParams::Piece(_) => TargetShape::Piece,
        CastParams::PieceHex(..) => TargetShape::PieceHex,
        CastParams::Hex(_) => TargetShape::Hex,
        CastParams::TerrainHex(..) => TargetShape::TerrainHex,
    }
}

/// Outcome of a text.
#[derive(Default)]
struct Tally {
    accepted: u32,
    turns: u32,
}

/// Reads texts of positions with faults; of each that is accepted, the turns of the players must be legal and read back.
fn read_faulty_texts(seed: u64, texts: u32) -> Tally {
    let mut dice = Rng::new(seed);
    let mut tally = Tally::default();
    for number in 0..texts {
        let bytes: Vec<u8> = (0..1500).map(|_| dice.below(256) as u8).collect();
        let ruleset = RULESETS[number as usize % 2];
        let (text, config) = position_text(&mut Choices::new(&bytes), ruleset);
        let Ok(mut game) = fen::parse(&text, &config) else { continue };
        tally.accepted += 1;
        check_position(&game);
        let (mut greedy, mut random) = (Greedy::new(seed), Random::new(seed ^ u64::from(number)));
        for ply in 0..2 {
            if game.state().is_over() {
                break;
            }
            let turns = [greedy.choose(&game), random.choose(&game)];
            let after = turns.map(|turn| {
                tally.turns += 1;
                check_turn(&game, &turn).unwrap_or_else(|| {
                    let refused = game.clone().play(&turn).unwrap_err();
                    panic!("{refused} of text {number}, ply {ply}: {text}")
                })
            });
            check_position(&after[0]);
            game = after.into_iter().nth(number as usize / 2 % 2).unwrap();
        }
    }
    tally
}

#[test]
fn every_accepted_text_yields_turns_that_are_read_back() {
    let texts = rounds(3000) as u32;
    let tally = read_faulty_texts(20, texts);
    assert!(tally.accepted > texts / 4 && tally.turns > texts / 2, "{} {}", tally.accepted, tally.turns);
}

#[test]
#[ignore = "the long form, minutes"]
fn every_accepted_text_of_many_yields_turns_that_are_read_back() {
    for seed in 100..130 {
        read_faulty_texts(seed, 10_000);
    }
}

// --- the holes that were found, one by one ---

/// A position of Yellow at the start of a turn on one board, with a tech acquired before it.
fn owner_of(tech: Tech, souls: u32) -> Game {
    let config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap();
    let index = config.techline.techs().iter().position(|&other| other == tech).unwrap() as u8;
    let mut levels = TechLevels::default();
    (0..index).for_each(|before| levels.set(before, TechStatus::Unlocked));
    levels.set(index, TechStatus::Acquired);
    let levels = SideArray::new(levels, TechLevels::default());
    let mut builder = Builder::from_game(Game::new(config, 3));
    builder.tech(levels, levels).souls(SideArray::new(souls, 0));
    builder.build().unwrap()
}

#[test]
fn a_sale_pays_for_a_spell_of_the_same_turn() {
    // An extra spell costs 4 souls and the sale brings 1.
    let game = owner_of(Tech::Thaumaturgy, 3);
    let turn = game.general_turn([Sell, BuySpell, March]).unwrap();
    let after = check_turn(&game, &turn).expect("it is legal in the order of entry");
    assert_eq!(after.state().souls(Side::Yellow), 0);
    // With no point left to sell, the first purchase comes before the sale, which pays for the second.
    let text = fen::Extended(&owner_of(Tech::Thaumaturgy, 7)).to_string() + " tp=0,0,0";
    let game = Game::from_fen(&text).unwrap();
    let turn = game.general_turn([BuySpell, Sell, BuySpell]).unwrap();
    assert_eq!(check_turn(&game, &turn).map(|after| after.state().souls(Side::Yellow)), Some(0));
}

#[test]
fn random_games_of_sellers_have_no_illegal_turn() {
    let mut sold = 0;
    for seed in 0..40 {
        let mut game = owner_of(Tech::Thaumaturgy, seed as u32);
        let mut random = Random::new(seed);
        for _ in 0..30 {
            if game.state().is_over() {
                break;
            }
            let turn = random.choose(&game);
            sold += u32::from(turn.sell && turn.num_spells_bought > 0);
            game = check_turn(&game, &turn).expect("a random turn is legal");
        }
    }
    assert!(sold > 50, "{sold}");
}

#[test]
fn a_march_after_a_step_unlocks_the_tech_it_unlocked_on_entry() {
    let config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap();
    let mut builder = Builder::from_game(Game::new(config, 3));
    builder.souls(SideArray::new(4, 0));
    let game = builder.build().unwrap();
    let turn = game.general_turn([BuySpell, Advance { index: 0 }, March]).unwrap();
    let after = check_turn(&game, &turn).unwrap();
    let levels = after.state().tech(Side::Yellow);
    assert_eq!([0, 1].map(|index| levels.status(index)), [TechStatus::Unlocked; 2]);
    // Marches remain marches, which hosts understand best, where the steps before them acquire.
    let turn = game.general_turn([BuySpell, March, Advance { index: 0 }, March]).unwrap();
    assert_eq!((turn.marches, &turn.tech_spells[..]), (2, &[0][..]));
}

#[test]
fn cards_beyond_the_known_queue_are_named() {
    // The queue has 11 cards; the twentieth card bought is dealt while the spells are bought.
    let game = owner_of(Tech::Thaumaturgy, 100);
    let mut actions = vec![BuySpell; 20];
    actions.push(Assign { board: 0, card: 21 });
    let turn = game.general_turn(actions).unwrap();
    assert!(!umi::TurnText::new(&game, &turn).to_string().contains("unknown"));
    let after = check_turn(&game, &turn).expect("all of it is legal");
    assert_eq!(after.state().boards()[0].hand(Side::Yellow).len(), 1);
}

#[test]
fn the_second_card_of_a_name_is_given_by_its_place() {
    // Which of the two is taken decides what is left for the board that takes none.
    let text = fen::Extended(&Game::new(GameConfig::default(), 1)).to_string();
    let row = text.split(' ').find(|word| word.starts_with("row=")).unwrap();
    let game = Game::from_fen(&text.replacen(row, "row=fester,shield,fester", 1)).unwrap();
    for (card, line, left) in
        [(0, "action give_spell 1 fester", "shield"), (2, "action give_spell 1 fester 2", "fester")]
    {
        let turn = game.general_turn([Assign { board: 1, card }]).unwrap();
        assert!(umi::TurnText::new(&game, &turn).to_string().ends_with(line));
        let after = check_turn(&game, &turn).unwrap();
        let hand = after.state().boards()[0].hand(Side::Yellow);
        assert_eq!(hand.iter().map(|card| card.name()).collect::<Vec<_>>(), [left]);
    }
    for line in
        ["action give_spell 1 shield 2", "action give_spell 1 fester 3", "action give_spell 1 fester x"]
    {
        assert!(read_turn(&game, &format!("turn\n{line}")).is_err(), "{line}");
    }
}

#[test]
fn a_turn_begun_with_points_to_spare_buys_what_it_needs_and_no_more() {
    for (budget, marches, bought) in [("3,2,0", 3, 0), ("0,0,0", 1, 1), ("2,1,1", 4, 2)] {
        let text = fen::Extended(&owner_of(Tech::UnitTech(UnitLabel::Skeleton), 40)).to_string()
            + &format!(" tp={budget}");
        let game = Game::from_fen(&text).unwrap();
        let mut actions = vec![BuySpell; bought];
        actions.extend(vec![March; marches]);
        let turn = game.general_turn(actions).unwrap();
        let lines = umi::TurnText::new(&game, &turn).to_string();
        assert_eq!(lines, format!("turn\naction tech {marches}"), "{budget}");
        assert!(check_turn(&game, &turn).is_some());
    }
}

/// A position under Spooky's rules on one board in this state, with these reinforcements of Yellow, who moves.
fn reset_board(state: &str, reinforcements: &str) -> Game {
    let config = GameConfig::new(Ruleset::Spooky, &[MapLabel::AllLand]).unwrap();
    let levels = "L".repeat(config.techline.len());
    let rows = "0/2ZZ6/1ZNH6/1ZZ7/0/0/7zz1/6znz1/6zz2/0";
    let text = format!("20|0 0|0 {levels}|{levels} {state}|{reinforcements}||||{rows} 0 5");
    fen::parse(&text, &config).unwrap()
}

#[test]
fn the_setup_comes_before_what_uses_the_reinforcements() {
    let game = reset_board("2", "SZ");
    let haunt = game.view(0).unwrap().board.iter(Side::Yellow);
    let (at, _) = haunt.into_iter().find(|(_, piece)| piece.unit() == UnitLabel::Haunt).unwrap();
    // A haunt that blinked first would be among the units that the setup may keep, or would be lost by it.
    for early in [BoardAction::Blink { at }, BoardAction::Buy { unit: UnitLabel::Zombie }] {
        let mut early_first = game.clone();
        assert!(early_first.apply(Action::Board(0, early), &mut UndoLog::off()).is_err(), "{early:?}");
        let keep = BoardAction::Keep { unit: Some(UnitLabel::Skeleton) };
        for action in [keep, early] {
            early_first.apply(Action::Board(0, action), &mut UndoLog::off()).unwrap();
        }
    }
    for seed in 0..40 {
        check_turn(&game, &Random::new(seed).choose(&game)).expect("a random turn is legal");
    }
}

#[test]
fn a_reset_board_with_hundreds_of_reinforcements_has_a_legal_turn() {
    for count in 250..=255 {
        for letter in ["Z", "S", "N"] {
            let game = reset_board("1", &letter.repeat(count));
            let mut setups = Vec::new();
            game.legal_board_actions(0, |action| setups.push(action));
            setups.retain(|action| matches!(action, BoardAction::Keep { .. }));
            let all = setups.contains(&BoardAction::Keep { unit: None });
            assert_eq!(all, letter != "Z" || count < 255, "{count} of {letter}");
            assert!(check_turn(&game, &Greedy::new(1).choose(&game)).is_some(), "{count} of {letter}");
        }
    }
    assert!(check_turn(&reset_board("1", ""), &Greedy::new(1).choose(&reset_board("1", ""))).is_some());
}

#[test]
fn reinforcements_that_share_a_letter_are_read_back() {
    for (ruleset, count) in [(Ruleset::Server, 127), (Ruleset::Server, 254), (Ruleset::Spooky, 254)] {
        let mut builder = Builder::new(GameConfig::new(ruleset, &[MapLabel::AllLand]).unwrap(), 3);
        let board = builder.board(0).unwrap();
        for side in Side::ALL {
            board.set_reserve(side, UnitLabel::DeadlyNecromancer, 3);
            board.set_reserve(side, UnitLabel::TerrainNecromancer, count);
        }
        check_position(&builder.build().unwrap());
    }
}

#[test]
fn a_piece_blinks_only_where_the_reinforcements_have_room() {
    let at = Hex::named("c3").unwrap();
    let blink = |count| {
        let mut builder = Builder::new(GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap(), 3);
        let board = builder.board(0).unwrap();
        board.set_piece(at, Some(Piece::fresh(Side::Yellow, UnitLabel::Haunt, at)));
        board.set_reserve(Side::Yellow, UnitLabel::Haunt, count);
        let mut game = builder.build().unwrap();
        let done = game.apply(Action::Board(0, BoardAction::Blink { at }), &mut UndoLog::off());
        (done, game.state().boards()[0].reserve(Side::Yellow, UnitLabel::Haunt))
    };
    assert_eq!(blink(254), (Ok(()), 255));
    assert_eq!(blink(255), (Err(IllegalReason::Capacity), 255));
}

#[test]
fn souls_to_be_paid_beyond_the_bound_are_not_printed() {
    let config = GameConfig::new(Ruleset::Spooky, &[MapLabel::AllLand]).unwrap();
    let mut builder = Builder::from_game(Game::new(config, 3));
    builder.souls(SideArray::new(999_999, 1_000_000));
    builder.board(0).unwrap().set_pending(Side::Yellow, 7);
    builder.board(0).unwrap().set_pending(Side::Blue, 7);
    let game = builder.build().unwrap();
    assert!(fen::Display(&game).to_string().starts_with("1000000|1000000 "));
    assert!(fen::Extended(&game).to_string().starts_with("1000006|1000007 "));
    check_position(&game);
}

#[test]
fn candidates_are_no_letters_where_they_would_be_read_as_reinforcements() {
    let config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap();
    for (state, side) in [("n", Side::Yellow), ("2", Side::Blue)] {
        let mut builder = Builder::from_game(Game::new(config.clone(), 3));
        let board = builder.board(0).unwrap();
        board.set_state(barrow_core::minions::BoardState::from_letter(state.as_bytes()[0]).unwrap());
        board.set_free(side, 1);
        board.set_reserve(side, UnitLabel::Warg, 255);
        board.add_candidate(side, UnitLabel::Warg);
        check_position(&builder.build().unwrap());
    }
}

#[test]
fn mana_that_no_hand_covers_is_refused() {
    let text = fen::Extended(&Game::new(GameConfig::default(), 1)).to_string();
    for (fields, accepted) in
        [("b0.m=-1", false), ("b0.m=-1 b0.h=shield|", true), ("b0.m=-1 b0.h=|shield", false)]
    {
        let read = Game::from_fen(&format!("{text} {fields}"));
        assert_eq!(read.is_ok(), accepted, "{fields}");
        if let Err(error) = read {
            assert!(error.to_string().ends_with("board 0: less mana than the hand covers"), "{error}");
        }
    }
    // The largest number of a field is no trap either.
    let game = Game::from_fen(&format!("{text} b0.m=32767 b0.h=doubleCantrip,shield,weaken|")).unwrap();
    check_turn(&game, &Greedy::new(1).choose(&game)).unwrap();
}
