//! `barrow roborally show`: a course or a race, drawn or as JSON.

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use barrow_core::contests::roborally::second_edition;
use barrow_core::contests::roborally::{
    Board, COURSES, Cell, Direction, Dock, ROBOT_CAP, Robot, State, Status,
};
use barrow_core::rng::Rng;
use schemars::JsonSchema;
use serde::Serialize;

use super::usage::{refuse_given, require};
use crate::contests::kit::several_games::chosen;
use crate::contests::roborally::board_svg;
use crate::contests::roborally::board_text;
use crate::contests::roborally::course_json;
use crate::contests::roborally::ground::Ground;
use crate::contests::roborally::picture;
use crate::contests::roborally::player::Player;
use crate::contests::roborally::player_spec::PlayerSpec;
use crate::contests::roborally::race;
use crate::contests::roborally::replay::state_after;
use crate::contests::roborally::second_edition::floor_player::RacePlayer;
use crate::contests::roborally::second_edition::floor_player_spec::RacePlayerSpec;
use crate::contests::roborally::second_edition::{floor_race, floor_record};
use crate::io::read_text;
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::{say, say_part};

/// Words with which a recorded race begins.
const HEADS: [&str; 3] = ["COURSE", "BOARD", floor_record::FIRST];

/// Arguments of `roborally show`.
#[derive(clap::Args)]
pub(super) struct ShowArgs {
    /// A built-in course, a board file, or a recorded race; the names are listed if none is given
    course: Option<String>,
    /// Play this many turns of random search first; of a recorded race, the turn after which it is drawn, by default
    /// the last
    #[arg(long, requires = "course")]
    turns: Option<u16>,
    /// Of a file of recorded races, the number of the race, from 1; by default the first
    #[arg(long, value_name = "N", requires = "course", conflicts_with_all = ["robots", "seed", "text", "cells"], value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,
    /// Robots of the race, by default 4
    #[arg(long, value_name = "N", requires = "turns", conflicts_with_all = ["text", "cells"])]
    robots: Option<usize>,
    /// Seed of the race, by default 1
    #[arg(long, requires = "turns", conflicts_with_all = ["text", "cells"])]
    seed: Option<u64>,
    /// Print the board as a file instead
    #[arg(long, requires = "course", conflicts_with = "turns")]
    text: bool,
    /// Print the board as JSON, rows of cells with their elements
    #[arg(long, requires = "course", conflicts_with_all = ["text", "turns"])]
    cells: bool,
    /// Print the picture as SVG
    #[arg(long, requires = "course", conflicts_with_all = ["text", "cells"])]
    svg: bool,
    /// Print {"turn","flags","robots":[...]} and nothing else on standard output: where the robots stand, and what they have; none
    /// before a race begins
    #[arg(long, requires = "course", conflicts_with_all = ["text", "cells", "svg"])]
    json: bool,
}

/// Subject of a picture.
enum Subject<'a> {
    Board(&'a Board, Option<&'a State>),
    Floor(&'a second_edition::Floor, Option<&'a second_edition::Race>),
}

/// Race that `roborally show` draws.
#[derive(Serialize, JsonSchema)]
pub(super) struct ShownRace {
    /// Turns that were played.
    turn: u16,
    /// Flags or checkpoints of the course.
    flags: u8,
    /// Robots; none before a race begins.
    robots: Vec<ShownRobot>,
}

/// Robot of a race.
#[derive(Serialize, JsonSchema)]
struct ShownRobot {
    /// Number of the robot, from 0.
    robot: usize,
    /// Place on the board; none where it is off the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Place>,
    /// Place where it comes back.
    archive: Place,
    /// Status: active, powered-down, destroyed, out or skipping.
    status: &'static str,
    /// Flag or checkpoint that it has to touch next; one more than there are when it has finished.
    next_flag: u8,
    /// Damage, 0 to 10, by the rules of 2005.
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<u8>,
    /// Lives left, this one included, by the rules of 2005.
    #[serde(skip_serializing_if = "Option::is_none")]
    lives: Option<u8>,
    /// Energy cubes, by the rules of 2016 and 2023.
    #[serde(skip_serializing_if = "Option::is_none")]
    energy: Option<u8>,
    /// Damage cards that the robot has, wherever they are, by the rules of 2016 and 2023.
    #[serde(skip_serializing_if = "Option::is_none")]
    damage_cards: Option<u8>,
}

/// Cell and facing.
#[derive(Serialize, JsonSchema)]
struct Place {
    /// Column from the west, from 0.
    x: i8,
    /// Row from the north, from 0.
    y: i8,
    /// Facing: N, E, S or W.
    facing: char,
}

impl Place {
    /// Place of a cell and a facing.
    fn new(cell: Cell, facing: Direction) -> Place {
        Place { x: cell.x(), y: cell.y(), facing: facing.letter() }
    }
}

impl ShownRobot {
    /// A robot without what one edition of the rules alone has.
    fn new(number: usize, robot: &Robot) -> ShownRobot {
        let stands = matches!(robot.status, Status::Active | Status::PoweredDown);
        let status = match robot.status {
            Status::Active => "active",
            Status::PoweredDown => "powered-down",
            Status::Destroyed => "destroyed",
            Status::Out => "out",
            Status::Skipping => "skipping",
        };
        let Dock { cell, facing } = robot.archive;
        ShownRobot {
            robot: number,
            at: stands.then(|| Place::new(robot.cell, robot.facing)),
            archive: Place::new(cell, facing),
            status,
            next_flag: robot.next_flag,
            damage: None,
            lives: None,
            energy: None,
            damage_cards: None,
        }
    }
}

impl Subject<'_> {
    /// The picture in characters, or as SVG.
    fn draw(&self, svg: bool) -> String {
        match *self {
            Subject::Board(board, state) if svg => board_svg::draw(board, state),
            Subject::Board(board, state) => picture::draw(board, state),
            Subject::Floor(floor, race) if svg => board_svg::draw_race(floor, race),
            Subject::Floor(floor, race) => picture::draw_race(floor, race),
        }
    }

    /// The race in numbers.
    fn race(&self) -> ShownRace {
        let (board, state, race) = match *self {
            Subject::Board(board, state) => (board, state, None),
            Subject::Floor(floor, race) => (floor.board(), race.map(second_edition::Race::positions), race),
        };
        let shown = |state: &State, number: usize| {
            let robot = state.robot(number)?;
            let known = ShownRobot::new(number, &robot);
            Some(match race {
                Some(race) => ShownRobot {
                    energy: Some(race.energy(number)),
                    damage_cards: Some(race.damage_cards(number)),
                    ..known
                },
                None => ShownRobot { damage: Some(robot.damage), lives: Some(robot.lives), ..known },
            })
        };
        let robots = |state: &State| (0..state.robots()).filter_map(|number| shown(state, number)).collect();
        ShownRace {
            turn: state.map_or(0, State::turn),
            flags: board.flags().len() as u8,
            robots: state.map_or_else(Vec::new, robots),
        }
    }
}

/// The text of a file that stands where the name of a course could.
pub(super) fn text_of(name: &str) -> Result<String> {
    read_text(name).with_context(|| format!("neither a course nor a file: {name}"))
}

/// Whether this is the text of a file of recorded races.
fn is_record(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("//"));
    let word = first.and_then(|line| line.split_whitespace().next());
    word.is_some_and(|word| HEADS.contains(&word))
}

/// Number of turns of the first recorded race of a text.
fn recorded_turns(text: &str) -> usize {
    let words = text.lines().filter_map(|line| line.split_whitespace().next());
    let of_first = words.skip_while(|word| !HEADS.contains(word)).skip(1);
    of_first.take_while(|word| !HEADS.contains(word)).filter(|word| *word == "TURN").count()
}

impl ShowArgs {
    /// Runs `roborally show`.
    pub(super) fn run(&self) -> Result<ExitCode> {
        let Some(name) = &self.course else {
            for course in &COURSES {
                let [least, most] = course.players();
                say!("{:20} {least} to {most} robots", course.name());
            }
            for course in &second_edition::COURSES {
                say!("{:20} 2 to {} robots, rules of 2016 or 2023", course.name(), course.players());
            }
            return Ok(ExitCode::SUCCESS);
        };
        let ground = if let Some(ground) = Ground::named(name)? {
            ground
        } else {
            let text = text_of(name)?;
            if is_record(&text) {
                self.recorded(name, &text).with_context(|| name.clone())?;
                return Ok(ExitCode::SUCCESS);
            }
            Ground::read(&text).with_context(|| name.clone())?
        };
        let file = match &ground {
            _ if self.cells => Some(course_json::write(&ground)),
            Ground::Board(course, _) if self.text => Some(board_text::write(&course.board)),
            Ground::Floor(course) if self.text => Some(board_text::write_floor(&course.floor)),
            _ => None,
        };
        if let Some(file) = file {
            say_part!("{file}");
            return Ok(ExitCode::SUCCESS);
        }
        match (&ground, self.turns.unwrap_or(0)) {
            (Ground::Board(course, _), 0) => self.print(&Subject::Board(&course.board, None))?,
            (Ground::Floor(course), 0) => self.print(&Subject::Floor(&course.floor, None))?,
            (_, turns) => self.raced(&ground, turns)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn print(&self, subject: &Subject<'_>) -> Result<()> {
        say_part!("{}", subject.draw(self.svg));
        if self.json {
            print_json(&subject.race())?;
        }
        Ok(())
    }

    /// Prints a recorded race.
    fn recorded(&self, name: &str, text: &str) -> Result<()> {
        let unused = [
            ("--robots", self.robots.is_some()),
            ("--seed", self.seed.is_some()),
            ("--text", self.text),
            ("--cells", self.cells),
        ];
        refuse_given("a recorded race", &unused)?;
        let text = &chosen(name, text, &HEADS, self.number)?;
        let turns = recorded_turns(text);
        ensure!(
            self.turns.is_none_or(|turn| usize::from(turn) <= turns),
            "the race has {}",
            counted(turns, "turn")
        );
        let last = self.turns.unwrap_or(u16::MAX - 1);
        let is_floor = text.lines().any(|line| line.starts_with(floor_record::FIRST));
        if is_floor {
            let (floor, race) = floor_record::race_after(text, last)?;
            return self.print(&Subject::Floor(&floor, Some(&race)));
        }
        let (board, state) = state_after(text, last)?;
        self.print(&Subject::Board(&board, Some(&state)))
    }

    /// Prints a race of random search.
    fn raced(&self, ground: &Ground, turns: u16) -> Result<()> {
        let robots = self.robots.unwrap_or(4);
        require((1..=ROBOT_CAP).contains(&robots), "a race has 1 to 8 robots")?;
        let spec: PlayerSpec = "search".parse()?;
        let seed = Rng::new(self.seed.unwrap_or(1)).next_u64();
        match ground {
            Ground::Board(course, profile) => {
                let mut players: Vec<Player> = (0..robots).map(|_| Player::new(spec.clone())).collect();
                let settings = race::RaceSettings {
                    profile: *profile,
                    lives: State::usual_lives(robots),
                    turn_limit: turns,
                    seed,
                };
                let finish = race::run(course, &mut players, settings, |_| ())?;
                self.print(&Subject::Board(&course.board, Some(&finish.state)))
            }
            Ground::Floor(course) => {
                let spec = RacePlayerSpec::try_from(&spec)?;
                let mut players: Vec<RacePlayer> =
                    (0..robots).map(|_| RacePlayer::new(spec.clone())).collect();
                let race = floor_race::run(course, &mut players, (seed, turns), None, &mut |_| ())?;
                self.print(&Subject::Floor(&course.floor, Some(&race)))
            }
        }
    }
}
