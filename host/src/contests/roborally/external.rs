//! Programs in the arena that speak the bot's protocol, as `barrow roborally bot` does.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use barrow_core::contests::roborally::{CardSet, State};

use super::choice::Choice;
use crate::child_process::{ChildProcess, ReceiveError};
use crate::text::quoted::shortened;
use barrow_session::contests::roborally::robot_text::{parse_cards, state_text};

/// Time that a program has for a decision, whatever its own budget.
const PATIENCE: Duration = Duration::from_mins(1);

/// Fault of a program: it has ended, is late, or says what cannot be played. Of the errors of this file only this one is the
/// program's; the others are that it cannot be started and that the arena is interrupted.
#[derive(Debug)]
pub(super) struct ProgramFault(String);

impl ProgramFault {
    /// The fault that an error in what the program said is.
    pub(super) fn of(error: impl fmt::Display) -> anyhow::Error {
        ProgramFault(format!("{error:#}")).into()
    }
}

impl fmt::Display for ProgramFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProgramFault {}

/// A running program.
pub(super) struct External {
    child: ChildProcess,
}

impl External {
    /// Starts a program and tells it a board, given as text, and the rules.
    pub(super) fn start(words: &[String], board: &str, rules: &str) -> Result<External> {
        let mut child = ChildProcess::start(words)?;
        child
            .send(&format!("roborally\nboard\n{board}endboard\nrules {rules}\nisready\n"))
            .map_err(ProgramFault::of)?;
        let mut program = External { child };
        program.wait_for(|line| (line == "readyok").then_some(()))?;
        Ok(program)
    }

    /// Asks for a decision by the classic rules.
    pub(super) fn choose(&mut self, state: &State, robot: usize, hand: CardSet) -> Result<Choice> {
        let cards: Vec<String> = hand.iter().map(|card| card.number().to_string()).collect();
        let words = self.ask(&state_text(state), robot, &cards.join(" "))?;
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let announces = words.last() == Some(&"announce");
        if announces {
            words.pop();
        }
        let mut choice = Choice { announces, ..Choice::default() };
        for card in parse_cards(&words).map_err(ProgramFault::of)? {
            if choice.program.push(card).is_err() {
                return Err(ProgramFault::of("a program of more than five cards"));
            }
        }
        // Tried here, where it is known whose fault it is.
        let mut tried = *state;
        tried.program(robot, hand, &choice.program).map_err(ProgramFault::of)?;
        if announces {
            tried.announce(robot).map_err(ProgramFault::of)?;
        }
        Ok(choice)
    }

    /// Asks for a decision in a state with a hand, both as text. Returns the words of the program.
    pub(super) fn ask(&mut self, state: &str, robot: usize, hand: &str) -> Result<Vec<String>> {
        self.child.send(&format!("{state}you {robot}\nhand {hand}\ngo\n")).map_err(ProgramFault::of)?;
        self.wait_for(|line| {
            let rest = line.strip_prefix("program")?;
            Some(rest.split_ascii_whitespace().map(str::to_owned).collect())
        })
    }

    /// Reads lines until one has an answer.
    fn wait_for<T>(&mut self, answer: impl Fn(&str) -> Option<T>) -> Result<T> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let line = match self.child.receive(deadline) {
                Ok(line) => line,
                Err(interrupted @ ReceiveError::Interrupted) => bail!("{interrupted}"),
                Err(error) => return Err(ProgramFault::of(error)),
            };
            if let Some(found) = answer(line.trim_end()) {
                return Ok(found);
            }
            if line.starts_with("error") {
                return Err(ProgramFault::of(shortened(&line)));
            }
        }
    }
}
