//! Wrong arguments, and what tells them from right ones.

use std::error::Error;
use std::fmt;
use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;

use clap::ArgAction;
use clap::error::{ContextKind, ContextValue};

use crate::io::{self, FileArgument, StdoutIsTaken};

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

impl Error for UsageError {}

/// Whether an error is one of wrong arguments.
pub(super) fn is_told_by(error: &anyhow::Error) -> bool {
    let is_taken = |cause: &(dyn Error + 'static)| {
        let inner = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        inner.is_some_and(<dyn Error + Send + Sync>::is::<StdoutIsTaken>)
    };
    error.is::<UsageError>() || error.chain().any(is_taken)
}

/// The error of the command line's parser, with what was expected where the standard library speaks of a digit.
pub(super) fn in_plain_words(error: clap::Error) -> clap::Error {
    let is_digit = error
        .source()
        .and_then(<dyn Error>::downcast_ref::<ParseIntError>)
        .is_some_and(|fault| *fault.kind() == IntErrorKind::InvalidDigit);
    let (Some(ContextValue::String(argument)), Some(ContextValue::String(value)), true) =
        (error.get(ContextKind::InvalidArg), error.get(ContextKind::InvalidValue), is_digit)
    else {
        return error;
    };
    let told = format!(
        "invalid value '{value}' for '{argument}': expected a whole number without a sign\n\n\
         For more information, try '--help'.\n"
    );
    clap::Error::raw(error.kind(), told)
}

/// Fails with these words unless the arguments are as they must be.
pub(super) fn require(is_so: bool, otherwise: impl fmt::Display) -> Result<(), UsageError> {
    if is_so { Ok(()) } else { Err(UsageError(otherwise.to_string())) }
}

/// Fails when standard input is named twice among the files that a command reads: it would be empty the second time.
pub(super) fn refuse_second_stdin(files: &[String]) -> Result<(), UsageError> {
    let count = files.iter().filter(|name| *name == "-").count();
    require(count < 2, "- is named twice: stdin can be read once")
}

/// Fails when two outputs are one file, or when an output is a file that the command reads ([`io::refuse_shared_files`]).
pub(super) fn refuse_shared_files(
    outputs: &[FileArgument<'_>],
    inputs: &[FileArgument<'_>],
) -> anyhow::Result<()> {
    Ok(io::refuse_shared_files(outputs, inputs).map_err(|error| UsageError(error.to_string()))?)
}

/// The command, and all below it, with options that take a negative number for their value: what they refuse is said with
/// the option's name, not of an argument that nobody expected.
pub(super) fn with_negative_values(command: clap::Command) -> clap::Command {
    let takes_values = |argument: &clap::Arg| {
        !argument.is_positional() && matches!(argument.get_action(), ArgAction::Set | ArgAction::Append)
    };
    command
        .mut_args(
            |argument| {
                if takes_values(&argument) { argument.allow_negative_numbers(true) } else { argument }
            },
        )
        .mut_subcommands(with_negative_values)
}

/// Finite number above 0.
pub(super) fn parse_above_zero<T: FromStr + Copy + Into<f64>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number: &T| {
        let number: f64 = (*number).into();
        number.is_finite() && number > 0.0
    });
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

/// Fails when one of these arguments is given, though nothing of `what` takes it.
pub(super) fn refuse_given(what: &str, arguments: &[(&str, bool)]) -> anyhow::Result<()> {
    match arguments.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(UsageError(format!("{what} takes no {name}")).into()),
        None => Ok(()),
    }
}
