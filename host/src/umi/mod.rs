//! UMI, the line protocol between a host and the engine (`barrow umi`).
//!
//! Commands: `umi`, `isready`, `setoption name N value V`, `uminewgame`, `config P MAPS TECHS`,
//! `position startpos`, `position fen FEN`, `turn`, `action …`, `endturn`, `go`, `play`, `auto`, `stop`, `ponderhit`,
//! `getfen`, `display`, `eval`, `bench`, `perft`, `help`, `quit`. The search runs on a thread of its own: `isready`, `umi`,
//! `stop`, `ponderhit` and `quit` are answered at once, other commands wait in line for its end, and a second search
//! is refused. `quit` during a search still prints the turn found so far.
//!
//! Limits of `go` and `play`, in any order; the search ends at the first that is reached:
//!
//! | limit | means |
//! |---|---|
//! | `nodes N` | nodes of the search |
//! | `movetime MS` | time for this turn; the option `MoveTime` when no time is named at all |
//! | `wtime MS`, `btime MS` | what is left on the clock of Yellow (white) and of Blue; only that of the side to move counts |
//! | `winc MS`, `binc MS` | what the clock gains with each turn |
//! | `movestogo N` | turns until time is added to the clock |
//! | `infinite` | none, until `stop` |
//! | `ponder` | the opponent is still to move; limits hold from `ponderhit` on |
//!
//! While it searches and when it ends the engine says, once a second, a line for each of the best turns:
//! `info depth D nodes N nps R time MS score winprob P wdl W D L confidence C hashfull H multipv K visits V pv …`, with
//! win chances of the side to move (wins, draws and losses in permille), 1 less the expected error of P
//! ([`expected_error`](crate::engine::expected_error)), what the memory is filled in thousandths, and the turn in a few
//! words. `info eval winprob P` and `info nps R nodes N time S` come before the turn, as from
//! Spooky. With `Ponder`, `info ponder fen FEN` names the position that is expected after the next turn.
//!
//! A command that is refused is answered by exactly one line `error: …`; the state is then what it was before, and the
//! session goes on. A turn that `endturn` refuses is dropped as a whole.
//!
//! | option | values | means |
//! |---|---|---|
//! | `Ruleset` | `auto`, `server`, `spooky` | rules of the next position; a change begins a new game. `auto` is `spooky`, but `server` for a position in the extended form and for the web server |
//! | `heuristic` | `mcts`, `greedy`, `random` | the brain |
//! | `Hash` | MiB | memory of the search; it takes no more than it needs |
//! | `Threads` | 1 … 256 | threads of the search; with one the same nodes find the same turn |
//! | `MultiPV` | 1 … 16 | turns that are listed |
//! | `Overhead` | milliseconds | kept on the clock for the way to the host and back |
//! | `Ponder` | `true`, `false` | whether to name the position that is expected |
//! | `Seed` | 0 … 2^64 − 1 | order of the cards that a position does not name, and the brain's taste |
//! | `Record` | a file, `<none>` | where the turns that `play`, `auto` and `endturn` play are recorded as annotated games, behind what the file holds; those of `go` too, once the host leaves the position |
//! | `Host` | `auto`, `web-server`, `other` | the host; `auto` knows the Minions web server by its first lines |
//! | `TechOffset` | 0, 1 | subtracted from printed tech positions; 1, which is the default there, for a web server that adds one too many |
//! | `MoveTime` | milliseconds | for a search without limits: 1000, or 5000 with the web server |
//! | `Debug Log File` | a file, `<empty>` | to which all lines of host and engine are added from now on |
//! | `strictmode`, `spells` | `true`, `false` | known for the sake of Spooky's hosts, without effect |
//!
//! A position in Spooky's form names no cards, and its host, the web server perhaps, understands no other lines than
//! Spooky's. So under the ruleset `server` the engine answers such a position without giving, playing or discarding
//! cards, and without abilities and special tiles. With the web server it prints one line of `info` for each turn
//! besides, and turns whose every move is possible on the board at the start of the turn.
//!
//! Options keep their values through `config` and `uminewgame`. `getfen` prints Spooky's form under rules without
//! spells, and the extended form otherwise.

mod at_once;
mod bench;
mod brain;
mod event;
mod go;
mod help;
mod info;
mod options;
mod perft;
mod recognition;
mod recording;
mod search_thread;
mod session;
mod spooky_subset;
mod transcript;
mod web_server;

#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};
use std::thread;

pub use brain::{HandWritten, TimedBrain};
pub use session::{Flow, Session};

use help::GREETING;
use options::{LOG_OPTION, Options};

use crate::io::{ReadFailure, each_line};
use crate::version;

/// Length of the longest line that is read, in bytes; positions of eight boards take a fraction of it.
const LINE_CAP: usize = 1 << 20;

/// Fails when a session would refuse this value of an option. Files to write are not opened.
pub fn check_option(name: &str, value: &str) -> Result<(), String> {
    if name == LOG_OPTION { Ok(()) } else { Options::default().set(name, value).map(|_| ()) }
}

/// Greets a person who has begun a session on a terminal.
pub fn greet(mut output: impl Write) -> io::Result<()> {
    writeln!(output, "Barrow {}\n{GREETING}", version::full())
}

/// Runs a UMI session until `quit` or the end of the input. A search that runs when the input ends is finished first. Fails
/// where the input could not be read to its end.
pub fn run(mut session: Session<impl Write>, input: impl Read + Send + 'static) -> io::Result<()> {
    let (sender, failure) = (session.input_sender(), ReadFailure::default());
    let kept = failure.clone();
    thread::spawn(move || kept.keep(each_line(input, LINE_CAP, |line| sender.send(line).is_ok())));
    session.run()?;
    failure.check()
}
