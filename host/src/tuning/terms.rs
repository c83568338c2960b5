//! Terms of a tuning: everything that its parts depend on.

use barrow_core::rng::Rng;
use serde::{Deserialize, Serialize};

use super::number::TunedNumber;
use crate::spsa::Settings;

/// Terms of a tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuningTerms {
    /// Player whose numbers are tuned, as the command line names it.
    pub player: String,
    /// Numbers that are tuned.
    pub numbers: Vec<TunedNumber>,
    /// Each number at the beginning.
    pub start: Vec<u32>,
    /// Iterations.
    pub iterations: u32,
    /// Parts of an iteration.
    pub parts: u32,
    /// Pairs of games of a part.
    pub pairs: u32,
    /// Distance of the first points from the middle, as a share of the range.
    pub perturbation: f64,
    /// Movement by the first iteration when one point wins everything, as a share of the range.
    pub first_step: f64,
    /// Seed of perturbations, openings and players.
    pub seed: u64,
    /// Openings in words.
    pub openings: String,
}

impl TuningTerms {
    /// Point at the beginning: the place of each number in its range.
    pub(super) fn first_point(&self) -> Vec<f64> {
        self.numbers.iter().zip(&self.start).map(|(number, start)| number.place(f64::from(*start))).collect()
    }

    /// Gains of the iterations.
    pub(super) fn gains(&self) -> Settings {
        let &TuningTerms { iterations, perturbation, first_step, seed, .. } = self;
        Settings { iterations, perturbation, first_step, seed }
    }

    /// Seed of a part of an iteration, for its openings.
    pub(super) fn part_seed(&self, iteration: u32, part: u32) -> u64 {
        let number = u64::from(iteration) << 32 | u64::from(part);
        Rng::new(self.seed ^ Rng::new(number).next_u64()).next_u64()
    }

    /// Side to which each number is moved for the first player of a part, 1 or -1; for the second to the other.
    pub(super) fn signs(&self, iteration: u32, part: u32) -> Vec<f64> {
        let mut rng = Rng::new(self.part_seed(iteration, part));
        self.numbers.iter().map(|_| if rng.chance(1, 2) { 1.0 } else { -1.0 }).collect()
    }

    /// Players of a part: the numbers of a point moved to one side and to the other.
    pub(super) fn players(&self, iteration: u32, part: u32, point: &[f64]) -> [String; 2] {
        let distance = self.gains().distance(iteration);
        let signs = self.signs(iteration, part);
        [1.0, -1.0].map(|side| {
            let moved: Vec<f64> =
                point.iter().zip(&signs).map(|(place, sign)| place + side * distance * sign).collect();
            self.player_at(&moved)
        })
    }

    /// Player with its numbers at a point, as the command line names it. Values that the player names itself, with which
    /// the numbers begin, give way to them.
    pub fn player_at(&self, point: &[f64]) -> String {
        let is_tuned = |part: &str| {
            let name = part.split_once('=').map(|(name, _)| name);
            self.numbers.iter().any(|number| Some(&*number.name) == name)
        };
        let kept = self.player.split(',').filter(|part| !is_tuned(part)).map(str::to_owned);
        kept.chain(self.settings_at(point)).collect::<Vec<_>>().join(",")
    }

    /// Numbers at a point in words, as progress has them.
    pub(super) fn numbers_at(&self, point: &[f64]) -> String {
        self.settings_at(point).collect::<Vec<_>>().join(" ")
    }

    /// Settings of the player at a point, such as `noise=100`.
    fn settings_at(&self, point: &[f64]) -> impl Iterator<Item = String> {
        let numbers = self.numbers.iter().zip(point);
        numbers.map(|(number, place)| format!("{}={}", number.name, number.at(*place)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tuning_file::tests::terms;
    use super::*;

    #[test]
    fn the_tuned_numbers_of_a_player_take_the_place_of_those_that_it_names() {
        let player_at = |player: &str| {
            let terms = TuningTerms { player: player.to_owned(), ..terms() };
            assert_eq!(terms.numbers_at(&[0.5, 0.0]), "noise=500 exploration=1000");
            terms.player_at(&[0.5, 0.0])
        };
        let tuned = "builtin:mcts,nodes=2,noise=500,exploration=1000";
        for named in [
            "builtin:mcts,nodes=2",
            "builtin:mcts,noise=100,nodes=2",
            "builtin:mcts,exploration=9,nodes=2,noise=7",
        ] {
            assert_eq!(player_at(named), tuned);
        }
        assert_eq!(player_at("full,noisy=2"), "full,noisy=2,noise=500,exploration=1000");
    }
}
