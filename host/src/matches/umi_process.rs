//! UMI engine in a process of its own, as a player of a match.

use std::time::{Duration, Instant};

use barrow_core::minions::text::fen::{ConfigLine, Display, Extended};
use barrow_core::minions::text::umi::TurnReader;
use barrow_core::minions::{Game, GameTurn};

use super::fault::Fault;
use super::time_control::TimeControl;
use crate::contests::kit::child_process::{ChildProcess, ReceiveError};

/// Time that an engine has to start, or to answer `isready` in a new game.
const STARTUP_TIME: Duration = Duration::from_secs(20);

/// Time that an engine has to end after `quit` before it is killed.
const QUIT_TIME: Duration = Duration::from_millis(300);

/// Running engine process.
pub(super) struct UmiProcess {
    child: ChildProcess,
}

impl UmiProcess {
    /// Starts an engine and waits for its `umiok`.
    pub(super) fn start(command: &[String]) -> Result<UmiProcess, Fault> {
        let child = ChildProcess::start(command).map_err(|error| Fault::Crash(format!("{error:#}")))?;
        let mut engine = UmiProcess { child };
        engine.send("umi")?;
        engine.wait_for("umiok", Instant::now() + STARTUP_TIME)?;
        Ok(engine)
    }

    /// Sends the configuration of a new game and waits until the engine is ready.
    pub(super) fn begin(&mut self, game: &Game, time_control: TimeControl) -> Result<(), Fault> {
        self.send(&format!("config {}", ConfigLine(game.config())))?;
        self.send("isready")?;
        self.wait_for("readyok", Instant::now() + STARTUP_TIME.max(time_control.deadline)).map(|_| ())
    }

    /// Sends the position and reads the turn that the engine plays.
    pub(super) fn turn(&mut self, game: &Game, time_control: TimeControl) -> Result<GameTurn, Fault> {
        let spells = game.config().rules.spells;
        let fen = if spells { Extended(game).to_string() } else { Display(game).to_string() };
        self.send(&format!("position fen {fen}"))?;
        let deadline = Instant::now() + time_control.deadline;
        match time_control.movetime {
            Some(time) => self.send(&format!("play movetime {}", time.as_millis()))?,
            None => self.send("play")?,
        }
        let first = self.wait_for("turn", deadline)?;
        let unreadable = |line: &str, error| Fault::Illegal(format!("{line}: {error}"));
        let mut reader = TurnReader::new(game, &first).map_err(|error| unreadable(&first, error))?;
        loop {
            let line = self.receive(deadline)?;
            match line.split_ascii_whitespace().next() {
                Some("endturn") => break,
                Some("action") => reader.read(&line).map_err(|error| unreadable(&line, error))?,
                _ => {}
            }
        }
        reader.finish(game).map_err(|error| unreadable("endturn", error))
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.child.send(&format!("{line}\n")).map_err(|error| Fault::Crash(error.to_string()))
    }

    /// Reads lines up to one with this first word, and returns that line.
    fn wait_for(&mut self, word: &str, deadline: Instant) -> Result<String, Fault> {
        loop {
            let line = self.receive(deadline)?;
            if line.split_ascii_whitespace().next() == Some(word) {
                return Ok(line.trim().to_owned());
            }
        }
    }

    fn receive(&mut self, deadline: Instant) -> Result<String, Fault> {
        self.child.receive(deadline).map_err(|silence| match silence {
            ReceiveError::Timeout => Fault::Timeout,
            ReceiveError::Ended => Fault::Crash("the engine has ended".to_owned()),
        })
    }
}

impl Drop for UmiProcess {
    fn drop(&mut self) {
        let _ = self.send("quit");
        self.child.wait_until(Instant::now() + QUIT_TIME);
    }
}
