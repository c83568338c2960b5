//! The ports of the turn search: traits for evaluation, attacks, placement and techs. Implementations are the
//! hand-written policies of [`crate::minions::players`], the nets of `barrow-nnue`, the planner of `barrow-solver`.
//!
//! Win chances are whole numbers, 0 to [`CERTAIN`](crate::search::value::CERTAIN), for the side to move of the position
//! in question.

use heapless::Vec;

use crate::hex::{Hex, HexSet};
use crate::list;
use crate::minions::{BoardAction, DraftMemory, Game, GeneralAction, Spell, UnitLabel, View};
use crate::search::value::{Curve, Estimate};

/// Stage of the turn on a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Nothing has been done yet.
    TurnStart,
    /// Attacks are over, units are still to be moved and placed.
    AfterAttack,
    /// Everything is done.
    AfterSpawn,
}

/// Evaluator of positions: Oracle (seed 000).
pub trait Evaluator {
    /// Records the position at the start of a turn; positions evaluated next are variations of it.
    fn begin(&mut self, game: &Game);

    /// Value of a position at the start of a turn.
    fn evaluate(&mut self, game: &Game) -> Estimate;

    /// Value of the position that [`Evaluator::begin`] recorded.
    fn evaluate_begun(&mut self, game: &Game) -> Estimate {
        self.evaluate(game)
    }

    /// Value of the game when this board stands as it does in `game`, in the middle of the turn that began with
    /// [`Evaluator::begin`], and the other boards are played as well as they can be from there (seed 000,
    /// "evaluated in the context of the original position").
    fn evaluate_board(&mut self, game: &Game, board: usize, stage: Stage) -> Estimate;

    /// Value of a position in the middle of the turn that began with [`Evaluator::begin`], in which only the general
    /// has acted: the boards are those of the start of the turn.
    fn evaluate_general(&mut self, game: &Game) -> Estimate {
        self.evaluate(game)
    }

    /// Money curve of a board: win chance for souls spent on it, for each of the
    /// [`KNOTS`](crate::search::value::KNOTS). It should not fall; where it does, as one of a network may by a little, the search
    /// goes by the largest so far ([`expand`](crate::search::blotto::expand)).
    fn curve(&mut self, game: &Game, board: usize) -> Curve;

    /// Money curve of the purse: win chance for souls that are saved, for each of the
    /// [`KNOTS`](crate::search::value::KNOTS). What is said of the curve of a board holds for it, too.
    fn savings(&mut self, game: &Game) -> Curve;
}

/// Fate of a piece in an attack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fate {
    /// The piece, an enemy, is removed by whatever means.
    Removed,
    /// The piece, a friend, does not fight.
    Passive,
}

/// Fate of one piece with its probability.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Foretold {
    /// Hex of the piece.
    pub at: Hex,
    /// Fate of the piece.
    pub fate: Fate,
    /// Probability of the fate in thousandths, 0..=1000.
    pub chance: u16,
}

/// A prophecy: fates of all pieces of a board (seed 000).
pub type Fates = Vec<Foretold, { Hex::COUNT }, u8>;

/// Dangerous enemies of each kind in [`Menaces`] at most.
pub const MENACE_CAP: usize = 16;

/// Dangers of a board that an attack could remove.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Menaces {
    /// Enemies that could attack the own necromancer in their next turn, the most dangerous first.
    pub strikers: Vec<Hex, MENACE_CAP, u8>,
    /// Whether enemies could kill the own necromancer in their next turn.
    pub lethal: bool,
    /// Enemies on graveyards, if they hold so many that the board is lost at the end of the turn (rules §15).
    pub seats: Vec<Hex, MENACE_CAP, u8>,
}

impl Menaces {
    /// Whether the board may be lost before the next turn.
    pub fn is_danger(&self) -> bool {
        self.lethal || !self.seats.is_empty()
    }

    /// All dangerous enemies, the first to remove first: the board is lost for certain by graveyards, by the
    /// necromancer only perhaps.
    pub fn first(&self) -> Vec<Hex, { 2 * MENACE_CAP }, u8> {
        list::first(self.seats.iter().chain(&self.strikers).copied())
    }
}

/// Attack policy, the source of prophecies: Death Prophet (seed 000).
pub trait AttackPolicy {
    /// Number of prophecies of one board, at least 1: attacks that differ because the future does.
    fn modes(&self) -> u8 {
        1
    }

    /// Prophecy of the attack on a board at the start of the turn; the mode counts from 0, the most probable first. Pieces
    /// left out have no fate.
    fn prophesy(&mut self, game: &Game, board: usize, mode: u8) -> Fates;

    /// Dangers of a board at the start of the turn.
    fn menaces(&mut self, _game: &Game, _board: usize) -> Menaces {
        Menaces::default()
    }
}

/// Goal of an attack, about one piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AttackGoal {
    /// The enemy is killed.
    Kill(Hex),
    /// The enemy is removed, by whatever means.
    Remove(Hex),
    /// The friend does not fight.
    Passive(Hex),
}

/// Outline of an attack: enemies removed and friends fighting. Attacks with equal outlines count as the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Outline {
    /// Enemies killed.
    pub killed: HexSet,
    /// Enemies unsummoned.
    pub unsummoned: HexSet,
    /// Friends that attack, by the hexes where they start the turn.
    pub fighters: HexSet,
}

/// Actions of one attack at most.
pub const ATTACK_CAP: usize = 160;

/// An attack on one board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attack {
    /// Actions in order of play, legal at the start of the turn.
    pub actions: Vec<BoardAction, ATTACK_CAP, u8>,
    /// Outline of the attack.
    pub outline: Outline,
}

/// Outcome of a request for an attack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Planned {
    /// The planner has found an attack.
    Found,
    /// No attack differs from those forbidden.
    NoMore,
    /// Effort or memory did not suffice, or there may be attacks that the planner does not know.
    Unknown,
}

/// Planner of legal attacks: the solver (seed 000, "deterministically generate a candidate move").
pub trait AttackPlanner {
    /// Plans the best attack for these goals, the most important first, that has none of the forbidden outlines.
    /// `attack` is overwritten when there is one.
    fn plan(
        &mut self,
        view: &View<'_>,
        goals: &[AttackGoal],
        forbidden: &[Outline],
        attack: &mut Attack,
    ) -> Planned;

    /// Effort of the longest request so far, in propagations of the solver; 0 where it is not counted.
    fn longest_request(&self) -> u64 {
        0
    }

    /// Effort of all requests so far, in propagations of the solver; 0 where it is not counted.
    fn effort(&self) -> u64 {
        0
    }
}

/// Worth of each hex of a board, in hundredths of a soul, by hex index.
pub type Worths = [i32; Hex::COUNT];

/// Spells that a policy casts on a board in one turn at most.
pub const BOARD_SPELL_CAP: usize = 16;

/// Spells of one board in order of play.
pub type BoardSpells = Vec<BoardAction, BOARD_SPELL_CAP, u8>;

/// Spawn policy, which places and moves units: Dark Seer (seed 000). Worths are in hundredths of a soul.
pub trait SpawnPolicy {
    /// Records a board after its attack; worths asked for next are about this board.
    fn begin_board(&mut self, game: &Game, board: usize);

    /// Records how many finishes of the board after the same attack, for about the same souls, are known already, before
    /// [`SpawnPolicy::begin_board`]. A policy may answer in more than one way.
    fn begin_finish(&mut self, _known: u32) {}

    /// Worth of a reinforcement of this type on each of these hexes.
    fn spawn(&mut self, game: &Game, board: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths);

    /// Worth of the friend on `from` on each of these hexes, among which is its own.
    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths);

    /// Spells to cast on a board after its pieces have moved and before units are placed, in order of play. Illegal
    /// ones are left out by the search. Other actions than casts and discards do not belong here: with them turns may come out
    /// that are not legal as a whole. `_memory` is for trying them out.
    fn spells(&mut self, _game: &Game, _board: usize, _memory: &mut DraftMemory) -> BoardSpells {
        BoardSpells::new()
    }

    /// Worth of a unit of this type on this board, for the choice of what to buy.
    fn unit(&mut self, game: &Game, board: usize, unit: UnitLabel) -> i32;
}

/// Actions of a [`GeneralChoice`] at most.
pub const GENERAL_CAP: usize = 12;

/// A choice of the general for one turn: actions in order of play, without cards.
pub type GeneralChoice = Vec<GeneralAction, GENERAL_CAP, u8>;

/// General policy, which rates choices of techs and cards.
pub trait GeneralPolicy {
    /// Records a position before its choices are rated, so that shared work is done once.
    fn begin(&mut self, _: &Game) {}

    /// Plausibility of a choice, up to a factor that all choices share. `game` is the position recorded by
    /// [`GeneralPolicy::begin`] with the choice played.
    fn prior(&mut self, game: &Game, choice: &[GeneralAction]) -> u32;

    /// A whole turn as the first candidate, left in `_memory`, if a simple player is at hand: then the answer is true.
    /// The turn begins with the choice `_techs`; `None` leaves techs and extra spells to the player. The search takes the
    /// turn apart into candidates of all stages.
    fn whole_turn(
        &mut self,
        _game: &Game,
        _techs: Option<&GeneralChoice>,
        _memory: &mut DraftMemory,
    ) -> bool {
        false
    }

    /// Worth of a card for a board, in any unit.
    fn card(&mut self, game: &Game, board: usize, spell: Spell) -> i32;
}

/// All ports of a search: five types that belong together.
pub trait Ports {
    /// Values positions.
    type Evaluator: Evaluator;
    /// Proposes attacks by prophecies.
    type AttackPolicy: AttackPolicy;
    /// Makes attacks legal.
    type AttackPlanner: AttackPlanner;
    /// Places units.
    type SpawnPolicy: SpawnPolicy;
    /// Chooses techs.
    type GeneralPolicy: GeneralPolicy;

    /// The port that values positions.
    fn evaluator(&mut self) -> &mut Self::Evaluator;

    /// The port that proposes attacks.
    fn attack_policy(&mut self) -> &mut Self::AttackPolicy;

    /// The port that makes attacks legal.
    fn attack_planner(&mut self) -> &mut Self::AttackPlanner;

    /// The port that places units.
    fn spawn_policy(&mut self) -> &mut Self::SpawnPolicy;

    /// The port that chooses techs.
    fn general_policy(&mut self) -> &mut Self::GeneralPolicy;
}

/// Ports as five fields, one value for each port.
#[derive(Clone, Copy, Debug, Default)]
pub struct JoinedPorts<E, A, P, S, G> {
    /// Values positions.
    pub evaluator: E,
    /// Proposes attacks by prophecies.
    pub attack_policy: A,
    /// Makes attacks legal.
    pub attack_planner: P,
    /// Places units.
    pub spawn_policy: S,
    /// Chooses techs.
    pub general_policy: G,
}

impl<E, A, P, S, G> Ports for JoinedPorts<E, A, P, S, G>
where
    E: Evaluator,
    A: AttackPolicy,
    P: AttackPlanner,
    S: SpawnPolicy,
    G: GeneralPolicy,
{
    type Evaluator = E;
    type AttackPolicy = A;
    type AttackPlanner = P;
    type SpawnPolicy = S;
    type GeneralPolicy = G;

    fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }

    fn attack_policy(&mut self) -> &mut A {
        &mut self.attack_policy
    }

    fn attack_planner(&mut self) -> &mut P {
        &mut self.attack_planner
    }

    fn spawn_policy(&mut self) -> &mut S {
        &mut self.spawn_policy
    }

    fn general_policy(&mut self) -> &mut G {
        &mut self.general_policy
    }
}

/// Ports as three values: an evaluator, one value for all policies, and a planner. What is lent takes the least memory:
///
/// ```
/// use barrow_core::minions::players::{FallbackEvaluator, FallbackPolicies};
/// use barrow_core::minions::turn_search::ports::SharedPorts;
/// use barrow_solver::attack::PlannerWorkspace;
/// let (mut policies, mut planner) = (FallbackPolicies::new(), PlannerWorkspace::<8192>::new());
/// let ports = SharedPorts { evaluator: FallbackEvaluator, policies: &mut policies, attack_planner: &mut planner };
/// # fn are_ports(_: impl barrow_core::minions::turn_search::ports::Ports) {}
/// # are_ports(ports);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedPorts<E, P, A> {
    /// Values positions.
    pub evaluator: E,
    /// Proposes attacks, places units and chooses techs.
    pub policies: P,
    /// Makes attacks legal.
    pub attack_planner: A,
}

impl<E, P, A> Ports for SharedPorts<E, P, A>
where
    E: Evaluator,
    P: AttackPolicy + SpawnPolicy + GeneralPolicy,
    A: AttackPlanner,
{
    type Evaluator = E;
    type AttackPolicy = P;
    type AttackPlanner = A;
    type SpawnPolicy = P;
    type GeneralPolicy = P;

    fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }

    fn attack_policy(&mut self) -> &mut P {
        &mut self.policies
    }

    fn attack_planner(&mut self) -> &mut A {
        &mut self.attack_planner
    }

    fn spawn_policy(&mut self) -> &mut P {
        &mut self.policies
    }

    fn general_policy(&mut self) -> &mut P {
        &mut self.policies
    }
}
