//! Analysis: what a search has found, as a page shows it.

use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::turn_search::Line;
use barrow_core::minions::{BoardAction, Game, GameTurn};
use barrow_core::search::stats::Stats;
use barrow_core::search::value::CERTAIN;
use barrow_nnue::nets::prophet::PredictionKind;

use crate::arrows::arrows;
use crate::expected_error;
use crate::explain::{ExplainedChoice, Explanation};
use crate::messages::{AnalysedBoard, AnalysedTurn, Analysis, Fate, FateKind, StageChoice, StageReport};
use crate::net_outlook::{Outlook, PredictedFate};
use crate::network::SessionNetwork;
use crate::optimism::Optimism;
use crate::search::Found;
use crate::text::narrate::Narration;

/// Choices of a stage that are listed.
const LISTED: usize = 8;

/// Win chance from which a value counts as proved; what is certain is a little less, the longer it takes.
const PROVED: f64 = 0.984;

/// Fates below this chance are left out.
const LEAST_CHANCE: f64 = 0.05;

/// State of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// Whether the search has ended.
    pub is_final: bool,
    /// Turns of the game before the position, where it is one of the game.
    pub after: Option<usize>,
    /// Seconds of the search.
    pub seconds: f64,
    /// Turns to list at most.
    pub candidates: usize,
}

/// Lines of a turn in UMI, `turn` first and `endturn` last.
pub fn turn_lines(game: &Game, turn: &GameTurn) -> Vec<String> {
    let text = TurnText::new(game, turn).to_string();
    text.lines().map(str::to_owned).chain(["endturn".to_owned()]).collect()
}

/// Win chance and its expected error, from the statistics of a turn and the optimism of the search.
pub fn value_of(stats: &Stats, optimism: Optimism) -> (f64, f64) {
    let certain = f64::from(CERTAIN);
    let visits = f64::from(stats.visits());
    let error = f64::from(stats.deviation()) / certain / visits.max(1.0).sqrt();
    let claim = f64::from(stats.mean()) / certain;
    let expected_error = expected_error::of_search(expected_error::deviation(claim, error, visits));
    (optimism.without(claim), expected_error)
}

/// Analysis of a position by what was found.
pub fn analysis(
    game: &Game,
    found: &Found,
    network: Option<&SessionNetwork>,
    standing: Standing,
) -> Analysis {
    let outlook = network.map(|network| Outlook::new(network, game));
    let boards = game.config().num_boards();
    let optimism = Optimism::of(game, found.statistics.nodes);
    let turns: Vec<AnalysedTurn> = found
        .turns
        .iter()
        .take(standing.candidates)
        .map(|(turn, line)| analysed(game, turn, line, optimism))
        .collect();
    let (value, expected_error) = match (turns.first(), &outlook) {
        (Some(best), _) => (best.value, best.expected_error),
        (None, Some(outlook)) => (outlook.value, outlook.error),
        (None, None) => (0.5, 1.0),
    };
    let best = found.turns.first();
    let proved = best.filter(|(_, line)| line.stats.visits() >= 8 || line.wins).and_then(|(_, line)| {
        let sure = line.stats.deviation() <= CERTAIN / 200;
        let claim = f64::from(line.stats.mean()) / f64::from(CERTAIN);
        match claim {
            _ if line.wins => Some("win"),
            _ if sure && claim >= PROVED => Some("win"),
            _ if sure && claim <= 1.0 - PROVED => Some("loss"),
            _ => None,
        }
    });
    let board = |index: usize| AnalysedBoard {
        win: outlook.as_ref().and_then(|outlook| Some(outlook.boards.get(index)?.win)),
        win_error: outlook.as_ref().and_then(|outlook| Some(outlook.boards.get(index)?.win_error)),
        next_point: outlook.as_ref().and_then(|outlook| Some(outlook.boards.get(index)?.next_point)),
        souls_ahead: f64::from(eval::board_score(game, index)) / 100.0,
        spent: best.map_or(0, |(turn, _)| souls_spent(game, turn, index)),
        fates: outlook
            .as_ref()
            .and_then(|outlook| Some(fates(&outlook.boards.get(index)?.fates)))
            .unwrap_or_default(),
    };
    let expected_reply = best.zip(found.reply.as_ref()).and_then(|((turn, _), reply)| {
        let mut after = game.clone();
        after.play(turn).ok()?;
        Some(Narration::new(&after, reply).summary())
    });
    Analysis {
        is_final: standing.is_final,
        after: standing.after,
        side: game.side_to_move().name().to_owned(),
        nodes: found.statistics.nodes,
        depth: found.statistics.depth,
        seconds: standing.seconds,
        network: network.map_or("none", SessionNetwork::name).to_owned(),
        value,
        expected_error,
        proved: proved.map(str::to_owned),
        boards: (0..boards).map(board).collect(),
        turns,
        expected_reply,
        stages: found.explanation.as_ref().map(stage_report),
        warning: None,
    }
}

/// Fates that are likely enough to be shown.
fn fates(predicted: &[PredictedFate]) -> Vec<Fate> {
    let likely = predicted.iter().filter(|fate| fate.chance >= LEAST_CHANCE);
    let shown = likely.map(|fate| Fate {
        hex: fate.hex.to_string(),
        kind: match fate.kind {
            PredictionKind::Killed => FateKind::Killed,
            PredictionKind::Unsummoned => FateKind::Unsummoned,
            PredictionKind::Passive => FateKind::Passive,
        },
        chance: fate.chance,
    });
    shown.collect()
}

fn analysed(game: &Game, turn: &GameTurn, line: &Line, optimism: Optimism) -> AnalysedTurn {
    let (value, expected_error) = value_of(&line.stats, optimism);
    let narration = Narration::new(game, turn);
    AnalysedTurn {
        value,
        expected_error,
        visits: u64::from(line.stats.visits()),
        wins: line.wins,
        lines: turn_lines(game, turn),
        summary: narration.summary(),
        sentences: narration.sentences(),
        arrows: arrows(turn, game.config().num_boards()),
    }
}

/// Souls that a turn spends on a board.
pub fn souls_spent(game: &Game, turn: &GameTurn, board: usize) -> u32 {
    let price = |action: &BoardAction| match action {
        BoardAction::Buy { unit } => u32::from(game.config().rules.unit(*unit).cost),
        _ => 0,
    };
    turn.board(board).iter().map(price).sum()
}

/// Statistics of every stage as a page shows them.
pub fn stage_report(explanation: &Explanation) -> StageReport {
    let choice = |choice: &ExplainedChoice| StageChoice {
        words: choice.text.clone(),
        chosen: choice.chosen,
        visits: choice.visits,
        value: choice.value,
    };
    StageReport {
        general: explanation.generals.iter().take(LISTED).map(choice).collect(),
        attacks: explanation
            .boards
            .iter()
            .map(|board| board.attacks.iter().take(LISTED).map(|attack| choice(&attack.choice)).collect())
            .collect(),
        money: explanation
            .boards
            .iter()
            .map(|board| {
                let tried = board.money.iter().filter(|(_, sum)| sum.visits > 0);
                tried.map(|(_, sum)| choice(sum)).collect()
            })
            .collect(),
    }
}
