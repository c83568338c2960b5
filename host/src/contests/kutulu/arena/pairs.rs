//! Pairwise results: for each two players the share of meetings in which one finished before the other.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::matches::elo::Pentanomial;
use crate::statistics::half_width;

/// Pairwise results. Two seats of different players in one game are a meeting; equal places count half a point each.
#[derive(Clone, Debug)]
pub struct Pairs {
    players: usize,
    /// Points of the row's player against the column's.
    points: Vec<f64>,
    meetings: Vec<u32>,
}

impl Pairs {
    /// Results of a number of players before their first meeting.
    pub fn new(players: usize) -> Pairs {
        Pairs { players, points: vec![0.0; players * players], meetings: vec![0; players * players] }
    }

    /// Counts a game: the player of each seat and the place reached. Players that do not exist are ignored.
    pub fn record(&mut self, seats: &[(usize, u32)]) {
        for &(one, place) in seats {
            for &(other, other_place) in seats {
                if one == other || one.max(other) >= self.players {
                    continue;
                }
                let cell = one * self.players + other;
                self.meetings[cell] += 1;
                self.points[cell] += match place.cmp(&other_place) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
            }
        }
    }

    /// Share of the meetings of two players in which `one` finished before `other`, 0 to 1; 0 before the first meeting.
    pub fn rate(&self, one: usize, other: usize) -> f64 {
        let cell = one * self.players + other;
        match self.meetings.get(cell) {
            Some(&meetings) if meetings > 0 => self.points[cell] / f64::from(meetings),
            _ => 0.0,
        }
    }

    /// Meetings of two players by `one`'s points: none in the first place, half a point in the third, a point in the last, as
    /// pairs of games are counted.
    pub fn outcomes(&self, one: usize, other: usize) -> Pentanomial {
        let cell = one * self.players + other;
        let (Some(points), Some(&meetings)) = (self.points.get(cell), self.meetings.get(cell)) else {
            return [0; 5];
        };
        // Sums of halves are exact.
        let halves = (2.0 * points) as u32;
        let (won, shared) = (halves / 2, halves % 2);
        [meetings.saturating_sub(won + shared), 0, shared, 0, won]
    }

    /// Half the width of the rate's 95 % interval, by the normal approximation with the widest spread that the rate
    /// allows. Meetings in one game are not independent; with one seat per player there is one a game.
    pub fn margin(&self, one: usize, other: usize) -> f64 {
        let meetings = self.meetings.get(one * self.players + other).copied().unwrap_or(0).max(1);
        let rate = self.rate(one, other);
        half_width(rate * (1.0 - rate), f64::from(meetings))
    }

    /// Report of the results.
    pub fn report(&self) -> PairsReport {
        let table = |value: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            (0..self.players).map(|one| (0..self.players).map(|other| value(one, other)).collect()).collect()
        };
        PairsReport {
            rates: table(&|one, other| self.rate(one, other)),
            margins: table(&|one, other| self.margin(one, other)),
        }
    }
}

/// Report of pairwise results: tables in which rows play against columns.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PairsReport {
    /// Shares of meetings in which the row finished before the column, 0 to 1.
    rates: Vec<Vec<f64>>,
    /// Half the widths of their 95 % intervals.
    margins: Vec<Vec<f64>>,
}

/// The table of pairwise results: how often the row finished before the column, in percent.
impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for one in 0..self.players {
            for other in 0..self.players {
                if one == other {
                    write!(f, "{:>16}", "-")?;
                } else {
                    let (rate, margin) = (100.0 * self.rate(one, other), 100.0 * self.margin(one, other));
                    write!(f, "  {rate:>5.1} +- {margin:<4.1}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meetings_are_counted_by_seats() {
        let mut pairs = Pairs::new(2);
        pairs.record(&[(0, 1), (1, 2), (0, 3), (1, 3)]);
        // Seat 0 beats both of player 1; seat 2 loses to one and ties the other.
        assert!((pairs.rate(0, 1) - 2.5 / 4.0).abs() < 1e-12);
        assert!((pairs.rate(0, 1) + pairs.rate(1, 0) - 1.0).abs() < 1e-12);
        assert!((pairs.margin(0, 1) - 0.474).abs() < 1e-3);
        assert_eq!((Pairs::new(2).rate(0, 1), pairs.report().rates[1][0]), (0.0, 0.375));
        assert!(pairs.to_string().contains("62.5"));
    }
}
