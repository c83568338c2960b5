//! Time of the nets: evaluating a candidate attack, refreshing accumulators, a prophecy.

use std::hint::black_box;
use std::time::Duration;

use anyhow::Result;
use barrow_core::minions::turn_search::ports::{Attack, AttackGoal, AttackPlanner, Planned};
use barrow_core::minions::{Board, Game, MapLabel, Ruleset, UndoLog};
use barrow_nnue::accumulator::{BoardAccumulator, Delta, GlobalAccumulator, Tables};
use barrow_nnue::features::Stage;
use barrow_nnue::kernels::FAMILY;
use barrow_nnue::nets::Network;
use barrow_nnue::nets::oracle::{Context, Summary};
use barrow_nnue::shape::Profile;
use barrow_solver::attack::{PLANNER_WORDS, Planner};
use schemars::JsonSchema;
use serde::Serialize;

use super::rules::seconds_each;
use crate::bench::test_positions;
use crate::engine::embedded_nets;

/// Times of one network profile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProfileReport {
    /// Name of the profile.
    pub name: &'static str,
    /// Lanes of an accumulator.
    pub l1: usize,
    /// Candidate attacks evaluated per second, each by an accumulator update and Oracle's layers.
    pub evals_per_s: f64,
    /// Microseconds to refresh the accumulators of two boards.
    pub refresh_us: f64,
    /// Microseconds to predict the fates of all pieces of a board.
    pub prophet_us: f64,
}

/// Times of all embedded nets.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvalReport {
    /// The profiles, largest first.
    pub profiles: Vec<ProfileReport>,
    /// Kernel family in use, such as `avx2`.
    pub kernels: &'static str,
}

/// A position with an attack on one of its boards.
struct Case {
    game: Game,
    board: usize,
    after: Board,
}

/// Measures all embedded nets on the built-in positions, for about `time` per figure.
///
/// # Errors
/// When the user interrupts.
pub fn measure_eval(time: Duration) -> Result<EvalReport> {
    let cases = cases();
    let mut profiles = Vec::new();
    profiles.extend(embedded_nets::desktop().map(|network| measure(&network, &cases, time)).transpose()?);
    profiles.extend(embedded_nets::handheld().map(|network| measure(&network, &cases, time)).transpose()?);
    profiles.extend(embedded_nets::tiny().map(|network| measure(&network, &cases, time)).transpose()?);
    Ok(EvalReport { profiles, kernels: FAMILY })
}

/// Attacks, one for each board of each position: as many removals as the planner finds, in hex order of the enemies.
fn cases() -> Vec<Case> {
    let mut words = vec![0; PLANNER_WORDS];
    let mut planner = Planner::new(&mut words);
    let mut cases = Vec::new();
    for game in test_positions::middle_games(Ruleset::Spooky) {
        for board in 0..game.config().num_boards() {
            let Some(view) = game.view(board) else { continue };
            let aims: Vec<AttackGoal> =
                view.board.pieces(view.side.opponent()).into_iter().map(AttackGoal::Remove).collect();
            let mut attack = Attack::default();
            if planner.plan(&view, &aims, &[], &mut attack) != Planned::Found {
                continue;
            }
            let mut after = game.clone();
            let mut rest = attack.actions.as_slice();
            while let Ok(used) = after.apply_next(board as u8, rest, &mut UndoLog::off()) {
                rest = rest.get(used..).unwrap_or(&[]);
                if rest.is_empty() {
                    break;
                }
            }
            let after = after.state().boards()[board].clone();
            cases.push(Case { game: game.clone(), board, after });
        }
    }
    cases
}

/// A case with the accumulators of one network before the attack.
struct Prepared<'a, P: Profile> {
    case: &'a Case,
    map: MapLabel,
    context: Context,
    parent: BoardAccumulator<P>,
    delta: Delta<P::Layout>,
}

fn prepare<'a, P: Profile>(network: &Network<'_, P>, case: &'a Case) -> Prepared<'a, P> {
    let tables = network.board_tables();
    let side = case.game.side_to_move();
    let (boards, maps) = (case.game.state().boards(), case.game.config().maps());
    let sums: Vec<BoardAccumulator<P>> =
        boards.iter().zip(maps).map(|(board, &map)| sums_of(&tables, map, board)).collect();
    let summaries: Vec<Summary> =
        sums.iter().map(|sum| network.summary(sum.lanes(side), sum.lanes(side.opponent()))).collect();
    let general = GlobalAccumulator::of(&network.general_table(), &case.game);
    let context = network.context(general.lanes(side), general.lanes(side.opponent()), &summaries);
    let map = maps[case.board];
    let before = (&boards[case.board], Stage::TurnStart);
    let delta = Delta::between(map, before, (&case.after, Stage::AfterAttack));
    Prepared { case, map, context, parent: sums[case.board], delta }
}

fn sums_of<P: Profile>(tables: &Tables<'_, P>, map: MapLabel, board: &Board) -> BoardAccumulator<P> {
    BoardAccumulator::of(tables, map, board, Stage::TurnStart)
}

fn measure<P: Profile>(network: &Network<'_, P>, cases: &[Case], time: Duration) -> Result<ProfileReport> {
    let tables = network.board_tables();
    let prepared: Vec<Prepared<'_, P>> = cases.iter().map(|case| prepare(network, case)).collect();
    let judge = seconds_each(time, prepared.len(), || {
        for one in &prepared {
            let side = one.case.game.side_to_move();
            let Ok(sums) = BoardAccumulator::from_parent(&tables, &one.parent, &one.delta) else { continue };
            let summary = network.summary(sums.lanes(side), sums.lanes(side.opponent()));
            let joined = network.joined_layer(&one.context, one.case.board, &summary);
            black_box(network.win_chance(&joined));
        }
    })?;
    let refresh = seconds_each(time, prepared.len(), || {
        for one in &prepared {
            for board in one.case.game.state().boards().iter().take(2) {
                black_box(sums_of(&tables, one.map, black_box(board)));
            }
        }
    })?;
    let prophet = seconds_each(time, prepared.len(), || {
        for one in &prepared {
            let side = one.case.game.side_to_move();
            let Some(view) = one.case.game.view(one.case.board) else { continue };
            let scene = network.board_layer(one.parent.lanes(side), one.parent.lanes(side.opponent()));
            network.prophesy(&scene, view, None, |hex, fate, logit| {
                black_box((hex, fate, logit));
            });
        }
    })?;
    Ok(ProfileReport {
        name: P::NAME,
        l1: P::L1,
        evals_per_s: 1.0 / judge,
        refresh_us: refresh * 1e6,
        prophet_us: prophet * 1e6,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_profiles_are_measured_on_real_attacks() {
        assert!(cases().len() > 20);
        let report = measure_eval(Duration::from_millis(1)).unwrap();
        let names: Vec<&str> = report.profiles.iter().map(|profile| profile.name).collect();
        assert_eq!(names, ["desktop", "handheld", "tiny"]);
        assert!(report.profiles.iter().all(|profile| profile.evals_per_s > 0.0));
    }
}
