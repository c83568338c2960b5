//! The web server's adapter for engines: it reads an engine's lines and asks the server for actions (UMI §7.1).

use std::collections::BTreeMap;

use barrow_core::hex::{Hex, shortest_path};
use barrow_core::minions::{Game, TechStatus, UnitLabel};

use crate::acceptance::{Query, Turn};

/// Mode: when the lines of a turn are translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Translation of each line after the actions of those before it were carried out.
    InOrder,
    /// Translation of all lines before any action is carried out.
    AtOnce,
}

/// Outcome of an engine's turn.
pub(crate) struct Answer {
    /// Actions that the server was asked for.
    pub(crate) asked: usize,
    /// Refusals, in short.
    pub(crate) refused: Vec<String>,
    /// Line that the translation broke off at.
    pub(crate) died: Option<String>,
    /// The game at the start of the next turn.
    pub(crate) after: Game,
}

/// Ways of the pieces in this turn: by board and hex where a piece was sent, the hex where the piece stood when the turn began.
type Sent = BTreeMap<(u8, Hex), Hex>;

/// Carries out an engine's lines.
pub(crate) fn play(mut turn: Turn, lines: &[String], mode: Mode) -> Answer {
    let mut sent = Sent::new();
    let (mut refused, mut died, mut asked) = (Vec::new(), None, 0);
    let mut ask = |turn: &mut Turn, queries: &[Query]| {
        asked += queries.len();
        refused.extend(queries.iter().filter_map(|query| turn.ask(query).err()));
    };
    let mut all = Vec::new();
    for line in lines {
        match translate(&turn.game, line, &mut sent) {
            Ok(queries) if mode == Mode::InOrder => ask(&mut turn, &queries),
            Ok(queries) => all.extend(queries),
            Err(fault) => {
                died = Some(fault);
                break;
            }
        }
    }
    ask(&mut turn, &all);
    Answer { asked, refused, died, after: turn.end() }
}

/// The queries for a line, or the error at which the translation of the turn breaks off.
fn translate(live: &Game, line: &str, sent: &mut Sent) -> Result<Vec<Query>, String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let unknown = || format!("no translation of {line}");
    let hexes = |word: &str| -> Result<(Hex, Hex), String> {
        let (from, to) = word.split_at_checked(2).ok_or_else(unknown)?;
        Ok((Hex::named(from).ok_or_else(unknown)?, Hex::named(to).ok_or_else(unknown)?))
    };
    let unit = |letter: &str| match *letter.as_bytes() {
        [letter] => UnitLabel::from_letter(letter).ok_or_else(unknown),
        _ => Err(unknown()),
    };
    let (board, act) = match *words {
        ["action", "tech", ref numbers @ ..] => return tech(live, numbers).ok_or_else(unknown),
        ["action", "board", board, ref act @ ..] => (board.parse::<u8>().map_err(|_| unknown())?, act),
        ["action", ..] => return Err(unknown()),
        // `endturn`, and what the adapter does not look at.
        _ => return Ok(Vec::new()),
    };
    let query = match *act {
        ["resign", ..] => Query::Resign(board),
        ["setup", _, letter, ..] => Query::Free(board, unit(letter)?),
        ["move", word] => {
            let (from, to) = hexes(word)?;
            let mover = mover(live, board, from, to)?;
            sent.insert((board, to), mover.0);
            Query::Move(board, vec![mover])
        }
        ["move_cyclic", ref names @ ..] => {
            let ring: Option<Vec<Hex>> = names.iter().map(|name| Hex::named(name)).collect();
            let ring = ring.ok_or_else(unknown)?;
            let ends = ring.iter().cycle().skip(1);
            let pairs: Vec<(Hex, Hex)> = ring.iter().copied().zip(ends.copied()).collect();
            let movers = pairs.iter().map(|&(from, to)| mover(live, board, from, to));
            let movers: Vec<(Hex, Vec<Hex>)> = movers.collect::<Result<_, _>>()?;
            sent.extend(pairs.iter().zip(&movers).map(|((_, to), mover)| ((board, *to), mover.0)));
            Query::Move(board, movers)
        }
        ["attack", word] => {
            let (from, to) = hexes(word)?;
            let attacker = actor(live, sent, board, from).ok_or_else(|| format!("no piece for {line}"))?;
            let target = origin(live, board, to).ok_or_else(|| format!("no target for {line}"))?;
            Query::Attack(board, attacker, target)
        }
        ["blink", name] => {
            let at = Hex::named(name).ok_or_else(unknown)?;
            Query::Blink(board, actor(live, sent, board, at).ok_or_else(|| format!("no piece for {line}"))?)
        }
        ["buy", letter] => Query::Buy(board, unit(letter)?),
        ["spawn", letter, name] => Query::Spawn(board, unit(letter)?, Hex::named(name).ok_or_else(unknown)?),
        _ => return Err(unknown()),
    };
    Ok(vec![query])
}

/// Marches, then a step on the tech two further than each number: one too far.
fn tech(live: &Game, numbers: &[&str]) -> Option<Vec<Query>> {
    let numbers: Option<Vec<i16>> = numbers.iter().map(|number| number.parse().ok()).collect();
    let numbers = numbers?;
    let (&marches, steps) = numbers.split_first()?;
    let extra = (usize::try_from(marches).ok()? + steps.len()).saturating_sub(1);
    let levels = live.state().tech(live.side_to_move());
    let locked =
        (0..live.config().techline.len() as u8).filter(|&index| levels.status(index) == TechStatus::Locked);
    // With nothing locked the adapter asks for a tech before the first.
    let locked = locked.map(|index| i16::from(index) + 1).chain(std::iter::repeat(-1));
    let marches = locked.take(usize::try_from(marches).ok()?).map(Query::Tech);
    let steps = steps.iter().map(|number| Query::Tech(number + 2));
    Some(std::iter::repeat_n(Query::ExtraSpell, extra).chain(marches).chain(steps).collect())
}

/// The piece on a hex, by the hex where it stood when the turn began.
fn origin(live: &Game, board: u8, at: Hex) -> Option<Hex> {
    live.state().boards().get(usize::from(board))?.piece(at)?.origin()
}

/// The piece that was sent to a hex, or else the one that stands there.
fn actor(live: &Game, sent: &Sent, board: u8, at: Hex) -> Option<Hex> {
    sent.get(&(board, at)).copied().or_else(|| origin(live, board, at))
}

/// The piece on a hex and a shortest path for it. Friends are no hindrance, not even at the end.
fn mover(live: &Game, board: u8, from: Hex, to: Hex) -> Result<(Hex, Vec<Hex>), String> {
    let lost = || format!("no path {from}{to}");
    let view = live.view(usize::from(board)).ok_or_else(lost)?;
    let piece = view.friend(from).map_err(|_| lost())?;
    let unit = view.unit(piece);
    let passable = view.passable(view.side, unit);
    let path = shortest_path(from, to, unit.speed, passable).ok_or_else(lost)?;
    if view.enemy(to).is_ok() || !passable.contains(from) {
        return Err(lost());
    }
    Ok((piece.origin().ok_or_else(lost)?, path.to_vec()))
}
