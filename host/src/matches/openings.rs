//! Openings: the maps, tech line, cards and, if asked for, random turns from which each pair of games starts.

use anyhow::{Result, ensure};
use barrow_core::minions::players::Random;
use barrow_core::minions::tables::capacities::BOARD_CAP;
use barrow_core::minions::{Game, GameConfig, MapLabel, Ruleset, Techline};
use barrow_core::rng::Rng;

/// Openings of a match; the opening of a pair follows from the seed and the number of the pair.
#[derive(Clone, Debug)]
pub struct Openings {
    ruleset: Ruleset,
    boards: (u8, u8),
    maps: Vec<MapLabel>,
    plies: u32,
    seed: u64,
}

/// Opening of a pair of games.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Position from which both games of the pair start.
    pub game: Game,
    /// Seed of the random choices of the players.
    pub seed: u64,
}

impl Openings {
    /// Openings on `boards.0` to `boards.1` boards, with `plies` random turns. The maps are drawn from `maps`, or from
    /// the pool of the ruleset when that list is empty, and no map is repeated while others are left. Fails when the
    /// numbers of boards are not an interval within 1 to [`BOARD_CAP`].
    pub fn new(
        ruleset: Ruleset,
        boards: (u8, u8),
        maps: &[MapLabel],
        plies: u32,
        seed: u64,
    ) -> Result<Openings> {
        let (least, most) = boards;
        ensure!(1 <= least && least <= most && usize::from(most) <= BOARD_CAP, "1 to {BOARD_CAP} boards");
        let mut pool = maps.to_vec();
        if pool.is_empty() {
            pool = if ruleset.rules().special_tiles {
                MapLabel::BASIC.into_iter().chain(MapLabel::ADVANCED).collect()
            } else {
                MapLabel::ALL.into_iter().filter(|&map| is_spooky(map)).collect()
            };
        }
        Ok(Openings { ruleset, boards, maps: pool, plies, seed })
    }

    /// Ruleset of all games.
    pub fn ruleset(&self) -> Ruleset {
        self.ruleset
    }

    /// Opening of the pair with this number.
    pub fn of_pair(&self, pair: u32) -> Result<Opening> {
        let mut dice = Rng::new(self.seed ^ Rng::new(u64::from(pair) + 1).next_u64());
        let (least, most) = self.boards;
        let boards = usize::from(least) + dice.below(u32::from(most - least) + 1) as usize;
        let mut maps = Vec::new();
        while maps.len() < boards {
            let mut round = self.maps.clone();
            dice.shuffle(&mut round);
            maps.extend(round.into_iter().take(boards - maps.len()));
        }
        let config = GameConfig::new(self.ruleset, &maps)
            .ok_or_else(|| anyhow::anyhow!("{boards} boards are too many"))?
            .with_techline(Techline::random(&mut dice));
        loop {
            let mut game = Game::new(config.clone(), dice.next_u64());
            let mut random = Random::new(dice.next_u64());
            for _ in 0..self.plies {
                if !game.state().is_over() {
                    game.play(&random.choose(&game))?;
                }
            }
            if !game.state().is_over() {
                return Ok(Opening { game, seed: dice.next_u64() });
            }
        }
    }
}

/// Whether a map belongs to the Spooky subset (fen §5).
fn is_spooky(map: MapLabel) -> bool {
    matches!(map, MapLabel::AllLand | MapLabel::BlackenedShores | MapLabel::MidnightLake)
}
