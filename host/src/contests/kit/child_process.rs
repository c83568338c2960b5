//! A program in a process of its own, spoken to in lines.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{self, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A running program. It is killed when this is dropped.
#[derive(Debug)]
pub struct ChildProcess {
    process: process::Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReceiveError {
    /// It did not come in time.
    Timeout,
    /// The program has ended, or closed its output.
    Ended,
}

impl ChildProcess {
    /// Starts a program, the first word, with the others as its arguments. What it writes to stderr is lost.
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

    /// Sends text, its line ends included.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        self.input.write_all(text.as_bytes())?;
        self.input.flush()
    }

    /// The next line, without its end.
    pub fn receive(&self, deadline: Instant) -> Result<String, ReceiveError> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => ReceiveError::Timeout,
            RecvTimeoutError::Disconnected => ReceiveError::Ended,
        })
    }

    /// Waits for the program to end by itself, so long.
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
