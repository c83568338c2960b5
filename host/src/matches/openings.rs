//! Openings: the rules, maps, tech line, cards and, if asked for, handicaps and random turns from which each pair of games
//! starts.

use std::sync::Arc;

use anyhow::{Result, ensure};
use barrow_core::minions::players::Random;
use barrow_core::minions::tables::capacities::BOARD_CAP;
use barrow_core::minions::text::fen::Extended;
use barrow_core::minions::{Game, GameConfig, MapLabel, Ruleset, Techline};
use barrow_core::rng::Rng;
use flate2::Crc;

use super::handicap::Handicap;

/// Rulesets of mixed games, in turn: two of three are played under the full rules.
const MIXED: [Ruleset; 3] = [Ruleset::Server, Ruleset::Spooky, Ruleset::Server];

/// Largest number of random turns of an opening. A game that ends within them is drawn anew: of 200 random games on one
/// board 22 % had ended after so many turns under the full rules and 15 % under Spooky's, of those on eight boards 5 %.
pub const OPENING_PLIES_CAP: u32 = 200;

/// Rulesets of the games of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rulesets {
    /// Ruleset of all games.
    One(Ruleset),
    /// Both: of three games, or pairs of a match, the second is played by Spooky's rules.
    Mixed,
}

impl From<Ruleset> for Rulesets {
    fn from(ruleset: Ruleset) -> Rulesets {
        Rulesets::One(ruleset)
    }
}

impl Rulesets {
    /// Name: that of the ruleset, or `mixed`.
    pub fn name(self) -> &'static str {
        match self {
            Rulesets::One(ruleset) => ruleset.name(),
            Rulesets::Mixed => "mixed",
        }
    }

    /// Rulesets of this name.
    pub fn from_name(name: &str) -> Option<Rulesets> {
        if name == "mixed" { Some(Rulesets::Mixed) } else { Ruleset::from_name(name).map(Rulesets::One) }
    }

    /// Ruleset of the game, or pair of games, with this number.
    fn of_number(self, number: u32) -> Ruleset {
        match self {
            Rulesets::One(ruleset) => ruleset,
            Rulesets::Mixed => MIXED[number as usize % MIXED.len()],
        }
    }
}

/// Openings of a match; the opening of a pair follows from the seed and the number of the pair.
#[derive(Clone, Debug)]
pub struct Openings {
    rulesets: Rulesets,
    boards: (u8, u8),
    maps: Vec<MapLabel>,
    plies: u32,
    seed: u64,
    /// Chance of a handicap, 0 to 1.
    handicaps: f64,
    /// Positions of a list; empty where openings are drawn.
    listed: Arc<[Game]>,
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
    /// Openings on `boards.0` to `boards.1` boards, with `plies` random turns and without handicaps. The maps are drawn
    /// from `maps`, or from the pool of the ruleset when that list is empty, and no map is repeated while others are left.
    /// Fails when the numbers of boards are not an interval within 1 to [`BOARD_CAP`], and for more turns than
    /// [`OPENING_PLIES_CAP`].
    pub fn new(
        rulesets: impl Into<Rulesets>,
        boards: (u8, u8),
        maps: &[MapLabel],
        plies: u32,
        seed: u64,
    ) -> Result<Openings> {
        let (least, most) = boards;
        ensure!(1 <= least && least <= most && usize::from(most) <= BOARD_CAP, "1 to {BOARD_CAP} boards");
        ensure!(plies <= OPENING_PLIES_CAP, "at most {OPENING_PLIES_CAP} random turns");
        Ok(Openings {
            rulesets: rulesets.into(),
            boards,
            maps: maps.to_vec(),
            plies,
            seed,
            handicaps: 0.0,
            listed: [].into(),
        })
    }

    /// Openings of a list, in an order that follows from the seed: none comes again before all others have come. Fails when
    /// the list is empty.
    pub fn listed(games: Vec<Game>, seed: u64) -> Result<Openings> {
        let mut rulesets = games.iter().map(|game| game.config().ruleset);
        let Some(first) = rulesets.next() else { anyhow::bail!("no openings") };
        let rulesets =
            if rulesets.all(|ruleset| ruleset == first) { Rulesets::One(first) } else { Rulesets::Mixed };
        let most = games.iter().map(|game| game.config().num_boards() as u8).max().unwrap_or(1);
        Ok(Openings { listed: games.into(), ..Openings::new(rulesets, (1, most), &[], 0, seed)? })
    }

    /// Openings in words: what they depend on beside the seed. Equal words mean equal openings.
    pub fn description(&self) -> String {
        if !self.listed.is_empty() {
            let mut checksum = Crc::new();
            self.listed.iter().for_each(|game| checksum.update(Extended(game).to_string().as_bytes()));
            return format!("{} listed, checksum {:08x}", self.listed.len(), checksum.sum());
        }
        let (least, most) = self.boards;
        let maps: Vec<&str> = self.maps.iter().map(|map| map.name()).collect();
        let maps = if maps.is_empty() { "any".to_owned() } else { maps.join(",") };
        let Openings { plies, handicaps, .. } = self;
        let rules = self.rulesets.name();
        format!(
            "{rules} rules, {least}-{most} boards, maps {maps}, {plies} random turns, handicaps {handicaps}"
        )
    }

    /// The same openings, drawn by another seed.
    pub fn with_seed(&self, seed: u64) -> Openings {
        Openings { seed, ..self.clone() }
    }

    /// Openings of which a share has a random [`Handicap`]; those without one are the same as before. Fails when the
    /// chance is none.
    pub fn with_handicaps(mut self, chance: f64) -> Result<Openings> {
        ensure!((0.0..=1.0).contains(&chance), "the chance of a handicap is 0 to 1");
        self.handicaps = chance;
        Ok(self)
    }

    /// Rulesets of the games.
    pub fn rulesets(&self) -> Rulesets {
        self.rulesets
    }

    /// Seed of the openings.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Opening of the pair with this number.
    pub fn of_pair(&self, pair: u32) -> Result<Opening> {
        let mut dice = self.dice(pair);
        if let Some(game) = self.of_list(pair) {
            return Ok(Opening { game: game.clone(), seed: dice.next_u64() });
        }
        let config = self.config(pair, &mut dice)?;
        let handicap = self.handicap_with(pair, &config).unwrap_or_default();
        loop {
            let mut game = handicap.start(config.clone(), dice.next_u64())?;
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

    /// Position of the list for the pair with this number; `None` without a list.
    fn of_list(&self, pair: u32) -> Option<&Game> {
        let count = u32::try_from(self.listed.len()).ok().filter(|count| *count > 0)?;
        let mut order: Vec<&Game> = self.listed.iter().collect();
        self.dice(u32::MAX - pair / count).shuffle(&mut order);
        order.get((pair % count) as usize).copied()
    }

    /// Handicap of the pair with this number; `None` if it has none.
    pub fn handicap(&self, pair: u32) -> Option<Handicap> {
        if !self.listed.is_empty() {
            return None;
        }
        let config = self.config(pair, &mut self.dice(pair)).ok()?;
        self.handicap_with(pair, &config)
    }

    fn dice(&self, pair: u32) -> Rng {
        Rng::new(self.seed ^ Rng::new(u64::from(pair) + 1).next_u64())
    }

    /// Configuration of the pair with this number, but for its handicap.
    fn config(&self, pair: u32, dice: &mut Rng) -> Result<GameConfig> {
        let ruleset = self.rulesets.of_number(pair);
        let (least, most) = self.boards;
        let boards = usize::from(least) + dice.below(u32::from(most - least) + 1) as usize;
        let pool = if self.maps.is_empty() { pool(ruleset) } else { self.maps.clone() };
        let mut maps = Vec::new();
        while maps.len() < boards {
            let mut round = pool.clone();
            dice.shuffle(&mut round);
            maps.extend(round.into_iter().take(boards - maps.len()));
        }
        let config = GameConfig::new(ruleset, &maps)
            .ok_or_else(|| anyhow::anyhow!("{boards} boards are too many"))?
            .with_techline(Techline::random(dice));
        Ok(config)
    }

    /// Handicap of the pair with this number, whose configuration this is.
    fn handicap_with(&self, pair: u32, config: &GameConfig) -> Option<Handicap> {
        // Dice of their own, so that whatever else is drawn stays as it is without handicaps.
        let mut dice = Rng::new(self.seed ^ Rng::new(!u64::from(pair)).next_u64());
        let drawn = f64::from(dice.below(1 << 16)) < self.handicaps * f64::from(1 << 16);
        drawn.then(|| Handicap::draw(config, &mut dice))
    }
}

/// Maps of random games under a ruleset.
fn pool(ruleset: Ruleset) -> Vec<MapLabel> {
    if ruleset.rules().special_tiles {
        MapLabel::BASIC.into_iter().chain(MapLabel::ADVANCED).collect()
    } else {
        MapLabel::ALL.into_iter().filter(|&map| is_spooky(map)).collect()
    }
}

/// Whether a map belongs to the Spooky subset (fen §5).
fn is_spooky(map: MapLabel) -> bool {
    matches!(map, MapLabel::AllLand | MapLabel::BlackenedShores | MapLabel::MidnightLake)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn openings_differ_in_rules_boards_maps_and_layouts_of_the_tech_line() {
        let openings = Openings::new(Rulesets::Mixed, (1, 8), &[], 0, 3).unwrap();
        let (mut boards, mut maps, mut layouts) = ([0; 9], BTreeSet::new(), [const { BTreeSet::new() }; 2]);
        for pair in 0..300 {
            let game = openings.of_pair(pair).unwrap().game;
            assert_eq!(game, openings.of_pair(pair).unwrap().game);
            let config = game.config();
            let spooky = config.ruleset == Ruleset::Spooky;
            assert_eq!(spooky, pair % 3 == 1);
            boards[config.num_boards()] += 1;
            maps.extend(config.maps().iter().map(|map| (spooky, map.name())));
            let line: Vec<u8> = config.techline.techs().iter().map(|tech| tech.letter()).collect();
            assert_eq!((&line[..2], line.len()), (&b"SP"[..], 25));
            layouts[usize::from(spooky)].insert(line);
            assert!(Handicap::of(&game).is_none() && openings.handicap(pair).is_none());
        }
        assert!(boards[1..].iter().all(|&count| count > 20), "{boards:?}");
        assert_eq!((layouts[0].len(), layouts[1].len()), (200, 100));
        assert_eq!(maps.iter().filter(|(spooky, _)| *spooky).count(), 3);
        assert_eq!(maps.len(), 3 + MapLabel::BASIC.len() + MapLabel::ADVANCED.len());
    }

    #[test]
    fn listed_openings_come_round_after_round_in_an_order_of_the_seed() {
        let games: Vec<Game> = (0..9).map(|seed| Game::new(GameConfig::default(), seed)).collect();
        let listed = |seed| Openings::listed(games.clone(), seed).unwrap();
        let order = |seed: u64, pairs: std::ops::Range<u32>| -> Vec<usize> {
            let openings = listed(seed);
            let place = |game: &Game| games.iter().position(|listed| listed == game).unwrap();
            pairs.map(|pair| place(&openings.of_pair(pair).unwrap().game)).collect()
        };
        for round in [0..9, 9..18] {
            let mut sorted = order(5, round);
            sorted.sort_unstable();
            assert_eq!(sorted, (0..9).collect::<Vec<_>>());
        }
        assert_eq!(order(5, 0..18), order(5, 0..18));
        assert_ne!(order(5, 0..9), order(5, 9..18));
        assert_ne!(order(5, 0..9), order(6, 0..9));
        assert_eq!((listed(1).rulesets(), listed(1).handicap(0)), (Rulesets::One(Ruleset::Server), None));
        assert_ne!(listed(1).description(), Openings::listed(games[1..].to_vec(), 1).unwrap().description());
        assert!(Openings::listed(Vec::new(), 1).is_err());
    }

    #[test]
    fn a_share_of_the_openings_has_a_handicap_and_nothing_else_changes() {
        let plain = Openings::new(Rulesets::Mixed, (1, 4), &[], 0, 9).unwrap();
        let [some, all] = [0.25, 1.0].map(|chance| plain.clone().with_handicaps(chance).unwrap());
        let mut count = 0;
        for pair in 0..400 {
            let [before, some_game, all_game] =
                [&plain, &some, &all].map(|openings| openings.of_pair(pair).unwrap());
            assert_eq!(some.handicap(pair).unwrap_or_default(), Handicap::of(&some_game.game));
            assert_eq!(all.handicap(pair), Some(Handicap::of(&all_game.game)));
            count += u32::from(some.handicap(pair).is_some());
            if some.handicap(pair).is_none() {
                assert_eq!(some_game.game, before.game);
            }
            assert_eq!(all_game.game.config().techline, before.game.config().techline);
            assert_eq!(all_game.game.config().maps(), before.game.config().maps());
            assert_eq!(all_game.game.state().row(), before.game.state().row());
            assert_eq!(all_game.seed, before.seed);
        }
        assert!((70..130).contains(&count), "{count}");
        for bad in [-0.1, 1.1, f64::NAN] {
            assert!(plain.clone().with_handicaps(bad).is_err());
        }
    }
}
