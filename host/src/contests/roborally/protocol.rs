//! The bot's line protocol (`barrow roborally bot`), documented in `docs/roborally.md`: a host sends the board, the
//! state and a hand, and asks for a program. An invalid line is answered by one line `error: ...` and changes
//! nothing. While the bot thinks, `stop`, `isready` and `roborally` are answered at once; other lines wait.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally;
use barrow_core::contests::roborally::{Card, CardSet, Decisions, Profile, ROBOT_CAP, Robot, State, Status};
use barrow_core::rng::Rng;

use super::board_text::BoardReader;
use super::choice::{Hint, Limits, read_limits};
use super::course::Course;
use super::inbox::{HELLO, Inbox, READY};
use super::picture;
use super::player::Player;
use super::player_spec::PlayerSpec;
use super::referee::{self, Turn};
use crate::text::quoted::shortened;
use barrow_session::contests::roborally::robot_text::number;
use barrow_session::contests::roborally::robot_text::{
    dock_text, parse_cards, parse_robot, set_registers, spaced, state_text,
};

/// Error text of a command that is known, but not with the words behind it.
pub(super) fn misplaced(command: &str) -> String {
    format!("{command} with other words than it takes, or where it has no place")
}

/// Whether a session goes on after a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The session goes on.
    Continue,
    /// The host has sent `quit`.
    Quit,
}

/// A board or a state of which some lines were read.
enum Gathering {
    Board(Box<BoardReader>),
    State {
        robots: Vec<Robot>,
        registers: Vec<(usize, Vec<String>)>,
    },
    /// The rest of a board or a state of which a line was invalid.
    Rest,
}

/// First words of lines that are commands; none of them is a line of a board or a state.
pub(super) const COMMANDS: [&str; 26] = [
    "stop",
    "roborally",
    "isready",
    "player",
    "seed",
    "course",
    "board",
    "rules",
    "race",
    "state",
    "you",
    "hand",
    "go",
    "stay",
    "reenter",
    "entry",
    "show",
    "getstate",
    "deal",
    "program",
    "register",
    "turn",
    "cleanup",
    "quit",
    "endboard",
    "endstate",
];

/// A session of the protocol: the player and all that the host has sent.
pub struct Session<W> {
    output: W,
    inbox: Inbox,
    player: Player,
    dice: Rng,
    course: Option<Course>,
    profile: Profile,
    state: Option<State>,
    you: usize,
    hand: CardSet,
    /// The turn that this session is the referee of, between deal and clean-up.
    turn: Option<Turn>,
    gathering: Option<Gathering>,
}

/// Runs a session until `quit` or the end of the input.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    (spec, profile): (PlayerSpec, Profile),
    seed: u64,
) -> io::Result<()> {
    let mut session = Session { inbox: Inbox::reading(input), profile, ..Session::new(output, spec, seed) };
    while let Some(line) = session.inbox.next()? {
        if session.handle(&line)? == Flow::Quit {
            break;
        }
    }
    Ok(())
}

impl<W: Write> Session<W> {
    /// A session before its first line.
    pub fn new(output: W, spec: PlayerSpec, seed: u64) -> Session<W> {
        Session {
            output,
            inbox: Inbox::closed(),
            player: Player::new(spec),
            dice: Rng::new(seed),
            course: None,
            profile: Profile::Classic,
            state: None,
            you: 0,
            hand: CardSet::EMPTY,
            turn: None,
            gathering: None,
        }
    }

    /// The stream of answers.
    pub fn output(&mut self) -> &mut W {
        &mut self.output
    }

    /// The state that the host sent last.
    pub fn state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// Executes a line and writes the answer. Fails if the answer cannot be written.
    pub fn handle(&mut self, line: &str) -> io::Result<Flow> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words == ["quit"] {
            return Ok(Flow::Quit);
        }
        match self.obey(line, &words) {
            Ok(answer) => self.output.write_all(answer.as_bytes())?,
            Err(error) => writeln!(self.output, "error: {}", shortened(&format!("{error:#}")))?,
        }
        self.output.flush()?;
        Ok(Flow::Continue)
    }

    fn obey(&mut self, line: &str, words: &[&str]) -> Result<String> {
        if self.gathering.is_some()
            && let Some(answer) = self.gather(line, words).transpose()
        {
            return answer;
        }
        match *words {
            // A decision may have ended by itself just before the word.
            [] | ["stop"] => {}
            ["roborally"] => return Ok(HELLO.to_owned()),
            ["isready"] => return Ok(READY.to_owned()),
            ["player", spec] => {
                let spec: PlayerSpec = spec.parse()?;
                ensure!(!matches!(spec, PlayerSpec::Program(_)), "cmd: plays in the arena only");
                self.player = Player::new(spec);
            }
            ["seed", seed] => self.dice = Rng::new(number(seed)?),
            ["course", name] => {
                let course = roborally::Course::named(name).with_context(|| format!("no course {name}"))?;
                self.lay(Course::new(course.board()?), course.profile());
            }
            ["board"] => self.gathering = Some(Gathering::Board(Box::default())),
            ["rules", name] => {
                self.profile = profile(name)?;
                self.forget();
            }
            ["race", robots, lives] => {
                let course = self.course()?;
                let state = State::new(&course.board, self.profile, number(robots)?, number(lives)?)?;
                self.forget();
                self.state = Some(state);
            }
            ["state"] => {
                self.course()?;
                self.gathering = Some(Gathering::State { robots: Vec::new(), registers: Vec::new() });
            }
            ["you", id] => {
                let id = number(id)?;
                ensure!(id < ROBOT_CAP, "robots are 0 to 7");
                self.you = id;
                self.hand = self.turn.as_ref().map_or(CardSet::EMPTY, |turn| turn.hand(id));
            }
            ["hand", ref cards @ ..] => self.hand = read_hand(cards)?,
            ["go", ref limits @ ..] => return self.go(limits),
            ["stay"] => {
                ensure!(self.status()? != Status::Destroyed, "robot {} is destroyed", self.you);
                let stays = self.decisions()?.stay_down >> self.you & 1 == 1;
                return Ok(format!("stay {}\n", if stays { "yes" } else { "no" }));
            }
            ["reenter"] => {
                self.status()?;
                let is_down = self.decisions()?.reenter_down >> self.you & 1 == 1;
                return Ok(format!("down {}\n", if is_down { "yes" } else { "no" }));
            }
            ["entry"] => return self.entry(),
            ["show"] => return Ok(picture::draw(&self.course()?.board, self.state.as_ref())),
            ["getstate"] => return Ok(state_text(self.current_state()?)),
            [word @ ("deal" | "program" | "register" | "turn" | "cleanup"), ref rest @ ..] => {
                return self.referee(word, rest);
            }
            [word, ..] if COMMANDS.contains(&word) => bail!(misplaced(word)),
            [word, ..] => bail!("unknown command {word}"),
        }
        Ok(String::new())
    }

    /// Executes a command of the referee.
    fn referee(&mut self, word: &str, words: &[&str]) -> Result<String> {
        let course = self.course.as_ref().context("the board comes first: course NAME, or board")?;
        let state = self.state.as_mut().context("the state comes first: race ROBOTS LIVES, or state")?;
        let ask = || "the deal comes first: deal";
        let mut answer = String::new();
        match (word, words) {
            ("deal", []) => {
                ensure!(self.turn.is_none(), "the turn is not over: program, turn or register, cleanup");
                let (turn, lines) = referee::deal(course, state, &mut self.dice)?;
                self.hand = turn.hand(self.you);
                self.turn = Some(turn);
                answer = lines;
            }
            ("program", [id, cards @ ..]) => {
                self.turn.as_mut().with_context(ask)?.program(state, number(id)?, cards)?;
            }
            ("register", []) => {
                answer = self.turn.as_mut().with_context(ask)?.register(&course.board, state)?;
            }
            ("turn", decisions) => {
                ensure!(
                    !decisions.contains(&"entry"),
                    "entry belongs to cleanup, when it is known who re-enters"
                );
                // A word that is wrong must not leave half a turn.
                referee::clean_up(&course.board, &mut state.clone(), decisions)?;
                let turn = self.turn.as_mut().with_context(ask)?;
                ensure!(!state.is_over(), "the race is over");
                while !turn.is_run(state) {
                    turn.register(&course.board, state)?;
                }
                answer = referee::clean_up(&course.board, state, decisions)?;
                self.turn = None;
                self.hand = CardSet::EMPTY;
            }
            ("cleanup", decisions) => {
                let is_run = self.turn.as_ref().with_context(ask)?.is_run(state);
                ensure!(is_run, "the registers come first: register, or turn");
                answer = referee::clean_up(&course.board, state, decisions)?;
                self.turn = None;
                self.hand = CardSet::EMPTY;
            }
            _ => bail!(
                "deal; program ID CARD... [announce]; register; turn and cleanup [stay ID...] [down ID...] \
                 [entry ID x y D]..."
            ),
        }
        Ok(answer)
    }

    /// Status of our robot, which must be in the race.
    fn status(&self) -> Result<Status> {
        let robot = self.current_state()?.robot(self.you);
        let robot = robot.with_context(|| format!("no robot {}", self.you))?;
        ensure!(robot.status != Status::Out, "robot {} is out of the race", self.you);
        Ok(robot.status)
    }

    /// Decisions of our robot's owner at the end of the turn; all questions about them get answers that belong together,
    /// since none of them uses up chance.
    fn decisions(&self) -> Result<Decisions> {
        Ok(self.player.ends_turn(self.course()?, self.current_state()?, self.you, &mut self.dice.clone()))
    }

    /// Where our robot, destroyed, re-enters.
    fn entry(&self) -> Result<String> {
        ensure!(self.status()? == Status::Destroyed, "robot {} is not destroyed", self.you);
        let chosen = self.decisions()?.entries.get(self.you).copied().flatten();
        let usual = || self.current_state().ok()?.entry(&self.course().ok()?.board, self.you);
        let entry = chosen.or_else(usual).context("there is no room")?;
        Ok(format!("entry {}\n", dock_text(entry)))
    }

    /// Forgets the state and all that belongs to it.
    fn forget(&mut self) {
        self.state = None;
        self.turn = None;
        self.hand = CardSet::EMPTY;
    }

    /// Reads a line of a board or a state. An invalid line drops the new board or state with the rest of its lines, and
    /// keeps the old one. `None` for a line that is a command instead.
    fn gather(&mut self, line: &str, words: &[&str]) -> Result<Option<String>> {
        let gathering = self.gathering.take();
        let is_rest = matches!(gathering, Some(Gathering::Rest));
        let ends = matches!(words, ["endboard" | "endstate"]);
        if is_rest {
            let is_command = words.first().is_some_and(|word| COMMANDS.contains(word)) && !ends;
            if is_command {
                return Ok(None);
            }
            if !ends {
                self.gathering = Some(Gathering::Rest);
            }
            return Ok(Some(String::new()));
        }
        if let Err(error) = self.read(gathering, line, words) {
            if !ends {
                self.gathering = Some(Gathering::Rest);
            }
            return Err(error);
        }
        Ok(Some(String::new()))
    }

    fn read(&mut self, gathering: Option<Gathering>, line: &str, words: &[&str]) -> Result<()> {
        match (gathering, words) {
            (Some(Gathering::Board(reader)), ["endboard"]) => {
                let profile = self.profile;
                self.lay(Course::new(reader.finish()?), profile);
            }
            (Some(Gathering::Board(mut reader)), _) => {
                reader.line(line)?;
                self.gathering = Some(Gathering::Board(reader));
            }
            (Some(Gathering::State { robots, registers }), ["endstate"]) => {
                let board = &self.course()?.board;
                let mut state = State::from_robots(board, self.profile, &robots)?;
                for (id, cards) in registers {
                    let cards: Vec<&str> = cards.iter().map(String::as_str).collect();
                    set_registers(&mut state, id, &cards)?;
                }
                state.check(board)?;
                let finished = |robot: &Robot| robot.next_flag > state.flags();
                if let Some(robot) = robots.iter().position(finished) {
                    bail!("robot {robot} has touched the last flag: the race is over");
                }
                self.forget();
                self.state = Some(state);
            }
            (Some(Gathering::State { mut robots, mut registers }), words) => {
                match words {
                    ["robot", id, rest @ ..] => {
                        ensure!(number::<usize>(id)? == robots.len(), "robots come in order");
                        ensure!(robots.len() < ROBOT_CAP, "a race has at most 8 robots");
                        let (announced, rest) = match rest {
                            [rest @ .., "announced"] => (true, rest),
                            rest => (false, rest),
                        };
                        robots.push(Robot { announced, ..parse_robot(self.profile, rest)? });
                    }
                    ["regs", id, cards @ ..] => {
                        ensure!(registers.len() < ROBOT_CAP, "registers are told twice");
                        registers.push((number(id)?, cards.iter().map(|&card| card.to_owned()).collect()));
                    }
                    [] => {}
                    _ => bail!("a state has lines robot and regs, and ends with endstate"),
                }
                self.gathering = Some(Gathering::State { robots, registers });
            }
            (Some(Gathering::Rest) | None, _) => {}
        }
        Ok(())
    }

    fn lay(&mut self, course: Course, profile: Profile) {
        self.player.prepare(&course, profile);
        self.course = Some(course);
        self.profile = profile;
        self.forget();
    }

    fn course(&self) -> Result<&Course> {
        self.course.as_ref().context("the board comes first: course NAME, or board")
    }

    fn current_state(&self) -> Result<&State> {
        self.state.as_ref().context("the state comes first: race ROBOTS LIVES, or state")
    }

    fn go(&mut self, limits: &[&str]) -> Result<String> {
        let (budget, wanted) = read_limits(limits)?;
        let course = self.course.as_ref().context("the board comes first: course NAME, or board")?;
        let state = self.state.as_ref().context("the state comes first: race ROBOTS LIVES, or state")?;
        ensure!(!state.is_over(), "the race is over");
        ensure!(state.is_programming(self.you), "robot {} programs nothing this turn", self.you);
        let known = self.hand.minus(state.deck());
        ensure!(known.is_empty(), "card {} lies in a register", known.last().map_or(0, Card::number));
        let needed = state.hand_size(self.you);
        ensure!(self.hand.len() == needed, "the hand has {} cards, not {}", needed, self.hand.len());
        let mut state = *state;
        let free = state.free_registers(self.you);
        for register in 0..free {
            state.set_register(self.you, register, None)?;
        }
        let (inbox, output) = (&mut self.inbox, &mut self.output);
        let mut stopped = false;
        let mut is_stopped = || {
            stopped = stopped || inbox.ends_decision(output);
            stopped
        };
        let limits = Limits { budget, is_stopped: &mut is_stopped, hints: wanted };
        let choice =
            self.player.choose_within(limits, course, &state, self.you, self.hand, &mut self.dice)?;
        let mut program = vec!["program".to_owned()];
        program.extend(choice.program.iter().map(|card| card.number().to_string()));
        program.extend(choice.announces.then(|| "announce".to_owned()));
        let (effort, value) = (choice.effort, choice.value);
        let info = format!("info playouts {} turns {} value {value}", effort.playouts, effort.turns);
        let mut hints = String::new();
        for (rank, hint) in (1..).zip(&choice.hints).take(wanted) {
            let Hint { value, playouts, program, .. } = hint;
            let cards = spaced(program.iter().map(|card| card.number()));
            let _ = writeln!(hints, "hint {rank} value {value} playouts {playouts} program{cards}");
        }
        Ok(format!("{info}\n{hints}{}\n", program.join(" ")))
    }
}

fn read_hand(words: &[&str]) -> Result<CardSet> {
    let cards = parse_cards(words)?;
    let hand: CardSet = cards.iter().copied().collect();
    ensure!(hand.len() == cards.len(), "a card comes twice");
    Ok(hand)
}

/// The variant of the rules by name.
fn profile(name: &str) -> Result<Profile> {
    match name {
        "classic" => Ok(Profile::Classic),
        "rallyrobo" => Ok(Profile::Rallyrobo),
        "2016" | "2023" => {
            bail!("a session has the rules of {name} from its start: barrow roborally bot --rules {name}")
        }
        _ => bail!("rules are classic or rallyrobo"),
    }
}

#[cfg(test)]
mod tests;
