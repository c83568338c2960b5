//! Mutants as `cargo mutants --list --json` names them.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Kind of change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Genre {
    /// A function's body gives way to a value.
    FnValue,
    /// Another operator between two operands.
    Binary,
    /// An operator before its operand is left out.
    Unary,
    /// An arm of a match is left out.
    Arm,
    /// The guard of an arm is true, or false.
    Guard,
    /// A field is taken from the base of a struct expression.
    Field,
    /// Anything that a later cargo-mutants invents.
    Other,
}

/// Place in a file: line and column from 1, in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// Change of one expression, operator or function.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The list's words for it, with its place.
    pub name: String,
    /// File from the root of the repository.
    pub file: String,
    /// Kind of change.
    pub genre: Genre,
    /// Text that takes the place of what is there.
    pub replacement: String,
    /// First character that is replaced.
    pub start: Place,
    /// Place after the last one.
    pub end: Place,
}

impl Mutant {
    fn read(value: &Value) -> Option<Mutant> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let place = |key: &str| {
            let number = |part: &str| value["span"][key][part].as_u64().map(|number| number as usize);
            Some(Place { line: number("line")?, column: number("column")? })
        };
        let genre = match value["genre"].as_str()? {
            "FnValue" => Genre::FnValue,
            "BinaryOperator" => Genre::Binary,
            "UnaryOperator" => Genre::Unary,
            "MatchArm" => Genre::Arm,
            "MatchArmGuard" => Genre::Guard,
            "StructField" => Genre::Field,
            _ => Genre::Other,
        };
        Some(Mutant {
            name: text("name")?,
            file: text("file")?,
            genre,
            replacement: text("replacement")?,
            start: place("start")?,
            end: place("end")?,
        })
    }
}

/// Mutants of a list; its file holds the array that cargo-mutants prints.
pub fn read_list(path: &Path) -> Result<Vec<Mutant>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let rows = value.as_array().ok_or("the list is no array")?;
    rows.iter().map(|row| Mutant::read(row).ok_or_else(|| format!("not a mutant: {row}"))).collect()
}

/// Byte offset of a place in a text; its end when the place lies behind it.
pub fn offset(text: &str, place: Place) -> usize {
    let mut start = 0;
    for _ in 1..place.line {
        start += text[start..].find('\n').map_or(text.len() - start, |end| end + 1);
    }
    let line = &text[start..];
    start + line.char_indices().nth(place.column - 1).map_or(line.len(), |(index, _)| index)
}
