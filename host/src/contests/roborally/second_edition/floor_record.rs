//! Records of races of the second edition, which `barrow roborally replay` and `show` read: programs, the generator's
//! state before each turn, from which all draws follow, and the robots after each register.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally::bot::second_edition::RaceProgram;
use barrow_core::contests::roborally::second_edition::{Floor, FloorCourse, Race, Rules};
use barrow_core::rng::Rng;
use barrow_session::contests::roborally::findings::{Findings, Line, lines};
use barrow_session::contests::roborally::robot_text::number;

use super::race_text::{order_words, read_order, robot_line, robot_lines, words};

/// First word of a record.
pub const FIRST: &str = "FLOOR";

/// The record of a race as it is run.
#[derive(Clone, Debug, Default)]
pub struct RaceRecord {
    text: String,
}

impl RaceRecord {
    /// The record of a race on a built-in course before its first turn. Names are those of the players by robot.
    pub fn new(course: &str, rules: &Rules, names: &[String]) -> RaceRecord {
        let (robots, names) = (names.len(), names.join(" | "));
        let year = if rules.year == 2016 { String::new() } else { format!(" {}", rules.year) };
        RaceRecord { text: format!("// {names}\n{FIRST} {course}{year}\nROBOTS {robots}\n") }
    }

    /// Adds the start of a turn, counted from 1, with the generator of all its draws.
    pub(super) fn turn(&mut self, turn: u16, draws: &Rng) {
        let _ = writeln!(self.text, "TURN {turn} DICE {}", draws.state());
    }

    /// Adds a robot's hand, as the race has it, and its program.
    pub(super) fn program(&mut self, race: &Race, robot: usize, program: &RaceProgram) {
        let (hand, program) = (words(race.hand(robot).iter()), order_words(race, robot, program));
        let _ = writeln!(self.text, "HAND {robot}{hand}\nPROGRAM {robot}{program}");
    }

    /// Adds the robots after a register, counted from 0.
    pub(super) fn register(&mut self, register: usize, race: &Race) {
        let _ = write!(self.text, "REGISTER {}\n{}", register + 1, robot_lines(race, ""));
    }

    /// Adds the winner.
    pub(super) fn end(&mut self, race: &Race) {
        if let Some(winner) = race.positions().winner() {
            let _ = writeln!(self.text, "WIN {winner}");
        }
    }

    /// The record so far.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A race that is replayed.
struct Replay {
    floor: Floor,
    rules: &'static Rules,
    race: Option<Race>,
    draws: Rng,
    registers: usize,
}

impl Replay {
    fn race(&mut self) -> Result<&mut Race> {
        self.race.as_mut().context("the number of robots comes first")
    }

    fn step(&mut self, line: &Line<'_>, findings: &mut dyn Findings) -> Result<()> {
        match line.words[..] {
            ["ROBOTS", robots] => self.race = Some(Race::by(self.rules, &self.floor, number(robots)?)?),
            ["TURN", turn, "DICE", state] => {
                self.draws = Rng::from_state(number(state)?);
                let race = self.race.as_mut().context("the number of robots comes first")?;
                if self.registers > 0 {
                    race.clean_up();
                }
                self.registers = 0;
                race.draw_hands(&mut self.draws);
                findings.compare(line.number, turn, &(race.positions().turn() + 1).to_string());
            }
            ["HAND", id, ..] => {
                let id = number(id)?;
                let hand = self.race()?.hand(id);
                findings.compare(line.number, &line.text(), &format!("HAND {id}{}", words(hand.iter())));
            }
            ["PROGRAM", id, ref cards @ ..] => {
                read_order(self.race()?, number(id)?, cards)?;
            }
            ["REGISTER", register] => {
                let register: usize = number(register)?;
                ensure!(register == self.registers + 1, "registers come in order");
                self.registers = register;
                let race = self.race.as_mut().context("the number of robots comes first")?;
                race.run_register(&self.floor, register - 1, &mut self.draws);
            }
            ["WIN", id] => {
                let winner = self.race()?.positions().winner();
                let engine = winner.map_or_else(|| "nobody".to_owned(), |robot| robot.to_string());
                findings.compare(line.number, id, &engine);
            }
            [id, ..] => {
                let engine = robot_line(self.race()?, number(id)?).context("no such robot")?;
                findings.compare(line.number, &line.text(), &engine);
            }
            [] => bail!("an empty line"),
        }
        Ok(())
    }
}

/// Replays all recorded races of a text.
pub fn replay(text: &str, findings: &mut dyn Findings) -> Result<()> {
    play(text, u16::MAX, findings).map(|_| ())
}

/// The floor and the race after a turn of the first recorded race of a text, or at its end.
pub fn race_after(text: &str, turn: u16) -> Result<(Floor, Race)> {
    struct Unheard;
    impl Findings for Unheard {
        fn count(&mut self, _line: usize, _difference: Option<String>) {}
    }
    let replay = play(text, turn, &mut Unheard)?.context("no race")?;
    Ok((replay.floor, replay.race.context("a race without robots")?))
}

/// Replays all races of a text; with a turn below the highest number the first one, up to the end of that turn.
fn play(text: &str, last: u16, findings: &mut dyn Findings) -> Result<Option<Replay>> {
    let mut replay: Option<Replay> = None;
    for line in lines(text) {
        let at = || format!("line {}", line.number);
        if let (true, Some(now)) = (last < u16::MAX, &replay) {
            let turns = now.race.as_ref().map_or(0, |race| race.positions().turn());
            let is_due = line.words[0] == "TURN" && turns + u16::from(now.registers > 0) >= last;
            if is_due || line.words[0] == FIRST {
                break;
            }
        }
        match (&mut replay, &line.words[..]) {
            (_, [FIRST, name, year @ ..]) if year.len() < 2 => {
                let rules =
                    Rules::of(year.first().unwrap_or(&"2016")).context("no such rules").with_context(at)?;
                let course = FloorCourse::named(name).with_context(|| format!("no course {name}"));
                let floor = course.with_context(at)?.floor()?;
                replay = Some(Replay { floor, rules, race: None, draws: Rng::new(0), registers: 0 });
            }
            (Some(replay), _) => replay.step(&line, findings).with_context(at)?,
            (None, _) => bail!("line {}: the course comes first: {FIRST} NAME", line.number),
        }
    }
    if let Some(Replay { race: Some(race), registers: 1.., .. }) = &mut replay {
        race.clean_up();
    }
    Ok(replay)
}
