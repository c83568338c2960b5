//! Different positions have different rows.

use std::collections::BTreeMap;

use barrow_core::minions::text::fen;
use barrow_core::minions::{GameConfig, Ruleset, Side};
use barrow_core::rng::Rng;
use barrow_nnue::features::Stage;
use barrow_nnue::layout::{Folded, Full};

use crate::mutations::{Folds, MUTATIONS};
use crate::{Seen, plain, positions, seen};

/// Tries of one mutation on one position.
const TRIES: usize = 2;

#[test]
fn positions_with_the_same_rows_are_the_same_position() {
    let mut dice = Rng::new(5);
    let mut known: BTreeMap<(Side, Seen), _> = BTreeMap::new();
    for base in positions(4, 120) {
        let mut games = vec![base.clone()];
        for mutation in MUTATIONS {
            games.extend((0..TRIES).filter_map(|_| mutation.apply(&base, &mut dice)));
        }
        for game in games {
            let game = plain(&game);
            let side = game.side_to_move();
            let rows = seen::<Full>(&game, Stage::TurnStart, side);
            if let Some(other) = known.get(&(side, rows.clone())) {
                assert!(game == *other, "two positions with the same rows:\n{game:?}\n{other:?}");
            } else {
                known.insert((side, rows), game);
            }
        }
    }
    assert!(known.len() > 10_000, "{}", known.len());
}

#[test]
fn every_mutation_is_seen_by_the_full_layout_and_folded_as_documented_by_the_other() {
    let mut dice = Rng::new(6);
    let bases = positions(7, 250);
    let mut surprises = Vec::new();
    for mutation in MUTATIONS {
        let (mut changes, mut folded) = (0, 0);
        for base in &bases {
            let Some(mutant) = mutation.apply(base, &mut dice) else { continue };
            let (old, new) = (plain(base), plain(&mutant));
            let differs = old != new;
            for side in Side::ALL {
                let rows = [&old, &new].map(|game| seen::<Full>(game, Stage::TurnStart, side));
                // Who is to move is told by the perspective that networks read first.
                let turned = old.side_to_move() != new.side_to_move();
                assert_eq!(rows[0] != rows[1], differs && !turned, "{}", mutation.name);
                let rows = [&old, &new].map(|game| seen::<Folded>(game, Stage::TurnStart, side));
                changes += usize::from(differs);
                folded += usize::from(differs && rows[0] == rows[1]);
            }
        }
        let found = match folded {
            _ if changes == 0 => Folds::Unseen,
            0 => Folds::Nothing,
            _ if folded == changes => Folds::All,
            _ => Folds::Some,
        };
        if found != mutation.folds {
            surprises.push(format!("{}: {folded} of {changes} are folded", mutation.name));
        }
    }
    assert!(surprises.is_empty(), "{surprises:#?}");
}

#[test]
fn stages_have_their_rows() {
    for game in positions(8, 10) {
        let rows = [Stage::TurnStart, Stage::AfterAttack, Stage::AfterSpawn]
            .map(|stage| seen::<Full>(&game, stage, Side::Yellow).boards);
        assert!(rows[0] != rows[1] && rows[1] != rows[2] && rows[0] != rows[2]);
    }
}

#[test]
fn no_row_of_the_full_layout_is_named_twice() {
    for game in positions(9, 400) {
        for side in Side::ALL {
            let Seen { boards, general } = seen::<Full>(&game, Stage::AfterSpawn, side);
            let twice = |rows: &[u16]| rows.windows(2).any(|pair| pair[0] == pair[1]);
            assert!(!twice(&general));
            assert!(boards.iter().all(|rows| rows.windows(2).all(|pair| pair[0] != pair[1])));
        }
    }
}

#[test]
fn a_recorded_middle_game_has_about_forty_rows() {
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    let lines = barrow_testing::MIDGAME.lines();
    let (mut rows, mut boards, mut most) = (0, 0, 0);
    for line in lines {
        let game = fen::parse(line, &config).unwrap();
        for board in seen::<Full>(&game, Stage::TurnStart, Side::Yellow).boards {
            rows += board.len();
            boards += 1;
            most = most.max(board.len());
        }
    }
    assert!(rows <= 45 * boards && most <= 70, "{} on average, {most} at most", rows / boards);
}
