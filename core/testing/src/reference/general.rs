//! Actions of the general: spells, techs and cards (§5 to §7). Purchase and choice of units (§11, §17).

use barrow_core::minions::{BoardState, GeneralAction, Side, Tech, TechStatus, UnitLabel};

use super::state::State;

impl State {
    /// Returns the position after an action of the general; `None` if the action is illegal.
    pub(crate) fn general(&self, action: GeneralAction) -> Option<State> {
        if self.winner.is_some() {
            return None;
        }
        let mut next = self.clone();
        match action {
            GeneralAction::BuySpell => next.buy_spell()?,
            GeneralAction::Sell => next.sell()?,
            GeneralAction::March => next.march()?,
            GeneralAction::Advance { index } => next.advance(usize::from(index))?,
            GeneralAction::Assign { board, card } => next.assign(usize::from(board), usize::from(card))?,
        }
        Some(next)
    }

    fn buy_spell(&mut self) -> Option<()> {
        let side = self.side.index();
        self.souls[side] = self.souls[side].checked_sub(4 * self.num_boards() as u32)?;
        self.tech_points += 1;
        self.bought += 1;
        if !self.is_spooky() {
            self.refill();
            let card = self.queue[side].pop_front()?;
            self.row.push(card);
        }
        Some(())
    }

    /// Deals upcoming cards until both queues hold n + 11 cards (§7).
    pub(super) fn refill(&mut self) {
        for side in Side::ALL.map(Side::index) {
            while self.queue[side].len() < self.boards.len() + 11 {
                let card = self.upcoming[side].pop_front().expect("enough cards were upcoming_cards");
                self.queue[side].push_back(card);
            }
        }
    }

    /// Whether the side to move had acquired a tech when the turn began.
    fn owned_at_start(&self, tech: Tech) -> bool {
        let levels = &self.tech_start[self.side.index()];
        self.techline
            .iter()
            .zip(levels)
            .any(|(&other, &level)| other == tech && level == TechStatus::Acquired)
    }

    /// Whether the side to move has acquired a tech by now.
    fn owns_now(&self, tech: Tech) -> bool {
        let levels = &self.tech[self.side.index()];
        self.techline
            .iter()
            .zip(levels)
            .any(|(&other, &level)| other == tech && level == TechStatus::Acquired)
    }

    /// Sells a tech point with Thaumaturgy. That tech and Metamagic have no effect with Spooky (divergence 20).
    fn sell(&mut self) -> Option<()> {
        if self.is_spooky() || self.sold || !self.owned_at_start(Tech::Thaumaturgy) {
            return None;
        }
        self.tech_points = self.tech_points.checked_sub(1)?;
        self.sold = true;
        self.souls[self.side.index()] += self.num_boards() as u32;
        Some(())
    }

    fn march(&mut self) -> Option<()> {
        self.tech_points = self.tech_points.checked_sub(1)?;
        let spooky = self.is_spooky();
        let levels = &mut self.tech[self.side.index()];
        match levels.iter_mut().find(|level| **level == TechStatus::Locked) {
            Some(level) => *level = TechStatus::Unlocked,
            // Divergence 17: with Spooky points may be wasted.
            None if spooky => {}
            None => return None,
        }
        Some(())
    }

    /// Advances the tech at an index of the tech line by one level (§6.2). Spooky's `tech` command only acquires
    /// (divergence 18).
    fn advance(&mut self, index: usize) -> Option<()> {
        let tech = *self.techline.get(index)?;
        self.tech_points = self.tech_points.checked_sub(1)?;
        let own = &self.tech[self.side.index()];
        let level = own[index];
        let may_step = index == 0 || own[index - 1] != TechStatus::Locked;
        let copycat =
            if self.is_spooky() { self.owns_now(Tech::Copycat) } else { self.owned_at_start(Tech::Copycat) };
        let theirs = self.tech[self.side.opponent().index()][index] == TechStatus::Acquired;
        let may_acquire = !theirs || copycat || tech == Tech::Copycat;
        let next = match (level, self.is_spooky()) {
            (TechStatus::Locked, false) if may_step => TechStatus::Unlocked,
            (TechStatus::Unlocked, false) if may_step && may_acquire => TechStatus::Acquired,
            (TechStatus::Unlocked | TechStatus::Acquired, true) if may_acquire => TechStatus::Acquired,
            _ => return None,
        };
        self.tech[self.side.index()][index] = next;
        Some(())
    }

    fn assign(&mut self, b: usize, card: usize) -> Option<()> {
        let side = self.side.index();
        if self.is_spooky() || b >= self.num_boards() || self.taken.len() >= self.num_boards() {
            return None;
        }
        if self.boards[b].picks > 0 && !self.owned_at_start(Tech::Metamagic) {
            return None;
        }
        let spell = *self.row.get(card)?;
        if !self.taken.insert(card) {
            return None;
        }
        self.boards[b].hands[side].push(spell);
        self.boards[b].picks += 1;
        Some(())
    }

    /// Buys a unit into the reinforcements; `None` if that is illegal.
    pub(super) fn buy(&mut self, b: usize, unit: UnitLabel) -> Option<()> {
        let tech = Tech::UnitTech(unit);
        // Divergence 15: Spooky lets a unit be bought in the turn in which its tech is acquired.
        let owned = if self.is_spooky() { self.owns_now(tech) } else { self.owned_at_start(tech) };
        if unit != UnitLabel::Zombie && !owned {
            return None;
        }
        // Divergence 16.
        if self.is_spooky() && !matches!(self.boards[b].state, BoardState::Normal | BoardState::Reset2) {
            return None;
        }
        if self.awaits_setup(b) {
            return None;
        }
        let side = self.side.index();
        self.souls[side] = self.souls[side].checked_sub(u32::from(self.unit(unit).cost))?;
        self.add_reserve(b, self.side, unit);
        Some(())
    }

    /// Whether a board has yet to be set up with Spooky (divergence 41). Setup replaces the reinforcements, so what uses
    /// them or adds to them comes after it.
    pub(super) fn awaits_setup(&self, b: usize) -> bool {
        let board = &self.boards[b];
        self.is_spooky() && matches!(board.state, BoardState::Reset1 | BoardState::Reset2) && !board.set_up
    }

    /// Keeps the free unit after a reset (§17), or plays Spooky's setup action (divergences 40 to 42); `None` if that is
    /// illegal.
    pub(super) fn keep(&mut self, b: usize, unit: Option<UnitLabel>) -> Option<()> {
        let (side, index) = (self.side, self.side.index());
        let board = &mut self.boards[b];
        if self.ruleset == barrow_core::minions::Ruleset::Server {
            let unit = unit?;
            if board.free[index] == 0 || !board.candidates[index].contains(&unit) {
                return None;
            }
            board.free[index] -= 1;
            self.add_reserve(b, side, unit);
        } else {
            if !matches!(board.state, BoardState::Reset1 | BoardState::Reset2) || board.set_up {
                return None;
            }
            board.set_up = true;
            if let Some(unit) = unit {
                if board.reserve(side, unit) == 0 {
                    return None;
                }
                board.reserves[index].clear();
                board.reserves[index].insert(unit, 1);
            }
        }
        self.add_reserve(b, side, UnitLabel::Zombie);
        Some(())
    }
}
