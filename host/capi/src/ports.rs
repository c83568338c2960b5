//! Ports of the search for any network, or for none: the nets where there is one, and the hand-written policies where there
//! is none or where they are better. They are joined as in the engine of `host`, so that both find the same turns.

use core::fmt;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::players::FallbackPolicies;
use barrow_core::minions::turn_search::ports::{
    BoardSpells, Evaluator, GeneralPolicy, JoinedPorts, SpawnPolicy, Stage, Worths,
};
use barrow_core::minions::{Game, GameTurn, GeneralAction, Spell, UnitLabel};
use barrow_core::search::value::{Curve, Estimate};
#[cfg(any(feature = "net-desktop", feature = "net-handheld", feature = "net-tiny"))]
use barrow_nnue::embedded_nets;
use barrow_nnue::format::{FormatError, Header};
use barrow_nnue::nets::Network;
use barrow_nnue::ports::{GeneralPort, OraclePort, VisionPort};
#[cfg(feature = "desktop")]
use barrow_nnue::shape::Desktop;
#[cfg(feature = "handheld")]
use barrow_nnue::shape::Handheld;
use barrow_nnue::shape::Profile;
#[cfg(feature = "tiny")]
use barrow_nnue::shape::Tiny;
use barrow_solver::attack::Planner;

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
        match self {
            #[cfg(feature = "desktop")]
            Net::Desktop(_) => Desktop::NAME,
            #[cfg(feature = "handheld")]
            Net::Handheld(_) => Handheld::NAME,
            #[cfg(feature = "tiny")]
            Net::Tiny(_) => Tiny::NAME,
        }
    }

    pub(crate) fn header(&self) -> &Header {
        match self {
            #[cfg(feature = "desktop")]
            Net::Desktop(network) => network.header(),
            #[cfg(feature = "handheld")]
            Net::Handheld(network) => network.header(),
            #[cfg(feature = "tiny")]
            Net::Tiny(network) => network.header(),
        }
    }
}

by_profile! {
    /// Evaluator: Oracle, or the hand-written value.
    Oracle, OraclePort, evaluator: Evaluator, Hand(FallbackPolicies),
}

impl Oracle {
    pub(crate) fn new(net: Option<Net>) -> Oracle {
        match net {
            None => Oracle::Hand(FallbackPolicies::default()),
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

by_profile! {
    /// Dark Seer of a network.
    Vision, VisionPort, policy: SpawnPolicy,
}

/// Spawn policy: the hand-written worths for the first finish of an attack, with Dark Seer's corrections for the second, and
/// so on by turns.
pub(crate) struct Seer {
    vision: Option<Vision>,
    taste: FallbackPolicies,
    /// Whether the present finish asks Dark Seer.
    asks: bool,
}

impl Seer {
    fn new(net: Option<Net>) -> Seer {
        let vision = net.map(|net| match net {
            #[cfg(feature = "desktop")]
            Net::Desktop(network) => Vision::Desktop(VisionPort::new(network)),
            #[cfg(feature = "handheld")]
            Net::Handheld(network) => Vision::Handheld(VisionPort::new(network)),
            #[cfg(feature = "tiny")]
            Net::Tiny(network) => Vision::Tiny(VisionPort::new(network)),
        });
        Seer { vision, taste: FallbackPolicies::default(), asks: false }
    }

    fn asked(&mut self) -> Option<&mut dyn SpawnPolicy> {
        self.vision.as_mut().filter(|_| self.asks).map(Vision::policy)
    }
}

impl SpawnPolicy for Seer {
    fn begin_finish(&mut self, known: u32) {
        self.asks = !known.is_multiple_of(2);
    }

    fn begin_board(&mut self, game: &Game, board: usize) {
        self.taste.begin_board(game, board);
        if let Some(vision) = self.asked() {
            vision.begin_board(game, board);
        }
    }

    fn spawn(&mut self, game: &Game, board: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths) {
        self.taste.spawn(game, board, unit, hexes, worths);
        if let Some(vision) = self.asked() {
            let mut corrections: Worths = [0; Hex::COUNT];
            vision.spawn(game, board, unit, hexes, &mut corrections);
            add(worths, &corrections);
        }
    }

    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths) {
        self.taste.stand(game, board, from, hexes, worths);
        if let Some(vision) = self.asked() {
            let mut corrections: Worths = [0; Hex::COUNT];
            vision.stand(game, board, from, hexes, &mut corrections);
            add(worths, &corrections);
        }
    }

    fn spells(&mut self, game: &Game, board: usize) -> BoardSpells {
        self.taste.spells(game, board)
    }

    fn unit(&mut self, game: &Game, board: usize, unit: UnitLabel) -> i32 {
        let correction = self.asked().map_or(0, |vision| vision.unit(game, board, unit));
        self.taste.unit(game, board, unit).saturating_add(correction)
    }
}

fn add(worths: &mut Worths, corrections: &Worths) {
    for (worth, correction) in worths.iter_mut().zip(corrections) {
        *worth = worth.saturating_add(*correction);
    }
}

by_profile! {
    /// The general's net of a network.
    Choices, GeneralPort, policy: GeneralPolicy,
}

/// General policy: the general's net for choices of techs, or the hand-written one; whole turns and cards are hand-written
/// in either case.
pub(crate) struct General {
    choices: Option<Choices>,
    taste: FallbackPolicies,
}

impl General {
    fn new(net: Option<Net>) -> General {
        let choices = net.and_then(|net| match net {
            #[cfg(feature = "desktop")]
            Net::Desktop(network) => GeneralPort::new(network).map(Choices::Desktop),
            #[cfg(feature = "handheld")]
            Net::Handheld(network) => GeneralPort::new(network).map(Choices::Handheld),
            #[cfg(feature = "tiny")]
            Net::Tiny(network) => GeneralPort::new(network).map(Choices::Tiny),
        });
        General { choices, taste: FallbackPolicies::default() }
    }
}

impl GeneralPolicy for General {
    fn begin(&mut self, game: &Game) {
        match &mut self.choices {
            Some(choices) => choices.policy().begin(game),
            None => GeneralPolicy::begin(&mut self.taste, game),
        }
    }

    fn prior(&mut self, game: &Game, choice: &[GeneralAction]) -> u32 {
        match &mut self.choices {
            Some(choices) => choices.policy().prior(game, choice),
            None => self.taste.prior(game, choice),
        }
    }

    fn whole_turn(&mut self, game: &Game) -> Option<GameTurn> {
        self.taste.whole_turn(game)
    }

    fn card(&mut self, game: &Game, board: usize, spell: Spell) -> i32 {
        self.taste.card(game, board, spell)
    }
}

/// The ports of a search.
pub(crate) type SearchPorts = JoinedPorts<Oracle, FallbackPolicies, Planner<'static>, Seer, General>;

/// Ports with the nets of a network. The attack planner works in `words`.
pub(crate) fn search_ports(net: Option<Net>, words: &'static mut [u32]) -> SearchPorts {
    JoinedPorts {
        evaluator: Oracle::new(net),
        attack_policy: FallbackPolicies::default(),
        attack_planner: Planner::new(words),
        spawn_policy: Seer::new(net),
        general_policy: General::new(net),
    }
}
