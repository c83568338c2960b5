//! Match results: games and pairs of games, counted in the order of their numbers.

use barrow_core::minions::Side;

use super::elo::Pentanomial;
use super::fault::{Fault, FaultCounts};
use super::game::{GameEnding, PlayedGame};
use super::lateness::Lateness;
use crate::text::counted::counted;

/// Pair of games on one opening; the first player, a, has Yellow in the first game and Blue in the second.
pub(super) type GamePair = [PlayedGame; 2];

/// Match result from the point of view of the first player, a.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct MatchResult {
    /// Games that a won.
    pub wins: u32,
    /// Games that a lost.
    pub losses: u32,
    /// Drawn games; the only draws are by the limit of plies.
    pub draws: u32,
    /// Pairs of games by the points of a.
    pub pentanomial: Pentanomial,
    /// Games that Yellow won.
    pub yellow_wins: u32,
    /// Plies of all games, those of the openings included.
    pub plies: u32,
    /// Plies of the longest game.
    pub longest: u32,
    /// Fault counts of a and of b.
    pub faults: [FaultCounts; 2],
    /// Lateness of the turns of a and of b; empty for a player without a time per turn.
    pub lateness: [Lateness; 2],
    /// Propagations of the longest request of a and of b for an attack; 0 for a player that does not tell.
    #[serde(default)]
    pub longest_requests: [u16; 2],
    /// Description of the first fault, with the player and the ply.
    pub first_fault: Option<String>,
}

impl MatchResult {
    /// Number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// Sum of the fault counts of both players.
    pub fn all_faults(&self) -> FaultCounts {
        let [mut all, b] = self.faults;
        all.add(&b);
        all
    }

    /// Counts a pair of games of players with these letters.
    pub(super) fn add(&mut self, pair: &GamePair, letters: [char; 2]) {
        let mut points = 0;
        for (game, side_of_a) in pair.iter().zip(Side::ALL) {
            match game.winner {
                Some(winner) if winner == side_of_a => {
                    self.wins += 1;
                    points += 2;
                }
                Some(_) => self.losses += 1,
                None => {
                    self.draws += 1;
                    points += 1;
                }
            }
            self.yellow_wins += u32::from(game.winner == Some(Side::Yellow));
            self.plies += game.plies;
            self.longest = self.longest.max(game.plies);
            let [yellow, blue] = &game.lateness;
            let sides = if side_of_a == Side::Yellow { [yellow, blue] } else { [blue, yellow] };
            for (lateness, more) in self.lateness.iter_mut().zip(sides) {
                lateness.add(more);
            }
            for (longest, side) in self.longest_requests.iter_mut().zip([side_of_a, side_of_a.opponent()]) {
                *longest = game.longest_requests[side as usize].max(*longest);
            }
            if let GameEnding::Fault(side, fault) = &game.ending {
                self.count_fault(usize::from(*side != side_of_a), letters, game.plies, fault);
            }
        }
        if let Some(count) = self.pentanomial.get_mut(points) {
            *count += 1;
        }
    }

    fn count_fault(&mut self, player: usize, letters: [char; 2], plies: u32, fault: &Fault) {
        let (Some(counts), Some(name)) = (self.faults.get_mut(player), letters.get(player)) else { return };
        counts.count(fault);
        self.first_fault.get_or_insert_with(|| format!("{name} after {}: {fault}", counted(plies, "turn")));
    }
}
