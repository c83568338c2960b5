//! Settings that a user may configure: their keys, variables, and the arguments and options that they are defaults of.

use crate::engine::{MAX_MIB, MAX_THREADS};
use crate::quantity::{read_mebibytes, read_milliseconds};

/// Commands that think about positions as a user asks them to. Those that measure, play for a result or learn are not among
/// them.
const THINKING: &[&str] = &["analyze", "analysis", "play"];

/// Setting that a user may configure.
#[derive(Debug)]
pub struct Setting {
    /// Key in the file, and name of the argument.
    pub key: &'static str,
    /// Environment variable.
    pub variable: &'static str,
    /// Meaning in a few words.
    pub meaning: &'static str,
    /// Value where nothing is configured, in words.
    pub built_in: &'static str,
    /// UMI option of the same meaning.
    pub umi_option: Option<&'static str>,
    /// Commands whose argument has the value as its default.
    pub(super) commands: &'static [&'static str],
    values: Values,
}

/// Values that a setting may have.
#[derive(Debug)]
enum Values {
    /// Whole numbers of an interval.
    Number(u64, u64),
    /// Sizes of at least one MiB and at most so many.
    Mebibytes(u64),
    /// Times of at least one millisecond and at most so many.
    Milliseconds(u64),
    /// Word, one of these.
    Words(&'static [&'static str]),
    /// Name of a file.
    File,
}

/// All settings.
pub(super) const SETTINGS: [Setting; 6] = [
    Setting {
        key: "hash",
        variable: "BARROW_HASH",
        meaning: "memory of a search in MiB",
        built_in: "256",
        umi_option: Some("Hash"),
        commands: THINKING,
        values: Values::Mebibytes(MAX_MIB as u64),
    },
    Setting {
        key: "threads",
        variable: "BARROW_THREADS",
        meaning: "threads of a search",
        built_in: "1",
        umi_option: Some("Threads"),
        commands: THINKING,
        values: Values::Number(1, MAX_THREADS as u64),
    },
    Setting {
        key: "net",
        variable: "BARROW_NET",
        meaning: "network file to think with",
        built_in: "the built-in network",
        umi_option: Some("EvalFile"),
        commands: &["analyze", "analysis", "play", "eval"],
        values: Values::File,
    },
    Setting {
        key: "movetime",
        variable: "BARROW_MOVETIME",
        meaning: "time for a turn in milliseconds, where no limit is named",
        built_in: "that of the command",
        umi_option: Some("MoveTime"),
        commands: THINKING,
        values: Values::Milliseconds(86_400_000),
    },
    Setting {
        key: "ruleset",
        variable: "BARROW_RULESET",
        meaning: "rules of positions that do not say, and of new games",
        built_in: "server, but spooky for a position in Spooky's form",
        umi_option: Some("Ruleset"),
        commands: &["analyze", "play", "eval", "show", "perft"],
        values: Values::Words(&["server", "spooky"]),
    },
    Setting {
        key: "color",
        variable: "BARROW_COLOR",
        meaning: "when text is coloured",
        built_in: "auto",
        umi_option: None,
        commands: &[],
        values: Values::Words(&["auto", "always", "never"]),
    },
];

impl Setting {
    /// Value of a text, as the command line and UMI both take it: sizes and times are whole numbers of MiB and of milliseconds.
    /// Fails when the setting cannot have it.
    pub(super) fn value(&self, text: &str) -> Result<String, String> {
        let within = |number: Option<u64>, least: u64, most: u64, unit: &str| {
            let number = number.filter(|number| (least..=most).contains(number));
            let wrong = || format!("expected a whole number from {least} to {most}{unit}");
            number.map(|number| number.to_string()).ok_or_else(wrong)
        };
        match self.values {
            Values::Number(least, most) => within(text.parse().ok(), least, most, ""),
            Values::Mebibytes(most) => within(read_mebibytes(text), 1, most, ", or a size such as 2GiB"),
            Values::Milliseconds(most) => {
                within(read_milliseconds(text), 1, most, ", or a time such as 1.5s")
            }
            Values::Words(words) if words.contains(&text) => Ok(text.to_owned()),
            Values::Words([words @ .., last]) => Err(format!("expected {} or {last}", words.join(", "))),
            Values::Words([]) | Values::File => Ok(text.to_owned()),
        }
    }
}
