//! The attack stage of one board: from a prophecy to aims, and its refinements (seed 000 "Attack").
//!
//! What is asked for depends on the [`Family`]: the prophecy as it is, peace, defence, a spell that finishes off a
//! wounded enemy, resignation, or the prophecy with noise.

use heapless::Vec;

use super::family::Family;
use super::ports::{Aim, Fate, Fates, Menaces, Outline};
use crate::hex::Hex;
use crate::minions::View;
use crate::rng::Rng;

/// Thousandths from which a fate is aimed at.
const THRESHOLD: u16 = 500;

/// Largest noise of a coarse refinement, in thousandths.
const NOISE: u32 = 450;

/// Aims of one request.
pub(super) type Aims = Vec<Aim, { Hex::COUNT + 4 }, u8>;

/// What experience says of an outline: the value of turns with it, above or below the average of all, in units of
/// a win chance.
pub(super) struct Experience {
    /// The attack.
    pub outline: Outline,
    /// Its mean less the mean of all.
    pub gain: i32,
    /// Visits behind it.
    pub weight: u32,
}

/// Lets what was learnt by looking ahead change a prophecy: pieces whose fate made good turns good get more weight
/// (seed 000, "maybe do something with the lookahead from MCTS backpropagation").
pub(super) fn learn(fates: &mut Fates, experiences: &[Experience]) {
    for foretold in fates.iter_mut() {
        let (mut with, mut without) = ((0i64, 0i64), (0i64, 0i64));
        for experience in experiences {
            let happened = match foretold.fate {
                Fate::Removed => {
                    (experience.outline.killed | experience.outline.unsummoned).contains(foretold.at)
                }
                Fate::Passive => !experience.outline.fighters.contains(foretold.at),
            };
            let sum = if happened { &mut with } else { &mut without };
            sum.0 += i64::from(experience.gain) * i64::from(experience.weight);
            sum.1 += i64::from(experience.weight);
        }
        if with.1 == 0 || without.1 == 0 {
            continue;
        }
        let difference = with.0 / with.1 - without.0 / without.1;
        // A tenth of the game is worth three tenths of probability; little experience counts little.
        let trust = with.1.min(without.1);
        let shift = difference * 3_000 / 65_536 * trust / (trust + 6);
        foretold.chance = (i64::from(foretold.chance) + shift).clamp(0, 1000) as u16;
    }
}

/// The aims of a family, the most important first: enemy necromancers before everything else, then by probability.
pub(super) fn aims(view: &View<'_>, fates: &Fates, menaces: &Menaces, family: Family, rng: &mut Rng) -> Aims {
    let mut aims = Aims::new();
    let kings = view.board.iter(view.side.opponent()).filter(|(_, piece)| view.unit(*piece).necromancer);
    if family != Family::Peace {
        for (at, _) in kings.take(4) {
            let _ = aims.push(Aim::Kill(at));
        }
    }
    if family == Family::Defence {
        for at in menaces.first().iter().take(Hex::COUNT / 2) {
            let _ = aims.push(Aim::Remove(*at));
        }
    }
    let mut likely = fates.clone();
    likely.sort_unstable_by_key(|foretold| foretold.at);
    for foretold in &mut likely {
        if family == Family::Peace {
            foretold.chance = if foretold.fate == Fate::Passive { 1000 } else { 0 };
        } else if matches!(family, Family::Noise(_)) {
            let noise = rng.below(2 * NOISE + 1) as i32 - NOISE as i32;
            foretold.chance = (i32::from(foretold.chance) + noise).clamp(0, 1000) as u16;
        }
    }
    likely.retain(|foretold| foretold.chance >= THRESHOLD);
    likely.sort_unstable_by_key(|foretold| (core::cmp::Reverse(foretold.chance), foretold.at));
    for foretold in &likely {
        let aim = match foretold.fate {
            Fate::Removed => Aim::Remove(foretold.at),
            Fate::Passive => Aim::Passive(foretold.at),
        };
        let _ = aims.push(aim);
    }
    aims
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex::HexSet;
    use crate::minions::turn_search::ports::Foretold;

    fn hex(name: &str) -> Hex {
        Hex::named(name).unwrap()
    }

    fn fates(list: &[(&str, Fate, u16)]) -> Fates {
        list.iter().map(|&(name, fate, chance)| Foretold { at: hex(name), fate, chance }).collect()
    }

    #[test]
    fn what_made_turns_good_gets_more_weight() {
        let mut foretold =
            fates(&[("c3", Fate::Removed, 500), ("d4", Fate::Passive, 500), ("e5", Fate::Removed, 9)]);
        let fall = Outline { killed: hex("c3").to_set(), fighters: hex("d4").to_set(), ..Outline::default() };
        let experiences = [
            Experience { outline: fall, gain: 6_000, weight: 30 },
            Experience { outline: Outline::default(), gain: -6_000, weight: 30 },
        ];
        learn(&mut foretold, &experiences);
        assert!(foretold[0].chance > 700, "{foretold:?}");
        assert!(foretold[1].chance < 300, "{foretold:?}");
        // Nothing was learnt about the one that fell in no attack.
        assert_eq!(foretold[2].chance, 9);
    }

    #[test]
    fn families_differ_as_they_should() {
        let game = crate::minions::Game::new(crate::minions::GameConfig::default(), 1);
        let view = game.view(0).unwrap();
        let foretold =
            fates(&[("c3", Fate::Removed, 800), ("d4", Fate::Passive, 900), ("e5", Fate::Removed, 400)]);
        let mut rng = Rng::new(1);
        let king = view.board.pieces(view.side.opponent());
        assert!(!king.is_empty());
        let plain = aims(&view, &foretold, &Menaces::default(), Family::Foretold, &mut rng);
        assert!(matches!(plain[0], Aim::Kill(at) if king.contains(at)));
        assert_eq!(plain[plain.len() - 2..], [Aim::Passive(hex("d4")), Aim::Remove(hex("c3"))]);
        assert_eq!(
            aims(&view, &foretold, &Menaces::default(), Family::Peace, &mut rng).as_slice(),
            [Aim::Passive(hex("d4"))]
        );
        let noisy: HexSet = (0..11)
            .map(Family::Noise)
            .flat_map(|family| aims(&view, &foretold, &Menaces::default(), family, &mut rng))
            .filter_map(|aim| if let Aim::Remove(at) = aim { Some(at) } else { None })
            .collect();
        assert!(noisy.contains(hex("e5")));
        let mut menaces = Menaces::default();
        menaces.strikers.push(hex("e5")).unwrap();
        let defence = aims(&view, &foretold, &menaces, Family::Defence, &mut rng);
        assert!(matches!(defence[0], Aim::Kill(at) if king.contains(at)));
        assert_eq!(defence[1], Aim::Remove(hex("e5")));
    }
}
