//! Players of the arena: built-in ones, and programs that speak the contest's protocol.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use barrow_core::contests::ice_and_fire::bot::{CutNode, Options, plan_in_time, write_line};
use barrow_core::contests::ice_and_fire::input::{MineSpotLines, TurnInput};
use barrow_core::contests::ice_and_fire::{Game, Rules};
use barrow_core::contests::partners::{Sparring, random_turn};
use barrow_core::rng::Rng;

use super::player_spec::Kind;
use crate::child_process::ChildProcess;

/// Time per turn of a program; the contest's 50 ms are too short on a machine busy with an arena.
const PATIENCE: Duration = Duration::from_secs(2);

/// A player in a game.
pub(super) enum ArenaPlayer {
    Wait,
    Random(Rng),
    Sparring(Sparring),
    Bot(Box<Options>, Vec<CutNode>),
    Program(ChildProcess),
}

impl ArenaPlayer {
    /// A player for a game.
    pub(super) fn new(kind: &Kind, game: &Game, seed: u64) -> Result<ArenaPlayer> {
        Ok(match kind {
            Kind::Wait => ArenaPlayer::Wait,
            Kind::Random => ArenaPlayer::Random(Rng::new(seed)),
            Kind::Sparring(sparring) => ArenaPlayer::Sparring(*sparring),
            Kind::Bot(options) => {
                ArenaPlayer::Bot(options.clone(), vec![CutNode::EMPTY; options.lines.into()])
            }
            Kind::Program(words) => {
                let mut program = ChildProcess::start(words)?;
                program.send(&format!("{}\n", MineSpotLines(game.state().mine_spots())))?;
                ArenaPlayer::Program(program)
            }
        })
    }

    /// The line of the player to move, and the number of cuts evaluated. After `movetime` built-in players begin
    /// nothing optional.
    pub(super) fn line(&mut self, game: &Game, rules: &Rules, movetime: Duration) -> Result<(String, u32)> {
        let (draft, evaluated) = match self {
            ArenaPlayer::Wait => return Ok(("WAIT".to_owned(), 0)),
            ArenaPlayer::Program(program) => {
                program.send(&format!("{}\n", TurnInput::new(game, game.state().mover())))?;
                return match program.receive(Instant::now() + PATIENCE) {
                    Ok(line) => Ok((line, 0)),
                    Err(error) => bail!("{error}"),
                };
            }
            ArenaPlayer::Random(dice) => (random_turn(game.state(), rules, dice), 0),
            ArenaPlayer::Sparring(sparring) => (sparring.turn(game.state(), rules), 0),
            ArenaPlayer::Bot(options, memory) => {
                let started = Instant::now();
                let late = || started.elapsed() >= movetime;
                let turn = plan_in_time(game.state(), rules, options, memory, &late);
                (turn.draft, turn.evaluated)
            }
        };
        let mut line = String::new();
        write_line(game, rules, &draft, &mut line)?;
        Ok((line, evaluated))
    }
}
