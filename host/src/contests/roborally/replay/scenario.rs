//! Scenarios: a small board, robots, a few steps, and the expected robots after them.

use anyhow::{Context, Result, bail};
use barrow_core::contests::roborally::{Board, Decisions, Profile, Robot, State};

use super::super::board_text::BoardReader;
use barrow_session::contests::roborally::findings::{Findings, Line, lines};
use barrow_session::contests::roborally::robot_text::{number, parse_robot, robot_id, set_registers};

/// The part of a scenario read so far.
#[derive(Default)]
struct Scene {
    id: String,
    board: Option<Board>,
    robots: Vec<Robot>,
    state: Option<State>,
    /// Whether expected robots come with their registers, since the last step emptied some.
    lists_registers: bool,
}

impl Scene {
    /// The state, once the robots are complete.
    fn parts(&mut self) -> Result<(&Board, &mut State)> {
        let board = self.board.as_ref().context("the board comes first")?;
        if self.state.is_none() {
            let state = State::from_robots(board, Profile::Classic, &self.robots);
            self.state = Some(state.with_context(|| self.id.clone())?);
        }
        Ok((board, self.state.as_mut().context("robots come first")?))
    }
}

pub(super) fn replay(text: &str, findings: &mut dyn Findings) -> Result<()> {
    let mut scene = Scene::default();
    let mut reader: Option<BoardReader> = None;
    for line in lines(text) {
        let at = || format!("line {}", line.number);
        match (&mut reader, &line.words[..]) {
            (Some(_), ["ENDBOARD"]) => {
                scene.board = reader.take().map(BoardReader::finish).transpose().with_context(at)?;
            }
            (Some(reader), _) => reader.line(&line.text()).with_context(at)?,
            (None, ["BOARD"]) => reader = Some(BoardReader::default()),
            (None, ["SCENARIO", id, ..]) => scene = Scene { id: (*id).to_owned(), ..Scene::default() },
            (None, _) => step(&mut scene, &line, findings).with_context(at)?,
        }
    }
    Ok(())
}

fn step(scene: &mut Scene, line: &Line<'_>, findings: &mut dyn Findings) -> Result<()> {
    match line.words[..] {
        ["ROBOT", id, ref rest @ ..] => {
            anyhow::ensure!(number::<usize>(id)? == scene.robots.len(), "robots come in order");
            scene.robots.push(parse_robot(Profile::Classic, rest)?);
        }
        ["REGS", id, ref cards @ ..] => set_registers(scene.parts()?.1, number(id)?, cards)?,
        ["ANNOUNCE", id] => scene.parts()?.1.announce(number(id)?)?,
        ["STARTTURN"] => {
            scene.parts()?.1.start_turn();
            scene.lists_registers = true;
        }
        ["RUN", ref registers @ ..] => {
            let (board, state) = scene.parts()?;
            for register in registers {
                let register: usize = number(register)?;
                state.run_register(board, register.wrapping_sub(1));
            }
            scene.lists_registers = false;
        }
        ["CLEANUP"] => {
            let (board, state) = scene.parts()?;
            state.clean_up(board, Decisions::default());
            scene.lists_registers = true;
        }
        ["EXPECT"] => {}
        ["WIN", id] => {
            let winner = scene.parts()?.1.winner();
            let engine = winner.map_or_else(|| "nobody".to_owned(), |robot| robot.to_string());
            findings.compare(line.number, id, &engine);
        }
        [id, ..] => {
            let lists_registers = scene.lists_registers;
            findings.compare_robot(line, robot_id(id)?, scene.parts()?.1, lists_registers)?;
        }
        [] => bail!("an empty line"),
    }
    Ok(())
}
