//! Parts of a text that remember where they begin.

use super::error::{FenError, FenReason};
use crate::minions::tables::side::SideArray;

/// Token: a part of a text with its column, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) column: usize,
}

impl<'a> Token<'a> {
    /// An error at the column of this token.
    pub(super) fn error(self, reason: FenReason) -> FenError {
        FenError { column: self.column, reason }
    }

    pub(super) fn expected(self, what: &'static str) -> FenError {
        self.error(FenReason::Expected(what))
    }

    /// Parts of the token between separators; an empty token is one empty part.
    pub(super) fn split(self, separator: char) -> impl Iterator<Item = Token<'a>> {
        let mut column = self.column;
        // A pattern of one character would panic if it were found outside its text, as its search sees it; a set cannot.
        self.text.split([separator]).map(move |text| {
            let token = Token { text, column };
            column += text.len() + 1;
            token
        })
    }

    /// Items of a list; an empty token is an empty list.
    pub(super) fn list(self) -> impl Iterator<Item = Token<'a>> {
        let empty = self.text.is_empty();
        self.split(',').filter(move |_| !empty)
    }

    /// Parts before and after the first separator.
    pub(super) fn cut(self, separator: char) -> Option<(Token<'a>, Token<'a>)> {
        let (before, after) = self.text.split_once([separator])?;
        let column = self.column + before.len() + 1;
        Some((Token { text: before, ..self }, Token { text: after, column }))
    }

    /// Yellow's and Blue's part, with exactly one `|` between them.
    pub(super) fn sides(self) -> Result<SideArray<Token<'a>>, FenError> {
        let missing = self.expected("Yellow's and Blue's part, separated by |");
        let (yellow, blue) = self.cut('|').ok_or(missing)?;
        if blue.text.contains(['|']) {
            return Err(missing);
        }
        Ok(SideArray::new(yellow, blue))
    }

    /// Characters of the token with their columns; the text is ASCII.
    pub(super) fn letters(self) -> impl Iterator<Item = (u8, Token<'a>)> {
        self.text.bytes().enumerate().map(move |(offset, letter)| {
            let text = self.text.get(offset..=offset).unwrap_or("");
            (letter, Token { text, column: self.column + offset })
        })
    }

    /// Reads a decimal number of digits only.
    pub(super) fn number<T: TryFrom<u64>>(self) -> Result<T, FenError> {
        let bad = self.error(FenReason::Number);
        if self.text.is_empty() || !self.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad);
        }
        let value: u64 = self.text.parse().map_err(|_| bad)?;
        T::try_from(value).map_err(|_| bad)
    }

    /// Reads Yellow's and Blue's number, with `|` between them.
    pub(super) fn numbers<T: TryFrom<u64>>(self) -> Result<SideArray<T>, FenError> {
        let SideArray([yellow, blue]) = self.sides()?;
        Ok(SideArray::new(yellow.number()?, blue.number()?))
    }
}

/// Tokens of a line between white space.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    /// Tokens of a line of printable ASCII and blanks; any other character is an error.
    pub(super) fn new(line: &'a str) -> Result<Tokens<'a>, FenError> {
        let odd = |byte: u8| !(byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        match line.bytes().position(odd) {
            Some(offset) => Err(FenError { column: offset + 1, reason: FenReason::NotAscii }),
            None => Ok(Tokens { line, at: 0 }),
        }
    }

    /// Next token, or the error that the line ends where `what` was expected.
    pub(super) fn require(&mut self, what: &'static str) -> Result<Token<'a>, FenError> {
        let end = FenError { column: self.line.len() + 1, reason: FenReason::Expected(what) };
        self.next().ok_or(end)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let rest = self.line.get(self.at..)?;
        let start = self.at + rest.bytes().position(|byte| !byte.is_ascii_whitespace())?;
        let word = self.line.get(start..)?;
        let len = word.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(word.len());
        self.at = start + len;
        Some(Token { text: word.get(..len)?, column: start + 1 })
    }
}
