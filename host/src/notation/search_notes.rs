//! Notes that a search leaves on its turn.

use barrow_core::minions::Game;
use barrow_session::notation::{Chance, LineText, RecordedCandidate, TurnNotes, Value};

use crate::engine::{Candidate, SearchResult};

/// Candidates that a recorded search leaves behind at most.
const CANDIDATES: usize = 3;

/// Value and error of a candidate of a search.
fn value_of(candidate: &Candidate) -> Value {
    Value { chance: Chance::new(candidate.value), error: Chance::new(candidate.error) }
}

/// Record of a candidate of a search.
fn recorded(game: &Game, candidate: &Candidate) -> RecordedCandidate {
    let value = [candidate.value, candidate.error];
    RecordedCandidate::of_turn(game, &candidate.turn, value, candidate.visits)
}

/// Notes on the best turn of a search.
pub fn notes_of_search(game: &Game, result: &SearchResult) -> TurnNotes {
    let searched = result.statistics.nodes > 1;
    let candidates = result.candidates.iter().take(if searched { CANDIDATES } else { 0 });
    // A record holds no turn that could not be played.
    let candidates = candidates.filter(|candidate| game.clone().play(&candidate.turn).is_ok());
    TurnNotes {
        nodes: Some(result.statistics.nodes).filter(|_| searched),
        value: result.candidates.first().filter(|_| searched).map(value_of),
        candidates: candidates.map(|candidate| recorded(game, candidate)).collect(),
        comments: result.breakdown.iter().map(|breakdown| LineText::new(&breakdown.to_string())).collect(),
        ..TurnNotes::timed(result.time)
    }
}
