//! Movement: walks of one piece, simultaneous moves, teleports and blinks (rules §9).

use heapless::Vec;

use crate::hex::{Hex, HexSet, shortest};

use super::action::{BoardAction, Path};
use super::illegal::IllegalReason;
use super::undo::Edit;
use super::view::View;
use crate::minions::position::piece::Piece;
use crate::minions::tables::terrain::TileType;

/// Mover: one piece of a simultaneous move.
#[derive(Clone, Copy)]
struct Mover {
    from: Hex,
    to: Hex,
    piece: Piece,
    steps: u8,
}

impl View<'_> {
    /// Steps of a shortest legal walk of the friendly piece on `from` to `to`, occupation of `to` by friends
    /// ignored. The reason is the first that applies.
    fn shortest_walk(&self, from: Hex, to: Hex) -> Result<(Piece, u8), IllegalReason> {
        let piece = self.friend(from)?;
        let left = self.steps_left(piece)?;
        if from == to {
            return Err(IllegalReason::BadPath);
        }
        let unit = self.unit(piece);
        let open = self.board.walkable(self.map, unit);
        if !open.contains(from) || !open.contains(to) {
            return Err(IllegalReason::Terrain);
        }
        let enemies = self.board.pieces(self.side.opponent());
        if enemies.contains(to) {
            return Err(IllegalReason::Blocked);
        }
        // One step needs no search.
        if from.distance(to) == 1 {
            return Ok((piece, 1));
        }
        let passable = if unit.flying { open } else { open - enemies };
        match shortest(from, to, left, passable) {
            Some(steps) => Ok((piece, steps)),
            None => Err(IllegalReason::TooFar),
        }
    }

    /// Checks a walk along a given path, occupation of its end by friends ignored.
    fn check_path(&self, path: &Path) -> Result<(Piece, u8), IllegalReason> {
        let piece = self.friend(path.from())?;
        let left = self.steps_left(piece)?;
        let mut at = path.from();
        for &step in path.steps() {
            if at.distance(step) != 1 {
                return Err(IllegalReason::BadPath);
            }
            at = step;
        }
        if at == path.from() {
            return Err(IllegalReason::BadPath);
        }
        let steps = path.steps().len() as u8;
        if steps > left {
            return Err(IllegalReason::TooFar);
        }
        let unit = self.unit(piece);
        let open = self.board.walkable(self.map, unit);
        let enemies = self.board.pieces(self.side.opponent());
        let trail = path.steps().iter().copied().collect::<HexSet>().with(path.from());
        if !trail.is_subset(open) {
            return Err(IllegalReason::Terrain);
        }
        if enemies.contains(at) || (!unit.flying && trail.intersects(enemies)) {
            return Err(IllegalReason::Blocked);
        }
        Ok((piece, steps))
    }

    fn mover(&self, action: &BoardAction) -> Result<Mover, IllegalReason> {
        match action {
            BoardAction::Move { from, to, .. } => {
                let (piece, steps) = self.shortest_walk(*from, *to)?;
                Ok(Mover { from: *from, to: *to, piece, steps })
            }
            BoardAction::Walk { path, .. } => {
                let (piece, steps) = self.check_path(path)?;
                Ok(Mover { from: path.from(), to: path.to(), piece, steps })
            }
            _ => Err(IllegalReason::Unjoined),
        }
    }

    /// Checks a teleport (rules §9.4) and returns the piece.
    pub(crate) fn check_teleport(&self, from: Hex, to: Hex) -> Result<Piece, IllegalReason> {
        let piece = self.friend(from)?;
        if !self.rules.special_tiles || self.board.tile(self.map, from) != TileType::Teleporter {
            return Err(IllegalReason::NoSuchTile);
        }
        if piece.exhausted() {
            return Err(IllegalReason::Exhausted);
        }
        if piece.attacks() > 0 {
            return Err(IllegalReason::HasAttacked);
        }
        if piece.steps() > 0 {
            return Err(IllegalReason::HasMoved);
        }
        if !self.board.walkable(self.map, self.unit(piece)).contains(to) {
            return Err(IllegalReason::Terrain);
        }
        if to != from && self.board.all_pieces().contains(to) {
            return Err(IllegalReason::Occupied);
        }
        Ok(piece)
    }

    /// Hexes a friendly piece may teleport to now.
    pub fn teleports(&self, from: Hex) -> HexSet {
        let Ok(piece) = self.check_teleport(from, from) else { return HexSet::EMPTY };
        (self.board.walkable(self.map, self.unit(piece)) - self.board.all_pieces()).with(from)
    }

    /// Checks a blink (rules §9.5) and returns the piece.
    pub(crate) fn check_blink(&self, at: Hex) -> Result<Piece, IllegalReason> {
        let piece = self.friend(at)?;
        if !self.unit(piece).blink {
            return Err(IllegalReason::NoBlink);
        }
        self.check_set_up()?;
        if self.has_reserve(piece) { Ok(piece) } else { Err(IllegalReason::Capacity) }
    }
}

impl Edit<'_, '_> {
    /// Move of one or several pieces: all of `actions`, which are joined (rules §9.1, §9.2).
    pub(crate) fn move_together(&mut self, board: u8, actions: &[BoardAction]) -> Result<(), IllegalReason> {
        if let [action] = actions {
            return self.move_alone(board, action);
        }
        let view = self.view(board)?;
        // Apart, so that no gaps are between them.
        let mut ways: Vec<(Hex, Hex), { Hex::COUNT }, u8> = Vec::new();
        let mut walked: Vec<Piece, { Hex::COUNT }, u8> = Vec::new();
        let mut origins = HexSet::EMPTY;
        let mut ends = HexSet::EMPTY;
        for action in actions {
            let mover = view.mover(action)?;
            if !origins.insert(mover.from) || !ends.insert(mover.to) {
                return Err(IllegalReason::Collision);
            }
            let Mover { from, to, piece, steps } = mover;
            ways.push((from, to)).map_err(|_| IllegalReason::Capacity)?;
            walked.push(piece.with_walk(steps)).map_err(|_| IllegalReason::Capacity)?;
        }
        if ends.intersects(view.board.pieces(view.side) - origins) {
            return Err(IllegalReason::Occupied);
        }
        if !view.rules.open_chain_moves && ends != origins {
            return Err(IllegalReason::OpenChain);
        }
        for &(from, _) in &ways {
            self.set_piece(board, from, None);
        }
        for (&(_, to), &piece) in ways.iter().zip(&walked) {
            self.set_piece(board, to, Some(piece));
        }
        Ok(())
    }

    /// Moves a single piece: the common case, without the sets that simultaneous moves need.
    fn move_alone(&mut self, board: u8, action: &BoardAction) -> Result<(), IllegalReason> {
        let view = self.view(board)?;
        let mover = view.mover(action)?;
        // No walk ends where it began.
        if view.board.pieces(view.side).contains(mover.to) {
            return Err(IllegalReason::Occupied);
        }
        self.set_piece(board, mover.from, None);
        self.set_piece(board, mover.to, Some(mover.piece.with_walk(mover.steps)));
        Ok(())
    }

    pub(crate) fn teleport(&mut self, board: u8, from: Hex, to: Hex) -> Result<(), IllegalReason> {
        let piece = self.view(board)?.check_teleport(from, to)?;
        self.set_piece(board, from, None);
        self.set_piece(board, to, Some(piece.with_exhaustion()));
        Ok(())
    }

    pub(crate) fn blink(&mut self, board: u8, at: Hex) -> Result<(), IllegalReason> {
        let piece = self.view(board)?.check_blink(at)?;
        self.unsummon(board, at, piece)
    }
}
