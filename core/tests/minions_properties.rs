//! Properties of all positions and actions: the engine agrees with a slow reference of the rules, undo restores every
//! bit, a refused turn changes nothing, keys do not depend on history, and every position is valid.

use std::collections::BTreeSet;

use barrow_core::hex::Hex;
use barrow_core::minions::{
    Action, BoardAction, Change, Game, GameConfig, Ruleset, Side, Spell, TileType, UndoLog, UnitLabel, View,
};
use proptest::prelude::*;

use barrow_testing::differential::Differential;
use barrow_testing::generators::actions::{Step, step};
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::positions::position;
use barrow_testing::generators::turns::turn;
use barrow_testing::reference::convert::{from_game, upcoming_cards};
use barrow_testing::reference::geometry::{Coord, all, at, hex};
use barrow_testing::reference::state::State;
use barrow_testing::rounds;

/// Bytes for generators, printed as hexadecimal digits when a property fails.
#[derive(Clone)]
struct Bytes(Vec<u8>);

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

fn bytes(most: usize) -> impl Strategy<Value = Bytes> {
    prop::collection::vec(any::<u8>(), most / 2..most).prop_map(Bytes)
}

fn rulesets() -> impl Strategy<Value = Ruleset> {
    prop_oneof![3 => Just(Ruleset::Server), 1 => Just(Ruleset::Spooky)]
}

fn config(cases: u32) -> ProptestConfig {
    let [cases, max_shrink_iters] = [cases, 4000].map(|count| rounds(count.into()) as u32);
    ProptestConfig { cases, max_shrink_iters, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn every_action_and_turn_end_equals_the_reference(ruleset in rulesets(), bytes in bytes(1600)) {
        let choices = &mut Choices::new(&bytes.0);
        let mut differential = Differential::new(position(choices, ruleset));
        while !choices.is_empty() && !differential.overflowed {
            if choices.below(20) == 19 {
                differential.end_turn();
            } else {
                let step = step(choices, &differential.game);
                differential.step(&step);
            }
        }
        differential.end_turn();
    }

    #[test]
    fn a_refused_turn_leaves_no_trace_and_a_turn_equals_the_reference(
        ruleset in rulesets(),
        bytes in bytes(1200),
    ) {
        let choices = &mut Choices::new(&bytes.0);
        let mut differential = Differential::new(position(choices, ruleset));
        while !choices.is_empty() && !differential.overflowed {
            let turn = turn(choices, &differential.game, 20);
            differential.play(&turn);
        }
    }

    #[test]
    fn undo_restores_every_bit_of_any_number_of_actions(ruleset in rulesets(), bytes in bytes(1200)) {
        let choices = &mut Choices::new(&bytes.0);
        let mut game = position(choices, ruleset);
        let mut memory = vec![Change::default(); 8192];
        let mut log = UndoLog::new(&mut memory);
        let mut past: Vec<(_, Game)> = vec![(log.mark(), game.clone())];
        while !choices.is_empty() {
            let accepted = match step(choices, &game) {
                Step::General(action) => game.apply(Action::General(action), &mut log).is_ok(),
                Step::Board(board, actions) => game.apply_next(board, &actions, &mut log).is_ok(),
            };
            if accepted {
                past.push((log.mark(), game.clone()));
            }
            if choices.below(16) == 15 {
                past.truncate(1 + choices.below(past.len()));
                let (mark, then) = &past[past.len() - 1];
                game.undo(*mark, &mut log);
                prop_assert!(game == *then);
                prop_assert_eq!(game.state().key(), then.state().key());
            }
        }
    }

    #[test]
    fn queries_of_a_position_equal_the_reference(ruleset in rulesets(), bytes in bytes(900)) {
        let choices = &mut Choices::new(&bytes.0);
        let game = position(choices, ruleset);
        let reference = from_game(&game);
        for board in 0..game.config().num_boards() {
            let view = game.view(board).expect("there is such a board");
            compare_queries(&view, &reference, board);
            compare_legal_actions(&game, &reference, board);
        }
    }
}

/// Compares reach, targets, teleports, placements and terrain moves with the reference.
fn compare_queries(view: &View<'_>, reference: &State, b: usize) {
    let set = |hexes: barrow_core::hex::HexSet| -> BTreeSet<Coord> { hexes.into_iter().map(at).collect() };
    let where_true =
        |test: &dyn Fn(Coord) -> bool| -> BTreeSet<Coord> { all().filter(|&at| test(at)).collect() };
    for from in Hex::all() {
        let place = at(from);
        assert_eq!(set(view.reach(from)), reference.destinations(b, place), "reach of {from}");
        let targets = where_true(&|to| reference.may_attack(b, place, to));
        assert_eq!(set(view.targets(from)), targets, "targets of {from}");
        let teleports = where_true(&|to| reference.may_teleport(b, place, to));
        assert_eq!(set(view.teleports(from)), teleports, "teleports of {from}");
    }
    for unit in UnitLabel::ALL {
        let hexes = where_true(&|to| reference.may_spawn(b, unit, to));
        assert_eq!(set(view.spawn_hexes(unit)), hexes, "placing of {unit:?}");
    }
    let ground = |to: Coord| {
        let free = reference.piece(b, to).is_none() && reference.boards[b].tile(to) == TileType::Ground;
        free && reference.has_active_friend_near(b, to)
    };
    assert_eq!(set(view.terrain_hexes()), where_true(&ground));
}

/// Compares the list of legal actions with the reference: all are legal, and no action without a path is missing.
fn compare_legal_actions(game: &Game, reference: &State, b: usize) {
    let mut listed = Vec::new();
    game.legal_board_actions(b, |action| listed.push(action));
    for &action in &listed {
        // The list of the attack phase includes casts of the spawn phase, which end the attack phase.
        assert!(reference.act(b, &[action]).is_some(), "{action:?} is listed but not legal");
    }
    let view = game.view(b).expect("there is such a board");
    let mut shorter: Vec<BoardAction> = Vec::new();
    for to in all().map(hex) {
        shorter.extend([BoardAction::Blink { at: to }, BoardAction::UseTile { at: to }]);
        let spells = view.board.hand(view.side).iter().copied();
        let casts = spells.flat_map(|spell| {
            use barrow_core::minions::CastParams as P;
            [P::None, P::Piece(to), P::Hex(to)].map(|params| BoardAction::Cast { spell, params })
        });
        shorter.extend(casts);
    }
    shorter.extend(UnitLabel::ALL.map(|unit| BoardAction::Buy { unit }));
    shorter.extend(UnitLabel::ALL.map(|unit| BoardAction::Keep { unit: Some(unit) }));
    for action in shorter {
        let legal = reference.act(b, &[action]).is_some();
        assert_eq!(legal, listed.contains(&action), "{action:?}");
    }
}

#[test]
fn decks_are_dealt_without_replacement() {
    for seed in 0..20 {
        let game = Game::new(GameConfig::default(), seed);
        for side in Side::ALL {
            let state = game.state();
            let row: &[Spell] = if side == Side::Yellow { state.row() } else { &[] };
            let known = row.iter().chain(state.deck(side).queue());
            let dealt: Vec<Spell> =
                known.copied().chain(upcoming_cards(&game)[side.index()].iter().copied()).collect();
            let count = |spell: Spell, cards: &[Spell]| cards.iter().filter(|&&card| card == spell).count();
            for spell in Spell::ALL {
                assert!(count(spell, &dealt) <= usize::from(spell.copies()), "{spell:?} of seed {seed}");
            }
        }
    }
}
