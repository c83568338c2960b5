//! The ports of the search: what it asks of nets, solver and clock. Whoever fulfils them, the search is the same:
//! the hand-written taste of [`crate::minions::players`], the nets of `barrow-nnue`, the planner of `barrow-solver`.
//!
//! Win chances are whole numbers, 0 to [`CERTAIN`], for the side to move of the position in question.

use heapless::Vec;

use crate::hex::{Hex, HexSet};
use crate::minions::{BoardAction, Game, GameTurn, GeneralAction, Spell, UnitLabel, View};
use crate::search::value::{Curve, Estimate};

/// How far into its turn the side to move is on a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Nothing has been done yet.
    TurnStart,
    /// Attacks are over, units are still to be moved and placed.
    AfterAttack,
    /// Everything is done.
    AfterSpawn,
}

/// The judge of positions: Oracle (seed 000).
pub trait Evaluator {
    /// Takes note of the position at the start of a turn, of which those judged next are variations.
    fn begin(&mut self, game: &Game);

    /// Value of a position at the start of a turn.
    fn evaluate(&mut self, game: &Game) -> Estimate;

    /// Value of the position that [`Evaluator::begin`] took note of.
    fn evaluate_begun(&mut self, game: &Game) -> Estimate {
        self.evaluate(game)
    }

    /// Value of the game when this board stands as it does in `game`, in the middle of the turn that began with
    /// [`Evaluator::begin`], and the other boards are played as well as they can be from there (seed 000,
    /// "evaluated in the context of the original position").
    fn evaluate_board(&mut self, game: &Game, board: usize, stage: Stage) -> Estimate;

    /// Value of a position in the middle of the turn that began with [`Evaluator::begin`], when only the general has
    /// acted so far: what there is on the boards is as it was.
    fn evaluate_general(&mut self, game: &Game) -> Estimate {
        self.evaluate(game)
    }

    /// What further souls spent on a board are worth: win chance for each of the [`KNOTS`], never falling.
    fn curve(&mut self, game: &Game, board: usize) -> Curve;

    /// What souls that stay in the purse are worth: win chance for each of the [`KNOTS`], never falling.
    fn savings(&mut self, game: &Game) -> Curve;
}

/// What may become of a piece in an attack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fate {
    /// An enemy is removed, by whatever means.
    Removed,
    /// A friend does not fight.
    Passive,
}

/// A fate with its probability in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Foretold {
    /// Where the piece stands.
    pub at: Hex,
    /// What becomes of it.
    pub fate: Fate,
    /// Thousandths, 0..=1000.
    pub chance: u16,
}

/// Fates of all pieces of a board (seed 000 "prophecy").
pub type Fates = Vec<Foretold, { Hex::COUNT }, u8>;

/// Enemies that are told of as dangerous at most.
pub const MENACE_CAP: usize = 16;

/// What will happen on a board unless something is done about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Menaces {
    /// Enemies that could strike the own necromancer in their next turn, the most dangerous first.
    pub strikers: Vec<Hex, MENACE_CAP, u8>,
    /// Whether they could kill it.
    pub lethal: bool,
    /// Enemies on graveyards, when these are so many that the board is lost at the end of the turn (rules §15).
    pub seats: Vec<Hex, MENACE_CAP, u8>,
}

impl Menaces {
    /// Whether the board may be lost before the next turn.
    pub fn is_danger(&self) -> bool {
        self.lethal || !self.seats.is_empty()
    }

    /// Those to remove first: graveyards are lost for certain, the necromancer only perhaps.
    pub fn first(&self) -> Vec<Hex, { 2 * MENACE_CAP }, u8> {
        self.seats.iter().chain(&self.strikers).copied().collect()
    }
}

/// The source of prophecies: Death Prophet (seed 000).
pub trait AttackPolicy {
    /// Foretells the attack on a board at the start of the turn. Pieces left out have no fate.
    fn prophesy(&mut self, game: &Game, board: usize) -> Fates;

    /// Whom a board must be defended against, as it stands at the start of the turn.
    fn menaces(&mut self, _game: &Game, _board: usize) -> Menaces {
        Menaces::default()
    }
}

/// A wish about an attack; the most important come first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aim {
    /// The enemy is killed.
    Kill(Hex),
    /// The enemy is removed, by whatever means.
    Remove(Hex),
    /// The friend does not fight.
    Passive(Hex),
}

/// What tells one attack from another: who falls and who fights.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Outline {
    /// Enemies killed.
    pub killed: HexSet,
    /// Enemies unsummoned.
    pub unsummoned: HexSet,
    /// Friends that attack, by the hexes they start on.
    pub fighters: HexSet,
}

/// Most actions of one attack.
pub const ATTACK_CAP: usize = 160;

/// An attack in order of play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attack {
    /// Actions that the game accepts at the start of the turn.
    pub actions: Vec<BoardAction, ATTACK_CAP, u8>,
    /// Its outline.
    pub outline: Outline,
}

/// What became of a request for an attack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Planned {
    /// There is one.
    Found,
    /// There is none that differs from those forbidden.
    NoMore,
    /// Effort or memory did not suffice to tell.
    Unknown,
}

/// The maker of legal attacks: the solver (seed 000, "deterministically generate a candidate move").
pub trait AttackPlanner {
    /// The best attack for these aims that has none of the forbidden outlines. `attack` is overwritten when there
    /// is one.
    fn plan(&mut self, view: &View<'_>, aims: &[Aim], forbidden: &[Outline], attack: &mut Attack) -> Planned;
}

/// A number for each hex of a board.
pub type Worths = [i32; Hex::COUNT];

/// Most spells that a board casts in one turn.
pub const CHARM_CAP: usize = 16;

/// Spells of one board in order of play.
pub type Charms = Vec<BoardAction, CHARM_CAP, u8>;

/// Where units are best placed and moved: Dark Seer (seed 000). Worths are in hundredths of a soul.
pub trait SpawnPolicy {
    /// Takes note of a board after its attack.
    fn look(&mut self, game: &Game, board: usize);

    /// Worth of a reinforcement of this type on each of these hexes.
    fn spawn(&mut self, game: &Game, board: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths);

    /// Worth of the friend on `from` on each of these hexes, among which is its own.
    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths);

    /// Spells to cast on a board whose pieces have moved, and before units are placed, in order of play. Only what
    /// the game accepts is kept.
    fn charms(&mut self, _game: &Game, _board: usize) -> Charms {
        Charms::new()
    }

    /// Worth of a unit of this type on this board, for the choice of what to buy.
    fn unit(&mut self, game: &Game, board: usize, unit: UnitLabel) -> i32;
}

/// Most actions of one general's choice.
pub const GENERAL_CAP: usize = 12;

/// What the general does in a turn, cards left out.
pub type GeneralChoice = Vec<GeneralAction, GENERAL_CAP, u8>;

/// The general's taste.
pub trait GeneralPolicy {
    /// Looks at a position of which several choices are asked about next, so that what they share is found out once.
    fn begin(&mut self, _: &Game) {}

    /// How plausible a choice is, 0..=65,535; the sum over all choices is of no importance. The position is the one
    /// looked at before, after the choice.
    fn prior(&mut self, game: &Game, choice: &[GeneralAction]) -> u16;

    /// A whole turn to begin with, where there is a simple player to ask. The stages take it apart, and its parts
    /// compete with theirs.
    fn whole_turn(&mut self, _: &Game) -> Option<GameTurn> {
        None
    }

    /// Worth of a card for a board, in any unit.
    fn card(&mut self, game: &Game, board: usize, spell: Spell) -> i32;
}

/// All ports of a search: five types that belong together.
pub trait Ports {
    /// Values positions.
    type Evaluator: Evaluator;
    /// Foretells attacks.
    type AttackPolicy: AttackPolicy;
    /// Makes attacks legal.
    type AttackPlanner: AttackPlanner;
    /// Places units.
    type SpawnPolicy: SpawnPolicy;
    /// Chooses techs.
    type GeneralPolicy: GeneralPolicy;

    /// The port that values positions.
    fn evaluator(&mut self) -> &mut Self::Evaluator;

    /// The port that foretells attacks.
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
    /// Foretells attacks.
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
