//! Handicaps: what the sides have in the first position of a game that the rules do not give them.
//!
//! A handicap is no mark beside a game: it can be read off the first position ([`Handicap::of`]), whose extended FEN holds
//! all of it.

use std::fmt;

use anyhow::{Result, anyhow};
use barrow_core::minions::{
    Builder, Game, GameConfig, GameState, Side, SideArray, Tech, TechLevels, TechStatus,
};
use barrow_core::rng::Rng;

/// Largest number of souls of a drawn handicap, for each board; Blue has 6 for each board by the rules (rules §3).
const SOULS: u32 = 8;

/// Largest number of extra souls per turn of a drawn handicap, for each board, which pays 3 and its graveyards.
const INCOME: u32 = 2;

/// Largest number of techs that a drawn handicap unlocks.
const UNLOCKED: u32 = 8;

/// Largest number of techs that a drawn handicap gives to a side as acquired.
const ACQUIRED: u32 = 3;

/// Handicap of the two sides; the default is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Handicap {
    /// Souls besides those of the start position.
    pub souls: SideArray<u32>,
    /// Extra souls per turn (rules §3).
    pub income: SideArray<u16>,
    /// Tech levels.
    pub techs: SideArray<TechLevels>,
}

impl Handicap {
    /// Random handicap for games of this configuration: souls, techs, extra souls per turn, or several of them, each
    /// equal for both sides, for one of them, or for both by different amounts. Spooky has no extra souls per turn, and
    /// no text of its own for them, so they are drawn only under rules with spells. A unit's tech is acquired by one side
    /// at most (rules §6.2).
    pub fn draw(config: &GameConfig, dice: &mut Rng) -> Handicap {
        let boards = config.num_boards() as u32;
        let kinds = 1 + dice.below(if config.rules.spells { 7 } else { 3 });
        let mut handicap = Handicap::default();
        if kinds & 1 != 0 {
            handicap.souls = drawn(dice, |dice| boards * (1 + dice.below(SOULS)));
        }
        if kinds & 2 != 0 {
            handicap.techs = drawn_techs(config.techline.techs(), dice);
        }
        if kinds & 4 != 0 {
            handicap.income = drawn(dice, |dice| 1 + dice.below(INCOME * boards) as u16);
        }
        handicap
    }

    /// Handicap with which a game began, by its first position.
    pub fn of(start: &Game) -> Handicap {
        let (config, state) = (start.config(), start.state());
        let plain = GameState::start(config, 0);
        Handicap {
            souls: SideArray(Side::ALL.map(|side| state.souls(side).saturating_sub(plain.souls(side)))),
            income: config.extra_souls,
            techs: SideArray(Side::ALL.map(|side| state.tech(side))),
        }
    }

    /// Whether neither side has anything.
    pub fn is_none(&self) -> bool {
        *self == Handicap::default()
    }

    /// First position of a game with this handicap; `seed` determines the cards, as in [`Game::new`].
    pub fn start(&self, mut config: GameConfig, seed: u64) -> Result<Game> {
        config.extra_souls = self.income;
        let game = Game::new(config, seed);
        let souls = SideArray(Side::ALL.map(|side| game.state().souls(side) + self.souls[side]));
        let mut builder = Builder::from_game(game);
        builder.souls(souls).tech(self.techs, self.techs);
        builder.build().map_err(|error| anyhow!("handicap: {error}"))
    }
}

impl fmt::Display for Handicap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("none");
        }
        let mut gap = "";
        for side in Side::ALL {
            let techs = self.techs[side];
            let parts = [
                (self.souls[side], "souls"),
                (u32::from(self.income[side]), "souls per turn"),
                (techs.unlocked_bits().count_ones(), "techs unlocked"),
                (techs.acquired_bits().count_ones(), "techs acquired"),
            ];
            for (number, what) in parts.into_iter().filter(|&(number, _)| number > 0) {
                write!(f, "{gap}{} +{number} {what}", side.name())?;
                gap = ", ";
            }
        }
        Ok(())
    }
}

/// An amount for each side: equal ones, one for Yellow, one for Blue, or two, with equal chances.
fn drawn<T: Copy + Default>(dice: &mut Rng, mut amount: impl FnMut(&mut Rng) -> T) -> SideArray<T> {
    let nothing = T::default();
    match (dice.below(4), amount(dice), amount(dice)) {
        (0, one, _) => SideArray::new(one, one),
        (1, one, _) => SideArray::new(one, nothing),
        (2, one, _) => SideArray::new(nothing, one),
        (_, one, other) => SideArray::new(one, other),
    }
}

/// Tech levels for each side: the first techs of the line unlocked, as by marches, and some of them acquired.
fn drawn_techs(line: &[Tech], dice: &mut Rng) -> SideArray<TechLevels> {
    let most = UNLOCKED.min(line.len() as u32);
    let counts = drawn(dice, |dice| (1 + dice.below(most), dice.below(ACQUIRED + 1)));
    let mut levels = SideArray::<TechLevels>::default();
    for side in Side::ALL {
        (0..counts[side].0).for_each(|tech| levels[side].set(tech as u8, TechStatus::Unlocked));
    }
    let mut order: Vec<u8> = (0..most as u8).collect();
    dice.shuffle(&mut order);
    // In turn, so that equal handicaps are equal while there are techs for both.
    for round in 0..ACQUIRED {
        for side in Side::ALL.into_iter().filter(|&side| round < counts[side].1) {
            let (own, other) = (levels[side], levels[side.opponent()]);
            let free = |tech: u8| own.status(tech) == TechStatus::Unlocked && !other.owns(tech);
            if let Some(&tech) = order.iter().find(|&&tech| free(tech)) {
                levels[side].set(tech, TechStatus::Acquired);
            }
        }
    }
    levels
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::text::fen;
    use barrow_core::minions::{MapLabel, Ruleset};

    use super::*;

    fn config(ruleset: Ruleset, boards: usize) -> GameConfig {
        GameConfig::new(ruleset, &MapLabel::ALL[..boards]).unwrap()
    }

    #[test]
    fn handicaps_of_all_kinds_are_drawn_and_read_off_the_first_position_and_its_text() {
        let mut dice = Rng::new(5);
        // Equal, Yellow's alone, Blue's alone, different: of souls, income, unlocked techs.
        let mut seen = [[0; 4]; 3];
        let mut acquired = 0;
        for number in 0..2_000 {
            let ruleset = [Ruleset::Server, Ruleset::Spooky][number % 2];
            let config = config(ruleset, 1 + number % 8);
            let handicap = Handicap::draw(&config, &mut dice);
            let start = handicap.start(config, number as u64).unwrap();
            assert!(!handicap.is_none() && Handicap::of(&start) == handicap, "{handicap}");
            let back = Game::from_fen(&fen::Extended(&start).to_string()).unwrap();
            assert_eq!((Handicap::of(&back), back == start), (handicap, true));
            let [yellow, blue] = handicap.techs.0;
            assert_eq!(yellow.acquired_bits() & blue.acquired_bits(), 0);
            acquired += yellow.acquired_bits().count_ones();
            let unlocked = [yellow, blue].map(|levels| levels.unlocked_bits().count_ones());
            assert!(ruleset == Ruleset::Server || handicap.income == SideArray::default());
            let amounts = [handicap.souls.0, handicap.income.0.map(u32::from), unlocked];
            for (seen, [yellow, blue]) in seen.iter_mut().zip(amounts) {
                match (yellow, blue) {
                    (0, 0) => {}
                    (_, 0) => seen[1] += 1,
                    (0, _) => seen[2] += 1,
                    _ => seen[if yellow == blue { 0 } else { 3 }] += 1,
                }
            }
        }
        assert!(seen.iter().flatten().all(|&count| count > 50) && acquired > 300, "{seen:?} {acquired}");
    }

    #[test]
    fn a_plain_start_has_none_and_one_is_told_in_words() {
        let plain = Game::new(config(Ruleset::Server, 3), 1);
        assert_eq!((Handicap::of(&plain).is_none(), Handicap::of(&plain).to_string()), (true, "none".into()));
        let mut handicap = Handicap { souls: SideArray::new(0, 9), ..Handicap::default() };
        handicap.income[Side::Yellow] = 2;
        handicap.techs[Side::Yellow].set(0, TechStatus::Acquired);
        handicap.techs[Side::Yellow].set(1, TechStatus::Unlocked);
        let start = handicap.start(config(Ruleset::Server, 3), 1).unwrap();
        assert_eq!(start.state().souls(Side::Blue), 6 * 3 + 9);
        assert_eq!(
            Handicap::of(&start).to_string(),
            "Yellow +2 souls per turn, Yellow +2 techs unlocked, Yellow +1 techs acquired, Blue +9 souls"
        );
    }
}
