//! Programs in the arena that speak the bot's protocol, as `barrow roborally bot` does.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail, ensure};
use barrow_core::contests::roborally::{CardSet, State};

use super::choice::Choice;
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
    /// Starts a program and tells it a board, given as text, and the rules.
    pub(super) fn start(words: &[String], board: &str, rules: &str) -> Result<External> {
        let mut child = ChildProcess::start(words)?;
        child.send(&format!("roborally\nboard\n{board}endboard\nrules {rules}\nisready\n"))?;
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
        for card in parse_cards(&words)? {
            ensure!(choice.program.push(card).is_ok(), "a program of more than five cards");
        }
        Ok(choice)
    }

    /// Asks for a decision in a state with a hand, both as text. Returns the words of the program.
    pub(super) fn ask(&mut self, state: &str, robot: usize, hand: &str) -> Result<Vec<String>> {
        self.child.send(&format!("{state}you {robot}\nhand {hand}\ngo\n"))?;
        self.wait_for(|line| {
            let rest = line.strip_prefix("program")?;
            Some(rest.split_ascii_whitespace().map(str::to_owned).collect())
        })
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
