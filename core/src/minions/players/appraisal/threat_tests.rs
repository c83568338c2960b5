//! Tests of threats: sums of damage that cannot overflow, and threats followed over moves and captures.

use super::*;
use crate::minions::players::Greedy;
use crate::minions::{Action, BoardAction, Game, GameConfig, MapLabel, Ruleset, UndoLog, UnitLabel};
use crate::rng::Rng;

#[test]
fn no_damage_is_lost() {
    for unit in UnitLabel::ALL {
        for ruleset in [Ruleset::Server, Ruleset::Spooky] {
            let unit = ruleset.rules().unit(unit);
            let Attack::Damage(each) = unit.attack else { continue };
            // A modifier lets a unit attack twice.
            let most = u32::from(each) * u32::from(unit.num_attacks.max(2)) * Hex::COUNT as u32;
            assert!(most < 2048, "{most}");
        }
    }
}

/// Holds threats to those computed anew.
fn assert_equal(threats: &Threats, view: &View<'_>) {
    let anew = Threats::new(view);
    assert_eq!((threats.damage, threats.removers), (anew.damage, anew.removers));
    for threat in &anew.list {
        let own = threats.list.iter().find(|own| own.from == threat.from).unwrap();
        assert_eq!((own.reach, own.zone), (threat.reach, threat.zone));
    }
    (0..12).for_each(|defense| assert_eq!(threats.deadly(defense, None), anew.deadly(defense, None)));
}

/// Attacks with the piece on a hex, where it can, and follows it. Returns the number of enemies removed.
fn capture(threats: &mut Threats, game: &mut Game, board: usize, from: Hex) -> usize {
    let Some(to) = game.view(board).unwrap().targets(from).first() else { return 0 };
    let attack = Action::Board(board as u8, BoardAction::Attack { from, to });
    game.apply(attack, &mut UndoLog::off()).unwrap();
    let Some(view) = game.view(board).filter(|view| view.board.piece(to).is_none()) else { return 0 };
    threats.remove(to);
    threats.update(&view, HexSet::EMPTY, to.to_set());
    assert_equal(threats, &view);
    1
}

#[test]
fn updated_threats_equal_those_computed_anew() {
    let mut rng = Rng::new(5);
    let (mut moves, mut captures) = (0, 0);
    for (seed, ruleset) in [(1, Ruleset::Server), (2, Ruleset::Spooky), (3, Ruleset::Server)] {
        let maps = [MapLabel::ALL[seed as usize], MapLabel::ALL[seed as usize + 4]];
        let mut game = Game::new(GameConfig::new(ruleset, &maps).unwrap(), seed);
        for turn in 0..24 {
            for board in 0..maps.len() {
                let mut trial = game.clone();
                let mut threats = Threats::new(&trial.view(board).unwrap());
                for from in trial.view(board).unwrap().board.pieces(game.side_to_move()) {
                    let reach = trial.view(board).unwrap().reach(from);
                    if reach.is_empty() {
                        continue;
                    }
                    let to = reach.into_iter().nth(rng.below(reach.len() as u32) as usize).unwrap();
                    let walk = Action::Board(board as u8, BoardAction::walk(from, to));
                    trial.apply(walk, &mut UndoLog::off()).unwrap();
                    let view = trial.view(board).unwrap();
                    threats.update(&view, to.to_set(), from.to_set());
                    assert_equal(&threats, &view);
                    moves += 1;
                    captures += capture(&mut threats, &mut trial, board, to);
                }
            }
            let turn = Greedy::new(turn).choose(&game);
            game.play(&turn).unwrap();
            if game.state().is_over() {
                break;
            }
        }
    }
    assert!(moves > 300 && captures > 30, "{moves} {captures}");
}
