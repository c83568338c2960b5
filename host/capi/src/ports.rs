//! Ports of the search for any network, or for none: the nets where there is one, and the hand-written policies where there
//! is none. The engine of `host` joins them in the same way for its player `builtin:tiny`, which searches with as little stack.

use core::fmt;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::players::{FallbackEvaluator, FallbackPolicies};
use barrow_core::minions::turn_search::ports::{
    AttackPolicy, BoardSpells, Evaluator, Fates, GeneralChoice, GeneralPolicy, Menaces, SharedPorts,
    SpawnPolicy, Stage, Worths,
};
use barrow_core::minions::{DraftMemory, Game, GeneralAction, Spell, UnitLabel};
use barrow_core::search::value::{Curve, Estimate};
#[cfg(any(feature = "net-desktop", feature = "net-handheld", feature = "net-tiny"))]
use barrow_nnue::embedded_nets;
use barrow_nnue::format::{FormatError, Header};
#[cfg(feature = "desktop")]
use barrow_nnue::shape::Desktop;
#[cfg(feature = "handheld")]
use barrow_nnue::shape::Handheld;
#[cfg(feature = "tiny")]
use barrow_nnue::shape::Tiny;
#[cfg(any(feature = "desktop", feature = "handheld", feature = "tiny"))]
use barrow_nnue::{net_policies::NetPolicies, nets::Network, ports::OraclePort, shape::Profile};
use barrow_solver::attack::{OrdinaryRoom, Planner};

/// Reason why bytes are no network for this library.
pub(crate) enum BadNet {
    /// The file is not as it must be.
    Format(FormatError),
    /// A network of a profile that this library was built without.
    Profile(u16),
}

impl fmt::Display for BadNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadNet::Format(error) => fmt::Display::fmt(error, f),
            BadNet::Profile(code) => write!(f, "the library was built without profile {code}"),
        }
    }
}

/// Makes an enum with a variant for each profile that the library has, and a function that looks into it.
macro_rules! by_profile {
    ($(#[$about:meta])* $name:ident, $port:ident, $seen:ident: $trait:path, $($first:ident($inner:ty),)?) => {
        $(#[$about])*
        // One of them is in each handle of a search, in memory that the caller has sized for it.
        #[allow(clippy::large_enum_variant)]
        pub(crate) enum $name {
            $($first($inner),)?
            #[cfg(feature = "desktop")]
            Desktop($port<'static, Desktop>),
            #[cfg(feature = "handheld")]
            Handheld($port<'static, Handheld>),
            #[cfg(feature = "tiny")]
            Tiny($port<'static, Tiny>),
        }

        impl $name {
            fn $seen(&mut self) -> &mut dyn $trait {
                match self {
                    $($name::$first(port) => port,)?
                    #[cfg(feature = "desktop")]
                    $name::Desktop(port) => port,
                    #[cfg(feature = "handheld")]
                    $name::Handheld(port) => port,
                    #[cfg(feature = "tiny")]
                    $name::Tiny(port) => port,
                }
            }
        }
    };
}

/// Network of one of the profiles, in memory that stays.
#[derive(Clone, Copy)]
pub(crate) enum Net {
    #[cfg(feature = "desktop")]
    Desktop(Network<'static, Desktop>),
    #[cfg(feature = "handheld")]
    Handheld(Network<'static, Handheld>),
    #[cfg(feature = "tiny")]
    Tiny(Network<'static, Tiny>),
}

impl Net {
    /// Network of a file's bytes.
    pub(crate) fn read(file: &'static [u8]) -> Result<Net, BadNet> {
        let header = Header::read(file).map_err(BadNet::Format)?;
        match header.profile() {
            #[cfg(feature = "desktop")]
            Desktop::CODE => Network::from_bytes(file).map(Net::Desktop).map_err(BadNet::Format),
            #[cfg(feature = "handheld")]
            Handheld::CODE => Network::from_bytes(file).map(Net::Handheld).map_err(BadNet::Format),
            #[cfg(feature = "tiny")]
            Tiny::CODE => Network::from_bytes(file).map(Net::Tiny).map_err(BadNet::Format),
            other => Err(BadNet::Profile(other)),
        }
    }

    /// File of a network within the library.
    pub(crate) fn embedded(profile: &str) -> Option<&'static [u8]> {
        match profile {
            #[cfg(feature = "net-desktop")]
            "desktop" => Some(embedded_nets::DESKTOP),
            #[cfg(feature = "net-handheld")]
            "handheld" => Some(embedded_nets::HANDHELD),
            #[cfg(feature = "net-tiny")]
            "tiny" => Some(embedded_nets::TINY),
            _ => None,
        }
    }

    pub(crate) fn profile_name(&self) -> &'static str {
        // A library without networks has no value to look at, only the type.
        match *self {
            #[cfg(feature = "desktop")]
            Net::Desktop(_) => Desktop::NAME,
            #[cfg(feature = "handheld")]
            Net::Handheld(_) => Handheld::NAME,
            #[cfg(feature = "tiny")]
            Net::Tiny(_) => Tiny::NAME,
        }
    }

    pub(crate) fn header(&self) -> &Header {
        match *self {
            #[cfg(feature = "desktop")]
            Net::Desktop(ref network) => network.header(),
            #[cfg(feature = "handheld")]
            Net::Handheld(ref network) => network.header(),
            #[cfg(feature = "tiny")]
            Net::Tiny(ref network) => network.header(),
        }
    }
}

by_profile! {
    /// Evaluator: Oracle, or the hand-written value.
    Oracle, OraclePort, evaluator: Evaluator, Hand(FallbackEvaluator),
}

impl Oracle {
    pub(crate) fn new(net: Option<Net>) -> Oracle {
        match net {
            None => Oracle::Hand(FallbackEvaluator),
            #[cfg(feature = "desktop")]
            Some(Net::Desktop(network)) => Oracle::Desktop(OraclePort::new(network)),
            #[cfg(feature = "handheld")]
            Some(Net::Handheld(network)) => Oracle::Handheld(OraclePort::new(network)),
            #[cfg(feature = "tiny")]
            Some(Net::Tiny(network)) => Oracle::Tiny(OraclePort::new(network)),
        }
    }
}

impl Evaluator for Oracle {
    fn begin(&mut self, game: &Game) {
        self.evaluator().begin(game);
    }

    fn evaluate(&mut self, game: &Game) -> Estimate {
        self.evaluator().evaluate(game)
    }

    fn evaluate_begun(&mut self, game: &Game) -> Estimate {
        self.evaluator().evaluate_begun(game)
    }

    fn evaluate_board(&mut self, game: &Game, board: usize, stage: Stage) -> Estimate {
        self.evaluator().evaluate_board(game, board, stage)
    }

    fn evaluate_general(&mut self, game: &Game) -> Estimate {
        self.evaluator().evaluate_general(game)
    }

    fn curve(&mut self, game: &Game, board: usize) -> Curve {
        self.evaluator().curve(game, board)
    }

    fn savings(&mut self, game: &Game) -> Curve {
        self.evaluator().savings(game)
    }
}

/// All policies of a network.
pub(crate) trait AllPolicies: AttackPolicy + SpawnPolicy + GeneralPolicy {}

impl<P: AttackPolicy + SpawnPolicy + GeneralPolicy> AllPolicies for P {}

by_profile! {
    /// Policies: those of a network, or the hand-written ones.
    Policies, NetPolicies, all: AllPolicies, Hand(FallbackPolicies),
}

impl Policies {
    pub(crate) fn new(net: Option<Net>) -> Policies {
        match net {
            None => Policies::Hand(FallbackPolicies::new()),
            #[cfg(feature = "desktop")]
            Some(Net::Desktop(network)) => Policies::Desktop(NetPolicies::new(network)),
            #[cfg(feature = "handheld")]
            Some(Net::Handheld(network)) => Policies::Handheld(NetPolicies::new(network)),
            #[cfg(feature = "tiny")]
            Some(Net::Tiny(network)) => Policies::Tiny(NetPolicies::new(network)),
        }
    }
}

impl AttackPolicy for Policies {
    fn prophesy(&mut self, game: &Game, board: usize, mode: u8) -> Fates {
        self.all().prophesy(game, board, mode)
    }

    fn menaces(&mut self, game: &Game, board: usize) -> Menaces {
        self.all().menaces(game, board)
    }
}

impl SpawnPolicy for Policies {
    fn begin_board(&mut self, game: &Game, board: usize) {
        self.all().begin_board(game, board);
    }

    fn begin_finish(&mut self, known: u32) {
        self.all().begin_finish(known);
    }

    fn spawn(&mut self, game: &Game, board: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths) {
        self.all().spawn(game, board, unit, hexes, worths);
    }

    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths) {
        self.all().stand(game, board, from, hexes, worths);
    }

    fn spells(&mut self, game: &Game, board: usize, memory: &mut DraftMemory) -> BoardSpells {
        self.all().spells(game, board, memory)
    }

    fn unit(&mut self, game: &Game, board: usize, unit: UnitLabel) -> i32 {
        self.all().unit(game, board, unit)
    }
}

impl GeneralPolicy for Policies {
    fn begin(&mut self, game: &Game) {
        self.all().begin(game);
    }

    fn prior(&mut self, game: &Game, choice: &[GeneralAction]) -> u32 {
        self.all().prior(game, choice)
    }

    fn whole_turn(&mut self, game: &Game, techs: Option<&GeneralChoice>, memory: &mut DraftMemory) -> bool {
        self.all().whole_turn(game, techs, memory)
    }

    fn card(&mut self, game: &Game, board: usize, spell: Spell) -> i32 {
        self.all().card(game, board, spell)
    }
}

/// The ports of a search, which are lent to it.
pub(crate) type SearchPorts =
    SharedPorts<&'static mut Oracle, &'static mut Policies, Planner<'static, &'static mut OrdinaryRoom>>;
