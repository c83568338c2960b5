//! Standings of players over many games: wins, win rate with its interval, and mean place, as a table and as JSON.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::statistics::wilson_interval;

/// The counts of one player.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    games: u32,
    wins: f64,
    places: f64,
}

/// The standings of players, counted game by game.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    games: u32,
    lines: Vec<Line>,
}

impl Standings {
    /// Standings before the first game. Players are identified by their index in `names`.
    pub fn new<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        let lines = names
            .into_iter()
            .map(|name| Line { name: name.into(), games: 0, wins: 0.0, places: 0.0 })
            .collect();
        Self { games: 0, lines }
    }

    /// Counts a game: for each seat the player, as an index into the names, and the place reached, 1 for the best.
    /// Equal places are shared: k seats that are first get 1/k of a win each, and each seat of a
    /// shared place counts the mean of the places they take up. A player may hold several seats.
    ///
    /// # Panics
    /// If a seat names a player that does not exist.
    pub fn record(&mut self, seats: &[(usize, u32)]) {
        self.count(seats, true);
    }

    /// Counts a game without a winner: places as in [`record`](Standings::record), but no wins.
    ///
    /// # Panics
    /// As [`record`](Standings::record).
    pub fn record_unwon(&mut self, seats: &[(usize, u32)]) {
        self.count(seats, false);
    }

    fn count(&mut self, seats: &[(usize, u32)], won: bool) {
        self.games += 1;
        for &(player, place) in seats {
            let shared = seats.iter().filter(|&&(_, other)| other == place).count() as f64;
            let better = seats.iter().filter(|&&(_, other)| other < place).count() as f64;
            let line = &mut self.lines[player];
            line.games += 1;
            line.places += better + f64::midpoint(shared, 1.0);
            if won && better == 0.0 {
                line.wins += 1.0 / shared;
            }
        }
    }

    /// Number of games counted.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Win rate of a player: wins per seat, 0 to 1; 0 before the player's first game.
    pub fn win_rate(&self, player: usize) -> f64 {
        let line = &self.lines[player];
        if line.games == 0 { 0.0 } else { line.wins / f64::from(line.games) }
    }

    /// Wilson's interval of the win rate at 95 % (E. B. Wilson, "Probable inference", 1927); 0 to 1 before the first
    /// game. Shared wins count as fractions of one, which makes it slightly too wide, never too narrow.
    pub fn interval(&self, player: usize) -> [f64; 2] {
        wilson_interval(self.win_rate(player), f64::from(self.lines[player].games))
    }

    /// Mean place of a player, 1 for the best; 0 before the player's first game.
    pub fn mean_place(&self, player: usize) -> f64 {
        let line = &self.lines[player];
        if line.games == 0 { 0.0 } else { line.places / f64::from(line.games) }
    }

    /// Standing of each player.
    pub fn players(&self) -> Vec<PlayerStanding> {
        let standing = |player: usize| PlayerStanding {
            name: self.lines[player].name.clone(),
            wins: self.lines[player].wins,
            win_rate: self.win_rate(player),
            ci95: self.interval(player),
            mean_place: self.mean_place(player),
        };
        (0..self.lines.len()).map(standing).collect()
    }
}

/// Standing of one player.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PlayerStanding {
    /// Name of the player.
    name: String,
    /// Wins; a shared one counts as a part.
    wins: f64,
    /// Wins per seat, 0 to 1.
    win_rate: f64,
    /// Bounds of the 95 % interval of the win rate.
    ci95: [f64; 2],
    /// Mean place, 1 for the best.
    mean_place: f64,
}

impl fmt::Display for Standings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            self.lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0).max("player".len());
        writeln!(
            out,
            "{:width$}  {:>7}  {:>8}  {:>15}  {:>10}",
            "player", "wins", "win rate", "95 %", "mean place"
        )?;
        for (player, line) in self.lines.iter().enumerate() {
            let [low, high] = self.interval(player).map(|bound| 100.0 * bound);
            writeln!(
                out,
                "{:width$}  {:>7.1}  {:>6.1} %  {:>5.1} to {:>5.1}  {:>10.2}",
                line.name,
                line.wins,
                100.0 * self.win_rate(player),
                low,
                high,
                self.mean_place(player)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Standings;

    #[test]
    fn shared_places_share_wins_and_take_the_mean_place() {
        let mut standings = Standings::new(["a", "b", "c"]);
        standings.record(&[(0, 1), (1, 1), (2, 3)]);
        standings.record(&[(2, 1), (0, 2), (1, 3)]);
        assert_eq!(standings.games(), 2);
        assert!((standings.win_rate(0) - 0.25).abs() < 1e-12);
        assert!((standings.win_rate(2) - 0.5).abs() < 1e-12);
        assert!((standings.mean_place(0) - 1.75).abs() < 1e-12);
        assert!((standings.mean_place(1) - 2.25).abs() < 1e-12);
    }

    #[test]
    fn a_game_without_a_winner_has_places_only() {
        let mut standings = Standings::new(["a", "b"]);
        standings.record_unwon(&[(0, 2), (1, 1)]);
        assert_eq!((standings.games(), standings.win_rate(0) + standings.win_rate(1)), (1, 0.0));
        assert!((standings.mean_place(1) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_interval_is_wilsons() {
        // 8 of 10: 0.490 to 0.943, a textbook case.
        let mut standings = Standings::new(["a", "b"]);
        for game in 0..10 {
            standings.record(if game < 8 { &[(0, 1), (1, 2)] } else { &[(0, 2), (1, 1)] });
        }
        let [low, high] = standings.interval(0);
        assert!((low - 0.4902).abs() < 1e-3 && (high - 0.9433).abs() < 1e-3, "{low} {high}");
        let [low, high] = Standings::new(["a"]).interval(0);
        assert!(low.abs() < 1e-12 && (high - 1.0).abs() < 1e-12);
    }

    #[test]
    fn json_has_the_promised_keys() {
        let mut standings = Standings::new(["a", "b"]);
        standings.record(&[(0, 1), (1, 2)]);
        let json = serde_json::to_value(standings.players()).unwrap();
        let first = json[0].as_object().unwrap();
        let keys: Vec<&str> = first.keys().map(String::as_str).collect();
        assert_eq!(keys, ["ci95", "mean_place", "name", "win_rate", "wins"]);
    }
}
