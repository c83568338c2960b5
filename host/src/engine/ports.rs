//! The ports of the search as the engine implements them: by the nets, or by the hand-written policies (the fallback)
//! where a net is missing or switched off.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::players::FallbackPolicies;
use barrow_core::minions::turn_search::ports::{
    AttackPolicy, BoardSpells, Evaluator, Fates, GeneralChoice, GeneralPolicy, JoinedPorts, Menaces,
    SpawnPolicy, Stage, Worths,
};
use barrow_core::minions::{DraftMemory, Game, GeneralAction, Spell, UnitLabel};
use barrow_core::search::value::Curve;
use barrow_core::search::value::Estimate;
use barrow_solver::attack::{LargeRoom, Planner};

use super::network::{EngineNetwork, StaticNetwork};

/// Switches of the nets. Each net can be switched off, to measure its worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetSwitches {
    /// Oracle evaluates positions.
    pub oracle: bool,
    /// Death Prophet proposes attacks.
    pub prophet: bool,
    /// Dark Seer places units.
    pub seer: bool,
    /// The general's net rates choices of techs.
    pub general: bool,
}

impl Default for NetSwitches {
    fn default() -> Self {
        NetSwitches { oracle: true, prophet: false, seer: false, general: true }
    }
}

/// The ports of one search thread.
pub(super) type EnginePorts<'p> = JoinedPorts<
    OracleOrFallback,
    ProphetOrFallback,
    Planner<'p, &'p mut LargeRoom>,
    SeerOrFallback,
    GeneralOrFallback,
>;

/// The ports of one search thread, with the nets of a network. The attack planner works in these words, and builds its
/// models in this room.
pub(super) fn engine_ports<'p>(
    network: Option<StaticNetwork>,
    net_switches: NetSwitches,
    (words, room): (&'p mut [u32], &'p mut LargeRoom),
) -> EnginePorts<'p> {
    let oracle = network.filter(|_| net_switches.oracle);
    let seer = network.filter(|_| net_switches.seer);
    JoinedPorts {
        evaluator: oracle.map_or_else(
            || OracleOrFallback::Hand(Box::default()),
            |net| OracleOrFallback::Net(net.evaluator()),
        ),
        attack_policy: ProphetOrFallback {
            vision: network.filter(|_| net_switches.prophet).map(EngineNetwork::attack_policy),
            fallback: FallbackPolicies::default(),
        },
        attack_planner: Planner::with_room(words, room),
        spawn_policy: SeerOrFallback {
            vision: seer.map(EngineNetwork::spawn_policy),
            fallback: FallbackPolicies::default(),
            asks: false,
        },
        general_policy: GeneralOrFallback {
            net: network.filter(|_| net_switches.general).and_then(EngineNetwork::general_policy),
            fallback: FallbackPolicies::default(),
        },
    }
}

/// Evaluator: Oracle, or the hand-written value.
pub(super) enum OracleOrFallback {
    /// The net.
    Net(Box<dyn Evaluator + Send>),
    /// The hand-written value.
    Hand(Box<FallbackPolicies>),
}

impl OracleOrFallback {
    fn port(&mut self) -> &mut dyn Evaluator {
        match self {
            OracleOrFallback::Net(net) => net.as_mut(),
            OracleOrFallback::Hand(fallback) => fallback.as_mut(),
        }
    }
}

impl Evaluator for OracleOrFallback {
    fn begin(&mut self, game: &Game) {
        self.port().begin(game);
    }

    fn evaluate(&mut self, game: &Game) -> Estimate {
        self.port().evaluate(game)
    }

    fn evaluate_begun(&mut self, game: &Game) -> Estimate {
        self.port().evaluate_begun(game)
    }

    fn evaluate_board(&mut self, game: &Game, board: usize, stage: Stage) -> Estimate {
        self.port().evaluate_board(game, board, stage)
    }

    fn evaluate_general(&mut self, game: &Game) -> Estimate {
        self.port().evaluate_general(game)
    }

    fn curve(&mut self, game: &Game, board: usize) -> Curve {
        self.port().curve(game, board)
    }

    fn savings(&mut self, game: &Game) -> Curve {
        self.port().savings(game)
    }
}

/// Attack policy: Death Prophet, or the hand-written prophecy. Menaces are hand-written in either case.
pub(super) struct ProphetOrFallback {
    vision: Option<Box<dyn AttackPolicy + Send>>,
    fallback: FallbackPolicies,
}

impl AttackPolicy for ProphetOrFallback {
    fn modes(&self) -> u8 {
        self.vision.as_ref().map_or(1, |net| net.modes() + 1)
    }

    fn prophesy(&mut self, game: &Game, board: usize, mode: u8) -> Fates {
        match &mut self.vision {
            Some(net) if mode < net.modes() => net.prophesy(game, board, mode),
            _ => self.fallback.prophesy(game, board, 0),
        }
    }

    fn menaces(&mut self, game: &Game, board: usize) -> Menaces {
        self.fallback.menaces(game, board)
    }
}

/// Spawn policy: the hand-written worths for the first finish of an attack, for the second with Dark Seer's corrections
/// where there is one, and so on by turns, so that the search decides which are better. Spells are hand-written in either
/// case.
#[derive(Default)]
pub(super) struct SeerOrFallback {
    vision: Option<Box<dyn SpawnPolicy + Send>>,
    fallback: FallbackPolicies,
    /// Whether the present finish asks Dark Seer.
    asks: bool,
}

impl SpawnPolicy for SeerOrFallback {
    fn begin_finish(&mut self, known: u32) {
        self.asks = !known.is_multiple_of(2);
    }

    fn begin_board(&mut self, game: &Game, board: usize) {
        self.fallback.begin_board(game, board);
        if let Some(vision) = self.vision.as_mut().filter(|_| self.asks) {
            vision.begin_board(game, board);
        }
    }

    fn spawn(&mut self, game: &Game, board: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths) {
        self.fallback.spawn(game, board, unit, hexes, worths);
        if let Some(vision) = self.vision.as_mut().filter(|_| self.asks) {
            let mut corrections: Worths = [0; Hex::COUNT];
            vision.spawn(game, board, unit, hexes, &mut corrections);
            add(worths, &corrections);
        }
    }

    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths) {
        self.fallback.stand(game, board, from, hexes, worths);
        if let Some(vision) = self.vision.as_mut().filter(|_| self.asks) {
            let mut corrections: Worths = [0; Hex::COUNT];
            vision.stand(game, board, from, hexes, &mut corrections);
            add(worths, &corrections);
        }
    }

    fn spells(&mut self, game: &Game, board: usize, memory: &mut DraftMemory) -> BoardSpells {
        self.fallback.spells(game, board, memory)
    }

    fn unit(&mut self, game: &Game, board: usize, unit: UnitLabel) -> i32 {
        let vision = self.vision.as_mut().filter(|_| self.asks);
        let correction = vision.map_or(0, |vision| vision.unit(game, board, unit));
        self.fallback.unit(game, board, unit).saturating_add(correction)
    }
}

fn add(worths: &mut Worths, corrections: &Worths) {
    for (worth, correction) in worths.iter_mut().zip(corrections) {
        *worth = worth.saturating_add(*correction);
    }
}

/// General policy: the general's net for choices of techs, or the hand-written policy; whole turns and cards are
/// hand-written in either case.
pub(super) struct GeneralOrFallback {
    net: Option<Box<dyn GeneralPolicy + Send>>,
    fallback: FallbackPolicies,
}

impl GeneralPolicy for GeneralOrFallback {
    fn begin(&mut self, game: &Game) {
        match &mut self.net {
            Some(net) => net.begin(game),
            None => GeneralPolicy::begin(&mut self.fallback, game),
        }
    }

    fn prior(&mut self, game: &Game, choice: &[GeneralAction]) -> u32 {
        match &mut self.net {
            Some(net) => net.prior(game, choice),
            None => self.fallback.prior(game, choice),
        }
    }

    fn whole_turn(&mut self, game: &Game, techs: Option<&GeneralChoice>, memory: &mut DraftMemory) -> bool {
        self.fallback.whole_turn(game, techs, memory)
    }

    fn card(&mut self, game: &Game, board: usize, spell: Spell) -> i32 {
        self.fallback.card(game, board, spell)
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::{GameConfig, Ruleset};

    use super::*;

    /// A spawn policy that wants everything a hundred more than another.
    struct Hundred;

    impl SpawnPolicy for Hundred {
        fn begin_board(&mut self, _: &Game, _: usize) {}

        fn spawn(&mut self, _: &Game, _: usize, _: UnitLabel, hexes: HexSet, worths: &mut Worths) {
            hexes.into_iter().for_each(|hex| worths[hex.index()] = 100);
        }

        fn stand(&mut self, _: &Game, _: usize, _: Hex, hexes: HexSet, worths: &mut Worths) {
            hexes.into_iter().for_each(|hex| worths[hex.index()] = 100);
        }

        fn unit(&mut self, _: &Game, _: usize, _: UnitLabel) -> i32 {
            100
        }
    }

    #[test]
    fn every_second_finish_asks_dark_seer() {
        let game = Game::new(GameConfig::default().with_ruleset(Ruleset::Server), 1);
        let view = game.view(0).unwrap();
        let (from, _) = view.board.iter(view.side).next().unwrap();
        let mut with = SeerOrFallback {
            vision: Some(Box::new(Hundred)),
            fallback: FallbackPolicies::default(),
            asks: false,
        };
        let mut alone = SeerOrFallback::default();
        for known in 0..4 {
            let mut worths: [[Worths; 2]; 2] = [[[0; Hex::COUNT]; 2]; 2];
            let mut units = [0; 2];
            for (index, policy) in [&mut with, &mut alone].into_iter().enumerate() {
                policy.begin_finish(known);
                policy.begin_board(&game, 0);
                policy.spawn(&game, 0, UnitLabel::Zombie, HexSet::ALL, &mut worths[index][0]);
                policy.stand(&game, 0, from, HexSet::ALL, &mut worths[index][1]);
                units[index] = policy.unit(&game, 0, UnitLabel::Zombie);
            }
            let more = if known % 2 == 1 { 100 } else { 0 };
            assert_eq!(units[0] - units[1], more);
            for (with, alone) in worths[0].iter().flatten().zip(worths[1].iter().flatten()) {
                assert_eq!(with - alone, more);
            }
        }
    }
}
