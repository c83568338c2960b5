//! Free entry of a turn, as a user interface allows it (rules §4): actions come in any order, but the turn of a board
//! is all its attack-phase actions and then all its spawn-phase actions.
//!
//! For every board the entry keeps a second board, the one after the attack-phase actions alone. A late attack-phase
//! action must be legal both there and on the board shown; the spawn-phase actions are then replayed after it, and
//! those that have become illegal are dropped. An action names a piece by the hex where the piece is shown, and refers
//! to that piece wherever it stands on the second board.

use heapless::Vec;

use crate::hex::Hex;
use crate::list;

use super::action::{Action, BoardAction, CastParams, GeneralAction};
use super::game::Game;
use super::illegal::IllegalReason;
use super::undo::UndoLog;
use crate::minions::position::board::{Board, Marks};
use crate::minions::tables::capacities::{BOARD_ACTION_CAP, BOARD_CAP};

/// Turn entry: a turn whose actions come in any order. The game passed to it always shows the position so far.
///
/// A resignation leaves what was entered before it, under all rules: where it drops a board's other actions (divergence 38) the
/// caller leaves these out, as [`Game::enter`] does.
#[derive(Clone, Debug)]
pub struct TurnEntry {
    boards: Vec<BoardEntry, BOARD_CAP, u8>,
}

#[derive(Clone, Debug)]
struct BoardEntry {
    /// The board after the attack-phase actions alone.
    attack_picture: Board,
    /// Spawn-phase actions in force, in order of entry, each with the origin of the piece it names.
    spawn_phase: Vec<(BoardAction, Option<Hex>), BOARD_ACTION_CAP, u8>,
}

impl TurnEntry {
    /// A turn entry on this position, which must be the start of a turn.
    pub fn new(game: &Game) -> TurnEntry {
        let boards = game.state.boards.iter();
        let entry = |board: &Board| BoardEntry { attack_picture: board.clone(), spawn_phase: Vec::new() };
        // One entry for each board of a list that is no longer.
        TurnEntry { boards: list::first(boards.map(entry)) }
    }

    /// Spawn-phase actions of a board that are in force, in order of entry.
    pub fn spawn_phase(&self, board: usize) -> impl Iterator<Item = BoardAction> + '_ {
        self.boards
            .get(board)
            .into_iter()
            .flat_map(|entry| entry.spawn_phase.iter().map(|&(action, _)| action))
    }

    /// Enters an action of the general. On error nothing has changed.
    pub fn enter_general(&mut self, game: &mut Game, action: GeneralAction) -> Result<(), IllegalReason> {
        let assigned = match action {
            GeneralAction::Assign { board, .. } => {
                self.boards.get(usize::from(board)).map(|entry| (board, entry))
            }
            _ => None,
        };
        // Cards that the spawn phase casts are still in the hand after the attack phase.
        if assigned.is_some_and(|(_, entry)| entry.attack_picture.hand(game.state.side).is_full()) {
            return Err(IllegalReason::Capacity);
        }
        game.apply(Action::General(action), &mut UndoLog::off())?;
        if let Some((board, _)) = assigned {
            self.copy_card(game, usize::from(board));
        }
        Ok(())
    }

    /// Enters the first action of a list on a board, or the simultaneous move it begins; returns how many actions
    /// that took. On error nothing has changed.
    pub fn enter(
        &mut self,
        game: &mut Game,
        board: u8,
        actions: &[BoardAction],
    ) -> Result<usize, IllegalReason> {
        let Some(&first) = actions.first() else { return Ok(0) };
        let index = usize::from(board);
        let entry = self.boards.get_mut(index).ok_or(IllegalReason::NoSuchBoard)?;
        let log = &mut UndoLog::off();
        match first {
            BoardAction::Buy { unit } => {
                game.apply_next(board, actions, log)?;
                let side = game.state.side;
                let count = entry.attack_picture.reserve(side, unit).saturating_add(1);
                entry.attack_picture.set_reserve(side, unit, count);
                return Ok(1);
            }
            BoardAction::Keep { .. } => {
                game.apply_next(board, actions, log)?;
                let shown = shown_board(game, index)?.clone();
                if let Ok((picture, _)) = play_on(game, board, &entry.attack_picture, actions) {
                    entry.attack_picture = picture;
                }
                put(game, index, &shown);
                return Ok(1);
            }
            BoardAction::Resign => {
                game.apply_next(board, actions, log)?;
                let marks = Marks { resigned: true, ..entry.attack_picture.marks() };
                entry.attack_picture.set_marks(marks);
                return Ok(1);
            }
            _ if first.is_spawn_phase() => return entry.append(game, board, actions),
            _ => {}
        }
        if entry.spawn_phase.is_empty() && !shown_board(game, index)?.marks().spawn_phase {
            let used = game.apply_next(board, actions, log)?;
            entry.attack_picture = shown_board(game, index)?.clone();
            return Ok(used);
        }
        entry.insert(game, board, actions)
    }

    /// Adds to the board after the attack phase the card that the board shown has just taken.
    fn copy_card(&mut self, game: &Game, index: usize) {
        let side = game.state.side;
        let (Some(entry), Some(shown)) = (self.boards.get_mut(index), game.state.boards.get(index)) else {
            return;
        };
        let picture = &mut entry.attack_picture;
        if let Some(&newest) = shown.hand(side).last() {
            let _ = picture.push_card(side, newest);
        }
        picture.set_marks(Marks { picks: shown.marks().picks, ..picture.marks() });
    }
}

impl BoardEntry {
    /// Plays an action at the end of the spawn phase.
    fn append(
        &mut self,
        game: &mut Game,
        board: u8,
        actions: &[BoardAction],
    ) -> Result<usize, IllegalReason> {
        if self.spawn_phase.is_full() {
            return Err(IllegalReason::Capacity);
        }
        let shown = shown_board(game, usize::from(board))?;
        let origin = actions.first().and_then(|action| shown.piece(named_piece(action)?)?.origin());
        let used = game.apply_next(board, actions, &mut UndoLog::off())?;
        if let Some(&action) = actions.first() {
            let _ = self.spawn_phase.push((action, origin));
        }
        Ok(used)
    }

    /// Plays a late attack-phase action before the spawn-phase actions.
    fn insert(
        &mut self,
        game: &mut Game,
        board: u8,
        actions: &[BoardAction],
    ) -> Result<usize, IllegalReason> {
        let index = usize::from(board);
        let shown = shown_board(game, index)?.clone();
        // Pieces that walk together stand on the same hexes in both pictures, since what moves a piece in the spawn
        // phase exhausts it.
        let early = match actions {
            [first, ..] if !first.is_joined() => translated(*first, &shown, &self.attack_picture)
                .ok_or(IllegalReason::NoPiece)
                .and_then(|meant| play_on(game, board, &self.attack_picture, &[meant])),
            _ => play_on(game, board, &self.attack_picture, actions),
        };
        let mut open = shown.clone();
        open.set_marks(Marks { spawn_phase: false, ..open.marks() });
        let late = play_on(game, board, &open, actions);
        put(game, index, &shown);
        let only_attack = actions.first().is_some_and(BoardAction::is_attack_phase);
        match (early, late) {
            (Ok((picture, used)), Ok(_)) => {
                self.attack_picture = picture;
                self.replay(game, board);
                Ok(used)
            }
            (Err(_), Ok(_)) if !only_attack => self.append(game, board, actions),
            (Err(reason), _) | (_, Err(reason)) => Err(reason),
        }
    }

    /// Replays the spawn-phase actions on the board after the attack phase, and drops those that have become illegal.
    fn replay(&mut self, game: &mut Game, board: u8) {
        put(game, usize::from(board), &self.attack_picture);
        let log = &mut UndoLog::off();
        self.spawn_phase.retain_mut(|(action, origin)| {
            let Ok(shown) = shown_board(game, usize::from(board)) else { return false };
            let Some(now) = pointed_at(*action, *origin, shown) else { return false };
            *action = now;
            game.apply_next(board, &[now], log).is_ok()
        });
    }
}

/// Hex by which an action names the piece that acts or is acted on. Attacks name a second piece.
fn named_piece(action: &BoardAction) -> Option<Hex> {
    match *action {
        BoardAction::Attack { from: at, .. }
        | BoardAction::Teleport { from: at, .. }
        | BoardAction::Blink { at }
        | BoardAction::UseAbility { user: at, .. }
        | BoardAction::Cast { params: CastParams::Piece(at) | CastParams::PieceHex(at, _), .. } => Some(at),
        _ => None,
    }
}

fn with_named_piece(action: BoardAction, at: Hex) -> BoardAction {
    match action {
        BoardAction::Attack { to, .. } => BoardAction::Attack { from: at, to },
        BoardAction::Teleport { to, .. } => BoardAction::Teleport { from: at, to },
        BoardAction::Blink { .. } => BoardAction::Blink { at },
        BoardAction::UseAbility { ability, terrain, to, .. } => {
            BoardAction::UseAbility { user: at, ability, terrain, to }
        }
        BoardAction::Cast { spell, params: CastParams::Piece(_) } => {
            BoardAction::Cast { spell, params: CastParams::Piece(at) }
        }
        BoardAction::Cast { spell, params: CastParams::PieceHex(_, to) } => {
            BoardAction::Cast { spell, params: CastParams::PieceHex(at, to) }
        }
        other => other,
    }
}

/// The action with its piece named by the hex where the piece stands now. `None` when the piece is gone. A piece
/// without an origin was created this turn and is sought on the hex where it was named.
fn pointed_at(action: BoardAction, origin: Option<Hex>, board: &Board) -> Option<BoardAction> {
    let Some(named) = named_piece(&action) else { return Some(action) };
    let at = match origin {
        Some(_) => standing(origin, board)?,
        None => board.piece(named).filter(|piece| piece.origin().is_none()).map(|_| named)?,
    };
    Some(with_named_piece(action, at))
}

/// The hex of the piece with this origin.
fn standing(origin: Option<Hex>, board: &Board) -> Option<Hex> {
    board.iter_all().find(|(_, piece)| piece.origin() == origin).map(|(hex, _)| hex)
}

/// Translation of an action from one board to another, on which the named pieces may stand elsewhere. `None` when a
/// named piece is missing on either board.
fn translated(action: BoardAction, shown: &Board, other: &Board) -> Option<BoardAction> {
    let Some(named) = named_piece(&action) else { return Some(action) };
    let moved = pointed_at(action, shown.piece(named)?.origin(), other)?;
    if let BoardAction::Attack { from, to } = moved {
        let to = standing(Some(shown.piece(to)?.origin()?), other)?;
        return Some(BoardAction::Attack { from, to });
    }
    Some(moved)
}

fn shown_board(game: &Game, index: usize) -> Result<&Board, IllegalReason> {
    game.state.boards.get(index).ok_or(IllegalReason::NoSuchBoard)
}

fn put(game: &mut Game, index: usize, board: &Board) {
    if let Some(slot) = game.state.boards.get_mut(index) {
        slot.clone_from(board);
    }
}

/// Plays the first action of a list, or the simultaneous move it begins, on a given board, which the game then shows.
fn play_on(
    game: &mut Game,
    board: u8,
    picture: &Board,
    actions: &[BoardAction],
) -> Result<(Board, usize), IllegalReason> {
    let index = usize::from(board);
    put(game, index, picture);
    let used = game.apply_next(board, actions, &mut UndoLog::off())?;
    Ok((shown_board(game, index)?.clone(), used))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minions::tables::capacities::HAND_CAP;
    use crate::minions::{
        Ability, Builder, GameConfig, MapLabel, Movable, Piece, Ruleset, Side, Spell, UnitLabel,
    };

    fn game(units: &[(&str, UnitLabel)], cards: &[Spell]) -> Game {
        let config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap();
        let mut builder = Builder::new(config, 1);
        builder.souls(crate::minions::SideArray::new(9, 0));
        let board = builder.board(0).unwrap();
        for &(name, unit) in units {
            let at = Hex::named(name).unwrap();
            board.set_piece(at, Some(Piece::fresh(Side::Yellow, unit, at)));
        }
        for &card in cards {
            board.push_card(Side::Yellow, card).unwrap();
        }
        builder.build().unwrap()
    }

    fn hex(name: &str) -> Hex {
        Hex::named(name).unwrap()
    }

    #[test]
    fn an_ability_follows_its_user() {
        let mut game = game(&[("c3", UnitLabel::Haunt)], &[Spell::Fester]);
        let mut entry = TurnEntry::new(&game);
        let (user, to) = (hex("c3"), hex("d3"));
        let ability = BoardAction::UseAbility { user, ability: Ability::MoveEarthquake, terrain: None, to };
        entry.enter(&mut game, 0, &[ability]).unwrap();
        entry.enter(&mut game, 0, &[BoardAction::walk(hex("c3"), hex("c4"))]).unwrap();
        let moved =
            BoardAction::UseAbility { user: hex("c4"), ability: Ability::MoveEarthquake, terrain: None, to };
        assert!(entry.spawn_phase(0).eq([moved]));
        assert_eq!(game.state.boards[0].movable(Movable::Earthquake), Some(to));
    }

    #[test]
    fn a_piece_may_blink_away_from_where_it_was_before_it_was_repositioned() {
        let mut game = game(&[("c3", UnitLabel::Haunt)], &[Spell::Reposition]);
        let mut entry = TurnEntry::new(&game);
        let params = CastParams::PieceHex(hex("c3"), hex("c4"));
        entry.enter(&mut game, 0, &[BoardAction::Cast { spell: Spell::Reposition, params }]).unwrap();
        entry.enter(&mut game, 0, &[BoardAction::Blink { at: hex("c4") }]).unwrap();
        assert_eq!(entry.spawn_phase(0).count(), 0);
        assert_eq!(game.state.boards[0].reserve(Side::Yellow, UnitLabel::Haunt), 1);
        assert_eq!(game.state.boards[0].hand(Side::Yellow).len(), 1);
    }

    #[test]
    fn of_a_list_only_the_first_action_is_entered() {
        for length in 1..=2 {
            let units = [("c3", UnitLabel::Haunt), ("c4", UnitLabel::Horror)];
            let mut game = game(&units, &[Spell::Reposition, Spell::Reposition, Spell::Fester]);
            let mut entry = TurnEntry::new(&game);
            for (from, to) in [("c4", "c5"), ("c3", "c4")] {
                let params = CastParams::PieceHex(hex(from), hex(to));
                let cast = BoardAction::Cast { spell: Spell::Reposition, params };
                entry.enter(&mut game, 0, &[cast]).unwrap();
            }
            let list = [BoardAction::Blink { at: hex("c4") }, BoardAction::Discard { spell: Spell::Fester }];
            assert_eq!(entry.enter(&mut game, 0, &list[..length]), Ok(1));
            let blinked = units.map(|(_, unit)| game.state.boards[0].reserve(Side::Yellow, unit));
            assert_eq!(blinked, [1, 0], "{length}");
        }
    }

    #[test]
    fn a_card_is_taken_only_where_the_hand_before_the_spawn_phase_has_room() {
        let mut cards = [Spell::Fester; HAND_CAP];
        cards[0] = Spell::Earthquake;
        let mut game = game(&[("c3", UnitLabel::Warg)], &cards);
        let mut entry = TurnEntry::new(&game);
        let cast = BoardAction::Cast { spell: Spell::Earthquake, params: CastParams::Hex(hex("d3")) };
        entry.enter(&mut game, 0, &[cast]).unwrap();
        let before = game.clone();
        let assign = GeneralAction::Assign { board: 0, card: 0 };
        assert_eq!(entry.enter_general(&mut game, assign), Err(IllegalReason::Capacity));
        assert!(game == before);
        entry.enter(&mut game, 0, &[BoardAction::Discard { spell: Spell::Fester }]).unwrap();
        assert_eq!(entry.enter_general(&mut game, assign), Ok(()));
        entry.enter(&mut game, 0, &[BoardAction::walk(hex("c3"), hex("c4"))]).unwrap();
        assert_eq!(
            (game.state.boards[0].hand(Side::Yellow).len(), game.state.num_taken()),
            (HAND_CAP - 1, 1)
        );
    }

    #[test]
    fn what_the_spawn_phase_brought_back_is_not_counted_twice_after_a_purchase() {
        let mut game = game(&[("c3", UnitLabel::Warg)], &[Spell::Blink, Spell::Fester]);
        let mut entry = TurnEntry::new(&game);
        let params = CastParams::Piece(hex("c3"));
        entry.enter(&mut game, 0, &[BoardAction::Cast { spell: Spell::Blink, params }]).unwrap();
        entry.enter(&mut game, 0, &[BoardAction::Buy { unit: UnitLabel::Zombie }]).unwrap();
        entry.enter(&mut game, 0, &[BoardAction::Discard { spell: Spell::Fester }]).unwrap();
        assert_eq!(game.state.boards[0].reserve(Side::Yellow, UnitLabel::Warg), 1);
        assert_eq!(game.state.boards[0].reserve(Side::Yellow, UnitLabel::Zombie), 1);
    }
}
