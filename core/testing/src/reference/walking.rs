//! §9: walking by trying every path, simultaneous moves, teleports and blinks.

use std::collections::BTreeSet;

use barrow_core::minions::{BoardAction, TileType};

use super::geometry::{At, at, distance, neighbours};
use super::state::State;

impl State {
    /// Every path that the friendly piece on `from` may walk now, start included. Friends on the last hex are not
    /// looked at (§9.2 allows them to leave at the same time).
    pub fn paths(&self, b: usize, from: At) -> Vec<Vec<At>> {
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

    fn extend_paths(&self, b: usize, path: &mut Vec<At>, steps: u32, found: &mut Vec<Vec<At>>) {
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

    /// Hexes where the friendly piece on `from` may end a move of its own.
    pub fn destinations(&self, b: usize, from: At) -> BTreeSet<At> {
        let ends = self.paths(b, from).into_iter().map(|path| path[path.len() - 1]);
        ends.filter(|&end| self.piece(b, end).is_none()).collect()
    }

    /// The path a mover takes: the one given, or a shortest one.
    fn path_of(&self, b: usize, action: &BoardAction) -> Option<Vec<At>> {
        match action {
            BoardAction::Move { from, to, .. } => {
                let to_there =
                    self.paths(b, at(*from)).into_iter().filter(|path| path.last() == Some(&at(*to)));
                to_there.min_by_key(Vec::len)
            }
            BoardAction::Walk { path, .. } => {
                let hexes: Vec<At> =
                    std::iter::once(path.from()).chain(path.steps().iter().copied()).map(at).collect();
                self.paths(b, at(path.from())).into_iter().find(|other| *other == hexes)
            }
            _ => None,
        }
    }

    /// One move action: all paths are judged in the position before it (§9.2).
    pub fn walk(&mut self, b: usize, actions: &[BoardAction]) -> Option<()> {
        let paths: Vec<Vec<At>> =
            actions.iter().map(|action| self.path_of(b, action)).collect::<Option<_>>()?;
        let starts: BTreeSet<At> = paths.iter().map(|path| path[0]).collect();
        let ends: BTreeSet<At> = paths.iter().map(|path| path[path.len() - 1]).collect();
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
        let lifted: Vec<_> =
            starts.iter().map(|start| (*start, self.boards[b].pieces.remove(start))).collect();
        for (start, piece) in lifted {
            let path = paths.iter().find(|path| path[0] == start)?;
            let mut piece = piece?;
            piece.steps += path.len() as u32 - 1;
            piece.moved = true;
            self.boards[b].pieces.insert(path[path.len() - 1], piece);
        }
        Some(())
    }

    /// Whether a teleport is legal (§9.4).
    pub fn may_teleport(&self, b: usize, from: At, to: At) -> bool {
        let Some(piece) = self.friend(b, from) else { return false };
        !self.is_spooky()
            && self.boards[b].tile(from) == TileType::Teleporter
            && piece.steps == 0
            && piece.attacks == 0
            && !piece.exhausted
            && (from == to || self.may_end(b, piece.unit, to))
    }

    pub fn teleport(&mut self, b: usize, from: At, to: At) -> Option<()> {
        if !self.may_teleport(b, from, to) {
            return None;
        }
        let mut piece = self.boards[b].pieces.remove(&from)?;
        piece.exhausted = true;
        self.boards[b].pieces.insert(to, piece);
        Some(())
    }

    /// §9.5: exhausted or persistent does not matter.
    pub fn blink(&mut self, b: usize, at: At) -> Option<()> {
        let piece = self.friend(b, at)?;
        if !self.unit(piece.unit).blink {
            return None;
        }
        self.unsummon(b, at);
        Some(())
    }

    /// Whether a friendly piece that is not exhausted stands within distance 1.
    pub fn has_active_friend_near(&self, b: usize, at: At) -> bool {
        self.friends(b).any(|(place, piece)| !piece.exhausted && distance(place, at) <= 1)
    }
}
