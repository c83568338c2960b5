//! Lines that the player types: names of files, and actions, for which the legal ones are listed.

/// Use of a line that is typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PromptUse {
    /// Name of the file to which the game is saved.
    Save,
    /// Name of the file with whose game to go on.
    Open,
    /// Action, or word of a command.
    Line,
}

/// Longest line, in characters.
const LINE_CAP: usize = 400;

/// Line that is being typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Prompt {
    /// Use of the line.
    pub purpose: PromptUse,
    /// Text so far.
    pub text: String,
    /// Lines that are known to make sense.
    pub known: Vec<String>,
}

impl Prompt {
    /// Prompt with a text to begin with, and lines that are known to make sense.
    pub(super) fn new(purpose: PromptUse, text: impl Into<String>, known: Vec<String>) -> Prompt {
        Prompt { purpose, text: text.into(), known }
    }

    /// Subject of the question.
    pub(super) fn title(&self) -> &'static str {
        match self.purpose {
            PromptUse::Save => "Save the game to a new file",
            PromptUse::Open => "Go on with the recorded game of a file",
            PromptUse::Line => "Type an action; Tab completes, Enter plays it, Esc leaves",
        }
    }

    /// Adds a character.
    pub(super) fn push(&mut self, letter: char) {
        if !letter.is_control() && self.text.chars().count() < LINE_CAP {
            self.text.push(letter);
        }
    }

    /// Known lines that begin with the text.
    pub(super) fn matches(&self) -> impl Iterator<Item = &str> {
        self.known.iter().filter(|line| line.starts_with(&self.text)).map(String::as_str)
    }

    /// Completes the text as far as all known lines that begin with it agree.
    pub(super) fn complete(&mut self) {
        let mut common: Option<&str> = None;
        for line in self.matches() {
            common = Some(match common {
                None => line,
                Some(known) => {
                    let same = known.char_indices().zip(line.chars());
                    let end = same.take_while(|((_, a), b)| a == b).last();
                    &known[..end.map_or(0, |((at, letter), _)| at + letter.len_utf8())]
                }
            });
        }
        if let Some(common) = common.map(str::to_owned) {
            self.text = common;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_completed_as_far_as_the_known_ones_agree() {
        let known = ["0 move d1e1", "0 move d1e2", "0 cast fester é", "0 cast fester è"];
        let known = known.map(str::to_owned).to_vec();
        let completed = |text: &str| {
            let mut prompt = Prompt::new(PromptUse::Line, text, known.clone());
            prompt.complete();
            prompt.text
        };
        assert_eq!(completed(""), "0 ");
        assert_eq!(completed("0 m"), "0 move d1e");
        assert_eq!(completed("0 move d1e2"), "0 move d1e2");
        assert_eq!(completed("0 c"), "0 cast fester ");
        assert_eq!(completed("x"), "x");
        let mut prompt = Prompt::new(PromptUse::Save, "a", Vec::new());
        prompt.push('\u{1b}');
        prompt.push('é');
        prompt.complete();
        assert_eq!(prompt.text, "aé");
    }
}
