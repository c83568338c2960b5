//! Actions of the general and purchases: spells, techs, cards, units bought and kept, resignation (rules §5 to §7, §11,
//! §16, §17).

use super::action::GeneralAction;
use super::illegal::IllegalReason;
use super::undo::Edit;
use super::view::View;
use crate::minions::position::state::{Budget, GameState};
use crate::minions::tables::capacities::QUEUE_EXTRA;
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::ruleset::ResetChoice;
use crate::minions::tables::side::Side;
use crate::minions::tables::spell::Spell;
use crate::minions::tables::tech::{Tech, TechStatus};
use crate::minions::tables::unit::UnitLabel;

impl GameState {
    /// Whether a side has owned a tech since the start of the turn, as the effects of special techs require.
    pub(crate) fn had_tech(&self, config: &GameConfig, side: Side, tech: Tech) -> bool {
        self.tech_start[side].acquired_bits() & config.tech_bits(tech) != 0
    }

    fn has_copycat(&self, config: &GameConfig, side: Side) -> bool {
        let levels = if config.rules.copycat_immediate { self.tech[side] } else { self.tech_start[side] };
        levels.acquired_bits() & config.tech_bits(Tech::Copycat) != 0
    }

    /// Whether the side to move may buy this unit as far as techs are concerned (rules §6.2).
    pub fn may_buy(&self, config: &GameConfig, unit: UnitLabel) -> Result<(), IllegalReason> {
        if unit == UnitLabel::Zombie {
            return Ok(());
        }
        let bits = config.unit_bits(unit);
        if bits == 0 {
            return Err(IllegalReason::NotForSale);
        }
        let levels =
            if config.rules.buy_same_turn { self.tech[self.side] } else { self.tech_start[self.side] };
        if levels.acquired_bits() & bits == 0 { Err(IllegalReason::TechNotOwned) } else { Ok(()) }
    }

    /// The status a tech step on this line position would lead to, or why it is not allowed (rules §6.2).
    pub fn tech_step(&self, config: &GameConfig, index: u8) -> Result<TechStatus, IllegalReason> {
        if usize::from(index) >= config.techline.len() {
            return Err(IllegalReason::NoSuchTech);
        }
        if self.budget.tech_points == 0 {
            return Err(IllegalReason::TechPoints);
        }
        let own = self.tech[self.side];
        let reachable = index == 0 || own.status(index - 1) != TechStatus::Locked;
        let wasteful = config.rules.acquire_unlocked_only;
        match own.status(index) {
            TechStatus::Locked if wasteful || !reachable => Err(IllegalReason::TechLocked),
            TechStatus::Locked => Ok(TechStatus::Unlocked),
            TechStatus::Unlocked if !wasteful && !reachable => Err(IllegalReason::TechLocked),
            TechStatus::Acquired if !wasteful => Err(IllegalReason::TechOwned),
            TechStatus::Unlocked | TechStatus::Acquired if self.barred_techs(config) & 1 << index != 0 => {
                Err(IllegalReason::TechTaken)
            }
            TechStatus::Unlocked | TechStatus::Acquired => Ok(TechStatus::Acquired),
        }
    }

    /// Checks that a spell may be bought; returns the souls that are left (rules §5).
    pub(crate) fn check_buy_spell(&self, config: &GameConfig) -> Result<u32, IllegalReason> {
        let left = self.souls[self.side].checked_sub(config.spell_price()).ok_or(IllegalReason::Souls)?;
        let Budget { tech_points, bought, .. } = self.budget;
        if bought == u8::MAX || tech_points == u8::MAX || (config.rules.spells && self.row.is_full()) {
            return Err(IllegalReason::Capacity);
        }
        Ok(left)
    }

    /// Whether the side to move may sell a tech point in this turn, provided that it has one (rules §6.4).
    pub(crate) fn may_sell(&self, config: &GameConfig) -> bool {
        config.rules.thaumaturgy && !self.budget.sold && self.had_tech(config, self.side, Tech::Thaumaturgy)
    }

    /// Checks that a tech point may be sold; returns the points that are left (rules §6.4).
    pub(crate) fn check_sell(&self, config: &GameConfig) -> Result<u8, IllegalReason> {
        if !self.may_sell(config) {
            return Err(IllegalReason::NoSale);
        }
        self.budget.tech_points.checked_sub(1).ok_or(IllegalReason::TechPoints)
    }

    /// Checks a march; returns the line position that it unlocks (rules §6.2). Where unused points are lost at turn end,
    /// one without a goal loses a point now.
    pub(crate) fn check_march(&self, config: &GameConfig) -> Result<Option<u8>, IllegalReason> {
        if self.budget.tech_points == 0 {
            return Err(IllegalReason::TechPoints);
        }
        match self.tech[self.side].first_locked(config.techline.len()) {
            None if config.rules.auto_march => Err(IllegalReason::TechLocked),
            locked => Ok(locked),
        }
    }

    /// Checks that a board may take the card at this place of the row; returns the card (rules §7).
    pub(crate) fn check_assign(
        &self,
        config: &GameConfig,
        view: &View<'_>,
        place: usize,
    ) -> Result<Spell, IllegalReason> {
        let spell = *self.row.get(place).ok_or(IllegalReason::NoSuchCard)?;
        if self.is_taken(place) {
            return Err(IllegalReason::NoSuchCard);
        }
        let several = config.rules.metamagic && self.had_tech(config, self.side, Tech::Metamagic);
        if self.num_taken() >= config.num_boards() || (view.board.marks().picks > 0 && !several) {
            return Err(IllegalReason::CardsTaken);
        }
        if view.board.hand(self.side).is_full() { Err(IllegalReason::Capacity) } else { Ok(spell) }
    }

    /// Checks that a unit may be bought for a board, its phase and the end of the game apart; returns the souls that are left
    /// and the number of such units among the reinforcements with it (rules §11).
    #[inline]
    pub(crate) fn check_buy(
        &self,
        config: &GameConfig,
        view: &View<'_>,
        unit: UnitLabel,
    ) -> Result<(u32, u8), IllegalReason> {
        if !view.rules.buy_in_no_spawn_states && !view.board.state().allows_spawn() {
            return Err(IllegalReason::BoardState);
        }
        view.check_set_up()?;
        self.may_buy(config, unit)?;
        let cost = u32::from(view.rules.unit(unit).cost);
        let left = self.souls[self.side].checked_sub(cost).ok_or(IllegalReason::Souls)?;
        let count = view.board.reserve(self.side, unit).checked_add(1).ok_or(IllegalReason::Capacity)?;
        Ok((left, count))
    }

    /// Line positions of the techs that the side to move may not acquire since the opponent owns them (rules §6.2).
    fn barred_techs(&self, config: &GameConfig) -> u32 {
        let taken = self.tech[self.side.opponent()].acquired_bits();
        if taken == 0 || self.has_copycat(config, self.side) {
            return 0;
        }
        taken & !config.tech_bits(Tech::Copycat)
    }

    /// Line positions on which a tech step is allowed, as bit sets: of those it unlocks and of those it acquires; see
    /// [`GameState::tech_step`].
    pub(crate) fn tech_steps(&self, config: &GameConfig) -> TechSteps {
        if self.budget.tech_points == 0 {
            return TechSteps::default();
        }
        let line = (1 << config.techline.len()) - 1;
        let own = self.tech[self.side];
        let (unlocked, open) = (own.unlocked_bits(), line & !self.barred_techs(config));
        if config.rules.acquire_unlocked_only {
            return TechSteps { unlocking: 0, acquiring: unlocked & open };
        }
        let reachable = unlocked << 1 | 1;
        TechSteps {
            unlocking: !unlocked & reachable & line,
            acquiring: unlocked & !own.acquired_bits() & reachable & open,
        }
    }
}

/// Line positions of the tech steps that are allowed, as bit sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TechSteps {
    /// Positions that a step unlocks.
    pub(crate) unlocking: u32,
    /// Positions that a step acquires.
    pub(crate) acquiring: u32,
}

impl TechSteps {
    /// The status that a step on a position leads to; `None` where it is not allowed.
    pub(crate) const fn status(self, index: u8) -> Option<TechStatus> {
        let bit = 1_u32.unbounded_shl(index as u32);
        if self.unlocking & bit != 0 {
            Some(TechStatus::Unlocked)
        } else if self.acquiring & bit != 0 {
            Some(TechStatus::Acquired)
        } else {
            None
        }
    }
}

impl View<'_> {
    /// Checks that a unit may be kept, or all units, and that the reinforcements have room (rules §17; divergences 40
    /// to 42).
    pub(crate) fn check_keep(&self, unit: Option<UnitLabel>) -> Result<(), IllegalReason> {
        let (board, side) = (self.board, self.side);
        // A unit that is kept in a mandatory setup replaces all others; everything else joins them.
        let joining = match (self.rules.reset_choice, unit) {
            (ResetChoice::Optional, None) => return Err(IllegalReason::NotACandidate),
            (ResetChoice::Optional, Some(unit)) => {
                if board.free(side) == 0 || !board.is_candidate(side, unit) {
                    return Err(IllegalReason::NotACandidate);
                }
                Some(unit)
            }
            (ResetChoice::Mandatory, _) if !board.state().is_reset() || board.marks().set_up => {
                return Err(IllegalReason::BoardState);
            }
            (ResetChoice::Mandatory, Some(unit)) if board.reserve(side, unit) == 0 => {
                return Err(IllegalReason::NotInReserve);
            }
            (ResetChoice::Mandatory, Some(_)) => return Ok(()),
            (ResetChoice::Mandatory, None) => None,
        };
        let zombies = if joining == Some(UnitLabel::Zombie) { 2 } else { 1 };
        let room = |unit, count| board.reserve(side, unit) <= u8::MAX - count;
        if room(UnitLabel::Zombie, zombies) && joining.is_none_or(|unit| room(unit, 1)) {
            Ok(())
        } else {
            Err(IllegalReason::Capacity)
        }
    }

    /// Checks that the board does not await its mandatory setup, which replaces the reinforcements and therefore comes
    /// before everything that uses them or adds to them (divergence 41; UMI §4).
    pub(crate) fn check_set_up(&self) -> Result<(), IllegalReason> {
        if self.awaits_setup() { Err(IllegalReason::SetupMissing) } else { Ok(()) }
    }
}

impl Edit<'_, '_> {
    pub(crate) fn general(&mut self, action: GeneralAction) -> Result<(), IllegalReason> {
        match action {
            GeneralAction::BuySpell => self.buy_spell(),
            GeneralAction::Sell => self.sell(),
            GeneralAction::March => self.march(),
            GeneralAction::Advance { index } => {
                let status = self.state.tech_step(self.config, index)?;
                self.step(index, status);
                Ok(())
            }
            GeneralAction::Assign { board, card } => self.assign(board, card),
        }
    }

    fn step(&mut self, index: u8, status: TechStatus) {
        let mut levels = self.state.tech[self.state.side];
        levels.set(index, status);
        self.set_tech(self.state.side, levels);
        let budget = self.state.budget;
        self.set_budget(Budget { tech_points: budget.tech_points.saturating_sub(1), ..budget });
    }

    fn march(&mut self) -> Result<(), IllegalReason> {
        if let Some(index) = self.state.check_march(self.config)? {
            self.step(index, TechStatus::Unlocked);
        } else {
            let budget = self.state.budget;
            self.set_budget(Budget { tech_points: budget.tech_points.saturating_sub(1), ..budget });
        }
        Ok(())
    }

    fn buy_spell(&mut self) -> Result<(), IllegalReason> {
        let left = self.state.check_buy_spell(self.config)?;
        if self.config.rules.spells {
            self.refill();
            self.draw_card();
        }
        self.set_souls(self.state.side, left);
        let Budget { tech_points, bought, sold } = self.state.budget;
        let (tech_points, bought) = (tech_points.saturating_add(1), bought.saturating_add(1));
        self.set_budget(Budget { tech_points, bought, sold });
        Ok(())
    }

    /// Fills both queues to n + 11 cards (rules §7).
    fn refill(&mut self) {
        for side in Side::ALL {
            let missing =
                (self.config.num_boards() + QUEUE_EXTRA).saturating_sub(self.state.decks[side].queue.len());
            for _ in 0..missing {
                self.deal_card(side);
            }
        }
    }

    fn sell(&mut self) -> Result<(), IllegalReason> {
        let side = self.state.side;
        let tech_points = self.state.check_sell(self.config)?;
        self.set_budget(Budget { tech_points, sold: true, ..self.state.budget });
        let souls = self.state.souls[side].saturating_add(self.config.num_boards() as u32);
        self.set_souls(side, souls);
        Ok(())
    }

    fn assign(&mut self, board: u8, card: u8) -> Result<(), IllegalReason> {
        if !self.config.rules.spells {
            return Err(IllegalReason::NoSpells);
        }
        let view = self.view(board)?;
        let (side, place) = (view.side, usize::from(card));
        let spell = self.state.check_assign(self.config, &view, place)?;
        self.add_card(board, side, spell);
        self.take_row_card(place);
        self.change_marks(board, |marks| marks.picks = marks.picks.saturating_add(1));
        Ok(())
    }

    pub(crate) fn buy(&mut self, board: u8, unit: UnitLabel) -> Result<(), IllegalReason> {
        let view = self.view(board)?;
        let side = view.side;
        let (left, count) = self.state.check_buy(self.config, &view, unit)?;
        self.set_souls(side, left);
        self.set_reserve(board, side, unit, count);
        Ok(())
    }

    /// The kept unit after a reset (rules §17; divergences 40 to 42).
    pub(crate) fn keep(&mut self, board: u8, unit: Option<UnitLabel>) -> Result<(), IllegalReason> {
        let view = self.view(board)?;
        view.check_keep(unit)?;
        let side = view.side;
        match view.rules.reset_choice {
            ResetChoice::Optional => {
                let free = view.board.free(side).saturating_sub(1);
                for unit in unit.into_iter().chain([UnitLabel::Zombie]) {
                    self.add_reserve(board, side, unit);
                }
                self.set_free(board, side, free);
            }
            ResetChoice::Mandatory => {
                if let Some(unit) = unit {
                    for other in UnitLabel::ALL {
                        let count = self.view(board)?.board.reserve(side, other);
                        let left = u8::from(other == unit);
                        if count != left {
                            self.set_reserve(board, side, other, left);
                        }
                    }
                }
                self.add_reserve(board, side, UnitLabel::Zombie);
                self.change_marks(board, |marks| marks.set_up = true);
            }
        }
        Ok(())
    }

    fn add_reserve(&mut self, board: u8, side: Side, unit: UnitLabel) {
        if let Ok(view) = self.view(board) {
            let count = view.board.reserve(side, unit).saturating_add(1);
            self.set_reserve(board, side, unit, count);
        }
    }

    /// Resigns a board, which is final (rules §16, quirk Q1 as recommended).
    pub(crate) fn resign(&mut self, board: u8) -> Result<(), IllegalReason> {
        self.view(board)?;
        self.change_marks(board, |marks| marks.resigned = true);
        Ok(())
    }

    /// Whether the end of the turn must be refused: a mandatory setup is missing (divergence 41).
    pub(crate) fn check_end(&self) -> Result<(), (u8, IllegalReason)> {
        if self.config.rules.reset_choice == ResetChoice::Mandatory {
            for (index, board) in self.state.boards.iter().enumerate() {
                let marks = board.marks();
                if board.state().is_reset() && !marks.set_up && !marks.resigned {
                    return Err((index as u8, IllegalReason::SetupMissing));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minions::tables::map::MapLabel;
    use crate::minions::tables::ruleset::Ruleset;
    use crate::minions::tables::tech::{TechLevels, Techline};
    use crate::rng::Rng;

    #[test]
    fn the_steps_of_a_line_are_those_that_are_allowed_one_by_one() {
        let mut rng = Rng::new(5);
        let mut allowed = [0; 3];
        for round in 0..2_000 {
            let ruleset = [Ruleset::Server, Ruleset::Spooky][round % 2];
            let config = GameConfig::new(ruleset, &[MapLabel::ALL[0]]).unwrap();
            let techs = config.techline.techs();
            let line = Techline::new(&techs[..=rng.below(techs.len() as u32) as usize]).unwrap();
            let config = config.with_techline(line);
            let mut state = GameState::start(&config, 1);
            let full = (1_u32 << config.techline.len()) - 1;
            let mut any = || rng.next_u64() as u32 & full;
            for side in Side::ALL {
                let unlocked = any() | any();
                state.tech[side] = TechLevels { unlocked, acquired: unlocked & any() };
                state.tech_start[side] = TechLevels { unlocked, acquired: unlocked & any() };
            }
            state.budget.tech_points = (round % 5).min(2) as u8;
            let steps = state.tech_steps(&config);
            for index in 0..=u8::MAX {
                let step = state.tech_step(&config, index).ok();
                assert_eq!(steps.status(index), step, "{index} {:?}", state.tech);
                allowed[step.map_or(0, |status| status as usize)] += 1;
            }
        }
        assert!(allowed.iter().all(|&count| count > 500), "{allowed:?}");
    }
}
