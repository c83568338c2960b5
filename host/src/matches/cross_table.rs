//! Cross table of a match: the result of every encounter, counted pair by pair in the order of their numbers.

use super::elo::{Elo, Pentanomial};
use super::fault::FaultCounts;
use super::lateness::Lateness;
use super::ratings::ratings;
use super::result::{GamePair, MatchResult};
use super::schedule::letter;

/// Cross table of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossTable {
    /// Encounters: the indices of both players, and the result from the point of view of the first.
    pub encounters: Vec<([usize; 2], MatchResult)>,
    /// Whether Ctrl-C ended the match early.
    pub interrupted: bool,
}

/// Score of one player over all its encounters.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerScore {
    /// Games.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
    /// Fault counts.
    pub faults: FaultCounts,
    /// Lateness of the turns.
    pub lateness: Lateness,
}

impl PlayerScore {
    /// Points: one for a win, a half for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }
}

impl CrossTable {
    /// Table without games.
    pub fn new(encounters: Vec<[usize; 2]>) -> CrossTable {
        let encounters = encounters.into_iter().map(|players| (players, MatchResult::default())).collect();
        CrossTable { encounters, interrupted: false }
    }

    /// Table of a match of two players with this result.
    pub fn of_two(result: MatchResult) -> CrossTable {
        CrossTable { encounters: vec![([0, 1], result)], interrupted: false }
    }

    /// Result of the first encounter, the only one of two players.
    pub fn first(&self) -> MatchResult {
        self.encounters.first().map(|(_, result)| result.clone()).unwrap_or_default()
    }

    /// Number of pairs of games.
    pub fn pairs(&self) -> u32 {
        self.encounters.iter().map(|(_, result)| result.games() / 2).sum()
    }

    /// Counts the pair with this number.
    pub(super) fn add(&mut self, number: u32, pair: &GamePair) {
        let index = number as usize % self.encounters.len().max(1);
        if let Some((players, result)) = self.encounters.get_mut(index) {
            result.add(pair, players.map(letter));
        }
    }

    /// Score of a player.
    pub fn score(&self, player: usize) -> PlayerScore {
        let mut score = PlayerScore::default();
        for (players, result) in &self.encounters {
            let Some(seat) = players.iter().position(|&index| index == player) else { continue };
            let (wins, losses) =
                if seat == 0 { (result.wins, result.losses) } else { (result.losses, result.wins) };
            score.games += result.games();
            score.wins += wins;
            score.losses += losses;
            score.draws += result.draws;
            score.faults.add(&result.faults[seat]);
            score.lateness.add(&result.lateness[seat]);
        }
        score
    }

    /// Result of two players from the point of view of one of them; `None` where they do not meet.
    pub fn between(&self, player: usize, opponent: usize) -> Option<(PlayerScore, Pentanomial)> {
        let (players, result) = self
            .encounters
            .iter()
            .find(|(players, _)| *players == [player, opponent] || *players == [opponent, player])?;
        let alone = CrossTable { encounters: vec![(*players, result.clone())], interrupted: false };
        let mut pairs = result.pentanomial;
        if players[0] != player {
            pairs.reverse();
        }
        Some((alone.score(player), pairs))
    }

    /// Strength of each of the players over the first one, as far as games connect it with that one.
    pub fn ratings(&self, players: usize) -> Vec<Option<Elo>> {
        let counts: Vec<_> =
            self.encounters.iter().map(|(players, result)| (*players, result.pentanomial)).collect();
        ratings(players, &counts)
    }

    /// Description of the first fault.
    pub fn first_fault(&self) -> Option<&str> {
        self.encounters.iter().find_map(|(_, result)| result.first_fault.as_deref())
    }
}
