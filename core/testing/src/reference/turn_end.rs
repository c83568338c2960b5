//! The end of a turn in the order of its numbered steps, and the reset of a board (§15 to §18).

use barrow_core::minions::{BoardState, Movable, Side, TechStatus, TileType, UnitLabel};

use super::casting::mana_when_discarded;
use super::geometry::{Coord, neighbours, number};
use super::state::{Piece, State};

impl State {
    /// Returns the position after the end of the turn; `None` if the turn may not end yet.
    pub(crate) fn end_turn(&self) -> Option<State> {
        let is_reset = |state| matches!(state, BoardState::Reset1 | BoardState::Reset2);
        let setup_missing =
            self.boards.iter().any(|board| is_reset(board.state) && !board.set_up && !board.resigned);
        if self.winner.is_some() || (self.is_spooky() && setup_missing) {
            return None;
        }
        let mut next = self.clone();
        next.finish_turn();
        Some(next)
    }

    fn finish_turn(&mut self) {
        let (x, y) = (self.side, self.side.opponent());
        // 1.
        for board in &mut self.boards {
            while board.mana < 0 && !board.hands[x.index()].is_empty() {
                let oldest = board.hands[x.index()].remove(0);
                board.mana += mana_when_discarded(oldest);
            }
        }
        // 2.
        let owed: u32 = self.boards.iter().map(|board| board.pending[y.index()]).sum();
        self.souls[y.index()] += self.extra_souls[y.index()] + owed;
        // 3. Divergence 17: with Spooky unused points are wasted.
        while self.tech_points > 0 && !self.is_spooky() {
            self.tech_points -= 1;
            if let Some(level) = self.tech[x.index()].iter_mut().find(|level| **level == TechStatus::Locked) {
                *level = TechStatus::Unlocked;
            }
        }
        // 4.
        for b in 0..self.num_boards() {
            if self.boards[b].picks == 0
                && let Some(card) = (0..self.row.len()).find(|card| !self.taken.contains(card))
            {
                let spell = self.row[card];
                self.boards[b].hands[x.index()].push(spell);
                // Quirk Q2.
                if self.taken.len() < self.num_boards() {
                    self.taken.insert(card);
                }
            }
        }
        // 5.
        let turn_before = self.turn;
        self.side = y;
        self.turn += 1;
        (self.tech_points, self.bought, self.sold) = (1, 0, false);
        self.tech_start = self.tech.clone();
        self.taken.clear();
        if !self.is_spooky() {
            let cards = self.num_boards() + 1;
            self.row = self.queue[y.index()].drain(..cards).collect();
        }
        // 6.
        for b in 0..self.num_boards() {
            self.finish_board(b, x, y);
        }
        // 7.
        if !self.is_spooky() {
            self.refill();
        }
        // 8 and 9.
        for b in 0..self.num_boards() {
            self.score_board(b, x, y);
        }
        // Divergence 25: after Spooky's last turn side and turn number stay.
        if self.is_spooky() && self.winner.is_some() {
            (self.side, self.turn) = (x, turn_before);
        }
    }

    /// Ends the turn on a board (step 6): `x` has moved, `y` moves next.
    fn finish_board(&mut self, b: usize, x: Side, y: Side) {
        let income = self.income(b, x);
        let occupied: Vec<Coord> = self.boards[b].pieces.keys().copied().collect();
        for at in occupied {
            // Divergence 32: mist is not in Spooky's game.
            let persistent = self.unit(self.boards[b].pieces[&at].unit).persistent;
            if self.boards[b].tile(at) == TileType::Mist && !persistent && !self.is_spooky() {
                self.unsummon(b, at);
            }
        }
        for (&at, piece) in &mut self.boards[b].pieces {
            let modifiers = piece.modifiers.iter().map(|&(kind, counter)| (kind, counter - 1));
            let modifiers = modifiers.filter(|&(_, counter)| counter > 0).collect();
            *piece = Piece { modifiers, ..Piece::fresh(piece.owner, piece.unit, number(at)) };
        }
        // Divergences 40 and 41: Spooky keeps no separate list and no entitlement.
        if !self.is_spooky() {
            let board = &self.boards[b];
            let is_reset = matches!(board.state, BoardState::Reset1 | BoardState::Reset2);
            if is_reset && board.free[x.index()] > 0 {
                let value = |unit: &UnitLabel| (self.unit(*unit).cost, unit.index());
                if let Some(best) = board.candidates[x.index()].iter().copied().max_by_key(value) {
                    self.add_reserve(b, x, best);
                }
            }
            self.boards[b].free[x.index()] = 0;
            self.boards[b].candidates[x.index()].clear();
        }
        let board = &mut self.boards[b];
        board.pending[x.index()] += income;
        board.state = match board.state {
            BoardState::Reset1 => BoardState::Reset2,
            BoardState::FirstTurn | BoardState::Normal | BoardState::Reset2 => BoardState::Normal,
        };
        (board.spawn_phase, board.set_up, board.picks) = (false, false, 0);
        self.start_board(b, y);
    }

    /// Returns the income of a side from a board in souls (§5, divergence 11).
    fn income(&self, b: usize, side: Side) -> u32 {
        let own: Vec<&Piece> = self.boards[b].pieces.values().filter(|piece| piece.owner == side).collect();
        let graveyards = self.boards[b].occupied(side, TileType::Graveyard);
        if !self.is_spooky() {
            return graveyards
                + own.iter().map(|piece| u32::from(self.unit(piece.unit).extra_souls)).sum::<u32>();
        }
        let generous = [UnitLabel::Necromancer, UnitLabel::ArcaneNecromancer];
        graveyards + 2 + u32::from(own.iter().any(|piece| generous.contains(&piece.unit)))
    }

    /// Starts the turn of a side on a board: mana, free zombies and the loss by graveyards (step 6.8).
    fn start_board(&mut self, b: usize, y: Side) {
        let own: Vec<UnitLabel> =
            self.boards[b].pieces.values().filter(|piece| piece.owner == y).map(|piece| piece.unit).collect();
        self.boards[b].mana = 0;
        if !self.is_spooky() {
            let nodes = self.boards[b].occupied(y, TileType::SorceryNode) as i32;
            let extra = own.iter().map(|&unit| i32::from(self.unit(unit).extra_mana)).sum::<i32>();
            self.boards[b].mana = nodes + extra;
            for _ in own.iter().filter(|&&unit| unit == UnitLabel::ZombieNecromancer) {
                self.add_reserve(b, y, UnitLabel::Zombie);
            }
        }
        let board = &mut self.boards[b];
        board.pending[y.index()] = 0;
        board.tile_used = false;
        if board.occupied(y, TileType::Graveyard) >= 8 {
            board.lost = true;
        }
    }

    /// Gives the board point of a board that was won or lost, and resets the board (steps 8 and 9).
    fn score_board(&mut self, b: usize, x: Side, y: Side) {
        let board = &self.boards[b];
        let lost = board.lost || board.resigned;
        // Divergence 36: with Spooky graveyards count before the kill.
        let gainer = match (board.won, lost) {
            (true, true) if self.is_spooky() => y,
            (true, _) => x,
            (false, true) => y,
            (false, false) => return,
        };
        self.points[gainer.index()] += 1;
        if self.points[gainer.index()] >= self.points_needed {
            // Quirk Q6: the later board decides; divergence 24: with Spooky the side that moved does.
            let moved_first = self.is_spooky() && self.winner == Some(x);
            if !moved_first {
                self.winner = Some(gainer);
            }
        }
        self.reset(b, y);
    }

    /// Resets a board (§17); `y` moves next.
    fn reset(&mut self, b: usize, y: Side) {
        for side in Side::ALL {
            let board = &self.boards[b];
            let placed = board.pieces.values().filter(|piece| piece.owner == side).map(|piece| piece.unit);
            let waiting = board.reserves[side.index()].keys().copied();
            let kept: Vec<UnitLabel> =
                placed.chain(waiting).filter(|&unit| !self.unit(unit).necromancer).collect();
            let board = &mut self.boards[b];
            board.reserves[side.index()].clear();
            if self.ruleset == barrow_core::minions::Ruleset::Spooky {
                board.reserves[side.index()] = kept.into_iter().map(|unit| (unit, 1)).collect();
            } else {
                board.free[side.index()] = 1;
                board.candidates[side.index()].extend(kept);
            }
        }
        let board = &mut self.boards[b];
        board.pieces.clear();
        board.movable.clear();
        for kind in Movable::ALL {
            if let Some(hex) = board.map.map().movable_start(kind) {
                board.movable.insert(kind, super::geometry::at(hex));
            }
        }
        for (side, home) in [(Side::Yellow, (2, 2)), (Side::Blue, (7, 7))] {
            let necromancer = Piece::fresh(side, UnitLabel::Necromancer, number(home));
            self.boards[b].pieces.insert(home, necromancer);
            for at in neighbours(home) {
                if self.may_stand(b, UnitLabel::Zombie, at) {
                    let zombie = Piece::fresh(side, UnitLabel::Zombie, number(at));
                    self.boards[b].pieces.insert(at, zombie);
                }
            }
        }
        let board = &mut self.boards[b];
        board.state = BoardState::Reset1;
        (board.won, board.lost, board.resigned, board.spawn_phase) = (false, false, false, false);
        self.start_board(b, y);
    }
}
