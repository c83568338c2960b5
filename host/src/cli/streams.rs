//! Errors of commands that answer what they read, by the stream that failed.

use std::io::{self, ErrorKind};

/// Names the stream of an error: standard input where data or what they come from are at fault, otherwise standard output.
pub(super) fn at_stream(error: io::Error) -> anyhow::Error {
    let stream = match error.kind() {
        ErrorKind::InvalidData | ErrorKind::IsADirectory => "stdin",
        _ => "standard output",
    };
    anyhow::Error::new(error).context(stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_blamed_for_what_is_wrong_in_it() {
        let named = |kind: ErrorKind| format!("{:#}", at_stream(io::Error::new(kind, "why")));
        assert_eq!(named(ErrorKind::InvalidData), "stdin: why");
        assert_eq!(named(ErrorKind::IsADirectory), "stdin: why");
        assert_eq!(named(ErrorKind::BrokenPipe), "standard output: why");
    }
}
