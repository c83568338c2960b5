//! Search algorithms that name no game: statistics of candidates, a tree with transpositions, a tree for each of
//! several players who move at once, flat Monte-Carlo search over numbered actions, best-first search, the split of
//! money over several uses, the assignment of pieces to hexes, and clocks.
//!
//! Everything here works in integers, so that two targets agree bit for bit, and in memory that the caller lends:
//! running out of it is an ordinary outcome. Values are win chances in 1/65,536 (see [`value::CERTAIN`]).

pub mod assign;
pub mod best_first;
pub mod blotto;
pub mod clock;
pub mod flat;
pub mod logarithm;
pub mod smitsimax;
pub mod stats;
pub mod tree;
pub mod value;
