//! Programs in the arena that speak the bot's protocol, as `barrow roborally bot` does.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail, ensure};
use barrow_core::contests::roborally::{CardSet, Profile, State};

use super::board_text;
use super::choice::Choice;
use super::course::Course;
use crate::child_process::ChildProcess;
use crate::text::quoted::shortened;
use barrow_session::contests::roborally::robot_text::{parse_cards, state_text};

/// Time that a program has for a decision, whatever its own budget.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running program.
pub(super) struct External {
    child: ChildProcess,
}

impl External {
    /// Starts a program and tells it the course.
    pub(super) fn start(words: &[String], course: &Course, profile: Profile) -> Result<External> {
        let mut child = ChildProcess::start(words)?;
        let rules = match profile {
            Profile::Classic => "classic",
            Profile::Rallyrobo => "rallyrobo",
        };
        let board = board_text::write(&course.board);
        child.send(&format!("roborally\nboard\n{board}endboard\nrules {rules}\nisready\n"))?;
        let mut program = External { child };
        program.wait_for(|line| (line == "readyok").then_some(()))?;
        Ok(program)
    }

    /// Asks for a decision.
    pub(super) fn choose(&mut self, state: &State, robot: usize, hand: CardSet) -> Result<Choice> {
        let cards: Vec<String> = hand.iter().map(|card| card.number().to_string()).collect();
        let question = format!("{}you {robot}\nhand {}\ngo\n", state_text(state), cards.join(" "));
        self.child.send(&question)?;
        let words: Vec<String> = self.wait_for(|line| {
            let rest = line.strip_prefix("program")?;
            Some(rest.split_ascii_whitespace().map(str::to_owned).collect())
        })?;
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let announces = words.last() == Some(&"announce");
        if announces {
            words.pop();
        }
        let mut choice = Choice { announces, ..Choice::default() };
        for card in parse_cards(&words)? {
            ensure!(choice.program.push(card).is_ok(), "a program of more than five cards");
        }
        Ok(choice)
    }

    /// Reads lines until one has an answer.
    fn wait_for<T>(&mut self, answer: impl Fn(&str) -> Option<T>) -> Result<T> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let received = self.child.receive(deadline);
            let line = received.map_err(|error| anyhow!("a program of the arena: {error}"))?;
            if let Some(found) = answer(line.trim_end()) {
                return Ok(found);
            }
            if line.starts_with("error") {
                bail!("a program of the arena: {}", shortened(&line));
            }
        }
    }
}
