//! Recorded games of both profiles: deals and programs must be legal, and every robot must equal the record after each
//! register and each clean-up.

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally::{
    Board, Card, CardSet, Course, Decisions, Outcome, Profile, REGISTERS, State,
};

use super::findings::{Findings, Line, Moment, lines};
use super::robot_text::{number, parse_cards, parse_dock, robot_id, set_registers};

/// Lives of each robot in recorded games that do not say.
const LIVES: u8 = 3;

struct Game {
    board: Board,
    profile: Profile,
    state: Option<State>,
    hands: Vec<CardSet>,
    decisions: Decisions,
    lists_registers: bool,
    lives: u8,
}

impl Game {
    fn state(&mut self) -> Result<&mut State> {
        self.state.as_mut().context("the number of robots comes first")
    }

    /// Starts a game with a number of robots. Records of the rallyrobo profile leave the number out: one per dock.
    fn start(&mut self, robots: usize, findings: &mut dyn Findings) -> Result<()> {
        let state = State::new(&self.board, self.profile, robots, self.lives)?;
        findings.moment(&self.board, &state, Moment::Start);
        self.state = Some(state);
        self.hands = vec![CardSet::EMPTY; robots];
        Ok(())
    }
}

/// Replays all recorded games of a text.
pub fn replay(text: &str, findings: &mut dyn Findings) -> Result<()> {
    play(text, u16::MAX, findings).map(|_| ())
}

/// Findings that nobody hears: comparisons are not kept.
struct Unheard;

impl Findings for Unheard {
    fn count(&mut self, _line: usize, _difference: Option<String>) {}
}

/// The board and the state after a turn of the first recorded game of a text, or at its end.
pub fn state_after(text: &str, turn: u16) -> Result<(Board, State)> {
    let game = play(text, turn, &mut Unheard)?.context("no game")?;
    Ok((game.board, game.state.context("a game without robots")?))
}

/// Replays all games of a text; with a turn below the highest number the first one, up to the end of that turn.
fn play(text: &str, last: u16, findings: &mut dyn Findings) -> Result<Option<Game>> {
    let mut game: Option<Game> = None;
    for line in lines(text) {
        let is_first = matches!(line.words[0], "COURSE" | "BOARD");
        let is_due = |game: &Game| {
            let turn = game.state.as_ref().map_or(0, State::turn);
            is_first || turn >= last && line.words[0] == "TURN"
        };
        if last < u16::MAX && game.as_ref().is_some_and(is_due) {
            break;
        }
        let at = || format!("line {}", line.number);
        match (&mut game, &line.words[..]) {
            (_, [kind @ ("COURSE" | "BOARD"), name]) => {
                let course =
                    Course::named(name).with_context(|| format!("no course {name}")).with_context(at)?;
                let profile = if *kind == "BOARD" { Profile::Rallyrobo } else { Profile::Classic };
                let mut fresh = Game {
                    board: course.board()?,
                    profile,
                    state: None,
                    hands: Vec::new(),
                    decisions: Decisions::default(),
                    lists_registers: false,
                    lives: LIVES,
                };
                if profile == Profile::Rallyrobo {
                    fresh.start(fresh.board.docks().len(), findings)?;
                }
                game = Some(fresh);
            }
            (Some(game), _) => step(game, &line, findings).with_context(at)?,
            (None, _) => bail!("line {}: the course comes first", line.number),
        }
    }
    Ok(game)
}

fn step(game: &mut Game, line: &Line<'_>, findings: &mut dyn Findings) -> Result<()> {
    match line.words[..] {
        ["LIVES", lives] => game.lives = number(lives)?,
        ["ROBOTS", robots] => game.start(number(robots)?, findings)?,
        ["TURN", turn] => {
            let state = game.state()?;
            findings.compare(line.number, turn, &(state.turn() + 1).to_string());
            state.start_turn();
            game.hands.fill(CardSet::EMPTY);
            game.decisions = Decisions::default();
        }
        ["LOCKDEAL", id, register, card] => {
            let (id, register): (usize, usize) = (number(id)?, number(register)?);
            let state = game.state()?;
            let engine = state.empty_locked_registers().next().map(|(robot, register)| (robot, register + 1));
            findings.compare(line.number, &format!("{:?}", Some((id, register))), &format!("{engine:?}"));
            let card = parse_cards(&[card])?[0];
            ensure!(state.deck().contains(card), "the card is not in the deck");
            state.set_register(id, register.wrapping_sub(1), Some(card))?;
        }
        ["HAND", id, ref cards @ ..] => {
            let id: usize = number(id)?;
            let hand: CardSet = parse_cards(cards)?.into_iter().collect();
            let dealt = game.hands.iter().fold(CardSet::EMPTY, |all, &hand| all.union(hand));
            let state = game.state()?;
            ensure!(hand.minus(state.deck().minus(dealt)).is_empty(), "a card is not in the deck");
            findings.compare(line.number, &cards.len().to_string(), &state.hand_size(id).to_string());
            *game.hands.get_mut(id).context("no such robot")? = hand;
        }
        ["ANNOUNCE", id] => game.state()?.announce(number(id)?)?,
        ["REGS", id, ref cards @ ..] => program(game, number(id)?, cards)?,
        ["REGISTER", register] => {
            let register: usize = number(register)?;
            let board = &game.board;
            let state = game.state.as_mut().context("the number of robots comes first")?;
            state.run_register(board, register.wrapping_sub(1));
            findings.moment(board, state, Moment::Register(register.wrapping_sub(1)));
            game.lists_registers = false;
        }
        ["STAYDOWN", ref ids @ ..] => game.decisions.stay_down = robots(ids)?,
        ["REENTERDOWN", ref ids @ ..] => game.decisions.reenter_down = robots(ids)?,
        ["ENTRY", id, ref place @ ..] => {
            let entry = game.decisions.entries.get_mut(number::<usize>(id)?).context("no such robot")?;
            *entry = Some(parse_dock(place)?);
        }
        ["CLEANUP"] => {
            let state = game.state.as_mut().context("the number of robots comes first")?;
            state.clean_up(&game.board, game.decisions);
            findings.moment(&game.board, state, Moment::CleanUp);
            game.lists_registers = game.profile == Profile::Classic;
        }
        ["WIN", id] => {
            let finished = Outcome::Finished(number(id)?);
            let engine = game.state()?.outcome();
            findings.compare(line.number, &format!("{finished:?}"), &format!("{engine:?}"));
        }
        ["LAST"] => {
            let engine = matches!(game.state()?.outcome(), Outcome::Last(_) | Outcome::Nobody);
            findings.compare(line.number, "true", &engine.to_string());
        }
        [id, ..] => {
            let lists_registers = game.lists_registers;
            findings.compare_robot(line, robot_id(id)?, game.state()?, lists_registers)?;
        }
        [] => bail!("an empty line"),
    }
    Ok(())
}

/// Programs a robot with recorded registers, locked ones included. The recorded hand must contain the program.
fn program(game: &mut Game, id: usize, words: &[&str]) -> Result<()> {
    if game.profile == Profile::Rallyrobo {
        return set_registers(game.state()?, id, words);
    }
    let hand = *game.hands.get(id).context("no such robot")?;
    let state = game.state()?;
    let free = state.free_registers(id);
    for (register, word) in words.iter().enumerate().skip(free) {
        let locked = state.register(id, register).map_or(0, Card::number);
        ensure!(number::<u8>(word)? == locked, "register {} is locked", register + 1);
    }
    ensure!(words.len() == REGISTERS, "a robot has five registers");
    Ok(state.program(id, hand, &parse_cards(&words[..free])?)?)
}

/// Reads a set of robots; `-` is the empty set.
fn robots(words: &[&str]) -> Result<u8> {
    if let ["-"] = words {
        return Ok(0);
    }
    words.iter().try_fold(0, |bits, word| {
        let robot: u32 = number(word)?;
        Ok(bits | 1_u8.checked_shl(robot).context("no such robot")?)
    })
}
