//! Who sits at the board: a built-in player, or a program in a process of its own that speaks the contest's protocol.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use barrow_core::bots::ice_and_fire::{LineNode, Options, plan, random_turn, write_line};
use barrow_core::ice_and_fire::input::{Input, Spots};
use barrow_core::ice_and_fire::{Game, Rules};
use barrow_core::rng::Rng;

use super::spec::Kind;

/// How long a program may think; the contest's 50 ms are for quieter machines than an arena is.
const PATIENCE: Duration = Duration::from_secs(2);

/// A player in a game.
pub(super) enum Seat {
    Wait,
    Random(Rng),
    Bot(Box<Options>, Vec<LineNode>),
    Program(Program),
}

impl Seat {
    /// Sits down for a game.
    pub(super) fn new(kind: &Kind, game: &Game, seed: u64) -> Result<Seat> {
        Ok(match kind {
            Kind::Wait => Seat::Wait,
            Kind::Random => Seat::Random(Rng::new(seed)),
            Kind::Bot(options) => Seat::Bot(options.clone(), vec![LineNode::EMPTY; options.lines.into()]),
            Kind::Command(words) => Seat::Program(Program::start(words, game)?),
        })
    }

    /// The line of the player to move, and how many cuts were evaluated for it.
    pub(super) fn line(&mut self, game: &Game, rules: &Rules) -> Result<(String, u32)> {
        let (draft, evaluated) = match self {
            Seat::Wait => return Ok(("WAIT".to_owned(), 0)),
            Seat::Program(program) => return Ok((program.line(game)?, 0)),
            Seat::Random(dice) => (random_turn(game.state(), rules, dice), 0),
            Seat::Bot(options, memory) => {
                let turn = plan(game.state(), rules, options, memory);
                (turn.draft, turn.evaluated)
            }
        };
        let mut line = String::new();
        write_line(game, rules, &draft, &mut line)?;
        Ok((line, evaluated))
    }
}

/// A running program.
pub(super) struct Program {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Program {
    fn start(words: &[String], game: &Game) -> Result<Program> {
        let (name, arguments) = words.split_first().context("no command")?;
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| name.clone())?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("no pipes")
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut program = Program { child, input, lines };
        writeln!(program.input, "{}", Spots(game.state().mine_spots()))?;
        Ok(program)
    }

    fn line(&mut self, game: &Game) -> Result<String> {
        writeln!(self.input, "{}", Input::new(game, game.state().mover()))?;
        self.input.flush()?;
        self.lines.recv_timeout(PATIENCE).context("no answer")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
