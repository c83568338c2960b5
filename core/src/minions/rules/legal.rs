//! Enumeration of legal single actions, for engines that sample and for tests. Whole turns cannot be listed;
//! simultaneous moves are listed as swaps only, because their number is exponential.

use crate::hex::{Hex, HexSet};

use super::action::{Action, BoardAction, CastParams, GeneralAction};
use super::game::Game;
use super::illegal::IllegalReason;
use super::view::View;
use crate::minions::tables::figures::Ability;
use crate::minions::tables::ruleset::ResetChoice;
use crate::minions::tables::spell::{Spell, TargetShape};
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
        self.state.check_buy(&self.config, &view, unit).map(|_| ())
    }

    /// Calls `visit` with every legal action of the general.
    pub fn legal_general_actions(&self, mut visit: impl FnMut(Action)) {
        let state = &self.state;
        if state.is_over() {
            return;
        }
        if state.check_buy_spell(&self.config).is_ok() {
            visit(Action::General(GeneralAction::BuySpell));
        }
        if state.check_sell(&self.config).is_ok() {
            visit(Action::General(GeneralAction::Sell));
        }
        for index in 0..self.config.techline.len() as u8 {
            if state.tech_step(&self.config, index).is_ok() {
                visit(Action::General(GeneralAction::Advance { index }));
            }
        }
        if state.check_march(&self.config).is_ok() {
            visit(Action::General(GeneralAction::March));
        }
        if !self.config.rules.spells {
            return;
        }
        for board in 0..state.boards.len() {
            let Some(view) = self.view(board) else { continue };
            for place in 0..state.row.len() {
                if state.check_assign(&self.config, &view, place).is_ok() {
                    let assign = GeneralAction::Assign { board: board as u8, card: place as u8 };
                    visit(Action::General(assign));
                }
            }
        }
    }
}
