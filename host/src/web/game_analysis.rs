//! Results of this machine's engine as the page shows them, in the messages of the session.

use barrow_core::minions::{Game, GameTurn};
use barrow_session::analysis::{Standing, analysis, souls_spent, stage_report, turn_lines};
use barrow_session::arrows::arrows;
use barrow_session::messages::{AnalysedTurn, Analysis};
use barrow_session::network::SessionNetwork;
use barrow_session::search::Found;

use crate::engine::network::{EngineNetwork, StaticNetwork};
use crate::engine::{Candidate, SearchResult};
use crate::text::narrate::Narration;

/// Analysis of a position by what a search has found.
pub(super) fn analysis_of(
    game: &Game,
    found: &SearchResult,
    network: Option<StaticNetwork>,
    standing: Standing,
) -> Analysis {
    let nothing = Found { turns: Vec::new(), statistics: found.statistics, reply: None, explanation: None };
    let network = network.or_else(EngineNetwork::embedded).map(session_network);
    let mut shown = analysis(game, &nothing, network.as_ref(), standing);
    shown.turns =
        found.candidates.iter().take(standing.candidates).map(|turn| analysed(game, turn)).collect();
    if let Some(best) = found.candidates.first() {
        shown.value = best.value;
        shown.expected_error = best.expected_error;
        for (index, board) in shown.boards.iter_mut().enumerate() {
            board.spent = souls_spent(game, &best.turn, index);
        }
        shown.expected_reply = found.reply.as_ref().and_then(|reply| in_words(game, &best.turn, reply));
    }
    shown.stages = found.explanation.as_ref().map(stage_report);
    shown.warning = found.breakdown.as_ref().map(ToString::to_string);
    shown
}

fn analysed(game: &Game, candidate: &Candidate) -> AnalysedTurn {
    let narration = Narration::new(game, &candidate.turn);
    AnalysedTurn {
        value: candidate.value,
        expected_error: candidate.expected_error,
        visits: candidate.visits,
        wins: wins(game, &candidate.turn),
        lines: turn_lines(game, &candidate.turn),
        summary: narration.summary(),
        sentences: narration.sentences(),
        arrows: arrows(&candidate.turn, game.config().num_boards()),
    }
}

/// Whether a turn wins the game at once.
fn wins(game: &Game, turn: &GameTurn) -> bool {
    let mut after = game.clone();
    after.play(turn).is_ok() && after.state().winner() == Some(game.side_to_move())
}

/// Answer to a turn in a few words.
fn in_words(game: &Game, turn: &GameTurn, reply: &GameTurn) -> Option<String> {
    let mut after = game.clone();
    after.play(turn).ok()?;
    Some(Narration::new(&after, reply).summary())
}

fn session_network(network: StaticNetwork) -> SessionNetwork {
    match *network {
        EngineNetwork::Desktop(network) => SessionNetwork::Desktop(network),
        EngineNetwork::Handheld(network) => SessionNetwork::Handheld(network),
        EngineNetwork::Tiny(network) => SessionNetwork::Tiny(network),
    }
}
