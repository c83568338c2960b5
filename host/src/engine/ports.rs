//! Who fulfils the ports of the search: the nets, or the hand-written taste where there is no net or none is wanted.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::players::Taste;
use barrow_core::minions::turn_search::Team;
use barrow_core::minions::turn_search::ports::{
    AttackPolicy, Charms, Evaluator, Fates, Menaces, SpawnPolicy, Stage, Worths,
};
use barrow_core::minions::{Game, UnitLabel};
use barrow_core::search::value::Curve;
use barrow_core::search::value::Estimate;
use barrow_nnue::nets::Network;
use barrow_nnue::ports::{OraclePort, VisionPort};
use barrow_nnue::shape::Desktop;
use barrow_solver::attack::Planner;

/// Which nets are used. Each can be switched off, to measure what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetSwitches {
    /// Oracle judges positions.
    pub oracle: bool,
    /// Death Prophet foretells attacks.
    pub prophet: bool,
    /// Dark Seer says where units go.
    pub seer: bool,
}

impl Default for NetSwitches {
    fn default() -> Self {
        NetSwitches { oracle: true, prophet: true, seer: false }
    }
}

/// The team of a player.
pub type EnginePorts<'p> = Team<OracleOrFallback, ProphetOrFallback, Planner<'p>, SeerOrFallback, Taste>;

/// Brings a team together.
pub(super) fn team<'p>(
    network: Option<&Network<'static, Desktop>>,
    net_switches: NetSwitches,
    words: &'p mut [u32],
) -> EnginePorts<'p> {
    let oracle = network.copied().filter(|_| net_switches.oracle);
    let seer = network.copied().filter(|_| net_switches.seer);
    Team {
        evaluator: oracle.map_or_else(
            || OracleOrFallback::Hand(Box::default()),
            |net| OracleOrFallback::Net(Box::new(OraclePort::new(net))),
        ),
        prophet: ProphetOrFallback {
            vision: network
                .copied()
                .filter(|_| net_switches.prophet)
                .map(|net| Box::new(VisionPort::new(net))),
            taste: Taste::default(),
        },
        planner: Planner::new(words),
        spawner: SeerOrFallback { vision: seer.map(VisionPort::new), taste: Taste::default() },
        general: Taste::default(),
    }
}

/// Oracle, or the hand-written value.
pub enum OracleOrFallback {
    /// The net.
    Net(Box<OraclePort<'static, Desktop>>),
    /// The hand-written value.
    Hand(Box<Taste>),
}

impl OracleOrFallback {
    fn port(&mut self) -> &mut dyn Evaluator {
        match self {
            OracleOrFallback::Net(net) => net.as_mut(),
            OracleOrFallback::Hand(taste) => taste.as_mut(),
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

/// Death Prophet, or the hand-written prophecy where there is no net; what a board must be defended against is
/// always told by hand.
pub struct ProphetOrFallback {
    vision: Option<Box<VisionPort<'static, Desktop>>>,
    taste: Taste,
}

impl AttackPolicy for ProphetOrFallback {
    fn prophesy(&mut self, game: &Game, board: usize) -> Fates {
        match &mut self.vision {
            Some(net) => net.prophesy(game, board),
            None => self.taste.prophesy(game, board),
        }
    }

    fn menaces(&mut self, game: &Game, board: usize) -> Menaces {
        self.taste.menaces(game, board)
    }
}

/// Dark Seer for places, the hand-written taste for prices and spells.
pub struct SeerOrFallback {
    vision: Option<VisionPort<'static, Desktop>>,
    taste: Taste,
}

impl SpawnPolicy for SeerOrFallback {
    fn look(&mut self, game: &Game, board: usize) {
        self.taste.look(game, board);
        if let Some(vision) = &mut self.vision {
            vision.look(game, board);
        }
    }

    fn spawn(&mut self, game: &Game, board: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths) {
        match &mut self.vision {
            Some(vision) => vision.spawn(game, board, unit, hexes, worths),
            None => self.taste.spawn(game, board, unit, hexes, worths),
        }
    }

    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths) {
        match &mut self.vision {
            Some(vision) => vision.stand(game, board, from, hexes, worths),
            None => self.taste.stand(game, board, from, hexes, worths),
        }
    }

    fn charms(&mut self, game: &Game, board: usize) -> Charms {
        self.taste.charms(game, board)
    }

    fn unit(&mut self, game: &Game, board: usize, unit: UnitLabel) -> i32 {
        self.taste.unit(game, board, unit)
    }
}
