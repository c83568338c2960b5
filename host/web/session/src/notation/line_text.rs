//! Text of one line, as comments and the values of tags are.

use std::fmt;

/// Text of one line: no control characters, and no blanks at its ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct LineText(String);

impl LineText {
    /// The text on one line: control characters become blanks, and those at the ends are left out.
    pub fn new(text: &str) -> LineText {
        let plain: String =
            text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        LineText(plain.trim().to_owned())
    }

    /// Each line of a longer text.
    pub fn lines_of(text: &str) -> Vec<LineText> {
        text.lines().map(LineText::new).collect()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for LineText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_outer_blanks_go() {
        assert_eq!(LineText::new(" a\tb\u{1b}[2J\r\n").as_str(), "a b [2J");
        assert_eq!(
            LineText::lines_of("one\r\n\n two").iter().map(LineText::as_str).collect::<Vec<_>>(),
            ["one", "", "two"]
        );
    }
}
