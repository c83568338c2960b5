//! Records of arena games, in the form of the recorded games that `barrow ice-and-fire replay` and `show` read.

use std::fmt::Write as _;

use barrow_core::contests::ice_and_fire::{Game, Rules};

use barrow_session::contests::ice_and_fire::input_line::input_line;
use barrow_session::contests::ice_and_fire::record::CONTEST;

/// The record of a game as it is played.
pub struct Recording {
    text: String,
}

impl Recording {
    /// The record of a game before its first turn. Names are those of the players by seat.
    pub fn new(seed: u64, rules: &Rules, game: &Game, names: [&str; 2]) -> Recording {
        let spots = game.state().mine_spots();
        let cells = spots.iter().map(|cell| format!("{} {}", cell.x(), cell.y()));
        let spots: Vec<String> = [spots.len().to_string()].into_iter().chain(cells).collect();
        let variant = if *rules == Rules::CONTEST { format!(" {CONTEST}") } else { String::new() };
        let text = format!("// {}\nSEED {seed}{variant}\nINIT {}\n", names.join(" | "), spots.join(","));
        Recording { text }
    }

    /// Adds the turn of the player to move, with the player's answer.
    pub fn turn(&mut self, game: &Game, answer: &str) {
        let mover = game.state().mover();
        let (turn, input) = (game.state().turn(), input_line(game, mover));
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "T {turn} P {} IN {input}\nOUT {answer}", mover.index());
    }

    /// Adds the end of the game.
    pub fn end(&mut self, game: &Game) {
        let scores = game.outcome().map_or([0; 2], |outcome| outcome.scores);
        let _ = writeln!(self.text, "END {}\nSCORES {} {}", game.state().turn(), scores[0], scores[1]);
    }

    /// The record so far.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use barrow_core::contests::ice_and_fire::Rules;
    use barrow_session::contests::watch;

    use crate::contests::ice_and_fire::arena::ArenaSettings;
    use crate::contests::ice_and_fire::replay;
    use crate::replay::Tally;

    #[test]
    fn what_an_arena_records_replays_without_a_mismatch() {
        for rules in [Rules::PERMANENT, Rules::CONTEST] {
            let settings = ArenaSettings {
                players: ["filler", "rush", "wall"].map(|name| name.parse().expect("a player")).to_vec(),
                maps: 1,
                seed: 4,
                rules,
                movetime: Duration::MAX,
                sprt: None,
                records: true,
            };
            let mut records = Vec::new();
            let keep = |record: &str| {
                records.push(record.to_owned());
                Ok(())
            };
            let result = settings.play(|_| (), keep).expect("an arena");
            assert!(result.stats.iter().all(|stats| stats.rejected == 0 && stats.faults == 0));
            assert_eq!(records.len(), 6);
            let mut tally = Tally::default();
            replay::text("records", &records.concat(), &mut tally).expect("a record");
            assert!(tally.steps > 60 && tally.mismatches == 0, "{} of {}", tally.mismatches, tally.steps);
            let watched = watch(&records[0]).expect("a record");
            let turns = records[0].lines().filter(|line| line.starts_with("T ")).count();
            assert_eq!((watched.scenes.len(), watched.mismatch), (turns + 1, None));
            let wrong = records[0].replacen("T 1 P 0 IN ", "T 1 P 0 IN 9", 1);
            assert!(watch(&wrong).expect("a record").mismatch.is_some());
        }
    }
}
