//! Enumeration of legal single actions, for engines that sample and for tests. Whole turns cannot be listed;
//! simultaneous moves are listed as swaps only, because their number is exponential.

use crate::hex::{Hex, HexSet};

use super::action::{Action, BoardAction, CastParams, GeneralAction};
use super::game::Game;
use super::illegal::IllegalReason;
use super::view::View;
use crate::minions::tables::figures::Ability;
use crate::minions::tables::ruleset::ResetChoice;
use crate::minions::tables::side::Side;
use crate::minions::tables::spell::{Spell, TargetShape};
use crate::minions::tables::tech::Tech;
use crate::minions::tables::terrain::{Movable, TileType};
use crate::minions::tables::unit::UnitLabel;

impl View<'_> {
    /// Calls `visit` with every legal single action of the attack phase: walks to each reachable hex, attacks,
    /// teleports, blinks.
    pub fn attack_phase_actions(&self, mut visit: impl FnMut(BoardAction)) {
        if self.board.marks().spawn_phase {
            return;
        }
        for from in self.board.pieces(self.side) {
            self.reach(from).into_iter().for_each(|to| visit(BoardAction::walk(from, to)));
            self.targets(from).into_iter().for_each(|to| visit(BoardAction::Attack { from, to }));
            self.teleports(from).into_iter().for_each(|to| visit(BoardAction::Teleport { from, to }));
            if self.check_blink(from).is_ok() {
                visit(BoardAction::Blink { at: from });
            }
        }
    }

    /// Calls `visit` with every pair of friendly pieces that may change places in one simultaneous move.
    pub fn swaps(&self, mut visit: impl FnMut(Hex, Hex)) {
        if self.board.marks().spawn_phase {
            return;
        }
        let friends = self.board.pieces(self.side);
        for (first, piece) in self.board.iter(self.side) {
            for second in (self.walks(first, piece) & friends).without(first) {
                let back = self.board.piece(second).map_or(HexSet::EMPTY, |other| self.walks(second, other));
                if first < second && back.contains(first) {
                    visit(first, second);
                }
            }
        }
    }

    /// Calls `visit` with every legal placement, spawner tile and ability.
    pub fn spawn_phase_actions(&self, mut visit: impl FnMut(BoardAction)) {
        for (unit, _) in self.board.reserves(self.side) {
            self.spawn_hexes(unit).into_iter().for_each(|at| visit(BoardAction::Spawn { unit, at }));
        }
        for at in self.map.all(TileType::Spawner) {
            if self.check_tile(at).is_ok() {
                visit(BoardAction::UseTile { at });
            }
        }
        self.abilities(&mut visit);
    }

    fn abilities(&self, visit: &mut impl FnMut(BoardAction)) {
        for (user, piece) in self.board.iter(self.side) {
            let Some(ability) = self.unit(piece).ability else { continue };
            let any: &[Option<Movable>] = &Movable::ALL.map(Some);
            let kinds = if ability == Ability::MoveTerrain { any } else { &[None] };
            for &terrain in kinds {
                for to in HexSet::ball(user, 1) {
                    if self.check_ability(user, ability, terrain, to).is_ok() {
                        visit(BoardAction::UseAbility { user, ability, terrain, to });
                    }
                }
            }
        }
    }

    /// Calls `visit` with every legal cast of a card in the hand, whatever its phase, and every discard.
    pub fn card_actions(&self, mut visit: impl FnMut(BoardAction)) {
        if !self.rules.spells {
            return;
        }
        let hand = self.board.hand(self.side);
        for (place, &spell) in hand.iter().enumerate() {
            if hand.iter().take(place).any(|&earlier| earlier == spell) {
                continue;
            }
            visit(BoardAction::Discard { spell });
            let mut cast = |params| {
                if self.can_cast(spell, params) {
                    visit(BoardAction::Cast { spell, params });
                }
            };
            let pieces = self.board.all_pieces();
            match spell.shape() {
                TargetShape::None => cast(CastParams::None),
                TargetShape::Piece => pieces.into_iter().for_each(|at| cast(CastParams::Piece(at))),
                TargetShape::PieceHex => {
                    for from in pieces {
                        from.neighbours().iter().for_each(|&to| cast(CastParams::PieceHex(from, to)));
                    }
                }
                TargetShape::Hex => {
                    self.cast_hexes(spell).into_iter().for_each(|at| cast(CastParams::Hex(at)));
                }
                TargetShape::TerrainHex => {
                    for kind in Movable::ALL {
                        self.terrain_hexes()
                            .into_iter()
                            .for_each(|at| cast(CastParams::TerrainHex(kind, at)));
                    }
                }
            }
        }
    }

    /// Superset of the legal target hexes of a spell that takes a hex.
    fn cast_hexes(&self, spell: Spell) -> HexSet {
        match spell {
            Spell::Normalize => {
                Movable::ALL.into_iter().filter_map(|kind| self.board.movable(kind)).collect::<HexSet>()
            }
            _ => self.active_friends().grown() - self.board.all_pieces(),
        }
    }
}

impl Game {
    /// Calls `visit` with every legal single action on a board, purchases and the choice of a kept unit included,
    /// resignation and the end of the phase not.
    pub fn legal_board_actions(&self, board: usize, mut visit: impl FnMut(BoardAction)) {
        let Some(view) = self.view(board) else { return };
        if self.state.is_over() || view.board.marks().resigned {
            return;
        }
        let side = view.side;
        let mut keep = |unit: Option<UnitLabel>| {
            if view.check_keep(unit).is_ok() {
                visit(BoardAction::Keep { unit });
            }
        };
        match self.config.rules.reset_choice {
            ResetChoice::Optional => view.board.candidates(side).for_each(|unit| keep(Some(unit))),
            ResetChoice::Mandatory => {
                keep(None);
                view.board.reserves(side).for_each(|(unit, _)| keep(Some(unit)));
            }
        }
        for unit in UnitLabel::ALL {
            if self.may_buy(board, unit).is_ok() {
                visit(BoardAction::Buy { unit });
            }
        }
        view.attack_phase_actions(&mut visit);
        view.card_actions(&mut visit);
        view.spawn_phase_actions(&mut visit);
    }

    /// Whether the side to move could buy this unit for a board now, and if not, why not.
    pub fn may_buy(&self, board: usize, unit: UnitLabel) -> Result<(), IllegalReason> {
        let view = self.view(board).ok_or(IllegalReason::NoSuchBoard)?;
        if self.state.is_over() {
            return Err(IllegalReason::GameOver);
        }
        if view.board.marks().resigned {
            return Err(IllegalReason::Resigned);
        }
        if !view.rules.buy_in_no_spawn_states && !view.board.state().allows_spawn() {
            return Err(IllegalReason::BoardState);
        }
        view.check_set_up()?;
        self.state.may_buy(&self.config, unit)?;
        if self.state.souls[view.side] < u32::from(view.rules.unit(unit).cost) {
            return Err(IllegalReason::Souls);
        }
        if view.board.reserve(view.side, unit) == u8::MAX { Err(IllegalReason::Capacity) } else { Ok(()) }
    }

    /// Calls `visit` with every legal action of the general.
    pub fn legal_general_actions(&self, mut visit: impl FnMut(Action)) {
        let state = &self.state;
        if state.is_over() {
            return;
        }
        let side: Side = state.side;
        let budget = state.budget;
        if state.souls[side] >= self.config.spell_price()
            && budget.bought < u8::MAX
            && budget.tech_points < u8::MAX
            && !(self.config.rules.spells && state.row.is_full())
        {
            visit(Action::General(GeneralAction::BuySpell));
        }
        if self.config.rules.thaumaturgy
            && !budget.sold
            && budget.tech_points > 0
            && state.had_tech(&self.config, side, Tech::Thaumaturgy)
        {
            visit(Action::General(GeneralAction::Sell));
        }
        for index in 0..self.config.techline.len() as u8 {
            if state.tech_step(&self.config, index).is_ok() {
                visit(Action::General(GeneralAction::Advance { index }));
            }
        }
        let locked = state.tech[side].first_locked(self.config.techline.len()).is_some();
        if budget.tech_points > 0 && (locked || !self.config.rules.auto_march) {
            visit(Action::General(GeneralAction::March));
        }
        if !self.config.rules.spells || state.num_taken() >= self.config.num_boards() {
            return;
        }
        let several = self.config.rules.metamagic && state.had_tech(&self.config, side, Tech::Metamagic);
        for (index, board) in state.boards.iter().enumerate() {
            if (board.marks().picks > 0 && !several) || board.hand(side).is_full() {
                continue;
            }
            for card in (0..state.row.len()).filter(|&card| !state.is_taken(card)) {
                let assign = GeneralAction::Assign { board: index as u8, card: card as u8 };
                visit(Action::General(assign));
            }
        }
    }
}
