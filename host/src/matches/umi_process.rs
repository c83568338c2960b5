//! A UMI engine in a process of its own.

use std::time::{Duration, Instant};

use barrow_core::minions::text::fen::{ConfigLine, Display, Extended};
use barrow_core::minions::text::umi::TurnReader;
use barrow_core::minions::{Game, GameTurn};

use super::player::{Clock, Fault};
use crate::contests::kit::child_process::{ChildProcess, ReceiveError};

/// How long an engine may take to start, or to answer `isready` in a new game.
const GREETING: Duration = Duration::from_secs(20);

/// How long an engine may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(300);

/// A running engine.
pub(super) struct UmiProcess {
    child: ChildProcess,
}

impl UmiProcess {
    /// Starts the command and shakes hands with it.
    pub(super) fn start(command: &[String]) -> Result<UmiProcess, Fault> {
        let child = ChildProcess::start(command).map_err(|error| Fault::Crash(format!("{error:#}")))?;
        let mut engine = UmiProcess { child };
        engine.send("umi")?;
        engine.wait_for("umiok", Instant::now() + GREETING)?;
        Ok(engine)
    }

    /// Tells it the configuration of a new game.
    pub(super) fn begin(&mut self, game: &Game, clock: Clock) -> Result<(), Fault> {
        self.send(&format!("config {}", ConfigLine(game.config())))?;
        self.send("isready")?;
        self.wait_for("readyok", Instant::now() + GREETING.max(clock.deadline)).map(|_| ())
    }

    /// Asks it for a turn.
    pub(super) fn turn(&mut self, game: &Game, clock: Clock) -> Result<GameTurn, Fault> {
        let spells = game.config().rules.spells;
        let fen = if spells { Extended(game).to_string() } else { Display(game).to_string() };
        self.send(&format!("position fen {fen}"))?;
        let deadline = Instant::now() + clock.deadline;
        match clock.movetime {
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

    /// The next line whose first word is this one; others are passed over.
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
        self.child.wait_until(Instant::now() + FAREWELL);
    }
}
