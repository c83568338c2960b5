//! Child processes that exchange lines with this program over pipes.
//!
//! A child has a process group of its own, which is killed as a whole: a shell script takes along what it has started.
//! Neither a child that prints without end nor one that reads nothing costs memory or holds this program up: lines
//! have a greatest length, the queues are short, and a child that gets ahead of its reader waits.

mod output;
mod process_group;

use std::fmt;
use std::io::{BufReader, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::interrupt;
use crate::io::{LineEnd, read_line};
use crate::text::quoted::shortened;
use output::{ChildOutput, EndOfChild};
use process_group::ProcessGroup;

pub use process_group::kill_all;

/// Longest line that is received, in bytes.
const LINE_CAP: usize = 1 << 16;

/// Lines that wait to be received; a child with more to say waits too.
const QUEUE: usize = 64;

/// Texts that wait to be read by the child.
const UNREAD: usize = 64;

/// Time between two checks for an interrupt while a line is awaited.
const POLL: Duration = Duration::from_millis(50);

/// Time after the end of a child in which what it has printed comes through the pipe, elsewhere than on Unix, where the reader
/// cannot tell. Its own children may hold that open.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// Child process with pipes for its input and output. Dropping the value kills the process and its process group.
#[derive(Debug)]
pub struct ChildProcess {
    group: ProcessGroup,
    input: SyncSender<String>,
    lines: Receiver<ReadLine>,
    end: EndOfChild,
}

/// Line of a child, or the reason why there will be none, with the time at which it came.
type ReadLine = (Instant, Result<String, ReceiveError>);

/// Why no line was received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReceiveError {
    /// The deadline passed.
    Timeout,
    /// The process has ended or closed its output.
    Ended,
    /// A line was longer than 64 KiB; nothing more is received.
    TooLong,
    /// A line was not UTF-8; nothing more is received.
    NotText,
    /// This program is to end ([`interrupt::requested`]).
    Interrupted,
}

impl fmt::Display for ReceiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ReceiveError::Timeout => "no answer in time",
            ReceiveError::Ended => "the program has ended",
            ReceiveError::TooLong => "a line of more than 64 KiB",
            ReceiveError::NotText => "output that is not UTF-8",
            ReceiveError::Interrupted => "interrupted",
        })
    }
}

impl ChildProcess {
    /// Starts the program of a command line: its name and its arguments. The program's stderr is discarded.
    pub fn start(command: &[String]) -> Result<ChildProcess> {
        let (name, arguments) = command.split_first().context("no command")?;
        let mut command = Command::new(name);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut group = ProcessGroup::spawn(&mut command).with_context(|| name.clone())?;
        let (Some(pipe), Some(output)) = (group.leader.stdin.take(), group.leader.stdout.take()) else {
            bail!("{name}: no pipes");
        };
        let (output, end) = ChildOutput::new(output)?;
        let id = group.leader.id();
        tracing::info!("process {id}: {name}");
        let (input, texts) = sync_channel(UNREAD);
        let (sender, lines) = sync_channel(QUEUE);
        thread::spawn(move || write_texts(&texts, pipe, id));
        thread::spawn(move || read_lines(output, &sender, id));
        Ok(ChildProcess { group, input, lines, end })
    }

    /// Sends text, line ends included, to the process, without waiting for it to read. Fails when the process leaves too
    /// much unread. To one that has closed its input nothing is sent: what became of it is said by [`receive`], as by then
    /// it may have printed why.
    ///
    /// [`receive`]: ChildProcess::receive
    pub fn send(&mut self, text: &str) -> Result<()> {
        match self.input.try_send(text.to_owned()) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => bail!("it does not read its input"),
        }
    }

    /// Receives the next line of the process, without its line end, waiting until `deadline`. A line that came later
    /// counts as none, however late it is asked for. A process that has ended says no more, whoever holds its output open.
    pub fn receive(&mut self, deadline: Instant) -> Result<String, ReceiveError> {
        let mut ended: Option<Instant> = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok((at, _)) if at > deadline => return Err(ReceiveError::Timeout),
                Ok((_, line)) => return line,
                Err(RecvTimeoutError::Disconnected) => return Err(ReceiveError::Ended),
                Err(RecvTimeoutError::Timeout) if interrupt::requested() => {
                    return Err(ReceiveError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) => {
                    if self.group.leader_has_ended() {
                        // The reader ends behind what the child has printed.
                        self.end.tell();
                        let since = *ended.get_or_insert_with(Instant::now);
                        if left <= POLL || (cfg!(not(unix)) && since.elapsed() >= LAST_WORDS) {
                            return Err(ReceiveError::Ended);
                        }
                    }
                    if left <= POLL {
                        return Err(ReceiveError::Timeout);
                    }
                }
            }
        }
    }

    /// Waits until the process has ended or `deadline` has passed. Returns whether it has ended.
    pub fn wait_until(&mut self, deadline: Instant) -> bool {
        while !self.group.leader_has_ended() {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(Duration::from_millis(5));
        }
        true
    }
}

/// Writes texts to a child until it has closed its input.
fn write_texts(texts: &Receiver<String>, mut pipe: ChildStdin, id: u32) {
    for text in texts {
        tracing::debug!("process {id} > {}", shortened(text.trim_end()));
        if pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush()).is_err() {
            return;
        }
    }
}

/// Reads the lines of a child until its output ends, a line cannot be received, or nobody receives.
fn read_lines(output: ChildOutput, sender: &SyncSender<ReadLine>, id: u32) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        let end = read_line(&mut output, LINE_CAP, &mut bytes);
        let line = match end {
            Ok(LineEnd::TooLong) => Err(ReceiveError::TooLong),
            Ok(LineEnd::Input) if bytes.is_empty() => return,
            Err(_) => return,
            Ok(_) => std::str::from_utf8(&bytes).map(str::to_owned).map_err(|_| ReceiveError::NotText),
        };
        match &line {
            Ok(text) => tracing::debug!("process {id} < {}", shortened(text)),
            Err(error) => tracing::debug!("process {id}: {error}"),
        }
        let last = line.is_err();
        if sender.send((Instant::now(), line)).is_err() || last {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> ChildProcess {
        ChildProcess::start(&["sh".to_owned(), "-c".to_owned(), script.to_owned()]).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_mins(1)
    }

    #[test]
    fn lines_go_there_and_back() {
        let mut child = shell("while read line; do echo \"<$line>\"; done; printf end");
        child.send("one\ntwo\n").unwrap();
        assert_eq!(child.receive(soon()), Ok("<one>".to_owned()));
        assert_eq!(child.receive(soon()), Ok("<two>".to_owned()));
        assert_eq!(child.receive(Instant::now()), Err(ReceiveError::Timeout));
        assert!(!child.wait_until(Instant::now()));
    }

    #[test]
    fn what_is_no_line_is_named() {
        let mut child = shell("printf 'last'");
        assert_eq!(child.receive(soon()), Ok("last".to_owned()));
        assert_eq!(child.receive(soon()), Err(ReceiveError::Ended));
        let mut child = shell("printf 'ok\\n\\377\\n'");
        assert_eq!(child.receive(soon()), Ok("ok".to_owned()));
        assert_eq!(child.receive(soon()), Err(ReceiveError::NotText));
        assert_eq!(shell("cat /dev/zero").receive(soon()), Err(ReceiveError::TooLong));
    }

    #[test]
    fn what_became_of_a_child_without_input_is_said_by_its_output() {
        for (script, error) in [("exit", ReceiveError::Ended), ("printf '\\377\\n'", ReceiveError::NotText)] {
            let mut child = shell(script);
            assert!(child.wait_until(soon()));
            // The first text finds that nobody reads; those after it find the writer gone, or wait for it.
            for _ in 0..UNREAD {
                child.send("text\n").unwrap();
                thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(child.receive(soon()), Err(error));
        }
    }

    #[test]
    fn a_child_has_ended_though_its_own_holds_its_output_open() {
        let mut child = shell("sleep 1000 & printf 'line\nlast'");
        assert!(child.wait_until(soon()));
        // Neither is lost, however late it is asked for, nor is the end waited for.
        for expected in [Ok("line".to_owned()), Ok("last".to_owned()), Err(ReceiveError::Ended)] {
            assert_eq!(child.receive(soon()), expected);
        }
    }

    #[test]
    fn last_words_are_read_however_late_the_reader_is() {
        let mut child = Command::new("sh");
        child.args(["-c", "sleep 1000 & printf 'line\nlast'"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut group = ProcessGroup::spawn(&mut child).unwrap();
        let (output, mut end) = ChildOutput::new(group.leader.stdout.take().unwrap()).unwrap();
        while !group.leader_has_ended() {
            thread::sleep(Duration::from_millis(1));
        }
        end.tell();
        let (sender, lines) = sync_channel(QUEUE);
        read_lines(output, &sender, 0);
        drop(sender);
        let said: Vec<_> = lines.into_iter().map(|(_, line)| line.unwrap()).collect();
        assert_eq!(said, ["line", "last"]);
    }

    #[test]
    fn a_child_that_reads_nothing_does_not_hold_the_sender_up() {
        let mut child = shell("exec sleep 1000");
        let text = "x".repeat(1 << 16);
        assert!((0..1000).any(|_| child.send(&text).is_err()));
    }

    #[test]
    fn a_child_that_never_pauses_runs_out_of_time() {
        let mut child = shell("exec yes");
        let deadline = Instant::now() + Duration::from_millis(20);
        let end = loop {
            match child.receive(deadline) {
                Ok(line) => assert_eq!(line, "y"),
                Err(end) => break end,
            }
        };
        assert_eq!(end, ReceiveError::Timeout);
    }

    #[test]
    fn a_child_takes_its_own_children_along() {
        let mut child = shell("sleep 1000 & echo $!; echo $$; exec 1>&-; wait");
        let grandchild = child.receive(soon()).unwrap();
        let runs = || {
            // A process that has ended and that nobody has waited for is a zombie.
            let stat = std::fs::read_to_string(format!("/proc/{grandchild}/stat"));
            stat.is_ok_and(|stat| !stat.contains(") Z "))
        };
        assert!(runs() || !std::path::Path::new("/proc/self/stat").exists());
        assert!(!child.wait_until(Instant::now()));
        drop(child);
        // It is killed at once; that the system has got round to it may take a moment.
        let ended = (0..3000).any(|_| {
            thread::sleep(Duration::from_millis(10));
            !runs()
        });
        assert!(ended, "{grandchild} goes on");
    }
}
