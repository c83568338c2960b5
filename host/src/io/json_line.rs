//! Faults in files that have a JSON value on each line.

use std::fmt;

/// Fault of a line of JSON: its column, where it is known, and the reason. The parser counts lines in the text it is given,
/// which is one line; the number of that in its file is the reader's to add.
#[derive(Debug)]
pub struct JsonFault(pub serde_json::Error);

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, column) = (self.0.to_string(), self.0.column());
        match text.strip_suffix(&format!(" at line {} column {column}", self.0.line())) {
            // The value as a whole, before which nothing was read.
            Some(reason) if column == 0 => f.write_str(reason),
            Some(reason) => write!(f, "column {column}: {reason}"),
            None => f.write_str(&text),
        }
    }
}

// Without a source, whose words are these with the parser's line.
impl std::error::Error for JsonFault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_is_named_and_no_line() {
        for (text, told) in [
            ("[1,]", "column 4: trailing comma"),
            ("{}", "invalid type: map, expected a sequence"),
            ("[1,", "column 3: EOF while parsing a value"),
            ("true", "column 4: invalid type: boolean `true`, expected a sequence"),
            ("[1, \"line 1 column 2\"]", "column 21: invalid type: string \"line 1 column 2\", expected u8"),
        ] {
            let error = serde_json::from_str::<Vec<u8>>(text).map_err(JsonFault).unwrap_err();
            assert_eq!(error.to_string(), told, "{text}");
        }
    }
}
