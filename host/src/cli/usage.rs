//! Wrong arguments that only the command itself can tell from right ones.

use std::fmt;

/// Exit code of wrong arguments, as that of the parser of the command line.
pub(super) const USAGE: u8 = 2;

/// Arguments that do not go together. A command that fails with it ends with [`USAGE`].
#[derive(Debug)]
pub(super) struct UsageError(pub(super) String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Fails when one of these arguments is given, though nothing of `what` takes it.
pub(super) fn refuse_given(what: &str, arguments: &[(&str, bool)]) -> anyhow::Result<()> {
    match arguments.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(UsageError(format!("{what} takes no {name}")).into()),
        None => Ok(()),
    }
}
