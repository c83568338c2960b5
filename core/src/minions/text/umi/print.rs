//! Printing actions and turns.

use core::fmt;

use crate::hex::Hex;

use super::row_cards::RowCards;
use crate::minions::rules::action::{BoardAction, CastParams, GameTurn};
use crate::minions::rules::game::Game;
use crate::minions::tables::capacities::BOARD_ACTION_CAP;
use crate::minions::tables::side::Side;
use crate::minions::tables::unit::UnitLabel;

/// Text of one action after `action board 0`. A joined move prints as if it were alone; [`TurnText`] prints whole
/// groups.
#[derive(Clone, Copy, Debug)]
pub struct BoardActText<'a>(pub &'a BoardAction);

/// Letter of a unit if no other unit shares the letter, else its name.
struct UnitText(UnitLabel);

impl fmt::Display for UnitText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.letter() {
            Some(letter) if UnitLabel::from_letter(letter) == Some(self.0) => {
                write!(f, "{}", char::from(letter))
            }
            _ => f.write_str(self.0.name()),
        }
    }
}

impl fmt::Display for BoardActText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            BoardAction::Move { from, to, .. } => write!(f, "move {from}{to}"),
            BoardAction::Walk { path, .. } => {
                write!(f, "walk {}", path.from())?;
                path.steps().iter().try_for_each(|hex| write!(f, "{hex}"))
            }
            BoardAction::Attack { from, to } => write!(f, "attack {from}{to}"),
            BoardAction::Teleport { from, to } => write!(f, "teleport {from}{to}"),
            BoardAction::Blink { at } => write!(f, "blink {at}"),
            BoardAction::Spawn { unit, at } => write!(f, "spawn {} {at}", UnitText(*unit)),
            BoardAction::UseTile { at } => write!(f, "tile {at}"),
            BoardAction::Cast { spell, params } => {
                write!(f, "cast {}", spell.name())?;
                match params {
                    CastParams::None => Ok(()),
                    CastParams::Piece(at) | CastParams::Hex(at) => write!(f, " {at}"),
                    CastParams::PieceHex(at, to) => write!(f, " {at} {to}"),
                    CastParams::TerrainHex(kind, at) => write!(f, " {} {at}", kind.name()),
                }
            }
            BoardAction::Discard { spell } => write!(f, "discard {}", spell.name()),
            BoardAction::UseAbility { user, ability, terrain, to } => {
                write!(f, "ability {user} {}", ability.name())?;
                match terrain {
                    Some(kind) => write!(f, " {} {to}", kind.name()),
                    None => write!(f, " {to}"),
                }
            }
            BoardAction::Buy { unit } => write!(f, "buy {}", UnitText(*unit)),
            BoardAction::Keep { unit: Some(unit) } => write!(f, "setup N {}", UnitText(*unit)),
            BoardAction::Keep { unit: None } => f.write_str("setup N"),
            BoardAction::Resign => f.write_str("resign"),
            BoardAction::EndPhase => f.write_str("end_phase"),
        }
    }
}

/// Text of a turn: UMI lines from `turn` to the last action, without a line end after the last line.
///
/// Simultaneous moves come apart where that changes nothing: open chains into single moves, front piece first,
/// disjoint cycles into one line each (UMI §11). So `move_group` is left for cycles along paths that are named.
///
/// ```
/// use barrow_core::minions::{Game, GameConfig, GameTurn, BoardAction, umi};
/// use barrow_core::hex::Hex;
/// let game = Game::new(GameConfig::default(), 1);
/// let [from, to] = ["d1", "e1"].map(|name| Hex::named(name).unwrap());
/// let mut turn = GameTurn { marches: 1, ..GameTurn::new() };
/// turn.push(1, BoardAction::walk(from, to));
/// assert_eq!(umi::TurnText::new(&game, &turn).to_string(), "turn\naction tech 1\naction board 1 move d1e1");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TurnText<'a> {
    /// Position in which the turn is played; the names of the cards given come from its row.
    pub game: &'a Game,
    /// The turn.
    pub turn: &'a GameTurn,
    /// Subtracted from the tech positions printed, which may make the first of the line -1. 0, or 1 for a web server
    /// that adds one too many.
    pub tech_offset: u8,
}

impl<'a> TurnText<'a> {
    /// Text of a turn with unshifted tech positions.
    pub fn new(game: &'a Game, turn: &'a GameTurn) -> TurnText<'a> {
        TurnText { game, turn, tech_offset: 0 }
    }
}

impl TurnText<'_> {
    /// Writes the cards given to boards: each by its name, and by its place in the row where an earlier card that is
    /// left has the same name. Only an illegal turn gives a card that the row does not get.
    fn write_gifts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gifts = &self.turn.board_spells;
        if gifts.is_empty() {
            return Ok(());
        }
        let row = RowCards::new(self.game, self.turn.num_spells_bought);
        for (index, &(board, card)) in gifts.iter().enumerate() {
            let before = gifts.get(..index).unwrap_or(&[]);
            let Some(spell) = row.spell(card) else {
                write!(f, "\naction give_spell {board} unknown")?;
                continue;
            };
            write!(f, "\naction give_spell {board} {}", spell.name())?;
            if row.first(spell, before) != Some(card) {
                write!(f, " {card}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for TurnText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TurnText { turn, .. } = self;
        write!(f, "turn\naction tech {}", turn.marches)?;
        for &index in &turn.tech_spells {
            write!(f, " {}", i16::from(index) - i16::from(self.tech_offset))?;
        }
        if turn.sell {
            f.write_str("\naction sell")?;
        }
        for _ in turn.spells_needed(self.game.state().budget())..usize::from(turn.num_spells_bought) {
            f.write_str("\naction buy_spell")?;
        }
        self.write_gifts(f)?;
        let drops = self.game.config().rules.resign_drops_actions;
        for board in 0..turn.board_actions.len() {
            let actions = turn.board(board);
            if drops && actions.contains(&BoardAction::Resign) {
                write_line(f, board, &BoardAction::Resign)?;
            } else {
                write_board(f, board, actions)?;
            }
        }
        Ok(())
    }
}

/// Writes a board's actions in canonical order: setup, attack phase, purchases, the rest.
fn write_board(f: &mut fmt::Formatter<'_>, board: usize, actions: &[BoardAction]) -> fmt::Result {
    let is_setup = |action: &&BoardAction| matches!(action, BoardAction::Keep { .. });
    let is_purchase = |action: &&BoardAction| matches!(action, BoardAction::Buy { .. });
    let attack_phase = actions.iter().rposition(BoardAction::is_attack_phase).map_or(0, |last| last + 1);
    let (early, late) = actions.split_at_checked(attack_phase).unwrap_or((actions, &[]));
    for action in actions.iter().filter(is_setup) {
        write_line(f, board, action)?;
    }
    let mut rest = early;
    while let Some(first) = rest.first() {
        let joined = rest.iter().take_while(|action| action.is_joined()).count();
        let size = (joined + 1).min(rest.len());
        let (group, after) = rest.split_at_checked(size).unwrap_or((rest, &[]));
        if joined > 0 {
            write_group(f, board, group)?;
        } else if !is_setup(&first) && !is_purchase(&first) {
            write_line(f, board, first)?;
        }
        rest = after;
    }
    for action in early.iter().filter(is_purchase).chain(late.iter().filter(|action| !is_setup(action))) {
        write_line(f, board, action)?;
    }
    Ok(())
}

fn write_line(f: &mut fmt::Formatter<'_>, board: usize, action: &BoardAction) -> fmt::Result {
    write!(f, "\naction board {board} {}", BoardActText(action))
}

/// Start and end of a walk.
fn ends(action: &BoardAction) -> Option<(Hex, Hex)> {
    match action {
        BoardAction::Move { from, to, .. } => Some((*from, *to)),
        BoardAction::Walk { path, .. } => Some((path.from(), path.to())),
        _ => None,
    }
}

/// Prints a simultaneous move: each closed cycle as one line, everything else as single walks, each after the
/// piece whose hex it takes.
fn write_group(f: &mut fmt::Formatter<'_>, board: usize, group: &[BoardAction]) -> fmt::Result {
    let mut done = [false; BOARD_ACTION_CAP];
    let place = |wanted: &dyn Fn(Hex, Hex) -> bool, done: &[bool]| {
        let fits = |action: &BoardAction| ends(action).is_some_and(|(from, to)| wanted(from, to));
        group.iter().zip(done).position(|(action, &done)| !done && fits(action))
    };
    for (start, action) in group.iter().enumerate() {
        if done.get(start) != Some(&false) {
            continue;
        }
        let Some((first, mut front)) = ends(action) else {
            write_line(f, board, action)?;
            continue;
        };
        // Follow the pieces that make room, to the front of a chain or round a cycle.
        let mut last = start;
        for _ in group {
            match place(&|from, _| from == front && from != first, &done) {
                Some(next) => last = next,
                None => break,
            }
            front = group.get(last).and_then(ends).map_or(front, |(_, to)| to);
        }
        if front == first {
            write_cycle(f, board, group, start, &mut done)?;
            continue;
        }
        let mut next = Some(last);
        while let Some(at) = next {
            let Some(action) = group.get(at) else { break };
            write_line(f, board, action)?;
            if let Some(slot) = done.get_mut(at) {
                *slot = true;
            }
            let vacated = ends(action).map(|(from, _)| from);
            next = place(&|_, to| Some(to) == vacated, &done);
        }
    }
    Ok(())
}

/// Prints the cycle that a walk of a group belongs to, beginning with that walk.
fn write_cycle(
    f: &mut fmt::Formatter<'_>,
    board: usize,
    group: &[BoardAction],
    start: usize,
    done: &mut [bool; BOARD_ACTION_CAP],
) -> fmt::Result {
    let in_cycle = |f: &mut dyn FnMut(usize, &BoardAction) -> fmt::Result| {
        let mut at = Some(start);
        for _ in group {
            let Some((place, action)) = at.and_then(|place| Some((place, group.get(place)?))) else { break };
            f(place, action)?;
            let to = ends(action).map(|(_, to)| to);
            at = group
                .iter()
                .position(|other| ends(other).map(|(from, _)| from) == to)
                .filter(|&p| p != start);
        }
        Ok(())
    };
    let mut plain = true;
    in_cycle(&mut |place, action| {
        plain &= matches!(action, BoardAction::Move { .. });
        if let Some(slot) = done.get_mut(place) {
            *slot = true;
        }
        Ok(())
    })?;
    write!(f, "\naction board {board} {}", if plain { "move_cyclic" } else { "move_group" })?;
    in_cycle(&mut |_, action| match action {
        BoardAction::Move { from, .. } if plain => write!(f, " {from}"),
        BoardAction::Move { from, to, .. } => write!(f, " {from}{to}"),
        BoardAction::Walk { path, .. } => {
            write!(f, " {}", path.from())?;
            path.steps().iter().try_for_each(|hex| write!(f, "-{hex}"))
        }
        _ => Ok(()),
    })
}

/// The line that ends a turn: `endturn`, with the winner if there is one.
#[derive(Clone, Copy, Debug)]
pub struct EndLine(pub Option<Side>);

impl fmt::Display for EndLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(winner) => write!(f, "endturn winner {}", winner.name()),
            None => f.write_str("endturn"),
        }
    }
}
