//! The forms in which games of Minions come as files, told apart by their first line.

use serde::Deserialize;
use serde::de::IgnoredAny;

/// Form of a file of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameForm {
    /// Annotated games as text, `.mgn` (`docs/spec/notation.md`).
    Notation,
    /// Annotated games as JSON, one a line.
    Json,
    /// Replay of the web server (umi §7.1).
    Server,
    /// Game records of self-play (traces §5).
    SelfPlay,
}

/// Keys by which lines of JSON are told apart.
#[derive(Deserialize)]
struct Keys {
    mgn: Option<IgnoredAny>,
    start: Option<IgnoredAny>,
    by: Option<IgnoredAny>,
}

impl GameForm {
    /// Form of a file by its first line that is not empty. `None` for any other file, a trace among them.
    pub fn of_line(line: &str) -> Option<GameForm> {
        let line = line.trim_start();
        match line.split_ascii_whitespace().next()? {
            "fen" => Some(GameForm::Server),
            "game" => Some(GameForm::Notation),
            word if word.starts_with('[') => Some(GameForm::Notation),
            word if word.starts_with('{') => match serde_json::from_str(line).ok()? {
                Keys { mgn: Some(_), .. } => Some(GameForm::Json),
                Keys { start: Some(_), by: Some(_), .. } => Some(GameForm::SelfPlay),
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_tells_the_form() {
        for (line, form) in [
            ("[Mgn \"1\"]", Some(GameForm::Notation)),
            ("game 7", Some(GameForm::Notation)),
            ("fen 0|12 0|0 L|L", Some(GameForm::Server)),
            ("{\"mgn\":1,\"turns\":[]}", Some(GameForm::Json)),
            ("{\"start\":\"\",\"turns\":[],\"by\":\"\"}", Some(GameForm::SelfPlay)),
            ("{\"game\":1,\"step\":0}", None),
            ("{\"id\":1}", None),
            ("{\"mgn\":", None),
            ("turn", None),
            ("", None),
        ] {
            assert_eq!(GameForm::of_line(line), form, "{line}");
        }
    }
}
