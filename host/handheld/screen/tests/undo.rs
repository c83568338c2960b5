//! Undo takes back what was entered last, also where that stands before what was entered earlier: an action of the attack phase
//! that came after placements.

use std::collections::BTreeSet;

use barrow_core::minions::{Action, BoardAction, Game, GameConfig};
use barrow_core::rng::Rng;
use barrow_screen::coding::Entry;
use barrow_screen::level::{Level, Machine};
use barrow_screen::save::{SAVE_BYTES, sign};
use barrow_screen::screen::GameScreen;
use barrow_screen::table::Table;

const MACHINE: Machine = Machine {
    name: "test",
    levels: &[Level { name: "easy", about: "plays by simple rules", slices: 0 }],
    default_level: 0,
    max_boards: 2,
    nodes_per_slice: 1,
};

/// Legal actions of a board that a test wants.
fn legal(game: &Game, board: u8, wanted: impl Fn(&BoardAction) -> bool) -> Vec<Action> {
    let mut all = Vec::new();
    game.legal_board_actions(board.into(), |action| {
        if wanted(&action) {
            all.push(Action::Board(board, action));
        }
    });
    all
}

fn is_walk(action: &BoardAction) -> bool {
    matches!(action, BoardAction::Walk { .. } | BoardAction::Move { .. })
}

/// A table at Yellow's second turn, which begins with a zombie to place on each board.
fn table() -> Table {
    let mut table = Table::new(GameConfig::default(), 1);
    table.begin(GameConfig::default(), 1);
    table.end_turn().unwrap();
    table.end_turn().unwrap();
    table
}

fn marks(table: &Table) -> usize {
    table.record().entered().filter(|entry| matches!(entry, Entry::Late(_))).count()
}

#[test]
fn a_walk_that_comes_after_a_placement_is_taken_back_before_it() {
    let mut table = table();
    let start = table.shown().clone();
    let walk = *legal(&start, 0, is_walk).last().unwrap();
    let spawn = legal(&start, 0, |action| matches!(action, BoardAction::Spawn { .. }))[0];
    table.enter(&[spawn]).unwrap();
    let placed = table.shown().clone();
    table.enter(&[walk]).unwrap();
    assert_ne!(table.shown(), &placed);
    assert!(table.undo());
    assert_eq!(table.shown(), &placed);
    // What was entered stands in the record as if there had been no walk.
    assert_eq!(table.record().entered().collect::<Vec<_>>(), [Entry::Action(spawn)]);
    assert!(table.undo());
    assert_eq!(table.shown(), &start);
    assert!(!table.undo());
}

/// Everything that is entered at random, on two boards in any order, is taken back step by step, and entered once more amid that.
#[test]
fn whatever_was_entered_is_taken_back_step_by_step() {
    let mut late = BTreeSet::new();
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut table = table();
        let mut before = vec![(table.shown().clone(), table.record().entered().collect::<Vec<_>>())];
        for _ in 0..60 {
            if rng.chance(1, 4) {
                assert_eq!(table.undo(), before.len() > 1);
                before.truncate(before.len().saturating_sub(1).max(1));
            } else {
                let board = rng.below(2) as u8;
                // What is legal at the start of the turn may come late.
                let from = if rng.chance(1, 2) { table.start() } else { table.shown() };
                let from = legal(from, board, |_| true);
                let Some(&action) = from.get(rng.below(from.len().max(1) as u32) as usize) else { continue };
                if table.enter(&[action]).is_ok() {
                    before.push((table.shown().clone(), table.record().entered().collect()));
                }
            }
            let (shown, entered) = before.last().unwrap();
            assert_eq!(table.shown(), shown, "seed {seed}");
            assert_eq!(&table.record().entered().collect::<Vec<_>>(), entered, "seed {seed}");
            late.insert(marks(&table));
        }
        // A turn that is over needs no marks, and is the one that was shown.
        let mut shown = table.shown().clone();
        table.end_turn().unwrap();
        shown.end_turn().unwrap();
        assert_eq!(table.start(), &shown);
        assert!(table.record().played().all(|entry| !matches!(entry, Entry::Late(_))));
        let mut again = Game::from_fen(table.record().base()).unwrap();
        barrow_screen::table::play(&mut again, table.record().played()).unwrap();
        assert_eq!(&again, &shown);
    }
    assert!(late.len() > 3, "{late:?}");
}

/// A container with the game of a table.
fn saved(table: &Table) -> Box<[u8; SAVE_BYTES]> {
    let mut memory = Box::new([0; SAVE_BYTES]);
    let ui = barrow_screen::ui::Ui::new(&MACHINE);
    barrow_screen::save::write_save(&ui, table, &mut memory);
    memory
}

#[test]
fn a_late_action_is_taken_back_after_its_state_was_loaded() {
    let mut table = table();
    let start = table.shown().clone();
    let spawn = legal(&start, 0, |action| matches!(action, BoardAction::Spawn { .. }))[0];
    table.enter(&[spawn]).unwrap();
    let placed = table.shown().clone();
    let walks = legal(&start, 0, is_walk);
    let walk = walks.into_iter().rev().find(|walk| table.enter(&[*walk]).is_ok());
    assert!(walk.is_some());
    let good = saved(&table);
    let mut screen = GameScreen::new(MACHINE);
    screen.load(good.as_slice()).unwrap();
    let mut copy = Table::new(GameConfig::default(), 1);
    barrow_screen::save::read_save(good.as_slice(), &mut copy, &MACHINE).unwrap();
    assert!(copy.undo());
    assert_eq!(copy.shown(), &placed);
    // A mark that lies is no reason for a position that no record leads to.
    let (record, [_, turn, end]) = table.record().parts();
    let begin = SAVE_BYTES - barrow_screen::record::RECORD_BYTES;
    let marked = (usize::from(turn)..usize::from(end)).find(|&at| record[at] == 28).unwrap();
    for lie in 0..=40 {
        let mut bad = good.clone();
        bad[begin + marked + 1] = lie;
        sign(&mut bad);
        barrow_screen::save::read_save(bad.as_slice(), &mut copy, &MACHINE).unwrap();
        while copy.undo() {
            barrow_screen::save::read_save(
                saved(&copy).as_slice(),
                &mut Table::new(GameConfig::default(), 1),
                &MACHINE,
            )
            .unwrap();
        }
        assert_eq!(copy.shown(), copy.start());
    }
    // Nor is it one of a turn that is over.
    let mut bad = good.clone();
    bad[16 + 2..16 + 4].copy_from_slice(&end.to_le_bytes());
    sign(&mut bad);
    assert!(barrow_screen::save::read_save(bad.as_slice(), &mut copy, &MACHINE).is_err());
}
