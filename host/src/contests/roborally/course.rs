//! A board with its tables, which are computed when a player first asks for them.

use std::sync::OnceLock;

use barrow_core::contests::roborally::bot::{Distances, Evaluation, Evaluator, Solo};
use barrow_core::contests::roborally::{Board, Profile};

/// A board with its tables of distances.
pub struct Course {
    /// The board.
    pub board: Board,
    /// Steps from each cell to each flag.
    pub distances: Distances,
    /// Tables of a robot alone, by variant of the rules.
    solo: [OnceLock<Box<Solo>>; 2],
}

impl Course {
    /// Computes the distances of a board.
    pub fn new(board: Board) -> Course {
        Course { distances: Distances::new(&board), board, solo: [OnceLock::new(), OnceLock::new()] }
    }

    /// Tables of a robot alone. The first call for a variant of the rules takes about a second.
    pub fn solo(&self, profile: Profile) -> &Solo {
        self.solo[profile as usize].get_or_init(|| {
            let mut solo = Box::new(Solo::EMPTY);
            solo.load(&self.board, profile);
            solo
        })
    }

    /// An evaluator of positions, with the tables of a robot alone if it is to have them.
    pub fn evaluator(&self, evaluation: Evaluation, profile: Profile, with_solo: bool) -> Evaluator<'_> {
        let evaluator = Evaluator::new(&self.board, &self.distances, evaluation);
        if with_solo { evaluator.with_solo(self.solo(profile)) } else { evaluator }
    }
}
