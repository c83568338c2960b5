//! Switches and constants of a search.

/// Switches and constants. Each switch takes one idea away, to measure what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// Stages learn from the turns their candidates were part of; otherwise they go by their priors.
    pub feedback: bool,
    /// Attacks are asked for again with those known forbidden.
    pub fine: bool,
    /// Attacks are asked for with noise on the prophecy.
    pub coarse: bool,
    /// Candidates that are bad beyond doubt are dropped, and doubtful values count less.
    pub confidence: bool,
    /// Money is split by convolution; otherwise evenly.
    pub convolution: bool,
    /// Pieces are placed by assignment; otherwise one by one.
    pub assignment: bool,
    /// Equal positions share a node.
    pub transpositions: bool,
    /// Attacks on what threatens the own necromancer, or holds too many graveyards, are asked for.
    pub defence: bool,
    /// Spells are cast; otherwise never.
    pub spells: bool,
    /// The evaluator's opinion of techs counts beside the general's.
    pub counsel: bool,
    /// Boards in danger may be given up.
    pub resignation: bool,
    /// Weight of exploration in the choice of turns, in 1/65,536 of a win chance.
    pub exploration: u32,
    /// How many turns the position searched has: their square is at most this many quarters of its visits.
    pub breadth: u32,
    /// The same for those that follow. Few turns looked at again and again are worth more than many seen once.
    pub widening: u32,
    /// Noise on worths in the spawn stage, in hundredths of a soul.
    pub noise: i32,
    /// Turns looked ahead at most.
    pub depth: u8,
    /// Seed of everything that is left to chance.
    pub seed: u64,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            feedback: true,
            fine: true,
            coarse: true,
            confidence: true,
            convolution: true,
            assignment: true,
            transpositions: true,
            defence: true,
            spells: true,
            counsel: true,
            resignation: true,
            exploration: 20_000,
            breadth: 24,
            widening: 1,
            noise: 60,
            depth: 24,
            seed: 0,
        }
    }
}
