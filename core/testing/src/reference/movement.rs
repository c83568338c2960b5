//! Moves along every possible path, simultaneous moves, teleports and blinks (§9).

use std::collections::BTreeSet;

use barrow_core::minions::{BoardAction, TileType};

use super::geometry::{Coord, at, distance, neighbours};
use super::state::State;

impl State {
    /// Returns every path that the friendly piece on `from` may move along, start included. Friends on the last hex
    /// are ignored, since they may leave at the same time (§9.2).
    fn paths(&self, b: usize, from: Coord) -> Vec<Vec<Coord>> {
        let mut found = Vec::new();
        if let Some(piece) = self.friend(b, from) {
            let may_move = !piece.exhausted && piece.attacks == 0 && !(self.is_spooky() && piece.moved);
            let steps = self.figures(piece).speed.saturating_sub(piece.steps);
            if may_move && self.may_stand(b, piece.unit, from) {
                self.extend_paths(b, &mut vec![from], steps, &mut found);
            }
        }
        found
    }

    /// Adds every continuation of `path` by at most `steps` hexes to `found`.
    fn extend_paths(&self, b: usize, path: &mut Vec<Coord>, steps: u32, found: &mut Vec<Vec<Coord>>) {
        if steps == 0 {
            return;
        }
        let piece = &self.boards[b].pieces[&path[0]];
        for next in neighbours(path[path.len() - 1]) {
            let enemy = self.enemy(b, next).is_some();
            if !self.may_stand(b, piece.unit, next) || (enemy && !self.unit(piece.unit).flying) {
                continue;
            }
            path.push(next);
            if next != path[0] && !enemy {
                found.push(path.clone());
            }
            self.extend_paths(b, path, steps - 1, found);
            path.pop();
        }
    }

    /// Returns the hexes where the friendly piece on `from` may end a move that is not simultaneous.
    pub fn destinations(&self, b: usize, from: Coord) -> BTreeSet<Coord> {
        let ends = self.paths(b, from).into_iter().map(|path| path[path.len() - 1]);
        ends.filter(|&end| self.piece(b, end).is_none()).collect()
    }

    /// Returns the path of a move action: the one given, or a shortest one.
    fn path_of(&self, b: usize, action: &BoardAction) -> Option<Vec<Coord>> {
        match action {
            BoardAction::Move { from, to, .. } => {
                let to_there =
                    self.paths(b, at(*from)).into_iter().filter(|path| path.last() == Some(&at(*to)));
                to_there.min_by_key(Vec::len)
            }
            BoardAction::Walk { path, .. } => {
                let hexes: Vec<Coord> =
                    std::iter::once(path.from()).chain(path.steps().iter().copied()).map(at).collect();
                self.paths(b, at(path.from())).into_iter().find(|other| *other == hexes)
            }
            _ => None,
        }
    }

    /// Moves one piece or several at once; `None` if that is illegal. All paths are checked in the position before the
    /// move (§9.2).
    pub(super) fn walk(&mut self, b: usize, actions: &[BoardAction]) -> Option<()> {
        let paths: Vec<Vec<Coord>> =
            actions.iter().map(|action| self.path_of(b, action)).collect::<Option<_>>()?;
        let starts: BTreeSet<Coord> = paths.iter().map(|path| path[0]).collect();
        let ends: BTreeSet<Coord> = paths.iter().map(|path| path[path.len() - 1]).collect();
        if starts.len() < paths.len() || ends.len() < paths.len() {
            return None;
        }
        if ends.iter().any(|end| self.friend(b, *end).is_some() && !starts.contains(end)) {
            return None;
        }
        // Divergence 28: Spooky knows closed cycles only.
        if self.is_spooky() && paths.len() > 1 && starts != ends {
            return None;
        }
        let movers: Vec<_> =
            starts.iter().map(|start| (*start, self.boards[b].pieces.remove(start))).collect();
        for (start, piece) in movers {
            let path = paths.iter().find(|path| path[0] == start)?;
            let mut piece = piece?;
            piece.steps += path.len() as u32 - 1;
            piece.moved = true;
            self.boards[b].pieces.insert(path[path.len() - 1], piece);
        }
        Some(())
    }

    /// Whether a teleport is legal (§9.4).
    pub fn may_teleport(&self, b: usize, from: Coord, to: Coord) -> bool {
        let Some(piece) = self.friend(b, from) else { return false };
        !self.is_spooky()
            && self.boards[b].tile(from) == TileType::Teleporter
            && piece.steps == 0
            && piece.attacks == 0
            && !piece.exhausted
            && (from == to || self.may_end(b, piece.unit, to))
    }

    /// Teleports a piece; `None` if that is illegal.
    pub(super) fn teleport(&mut self, b: usize, from: Coord, to: Coord) -> Option<()> {
        if !self.may_teleport(b, from, to) {
            return None;
        }
        let mut piece = self.boards[b].pieces.remove(&from)?;
        piece.exhausted = true;
        self.boards[b].pieces.insert(to, piece);
        Some(())
    }

    /// Unsummons a friendly piece that can blink, exhausted or persistent as it may be (§9.5); `None` if it cannot.
    pub(super) fn blink(&mut self, b: usize, at: Coord) -> Option<()> {
        let piece = self.friend(b, at)?;
        if !self.unit(piece.unit).blink || self.awaits_setup(b) {
            return None;
        }
        self.unsummon(b, at);
        Some(())
    }

    /// Whether a friendly piece that is not exhausted is within distance 1 of a hex.
    pub fn has_active_friend_near(&self, b: usize, at: Coord) -> bool {
        self.friends(b).any(|(place, piece)| !piece.exhausted && distance(place, at) <= 1)
    }
}
