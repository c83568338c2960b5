//! The attack stage of one board: from a prophecy to goals, and its refinements (seed 000 "Attack").
//!
//! The goals of a request depend on its [`Family`]: the prophecy as it is, peace, defence, a spell that finishes off
//! a wounded enemy, resignation, or the prophecy with noise.

use heapless::Vec;

use super::family::Family;
use super::ports::{AttackGoal, Fate, Fates, Menaces, Outline};
use crate::hex::Hex;
use crate::minions::View;
use crate::rng::Rng;
use crate::sort::sort_by_key;

/// Thousandths from which a fate is aimed at.
const THRESHOLD: u16 = 215;

/// Largest noise of a coarse refinement, in thousandths.
const NOISE: u32 = 450;

/// Goals of one request.
pub(super) type Goals = Vec<AttackGoal, { Hex::COUNT + 4 }, u8>;

/// Value of the turns with one attack, against the average of all turns, in 1/65,536 of a win chance.
pub(super) struct Experience {
    /// Outline of the attack.
    pub outline: Outline,
    /// Mean value of turns with the attack, less the mean of all turns.
    pub gain: i32,
    /// Visits of turns with the attack.
    pub weight: u32,
}

/// Corrects a prophecy by values from the search: fates that good turns have in common become likelier
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
        let (Some(value_with), Some(value_without)) =
            (with.0.checked_div(with.1), without.0.checked_div(without.1))
        else {
            continue;
        };
        let difference = value_with - value_without;
        // A tenth of the game is worth a third of probability; little experience counts little.
        let trust = with.1.min(without.1);
        let shift = difference * 3_300 / 65_536 * trust / (trust + 5).max(1);
        foretold.chance = (i64::from(foretold.chance) + shift).clamp(0, 1000) as u16;
    }
}

/// The goals of a family, the most important first: enemy necromancers before everything else, then by probability.
pub(super) fn goals(
    view: &View<'_>,
    fates: &Fates,
    menaces: &Menaces,
    family: Family,
    rng: &mut Rng,
) -> Goals {
    let mut goals = Goals::new();
    let kings = view.board.iter(view.side.opponent()).filter(|(_, piece)| view.unit(*piece).necromancer);
    if family != Family::Peace {
        for (at, _) in kings.take(4) {
            let _ = goals.push(AttackGoal::Kill(at));
        }
    }
    if family == Family::Defence {
        for at in menaces.first().iter().take(Hex::COUNT / 2) {
            let _ = goals.push(AttackGoal::Remove(*at));
        }
    }
    let mut likely = fates.clone();
    sort_by_key(&mut likely, |foretold| foretold.at);
    for foretold in &mut likely {
        if family == Family::Peace {
            foretold.chance = if foretold.fate == Fate::Passive { 1000 } else { 0 };
        } else if matches!(family, Family::Noise(_)) {
            let noise = rng.below(2 * NOISE + 1) as i32 - NOISE as i32;
            foretold.chance = (i32::from(foretold.chance) + noise).clamp(0, 1000) as u16;
        }
    }
    likely.retain(|foretold| foretold.chance >= THRESHOLD);
    sort_by_key(&mut likely, |foretold| (core::cmp::Reverse(foretold.chance), foretold.at));
    for foretold in &likely {
        let goal = match foretold.fate {
            Fate::Removed => AttackGoal::Remove(foretold.at),
            Fate::Passive => AttackGoal::Passive(foretold.at),
        };
        let _ = goals.push(goal);
    }
    goals
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
        let foretold = fates(&[
            ("c3", Fate::Removed, 800),
            ("d4", Fate::Passive, 900),
            ("e5", Fate::Removed, THRESHOLD - 100),
        ]);
        let mut rng = Rng::new(1);
        let necromancer = view.board.pieces(view.side.opponent());
        assert!(!necromancer.is_empty());
        let plain = goals(&view, &foretold, &Menaces::default(), Family::Foretold, &mut rng);
        assert!(matches!(plain[0], AttackGoal::Kill(at) if necromancer.contains(at)));
        assert_eq!(plain[plain.len() - 2..], [AttackGoal::Passive(hex("d4")), AttackGoal::Remove(hex("c3"))]);
        assert_eq!(
            goals(&view, &foretold, &Menaces::default(), Family::Peace, &mut rng).as_slice(),
            [AttackGoal::Passive(hex("d4"))]
        );
        let noisy: HexSet = (0..11)
            .map(Family::Noise)
            .flat_map(|family| goals(&view, &foretold, &Menaces::default(), family, &mut rng))
            .filter_map(|goal| if let AttackGoal::Remove(at) = goal { Some(at) } else { None })
            .collect();
        assert!(noisy.contains(hex("e5")));
        let mut menaces = Menaces::default();
        menaces.strikers.push(hex("e5")).unwrap();
        let defence = goals(&view, &foretold, &menaces, Family::Defence, &mut rng);
        assert!(matches!(defence[0], AttackGoal::Kill(at) if necromancer.contains(at)));
        assert_eq!(defence[1], AttackGoal::Remove(hex("e5")));
    }
}
