//! Files named on the command line, and input whose size nobody vouches for.
//!
//! `-` is standard input or output, and a name that ends in `.gz` is a compressed file. Nothing is read without a
//! bound: lines and whole files have a greatest length, beyond which reading fails with an error. A file that is
//! written gets its name when it is whole ([`OutputFile`]), or grows while the work goes on ([`GrowingFile`]).

mod backlog;
mod distinct;
mod folder;
mod growing;
mod input;
mod journal;
mod json_line;
mod lines;
mod output;

pub use backlog::Backlog;
pub use distinct::{FileArgument, refuse_shared_files};
pub use folder::make_folder;
pub use growing::GrowingFile;
pub(crate) use growing::take_soon;
pub use input::{
    CHECKPOINT_CAP, NETWORK_CAP, TEXT_CAP, TextLines, open, open_watched, read_bytes, read_text,
};
pub(crate) use input::{LINE_CAP, is_gzip, open_part};
pub use journal::{Journal, JournalLines, WholePart, journal_name, read_journal};
pub use json_line::JsonFault;
pub use lines::{InputLine, LineEnd, ReadFailure, each_line, read_line, remove_mark, skip_line};
pub use output::{OutputFile, StdoutIsTaken, remove_temporary_files};
