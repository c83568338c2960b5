//! All policies of the turn search by one network, with the hand-written ones where a net has no say. With an
//! [`OraclePort`](crate::ports::OraclePort) and a planner they are
//! [`SharedPorts`](barrow_core::minions::turn_search::ports::SharedPorts).

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::players::FallbackPolicies;
use barrow_core::minions::turn_search::ports::{
    AttackPolicy, BoardSpells, Fates, GeneralChoice, GeneralPolicy, Menaces, SpawnPolicy, Worths,
};
use barrow_core::minions::{DraftMemory, Game, GeneralAction, Spell, UnitLabel};

use crate::nets::Network;
use crate::ports::GeneralPort;
use crate::shape::Profile;

/// Policies of a network: the general's net rates choices of techs; prophecies, menaces, places, spells, cards and whole turns are
/// hand-written. This is how the engine plays by default; no match shows that Death Prophet or Dark Seer pays.
pub struct NetPolicies<'n, P: Profile> {
    hand: FallbackPolicies,
    general: Option<GeneralPort<'n, P>>,
}

impl<'n, P: Profile> NetPolicies<'n, P> {
    /// Policies that know no position yet.
    pub fn new(network: Network<'n, P>) -> NetPolicies<'n, P> {
        NetPolicies { hand: FallbackPolicies::new(), general: GeneralPort::new(network) }
    }
}

impl<P: Profile> AttackPolicy for NetPolicies<'_, P> {
    fn prophesy(&mut self, game: &Game, board: usize, mode: u8) -> Fates {
        self.hand.prophesy(game, board, mode)
    }

    fn menaces(&mut self, game: &Game, board: usize) -> Menaces {
        self.hand.menaces(game, board)
    }
}

impl<P: Profile> SpawnPolicy for NetPolicies<'_, P> {
    fn begin_board(&mut self, game: &Game, board: usize) {
        self.hand.begin_board(game, board);
    }

    fn spawn(&mut self, game: &Game, board: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths) {
        self.hand.spawn(game, board, unit, hexes, worths);
    }

    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths) {
        self.hand.stand(game, board, from, hexes, worths);
    }

    fn spells(&mut self, game: &Game, board: usize, memory: &mut DraftMemory) -> BoardSpells {
        self.hand.spells(game, board, memory)
    }

    fn unit(&mut self, game: &Game, board: usize, unit: UnitLabel) -> i32 {
        self.hand.unit(game, board, unit)
    }
}

impl<P: Profile> GeneralPolicy for NetPolicies<'_, P> {
    fn begin(&mut self, game: &Game) {
        match &mut self.general {
            Some(general) => general.begin(game),
            None => GeneralPolicy::begin(&mut self.hand, game),
        }
    }

    fn prior(&mut self, game: &Game, choice: &[GeneralAction]) -> u32 {
        match &mut self.general {
            Some(general) => general.prior(game, choice),
            None => self.hand.prior(game, choice),
        }
    }

    fn whole_turn(&mut self, game: &Game, techs: Option<&GeneralChoice>, memory: &mut DraftMemory) -> bool {
        self.hand.whole_turn(game, techs, memory)
    }

    fn card(&mut self, game: &Game, board: usize, spell: Spell) -> i32 {
        self.hand.card(game, board, spell)
    }
}
