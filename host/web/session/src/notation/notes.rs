//! Notes on a turn: time, clock, value with its error, candidates, comments.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn};

use super::line_text::LineText;

/// Steps of a chance: it is written with four decimals.
const STEPS: u16 = 10_000;

/// Chance, 0 to 1, in whole ten-thousandths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Chance(u16);

impl Chance {
    /// The nearest chance; what is no number becomes 0.
    pub fn new(chance: f64) -> Chance {
        Chance((chance.clamp(0.0, 1.0) * f64::from(STEPS)).round() as u16)
    }

    /// The chance as a number, 0 to 1.
    pub fn get(self) -> f64 {
        f64::from(self.0) / f64::from(STEPS)
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:04}", self.0 / STEPS, self.0 % STEPS)
    }
}

impl FromStr for Chance {
    type Err = String;

    fn from_str(text: &str) -> Result<Chance, String> {
        let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
        number.map(Chance::new).ok_or_else(|| "expected a chance from 0 to 1".to_owned())
    }
}

/// Value of a position for the side that plays the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// Win chance.
    pub chance: Chance,
    /// Standard error of the win chance.
    pub error: Chance,
}

/// Turn that a player considered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedCandidate {
    /// Value of the turn.
    pub value: Value,
    /// Visits of the turn in the search.
    pub visits: u64,
    /// Actions of the turn: its lines in UMI without `action`, the tech line first.
    pub actions: Vec<String>,
}

impl RecordedCandidate {
    /// Record of a turn with its value, the win chance and its error, 0 to 1 each.
    pub fn of_turn(
        game: &Game,
        turn: &GameTurn,
        [chance, error]: [f64; 2],
        visits: u64,
    ) -> RecordedCandidate {
        let value = Value { chance: Chance::new(chance), error: Chance::new(error) };
        RecordedCandidate { value, visits, actions: actions_of(game, turn) }
    }

    /// Actions on one line.
    pub fn text(&self) -> String {
        self.actions.join("; ")
    }
}

/// Actions of a turn: its lines in UMI without `turn` and `action`.
pub fn actions_of(game: &Game, turn: &GameTurn) -> Vec<String> {
    let text = TurnText::new(game, turn).to_string();
    text.lines().filter_map(|line| line.strip_prefix("action ")).map(str::to_owned).collect()
}

/// Notes on a turn; each may be missing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TurnNotes {
    /// Time used in milliseconds.
    pub time: Option<u64>,
    /// Time left on the player's clock after the turn, in milliseconds.
    pub clock: Option<u64>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Value that the player gives the turn.
    pub value: Option<Value>,
    /// Turns considered, the best first.
    pub candidates: Vec<RecordedCandidate>,
    /// Comments.
    pub comments: Vec<LineText>,
}

impl TurnNotes {
    /// Notes on a turn that took this time.
    pub fn timed(time: Duration) -> TurnNotes {
        TurnNotes { time: Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)), ..TurnNotes::default() }
    }

    /// Takes value and nodes from a line `info …` of a UMI engine, where it has them.
    pub fn read_info(&mut self, line: &str) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let after = |name: &str| {
            let place = words.iter().position(|word| *word == name)?;
            words.get(place + 1).copied()
        };
        // Lines of the second and later turns are about others.
        if words.first() != Some(&"info") || after("multipv").is_some_and(|place| place != "1") {
            return;
        }
        if let Some(nodes) = after("nodes").and_then(|nodes| nodes.parse().ok()) {
            self.nodes = Some(nodes);
        }
        if let Some(chance) = after("winprob").and_then(|chance| chance.parse().ok()) {
            // Confidence is 1 less the expected error.
            let confidence = after("confidence").and_then(|confidence| confidence.parse::<Chance>().ok());
            let error = confidence.map(|confidence| Chance::new(1.0 - confidence.get()));
            let error = error.or_else(|| self.value.map(|value| value.error)).unwrap_or_default();
            self.value = Some(Value { chance, error });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_have_four_decimals() {
        for (text, printed) in
            [("0", "0.0000"), ("1", "1.0000"), ("0.53124", "0.5312"), ("0.00005", "0.0001")]
        {
            assert_eq!(text.parse::<Chance>().unwrap().to_string(), printed);
        }
        for text in ["", "x", "-0.1", "1.1", "NaN", "inf"] {
            assert!(text.parse::<Chance>().is_err(), "{text}");
        }
        for steps in 0..=STEPS {
            assert_eq!(Chance(steps).to_string().parse::<Chance>().unwrap(), Chance(steps));
            assert_eq!(Chance::new(Chance(steps).get()), Chance(steps));
        }
        assert_eq!((Chance::new(f64::NAN), Chance::new(2.0)), (Chance(0), Chance(STEPS)));
    }

    #[test]
    fn info_lines_of_engines_are_understood() {
        let mut notes = TurnNotes::default();
        notes.read_info("info depth 4 nodes 12 score winprob 0.512 confidence 0.960 multipv 1 pv x");
        notes.read_info("info depth 4 nodes 13 score winprob 0.312 confidence 0.960 multipv 2 pv x");
        let value = |chance, error| Some(Value { chance: Chance(chance), error: Chance(error) });
        assert_eq!((notes.nodes, notes.value), (Some(12), value(5120, 400)));
        notes.read_info("info eval winprob 0.5602356");
        notes.read_info("info nps 144.5 nodes 40 time 0.02");
        notes.read_info("info string nodes winprob");
        assert_eq!((notes.nodes, notes.value), (Some(40), value(5602, 400)));
    }
}
