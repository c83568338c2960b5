//! Switches and constants of a search.

/// Switches and constants of a search. Each switch takes one idea away, to measure its worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// Stages select candidates by the statistics of turns; otherwise by priors.
    pub feedback: bool,
    /// Candidates are compared by the values of their turns less the main effects of the other candidates of these turns;
    /// otherwise by the values alone.
    pub effects: bool,
    /// Families are requested again with the known attacks forbidden (fine refinement).
    pub fine: bool,
    /// Attacks are planned for prophecies with noise (coarse refinement).
    pub coarse: bool,
    /// Fine refinement, coarse refinement and requests with cards share the requests by their success rates on the board;
    /// otherwise evenly.
    pub rates: bool,
    /// Attacks that are bad beyond doubt are pruned, and doubtful values weigh less.
    pub confidence: bool,
    /// Money is split by convolution; otherwise evenly.
    pub convolution: bool,
    /// Pieces are placed by assignment; otherwise one by one.
    pub assignment: bool,
    /// Equal positions share a node.
    pub transpositions: bool,
    /// Attacks are planned on enemies that threaten the own necromancer or hold too many graveyards.
    pub defence: bool,
    /// Spells are cast; otherwise never.
    pub spells: bool,
    /// Where one attack more would decide the game, every card of the hand and of the row is tried at the root.
    pub cards: bool,
    /// The evaluator's value of a choice of techs counts beside the prior of the general policy.
    pub counsel: bool,
    /// First turns begin with the techs and extra spells that the evaluator values most; otherwise with the simple
    /// player's.
    pub techs: bool,
    /// Boards in danger may be given up.
    pub resignation: bool,
    /// Turns of the root share the visits by sequential halving; otherwise by PUCT, as those of all other positions.
    pub halving: bool,
    /// Rounds of sequential halving among which the effort is shared where the end of the search is known, at least one.
    pub rounds: u8,
    /// Weight of exploration in the choice of turns, in 1/65,536 of a win chance.
    pub exploration: u32,
    /// Weight of exploration in the choice of the stages' candidates, in the unit of `exploration`.
    pub stage_exploration: u32,
    /// Widening of the root: the square of its number of turns is at most this many quarters of its visits.
    pub breadth: u32,
    /// Widening of all other positions, in the unit of `breadth`. Few turns with many visits are worth more than many
    /// turns with one.
    pub widening: u32,
    /// Largest noise on worths in the spawn stage, in hundredths of a soul.
    pub noise: i32,
    /// Turns of one path at most; 32 is the largest depth.
    pub depth: u8,
    /// Seed of all randomness of the search.
    pub seed: u64,
}

impl SearchOptions {
    /// Options of machines with little stack and slow processors. Cards that decide the game are not looked for, first turns begin
    /// with the simple player's techs, the root is explored as far as it used to be, positions are widened and finishes varied as
    /// little, refinements share requests evenly, and candidates are compared by the values alone: other settings win nothing
    /// there (docs/memory.md, "How small a search can be"). The split of the money takes 3 KiB of stack for two boards and 9 KiB
    /// for eight.
    pub fn with_little_stack() -> SearchOptions {
        SearchOptions {
            techs: false,
            cards: false,
            effects: false,
            rounds: 1,
            rates: false,
            exploration: 40_000,
            stage_exploration: 20_000,
            breadth: 24,
            widening: 1,
            noise: 60,
            ..SearchOptions::default()
        }
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            feedback: true,
            effects: true,
            fine: true,
            coarse: true,
            rates: true,
            confidence: false,
            convolution: true,
            assignment: true,
            transpositions: true,
            defence: true,
            spells: true,
            cards: true,
            counsel: true,
            techs: true,
            resignation: true,
            halving: true,
            rounds: 2,
            exploration: 15_400,
            stage_exploration: 19_600,
            breadth: 33,
            widening: 2,
            noise: 134,
            depth: 24,
            seed: 0,
        }
    }
}
