//! Child processes that exchange lines with this program over pipes.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{self, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A child process with pipes for its input and output. Dropping the value kills the process.
#[derive(Debug)]
pub struct ChildProcess {
    process: process::Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Why no line was received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReceiveError {
    /// The deadline passed.
    Timeout,
    /// The process has ended or closed its output.
    Ended,
}

impl ChildProcess {
    /// Starts the program of a command line: its name and its arguments. The program's stderr is discarded.
    pub fn start(command: &[String]) -> Result<ChildProcess> {
        let (name, arguments) = command.split_first().context("no command")?;
        let mut process = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| name.clone())?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            bail!("{name}: no pipes");
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            // Lines that are not text end the conversation, as the end of the output does.
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(ChildProcess { process, input, lines })
    }

    /// Writes text, line ends included, to the process.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        self.input.write_all(text.as_bytes())?;
        self.input.flush()
    }

    /// Receives the next line of the process, without its line end, waiting until `deadline`.
    pub fn receive(&self, deadline: Instant) -> Result<String, ReceiveError> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => ReceiveError::Timeout,
            RecvTimeoutError::Disconnected => ReceiveError::Ended,
        })
    }

    /// Waits until the process has ended or `deadline` has passed.
    pub fn wait_until(&mut self, deadline: Instant) {
        while Instant::now() < deadline && !matches!(self.process.try_wait(), Ok(Some(_))) {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
