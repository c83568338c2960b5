//! UMI engine in a process of its own, as a player of a match.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use barrow_core::minions::Game;
use barrow_core::minions::text::fen::{ConfigLine, Display, Extended};
use barrow_core::minions::text::umi::TurnReader;

use super::decision::Decision;
use super::fault::Fault;
use super::player_spec::EngineCommand;
use super::time_control::TimeControl;
use crate::child_process::{ChildProcess, ReceiveError};
use crate::notation::TurnNotes;
use crate::text::quoted::quoted;

/// Time that an engine has to end after `quit` before it is killed.
const QUIT_TIME: Duration = Duration::from_millis(300);

/// Running engine process.
pub(crate) struct UmiProcess {
    child: ChildProcess,
}

impl UmiProcess {
    /// Starts an engine, waits for its `umiok`, and sets its options. Without `umiok`, or with an option refused, there is
    /// nobody to play against, which is no fault of a player in a game, but an error.
    pub(super) fn start(command: &EngineCommand, time: Duration) -> Result<UmiProcess> {
        let mut engine = UmiProcess { child: ChildProcess::start(&command.words)? };
        let name = command.program();
        match engine.send("umi").and_then(|()| engine.wait_for("umiok", Instant::now() + time)) {
            Ok(_) => {}
            Err(Fault::Timeout) => bail!("{name}: no umiok within {} ms", time.as_millis()),
            Err(fault) => bail!("{name}: no umiok: {fault}"),
        }
        for (option, value) in &command.options {
            let set = engine.set_option(option, value, Instant::now() + time);
            set.with_context(|| format!("{name}: option {option}"))?;
        }
        Ok(engine)
    }

    /// Sets an option and waits until the engine has dealt with it. Fails when it answers an error.
    fn set_option(&mut self, name: &str, value: &str, deadline: Instant) -> Result<()> {
        self.send(&format!("setoption name {name} value {value}")).map_err(|fault| anyhow!("{fault}"))?;
        self.send("isready").map_err(|fault| anyhow!("{fault}"))?;
        loop {
            let line = self.receive(deadline).map_err(|fault| match fault {
                Fault::Timeout => anyhow!("no readyok after it"),
                fault => anyhow!("no readyok after it: {fault}"),
            })?;
            match first_word(&line) {
                Some("readyok") => return Ok(()),
                Some("error:") => bail!("{}", quoted(&line)),
                _ => {}
            }
        }
    }

    /// Sends the configuration of a new game and waits until the engine is ready.
    pub(super) fn begin(&mut self, game: &Game, time_control: TimeControl) -> Result<(), Fault> {
        self.send(&format!("config {}", ConfigLine(game.config())))?;
        self.send("isready")?;
        let time = time_control.startup.max(time_control.deadline(Duration::ZERO));
        self.wait_for("readyok", Instant::now() + time).map(|_| ())
    }

    /// Sends the position and reads the turn that the engine plays, with what its `info` lines say of it. The clocks of
    /// Yellow and Blue have so much time left.
    pub(super) fn turn(
        &mut self,
        game: &Game,
        time_control: TimeControl,
        left: [Duration; 2],
    ) -> Result<Decision, Fault> {
        let spells = game.config().rules.spells;
        let fen = if spells { Extended(game).to_string() } else { Display(game).to_string() };
        self.send(&format!("position fen {fen}"))?;
        let deadline = Instant::now() + time_control.deadline(left[game.side_to_move() as usize]);
        self.send(&time_control.command(left))?;
        let unreadable = |line: &str, error| Fault::Illegal(format!("{}: {error}", quoted(line)));
        let mut notes = TurnNotes::default();
        let first = self.receive_of_turn("turn", deadline, &mut notes)?;
        let mut reader = TurnReader::new(game, &first).map_err(|error| unreadable(&first, error))?;
        let last = loop {
            let line = self.receive_of_turn("action", deadline, &mut notes)?;
            if first_word(&line) == Some("endturn") {
                break line;
            }
            reader.read(&line).map_err(|error| unreadable(&line, error))?;
        };
        let said_winner = last.split_ascii_whitespace().skip_while(|&word| word != "winner").nth(1);
        let turn = reader.finish(game).map_err(|error| unreadable("endturn", error))?;
        Ok(Decision { notes, said_winner: said_winner.map(str::to_owned), ..turn.into() })
    }

    /// Asks the engine to end. Returns whether it has ended by the deadline.
    pub(super) fn quit(&mut self, deadline: Instant) -> bool {
        // One that cannot be told has ended, or will not.
        let _ = self.send("quit");
        self.child.wait_until(deadline)
    }

    /// Sends a line. Fails when the engine does not read.
    pub(super) fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.child.send(&format!("{line}\n")).map_err(|error| Fault::Crash(error.to_string()))
    }

    /// Reads lines up to one with this first word, and returns that line.
    pub(super) fn wait_for(&mut self, word: &str, deadline: Instant) -> Result<String, Fault> {
        loop {
            let line = self.receive(deadline)?;
            if first_word(&line) == Some(word) {
                return Ok(line);
            }
        }
    }

    /// Reads lines up to one with this first word or `endturn`, and returns that line; those before it are noted. An `error:`
    /// in its place is the engine's last word on this turn.
    fn receive_of_turn(
        &mut self,
        word: &str,
        deadline: Instant,
        notes: &mut TurnNotes,
    ) -> Result<String, Fault> {
        loop {
            let line = self.receive(deadline)?;
            match first_word(&line) {
                Some("error:") => return Err(Fault::Refused(quoted(&line))),
                Some(first) if first == word || (first == "endturn" && word == "action") => return Ok(line),
                _ => notes.read_info(&line),
            }
        }
    }

    /// Receives a line, without the blanks around it.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<String, Fault> {
        match self.child.receive(deadline) {
            Ok(line) => Ok(line.trim().to_owned()),
            Err(ReceiveError::Timeout) => Err(Fault::Timeout),
            Err(ReceiveError::Ended) => Err(Fault::Crash("the engine has ended".to_owned())),
            Err(error @ (ReceiveError::TooLong | ReceiveError::NotText)) => {
                Err(Fault::Unreadable(error.to_string()))
            }
            // The game does not count, whatever its end is.
            Err(error @ ReceiveError::Interrupted) => Err(Fault::Crash(error.to_string())),
        }
    }
}

fn first_word(line: &str) -> Option<&str> {
    line.split_ascii_whitespace().next()
}

impl Drop for UmiProcess {
    fn drop(&mut self) {
        self.quit(Instant::now() + QUIT_TIME);
    }
}
