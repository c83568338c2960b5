//! Explanations: the candidates of every stage of a search with their statistics, in words.

use barrow_core::hex::HexSet;
use barrow_core::minions::turn_search::ports::Outline;
use barrow_core::minions::turn_search::{
    AttackCandidate, AttackIndex, Candidates, Family, GeneralCandidate, GeneralIndex, MoneyCandidate,
    MoneyIndex, SharedTree, SpawnCandidate, SpawnIndex,
};
use barrow_core::minions::{Action, BoardAction, Game, GameTurn};
use barrow_core::search::stats::Stats;
use barrow_core::search::value::{CERTAIN, KNOTS};

use crate::text::narrate::Narration;

/// A candidate of any stage.
#[derive(Clone, Debug)]
pub struct ExplainedChoice {
    /// The candidate in words.
    pub text: String,
    /// Whether the candidate is part of the best turn.
    pub chosen: bool,
    /// Prior of the candidate before its first visit, 0 to 1.
    pub prior: f64,
    /// Visits of turns with the candidate.
    pub visits: u32,
    /// Mean win chance of these turns, 0 to 1.
    pub value: f64,
    /// Standard error of the mean win chance.
    pub error: f64,
}

/// A candidate of the attack stage of one board.
#[derive(Clone, Debug)]
pub struct ExplainedAttack {
    /// The attack itself.
    pub choice: ExplainedChoice,
    /// Family of the request that the attack answered.
    pub family: Family,
    /// Whether the search has pruned the attack as bad beyond doubt.
    pub pruned: bool,
    /// Spawn candidates that were tried after the attack, the oldest first.
    pub spawns: Vec<ExplainedChoice>,
}

/// The stages of one board.
#[derive(Clone, Debug)]
pub struct ExplainedBoard {
    /// Attacks, the most visited first.
    pub attacks: Vec<ExplainedAttack>,
    /// Families that have no further attack.
    pub exhausted: Vec<Family>,
    /// Whether the candidates are all attacks that there are.
    pub complete: bool,
    /// Money candidates of the board: souls given, and their statistics.
    pub money: Vec<(u8, ExplainedChoice)>,
}

/// Candidates of every stage of one position.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Choices of the general, the most visited first.
    pub generals: Vec<ExplainedChoice>,
    /// The boards, in index order.
    pub boards: Vec<ExplainedBoard>,
}

impl Explanation {
    /// The candidates in the tree for the position that was searched. `best` is the best turn.
    pub fn new(tree: &SharedTree<'_>, game: &Game, best: &GameTurn) -> Explanation {
        let (candidates, stages) = tree.stages();
        let stages = candidates.stages(stages);
        let budget = game.state().budget();
        let chosen: Vec<Action> = best.general_actions(budget).map(Action::General).collect();
        let general = |(index, known): (GeneralIndex, &GeneralCandidate)| {
            let actions = candidates.actions(index);
            explained(&known.stats, known.prior, general_text(game, actions), same(actions, &chosen))
        };
        let mut generals: Vec<_> = candidates.list(stages.general).map(general).collect();
        generals.sort_by_key(|choice| std::cmp::Reverse(choice.visits));
        let boards = stages.boards.iter().take(game.config().num_boards()).enumerate();
        let boards = boards.map(|(board, stages)| {
            let best: Vec<Action> =
                best.board(board).iter().map(|&action| Action::Board(board as u8, action)).collect();
            let mut attacks: Vec<_> = candidates
                .list(stages.attacks)
                .map(|(index, known)| attack(candidates, game, board, (index, known), &best))
                .collect();
            attacks.sort_by_key(|attack| std::cmp::Reverse(attack.choice.visits));
            let sum = |(_, money): (MoneyIndex, &MoneyCandidate)| {
                let souls = KNOTS.get(usize::from(money.knot)).copied().unwrap_or(0);
                (souls, explained(&money.stats, 0, format!("{souls} souls"), false))
            };
            let mut money: Vec<_> = candidates.list(stages.money).map(sum).collect();
            money.sort_by_key(|entry| entry.0);
            let exhausted = stages.exhausted.iter().collect();
            ExplainedBoard { attacks, exhausted, complete: stages.complete, money }
        });
        Explanation { generals, boards: boards.collect() }
    }
}

/// Whether two lists hold the same actions in any order, each equally often.
fn same(a: &[Action], b: &[Action]) -> bool {
    let count = |list: &[Action], action: &Action| list.iter().filter(|other| *other == action).count();
    a.len() == b.len() && a.iter().all(|action| count(a, action) == count(b, action))
}

fn explained(stats: &Stats, prior: u16, text: String, chosen: bool) -> ExplainedChoice {
    let certain = f64::from(CERTAIN);
    let trials = f64::from(stats.visits().max(1));
    ExplainedChoice {
        text,
        chosen,
        prior: f64::from(prior) / f64::from(u16::MAX),
        visits: stats.visits(),
        value: f64::from(stats.mean()) / certain,
        error: f64::from(stats.deviation()) / certain / trials.sqrt(),
    }
}

fn attack(
    candidates: &Candidates<'_>,
    game: &Game,
    board: usize,
    (index, known): (AttackIndex, &AttackCandidate),
    best: &[Action],
) -> ExplainedAttack {
    let rest = best.strip_prefix(candidates.actions(index));
    let spawn = |(index, spawn): (SpawnIndex, &SpawnCandidate)| {
        let actions = candidates.actions(index);
        let text = format!("given {}, spends {}: {}", spawn.given, spawn.spent, spawn_text(actions));
        explained(&spawn.stats, u16::MAX, text, rest == Some(actions))
    };
    let mut spawns: Vec<_> = candidates.list(known.spawns).map(spawn).collect();
    spawns.reverse();
    let chosen = spawns.iter().any(|spawn| spawn.chosen);
    ExplainedAttack {
        choice: explained(&known.stats, known.prior, outline_text(game, board, &known.outline), chosen),
        family: known.family,
        pruned: known.pruned,
        spawns,
    }
}

fn general_text(game: &Game, actions: &[Action]) -> String {
    let actions = actions.iter().filter_map(|action| match *action {
        Action::General(action) => Some(action),
        Action::Board(..) => None,
    });
    let narration = Narration::new(game, &game.general_turn(actions).unwrap_or_default());
    if narration.general.is_empty() { "nothing".to_owned() } else { narration.general.join(", ") }
}

/// The pieces killed, unsummoned and fighting in an attack, with their hexes before the turn.
fn outline_text(game: &Game, board: usize, outline: &Outline) -> String {
    let names = |hexes: HexSet| {
        let name = |hex| match game.view(board).and_then(|view| view.board.piece(hex)) {
            Some(piece) => format!("{} {hex}", piece.unit().name()),
            None => hex.to_string(),
        };
        hexes.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let mut parts = Vec::new();
    for (verb, hexes) in
        [("kills", outline.killed), ("unsummons", outline.unsummoned), ("fights with", outline.fighters)]
    {
        if !hexes.is_empty() {
            parts.push(format!("{verb} {}", names(hexes)));
        }
    }
    if parts.is_empty() { "nobody fights".to_owned() } else { parts.join("; ") }
}

fn spawn_text(actions: &[Action]) -> String {
    let (mut walks, mut parts) = (0, Vec::new());
    for action in actions {
        let Action::Board(_, action) = action else { continue };
        match *action {
            BoardAction::Move { .. } | BoardAction::Walk { .. } => walks += 1,
            BoardAction::Spawn { unit, at } => parts.push(format!("{} {at}", unit.name())),
            BoardAction::Blink { at } => parts.push(format!("blink {at}")),
            BoardAction::Cast { spell, .. } => parts.push(format!("cast {}", spell.name())),
            BoardAction::Keep { unit } => {
                parts.push(format!("keep {}", unit.map_or("all", |unit| unit.name())));
            }
            BoardAction::Resign => parts.push("resign".to_owned()),
            _ => {}
        }
    }
    match walks {
        0 => {}
        1 => parts.insert(0, "1 walk".to_owned()),
        _ => parts.insert(0, format!("{walks} walks")),
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}
