//! The root of a search as a record to learn from.

use barrow_core::minions::Game;
use barrow_core::minions::turn_search::{
    AttackCandidate, AttackIndex, Candidates, GeneralCandidate, GeneralIndex, MoneyCandidate, MoneyIndex,
    SharedTree, SpawnCandidate, SpawnIndex,
};
use barrow_core::search::value::KNOTS;

use super::search_result::SearchResult;
use crate::records::root_record::{
    BoardRecord, RootRecord, VisitedAttack, VisitedGeneral, VisitedMoney, VisitedSpawn, board_lines,
    general_lines, recorded_mean, rounded,
};

/// Attacks of a board that are recorded at most.
const ATTACKS: usize = 8;

/// Spawn candidates of an attack that are recorded at most.
const SPAWNS: usize = 8;

/// Choices of the general that are recorded at most.
const GENERALS: usize = 12;

/// The root record of a finished search. `reply` is the win chance after the expected answer, for the side to move at
/// the root.
pub(super) fn root_record(
    tree: &SharedTree<'_>,
    game: &Game,
    result: &SearchResult,
    reply: Option<f64>,
) -> RootRecord {
    let (candidates, stages) = tree.stages();
    let stages = candidates.stages(stages);
    let general = |(index, known): (GeneralIndex, &GeneralCandidate)| {
        let actions = general_lines(game, candidates.actions(index))?;
        let visits = known.stats.visits();
        (visits > 0).then(|| VisitedGeneral { visits, value: recorded_mean(&known.stats), actions })
    };
    let mut generals: Vec<_> = candidates.list(stages.general).filter_map(general).collect();
    generals.sort_by_key(|known| std::cmp::Reverse(known.visits));
    generals.truncate(GENERALS);
    let boards = stages.boards.iter().take(game.config().num_boards()).enumerate();
    let boards = boards.map(|(board, stages)| {
        let attack =
            |attack: (AttackIndex, &AttackCandidate)| visited_attack(candidates, game, board, attack);
        let mut attacks: Vec<_> = candidates.list(stages.attacks).filter_map(attack).collect();
        attacks.sort_by_key(|known| std::cmp::Reverse(known.visits));
        attacks.truncate(ATTACKS);
        let sum = |(_, known): (MoneyIndex, &MoneyCandidate)| {
            let (visits, souls) = (known.stats.visits(), KNOTS.get(usize::from(known.knot)).copied()?);
            (visits > 0).then(|| VisitedMoney { souls, visits, value: recorded_mean(&known.stats) })
        };
        let mut money: Vec<_> = candidates.list(stages.money).filter_map(sum).collect();
        money.sort_by_key(|known| known.souls);
        BoardRecord { attacks, money }
    });
    let best = result.best();
    RootRecord {
        nodes: result.statistics.nodes,
        value: rounded(best.claim),
        error: rounded(best.error),
        visits: best.visits,
        reply: reply.map(rounded),
        generals,
        boards: boards.collect(),
    }
}

/// An attack of a board that was visited.
fn visited_attack(
    candidates: &Candidates<'_>,
    game: &Game,
    board: usize,
    (index, known): (AttackIndex, &AttackCandidate),
) -> Option<VisitedAttack> {
    if known.stats.visits() == 0 {
        return None;
    }
    let spawn = |(index, known): (SpawnIndex, &SpawnCandidate)| {
        let actions = board_lines(game, board, candidates.actions(index))?;
        let visits = known.stats.visits();
        (visits > 0).then(|| VisitedSpawn {
            visits,
            value: recorded_mean(&known.stats),
            given: known.given,
            actions,
        })
    };
    let mut spawns: Vec<_> = candidates.list(known.spawns).filter_map(spawn).collect();
    spawns.sort_by_key(|known| std::cmp::Reverse(known.visits));
    spawns.truncate(SPAWNS);
    Some(VisitedAttack {
        visits: known.stats.visits(),
        value: recorded_mean(&known.stats),
        actions: board_lines(game, board, candidates.actions(index))?,
        spawns,
    })
}
