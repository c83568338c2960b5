//! Scripted games of RoboRally: plays the scripts of `data/roborally.txt`, whose first lines describe the format.

use barrow_core::contests::roborally::{
    Board, BoardBuilder, Card, Cell, Course, Decisions, Direction, Dock, Profile, Robot, Speed, State,
    Status, Terrain,
};

const SCRIPTS: &str = include_str!("../../data/roborally.txt");

/// Returns the names of all scripts in the order of the file.
pub fn ids() -> Vec<&'static str> {
    SCRIPTS.lines().filter_map(|line| line.strip_prefix("# ")).collect()
}

/// A script in progress: board, robots and state that its lines have set up.
struct Run {
    builder: Option<BoardBuilder>,
    board: Option<Board>,
    profile: Profile,
    robots: Vec<Robot>,
    state: Option<State>,
    checked: usize,
}

/// Plays the script of a name; panics if a line is malformed or an expectation fails.
pub fn play(id: &str) {
    let lines = SCRIPTS.lines().skip_while(|line| line.strip_prefix("# ") != Some(id)).skip(1);
    let mut run = Run {
        builder: None,
        board: None,
        profile: Profile::Classic,
        robots: Vec::new(),
        state: None,
        checked: 0,
    };
    for line in lines.take_while(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        run.execute(&words).unwrap_or_else(|| panic!("{id}: {line}"));
    }
    assert!(run.checked > 0, "{id} expects nothing");
}

fn number<T: std::str::FromStr>(word: &str) -> Option<T> {
    word.parse().ok()
}

fn direction(word: &str) -> Option<Direction> {
    Direction::from_letter(word.chars().next()?)
}

/// Returns a bit set of robot numbers.
fn bits(ids: &[&str]) -> u8 {
    ids.iter().filter_map(|id| number::<u8>(id)).fold(0, |bits, id| bits | 1 << id)
}

impl Run {
    /// Executes a line; `None` if it is malformed.
    fn execute(&mut self, words: &[&str]) -> Option<()> {
        if self.describe_board(words).is_some() {
            return Some(());
        }
        match words {
            ["course", name] => {
                let course = Course::named(name)?;
                self.board = Some(course.board().ok()?);
                self.profile = course.profile();
                if self.profile == Profile::Rallyrobo {
                    let robots = self.board.as_ref()?.docks().len();
                    self.state = Some(State::new(self.board.as_ref()?, self.profile, robots, 3).ok()?);
                }
            }
            ["robots", count] => {
                self.state = Some(State::new(self.board.as_ref()?, self.profile, number(count)?, 3).ok()?);
            }
            ["at", _, robot @ ..] => {
                let profile = self.profile;
                self.robots.push(robot_of(profile, robot)?);
            }
            ["cards", id, cards @ ..] => {
                let id = number(id)?;
                let state = self.state()?.1;
                for register in 0..5 {
                    let card = cards.get(register).and_then(|card| number(card)).and_then(Card::new);
                    state.set_register(id, register, card).ok()?;
                }
            }
            ["lock", id, register, card] => {
                let (id, register) = (number(id)?, number::<usize>(register)?);
                let state = self.state()?.1;
                assert_eq!(state.empty_locked_registers().next(), Some((id, register - 1)));
                state.set_register(id, register - 1, Card::new(number(card)?)).ok()?;
            }
            ["down", id] => self.state()?.1.announce(number(id)?).ok()?,
            ["start"] => self.state()?.1.start_turn(),
            ["go", registers @ ..] => {
                let (board, state) = self.state()?;
                for register in registers {
                    state.run_register(board, number::<usize>(register)? - 1);
                }
            }
            ["clean", rest @ ..] => {
                let reenter = rest.iter().position(|&word| word == "reenter").unwrap_or(rest.len());
                let (stay, reenter) = rest.split_at(reenter);
                let decisions =
                    Decisions { stay_down: bits(stay), reenter_down: bits(reenter), ..Decisions::default() };
                let (board, state) = self.state()?;
                state.clean_up(board, decisions);
            }
            ["win", id] => {
                assert_eq!(self.state()?.1.winner(), number(id));
                self.checked += 1;
            }
            ["=", id, expected @ ..] => self.expect(number(id)?, expected)?,
            _ => return None,
        }
        Some(())
    }

    /// Executes a line that describes the board; `None` if it is another line.
    fn describe_board(&mut self, words: &[&str]) -> Option<()> {
        if let ["board", rows] = words {
            let rows: Vec<&str> = rows.split('/').collect();
            let mut builder = BoardBuilder::new(rows[0].len(), rows.len()).ok()?;
            for (y, row) in rows.iter().enumerate() {
                for (x, letter) in row.chars().enumerate() {
                    builder.terrain(x, y, terrain(letter)?).ok()?;
                }
            }
            self.builder = Some(builder);
            return Some(());
        }
        let builder = self.builder.as_mut()?;
        let [x, y] = [number(words.get(1)?)?, number(words.get(2)?)?];
        match words {
            ["wall", _, _, sides] => {
                for side in sides.chars() {
                    builder.wall(x, y, Direction::from_letter(side)?).ok()?;
                }
            }
            ["laser", _, _, way, strength] => builder.laser(x, y, direction(way)?, number(strength)?).ok()?,
            ["pusher", _, _, way, registers] => {
                let registers = registers.bytes().fold(0, |bits, digit| bits | 1 << (digit - b'1'));
                builder.pusher(x, y, direction(way)?, registers).ok()?;
            }
            ["flag", ..] => builder.flag(x, y).ok()?,
            _ => return None,
        }
        Some(())
    }

    /// Returns board and state, created from the lines so far if they do not exist yet.
    fn state(&mut self) -> Option<(&Board, &mut State)> {
        if let Some(builder) = self.builder.take() {
            self.board = builder.finish().ok();
        }
        let board = self.board.as_ref()?;
        if self.state.is_none() {
            self.state = State::from_robots(board, self.profile, &self.robots).ok();
        }
        Some((board, self.state.as_mut()?))
    }

    /// Compares a robot with a line that begins with `=`.
    fn expect(&mut self, id: usize, words: &[&str]) -> Option<()> {
        self.checked += 1;
        let profile = self.profile;
        let state = *self.state()?.1;
        let (words, registers) = match words.iter().position(|&word| word == "regs") {
            Some(place) => (&words[..place], Some(&words[place + 1..])),
            None => (words, None),
        };
        let mut seen = state.robot(id)?;
        if words[0] == "-" {
            seen.facing = direction(words[words.len() - 2])?;
        }
        let expected = Robot { announced: seen.announced, ..robot_of(profile, words)? };
        let expected = match profile {
            Profile::Classic => expected,
            Profile::Rallyrobo => Robot { lives: seen.lives, ..expected },
        };
        assert_eq!(seen, expected, "robot {id}");
        if let Some(registers) = registers {
            let cards: Vec<u8> = (0..5).map(|r| state.register(id, r).map_or(0, Card::number)).collect();
            let expected: Vec<u8> = registers.iter().filter_map(|card| number(card)).collect();
            assert_eq!(cards, expected, "registers of robot {id}");
        }
        Some(())
    }
}

/// Parses a robot of a line that begins with `at` or `=`.
fn robot_of(profile: Profile, words: &[&str]) -> Option<Robot> {
    let (lives, next) = match profile {
        Profile::Classic => (number(words[4])?, 5),
        Profile::Rallyrobo => (1, 4),
    };
    let archive = Dock {
        cell: Cell::new(number(words[next + 1])?, number(words[next + 2])?),
        facing: direction(words[next + 3])?,
    };
    let off = words[0] == "-";
    let mut letters = words[next + 4].chars();
    let status = match letters.next()? {
        'A' => Status::Active,
        'P' => Status::PoweredDown,
        'D' => Status::Destroyed,
        'X' => Status::Out,
        _ => Status::Skipping,
    };
    Some(Robot {
        cell: if off { Cell::NOWHERE } else { Cell::new(number(words[0])?, number(words[1])?) },
        facing: if off { archive.facing } else { direction(words[2])? },
        damage: number(words[3])?,
        lives,
        next_flag: number(words[next])?,
        archive,
        status,
        announced: false,
        is_virtual: letters.next() == Some('v'),
    })
}

fn terrain(letter: char) -> Option<Terrain> {
    let belt = |way: usize, speed| Some(Terrain::Belt(Direction::ALL[way], speed));
    match letter {
        '.' => Some(Terrain::Floor),
        '#' => Some(Terrain::Pit),
        '+' => Some(Terrain::Repair),
        '*' => Some(Terrain::RepairOption),
        'c' => Some(Terrain::GearClockwise),
        'a' => Some(Terrain::GearCounterClockwise),
        _ => match ("^>v<".find(letter), "NESW".find(letter)) {
            (Some(way), _) => belt(way, Speed::Normal),
            (_, Some(way)) => belt(way, Speed::Express),
            _ => None,
        },
    }
}
