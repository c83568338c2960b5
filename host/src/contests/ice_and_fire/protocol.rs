//! The contest's protocol (rules §4): the bot between an input and an output stream.
//!
//! This file is also the program of the single-file bot, so the restrictions of [`crate::contests::bundle`] apply to
//! it.

use std::io::{self, BufRead, Read, Write};
use std::time::{Duration, Instant};

use barrow_core::contests::ice_and_fire::Rules;
use barrow_core::contests::ice_and_fire::bot::{CutNode, Options, plan_in_time, write_line};
use barrow_core::contests::ice_and_fire::input::reader::InputReader;

/// Time after which the bot begins nothing optional in a turn; the contest allows 50 ms.
pub const MOVETIME: Duration = Duration::from_millis(35);

/// Length of the longest line that is read, in bytes; what follows counts as the next line.
const LINE_CAP: u64 = 1024;

/// Answer to a turn that could not be read.
const WAIT: &str = "WAIT";

/// Plays a game until the input ends. Of invalid lines up to the next turn the first is reported to `errors`, with its
/// number; a turn that it belongs to is answered without a plan, since the referee waits for an answer.
pub fn play(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    errors: &mut dyn Write,
    rules: &Rules,
    options: &Options,
    movetime: Duration,
) -> io::Result<()> {
    let mut reader = InputReader::new();
    let mut memory = vec![CutNode::EMPTY; usize::from(options.lines)];
    let mut bytes = Vec::new();
    let mut number = 0_u64;
    loop {
        if bytes.last() == Some(&b'\n') || number == 0 {
            number += 1;
        }
        bytes.clear();
        if Read::take(&mut *input, LINE_CAP).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        // Invalid UTF-8 becomes replacement characters, which no line of the protocol has.
        let line = String::from_utf8_lossy(&bytes);
        match reader.line(&line) {
            Ok(None) => {}
            Ok(Some(game)) => {
                let started = Instant::now();
                let late = || started.elapsed() >= movetime;
                let turn = plan_in_time(game.state(), rules, options, &mut memory, &late);
                let mut answer = String::new();
                // Writing to a string does not fail.
                let _ = write_line(&game, rules, &turn.draft, &mut answer);
                writeln!(output, "{answer}")?;
                output.flush()?;
            }
            Err(why) => {
                let found = line.trim().chars().take(200).collect::<String>();
                writeln!(errors, "error: line {number}: {why}: {found:?}")?;
            }
        }
        if reader.take_lost_turn() {
            writeln!(output, "{WAIT}")?;
            output.flush()?;
        }
    }
}
