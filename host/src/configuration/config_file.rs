//! Configuration file: TOML with a key for each setting, and a table of UMI options.

use std::ops::Range;

use anyhow::{Result, anyhow, bail};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::io::read_text;
use crate::text::quoted::{quoted, shortened};

/// Table of UMI options.
const UMI: &str = "umi";

/// Entry of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// Key with its value.
    Setting { key: String, value: String, line: usize },
    /// UMI option with its value.
    UmiOption { name: String, value: String, line: usize },
}

impl Entry {
    /// Line of the entry, from 1.
    pub(super) fn line(&self) -> usize {
        match self {
            Entry::Setting { line, .. } | Entry::UmiOption { line, .. } => *line,
        }
    }
}

/// Entries of a file in their order. An error names the line.
pub(super) fn entries(name: &str) -> Result<Vec<Entry>> {
    let text = read_text(name)?;
    let line_of =
        |span: Range<usize>| 1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count();
    let table = DeTable::parse(&text).map_err(|error| {
        let line = error.span().map_or(1, line_of);
        // Some messages take several lines.
        let reason = error.message().lines().collect::<Vec<_>>().join(", ");
        anyhow!("line {line}: {}", shortened(&reason))
    })?;
    let mut found = Vec::new();
    for (key, value) in table.get_ref() {
        let line = line_of(key.span());
        let key = key.get_ref().to_string();
        match value.get_ref() {
            DeValue::Table(options) if key == UMI => {
                for (name, value) in options {
                    let line = line_of(name.span());
                    let name = name.get_ref().to_string();
                    found.push(Entry::UmiOption { value: scalar(&name, value, line)?, name, line });
                }
            }
            DeValue::Table(_) => bail!("line {line}: no such table: {}; there is {UMI}", quoted(&key)),
            // No setting is such a number, and each says what it takes instead.
            DeValue::Float(number) => {
                found.push(Entry::Setting { value: number.as_str().to_owned(), key, line });
            }
            _ => found.push(Entry::Setting { value: scalar(&key, value, line)?, key, line }),
        }
    }
    found.sort_by_key(Entry::line);
    Ok(found)
}

/// Value of a key as the command line would have it.
fn scalar(key: &str, value: &Spanned<DeValue<'_>>, line: usize) -> Result<String> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Boolean(truth) => Ok(truth.to_string()),
        DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Ok(number.to_string()),
            Err(_) => bail!("line {line}: {}: {} is out of range", quoted(key), quoted(number.as_str())),
        },
        _ => bail!("line {line}: {}: expected text, a whole number, true or false", quoted(key)),
    }
}
