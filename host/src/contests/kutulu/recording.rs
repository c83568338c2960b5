//! Records of arena games, in the form of the recorded games that `barrow kutulu replay` and `show` read.

use std::fmt::Write as _;

use barrow_core::contests::kutulu::{Actions, EXPLORERS, Map, State, map_name};

/// The record of a game as it is played.
pub struct Recording {
    text: String,
}

impl Recording {
    /// The record of a game before its first turn. Names are those of the players by seat.
    pub fn new(seed: u64, map: usize, state: &State, names: [&str; EXPLORERS]) -> Recording {
        let mut text = format!("// {}\n", names.join(" | "));
        let name = map_name(map).unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(text, "SEED {seed}\nMAP {name}\nCONSTS {}", state.constants);
        Recording { text }
    }

    /// Adds a turn: the state before it and the answers. An explorer without a valid answer has none in the record.
    pub fn turn(&mut self, state: &State, map: &Map, actions: &Actions) {
        self.state("TURN", state.turn, state, map);
        for id in state.living() {
            if let Some(action) = actions[id] {
                let _ = writeln!(self.text, "ACT {id} {}", action.verb());
            }
        }
    }

    /// Adds the end of the game.
    pub fn end(&mut self, state: &State, map: &Map) {
        self.state("END", state.turn.saturating_sub(1), state, map);
        let scores = state.scores.map(|score| score.unwrap_or(-1).to_string());
        let _ = writeln!(self.text, "SCORES {}", scores.join(" "));
    }

    /// The record so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn state(&mut self, word: &str, turn: u16, state: &State, map: &Map) {
        let entities = state.entities(map, 0);
        let _ = writeln!(self.text, "{word} {turn} {}", entities.len());
        for entity in entities.iter() {
            let _ = writeln!(self.text, "{entity}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use indicatif::ProgressBar;

    use barrow_session::contests::watch;

    use crate::contests::kutulu::arena::ArenaSettings;
    use crate::contests::kutulu::replay;
    use crate::replay::Tally;

    #[test]
    fn what_an_arena_records_replays_without_a_mismatch() {
        let players = ["wait", "lamp", "gather", "smitsimax,simulations=32"];
        let settings = ArenaSettings {
            players: players.map(|name| name.parse().expect("a player")).to_vec(),
            games: 4,
            seed: 9,
            map: None,
            patience: Duration::from_secs(5),
            records: true,
        };
        let mut records = Vec::new();
        let keep = |record: &str| {
            records.push(record.to_owned());
            Ok(())
        };
        settings.play(&ProgressBar::hidden(), keep).expect("an arena");
        assert_eq!(records.len(), 4);
        let mut tally = Tally::default();
        replay::text("records", &records.concat(), &mut tally).expect("a record");
        assert!(tally.steps > 100 && tally.mismatches == 0, "{} of {}", tally.mismatches, tally.steps);
        // The first of them is what a page shows.
        let watched = watch(&records.concat()).expect("a record");
        let turns = records[0].lines().filter(|line| line.starts_with("TURN ")).count();
        assert_eq!((watched.scenes.len(), watched.mismatch), (turns + 1, None));
        assert_eq!(watched.players.len(), 4);
        let wrong = records[0].replacen("EXPLORER 0", "EXPLORER 9", 1);
        assert!(watch(&wrong).expect("a record").mismatch.is_some_and(|why| why.starts_with("line ")));
    }
}
