//! Tags of an annotated game: what is known of the game as a whole.

use std::collections::BTreeMap;

use super::line_text::LineText;

/// Tags in the order in which they are written, before all others.
const ORDER: [&str; 10] = [
    Tags::PROGRAM,
    Tags::EVENT,
    Tags::ROUND,
    Tags::DATE,
    Tags::YELLOW,
    Tags::YELLOW_LIMITS,
    Tags::YELLOW_NETWORK,
    Tags::BLUE,
    Tags::BLUE_LIMITS,
    Tags::BLUE_NETWORK,
];

/// Tags that follow from the game and cannot be set.
const DERIVED: [&str; 4] = ["Mgn", "Ruleset", "Config", "Start"];

/// Longest name of a tag.
const NAME_CAP: usize = 32;

/// Tags by their names. A name is a capital letter, then up to 31 letters and digits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(BTreeMap<String, LineText>);

impl Tags {
    /// Program that wrote the game.
    pub const PROGRAM: &str = "Program";
    /// Occasion: a match, self-play, a session.
    pub const EVENT: &str = "Event";
    /// Number of the game within the event.
    pub const ROUND: &str = "Round";
    /// Time at which the game began, in ISO 8601, UTC.
    pub const DATE: &str = "Date";
    /// Player of Yellow.
    pub const YELLOW: &str = "Yellow";
    /// Limits of Yellow for a turn.
    pub const YELLOW_LIMITS: &str = "YellowLimits";
    /// Network of Yellow, its profile and the first half of the hash of its weights.
    pub const YELLOW_NETWORK: &str = "YellowNetwork";
    /// Player of Blue.
    pub const BLUE: &str = "Blue";
    /// Limits of Blue for a turn.
    pub const BLUE_LIMITS: &str = "BlueLimits";
    /// Network of Blue.
    pub const BLUE_NETWORK: &str = "BlueNetwork";

    /// Tags of a game that this program records, begun at this time.
    pub fn of_event(event: &str, date: &str) -> Tags {
        let mut tags = Tags::default();
        tags.set(Tags::PROGRAM, concat!("Barrow ", env!("CARGO_PKG_VERSION")));
        tags.set(Tags::EVENT, event);
        tags.set(Tags::DATE, date);
        tags
    }

    /// Sets a tag. Returns false, and changes nothing, for what is no name of a tag, or of one that follows from the game.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        let fits = is_name(name) && !Tags::is_derived(name);
        if fits {
            self.0.insert(name.to_owned(), LineText::new(value));
        }
        fits
    }

    /// Value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(LineText::as_str)
    }

    /// Names and values in the order in which they are written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let known = ORDER.iter().filter_map(|&name| Some((name, self.get(name)?)));
        let others = self.0.iter().filter(|(name, _)| !ORDER.contains(&name.as_str()));
        known.chain(others.map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// Whether the tag of this name follows from the game.
    pub fn is_derived(name: &str) -> bool {
        DERIVED.contains(&name)
    }
}

fn is_name(name: &str) -> bool {
    name.len() <= NAME_CAP
        && name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A tag as a line: `[Name "value"]`, with a backslash before quotation marks and backslashes.
pub fn tag_line(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Name and value of a tag's line. `None` for any other line.
pub fn read_tag(line: &str) -> Option<(&str, String)> {
    let (name, rest) = line.strip_prefix('[')?.split_once(' ')?;
    let quoted = rest.trim_start().strip_prefix('"')?.strip_suffix(']')?.trim_end().strip_suffix('"')?;
    let mut value = String::new();
    let mut letters = quoted.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => value.push(letters.next().filter(|next| matches!(next, '\\' | '"'))?),
            '"' => return None,
            _ => value.push(letter),
        }
    }
    is_name(name).then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_lines_are_read_back() {
        for value in ["", "a", "a \"b\" \\ c", "\\", "\"", "]", "x\"]"] {
            let line = tag_line("Yellow", value);
            assert_eq!(read_tag(&line), Some(("Yellow", value.to_owned())), "{line}");
        }
        for line in [
            "[yellow \"a\"]",
            "[Yellow a]",
            "[Yellow \"a]",
            "[Yellow \"a\"b\"]",
            "[Yellow \"\\a\"]",
            "Yellow \"a\"",
            "[",
            "[]",
        ] {
            assert_eq!(read_tag(line), None, "{line}");
        }
    }

    #[test]
    fn known_tags_come_first_and_derived_ones_cannot_be_set() {
        let mut tags = Tags::default();
        assert!(tags.set("Annotator", "x") && tags.set(Tags::BLUE, "b\n") && tags.set(Tags::EVENT, "e"));
        assert!(!tags.set("Start", "x") && !tags.set("lower", "x") && !tags.set("With blank", "x"));
        assert_eq!(tags.iter().collect::<Vec<_>>(), [("Event", "e"), ("Blue", "b"), ("Annotator", "x")]);
    }
}
