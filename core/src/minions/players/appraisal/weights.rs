//! Weights of the appraisal: every number by which a hand-written player judges units, hexes and techs.
//!
//! Worths are in hundredths of a soul.

use crate::minions::{Game, Tech, Unit, UnitLabel};

/// Pull of the two kinds of goals on a unit, per step of distance.
#[derive(Clone, Copy, Debug)]
pub(in crate::minions::players) struct Pull {
    /// Loss per step to the nearest free graveyard.
    pub(in crate::minions::players) graveyard: i32,
    /// Loss per step to the enemy necromancer.
    pub(in crate::minions::players) prey: i32,
}

/// The weights of one player.
#[derive(Clone, Copy, Debug)]
pub(in crate::minions::players) struct Weights {
    /// Usefulness of the units by tech number, 1 to 22, in percent of a soul's worth per soul of price.
    pub(in crate::minions::players) strength: [i32; 22],
    /// Usefulness of a unit without a tech number, in percent.
    pub(in crate::minions::players) plain_strength: i32,
    /// Percent that each enemy adds which the unit is meant to beat.
    pub(in crate::minions::players) beats: i32,
    /// Percent that each enemy takes which is meant to beat the unit.
    pub(in crate::minions::players) beaten_by: i32,
    /// Share of its rebate that a dead unit's worth is less by, in percent.
    pub(in crate::minions::players) rebate: i32,
    /// Caution at the start of the game: the percentage of its worth that exposing a minion costs.
    pub(in crate::minions::players) caution: i32,
    /// Turns after which caution is less by one percent.
    pub(in crate::minions::players) caution_turns: u32,
    /// Caution at least, in percent.
    pub(in crate::minions::players) least_caution: i32,
    /// Cost of a necromancer's place where the enemy could kill it if all ways were free.
    pub(in crate::minions::players) lethal: i32,
    /// Cost of each damage beyond the lethal one.
    pub(in crate::minions::players) lethal_surplus: i32,
    /// Cost of each damage that a necromancer could suffer, on top of the caution.
    pub(in crate::minions::players) unease: i32,
    /// Pull on zombies while a graveyard is free.
    pub(in crate::minions::players) zombies: Pull,
    /// Pull on zombies when no graveyard is free.
    pub(in crate::minions::players) idle_zombies: Pull,
    /// Pull on other units while a graveyard is free.
    pub(in crate::minions::players) others: Pull,
    /// Pull on other units when no graveyard is free.
    pub(in crate::minions::players) idle_others: Pull,
    /// Worth of standing on a free graveyard.
    pub(in crate::minions::players) seat: i32,
    /// Weights of captures.
    pub(in crate::minions::players) captures: CaptureWeights,
    /// Weights of purchases and placements.
    pub(in crate::minions::players) purchases: PurchaseWeights,
    /// Weights of the general's techs.
    pub(in crate::minions::players) techs: TechWeights,
}

/// Weights of captures, beside those of worths and dangers.
#[derive(Clone, Copy, Debug)]
pub(in crate::minions::players) struct CaptureWeights {
    /// Gain from an enemy that goes back to its reinforcements, in percent of its price.
    pub(in crate::minions::players) unsummoned: i32,
    /// Cost of an attacker's part, in percent of its price: dear units are kept for dear targets.
    pub(in crate::minions::players) part: i32,
    /// Worth of the graveyard that an attacker leaves or comes to.
    pub(in crate::minions::players) seat: i32,
    /// Worth of a graveyard that the enemy loses.
    pub(in crate::minions::players) freed: i32,
    /// Worth of each enemy in range of an attacker that may attack once more.
    pub(in crate::minions::players) next_prey: i32,
    /// Prices of the spells that deal one damage and three.
    pub(in crate::minions::players) spells: [i32; 2],
}

/// Weights of purchases and placements, beside those of usefulness and dangers.
#[derive(Clone, Copy, Debug)]
pub(in crate::minions::players) struct PurchaseWeights {
    /// Usefulness of a zombie when there are as many as are wanted, in percent.
    pub(in crate::minions::players) zombie: i32,
    /// Percent that each zombie too few adds, and each too many takes.
    pub(in crate::minions::players) zombie_lack: i32,
    /// Zombies that are wanted beside one for each graveyard that is not held.
    pub(in crate::minions::players) zombies: i32,
    /// Percent that each unit of the same type takes.
    pub(in crate::minions::players) same_type: i32,
    /// Souls added to prices before usefulness is divided by them: the more, the less dear units are shunned.
    pub(in crate::minions::players) thrift: i32,
    /// Souls of the budget that add one to all prices.
    pub(in crate::minions::players) riches: u32,
    /// Most souls that the budget adds to all prices.
    pub(in crate::minions::players) most_riches: i32,
    /// Worth of a hex next to the own necromancer in danger.
    pub(in crate::minions::players) shelter: i32,
    /// Worth of a graveyard for the necromancer.
    pub(in crate::minions::players) necromancer_seat: i32,
}

/// Weights of the general's techs, in percent like the usefulness of units.
#[derive(Clone, Copy, Debug)]
pub(in crate::minions::players) struct TechWeights {
    /// Usefulness from which on a tech is acquired before the next is unlocked.
    pub(in crate::minions::players) worthwhile: i32,
    /// Percent that each owned unit adds to that threshold.
    pub(in crate::minions::players) worthwhile_more: i32,
    /// Usefulness of Copycat.
    pub(in crate::minions::players) copycat: i32,
    /// Percent that each tech of the enemy adds to the usefulness of Copycat.
    pub(in crate::minions::players) copycat_more: i32,
    /// Usefulness of Thaumaturgy.
    pub(in crate::minions::players) thaumaturgy: i32,
    /// Usefulness of Metamagic.
    pub(in crate::minions::players) metamagic: i32,
    /// Souls per board that are kept for units when extra spells are bought.
    pub(in crate::minions::players) unit_money: u32,
}

impl Weights {
    /// Caution of this turn, in percent: long games make bold.
    pub(in crate::minions::players) fn caution(&self, game: &Game) -> i32 {
        let turns = game.state().turn().min(400);
        (self.caution - (turns / self.caution_turns.max(1)) as i32).max(self.least_caution)
    }

    /// Worth of a unit on a board: its price less most of the rebate, which its owner gets back.
    pub(in crate::minions::players) fn worth(&self, unit: &Unit) -> i32 {
        if unit.necromancer { 0 } else { i32::from(unit.cost) * 100 - i32::from(unit.rebate) * self.rebate }
    }

    /// Usefulness of a unit against what the enemy has, about 100 on average; `count` returns how many of a type the
    /// enemy has.
    pub(in crate::minions::players) fn usefulness(
        &self,
        unit: UnitLabel,
        count: impl Fn(UnitLabel) -> i32,
    ) -> i32 {
        let number = Tech::UnitTech(unit).number();
        let base =
            self.strength.get(usize::from(number).wrapping_sub(1)).copied().unwrap_or(self.plain_strength);
        // The unit with a number is meant to beat those one and two before it, and the one three after it.
        let (beats, beaten) = (self.beats, -self.beaten_by);
        let worth = [(-1, beats), (-2, beats), (3, beats), (1, beaten), (2, beaten), (-3, beaten)];
        let each = worth.map(|(step, percent)| {
            let rival = number
                .checked_add_signed(step)
                .filter(|rival| (1..=self.strength.len() as u8).contains(rival));
            match rival.and_then(Tech::with_number) {
                Some(Tech::UnitTech(rival)) => count(rival).min(3) * percent,
                _ => 0,
            }
        });
        base + each.iter().sum::<i32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minions::players::heuristics::weights::POLICY;

    #[test]
    fn a_unit_is_useful_against_those_it_is_meant_to_beat() {
        // Unit N is meant to beat N-1, N-2 and N+3.
        let beats = |number: i32, other: i32| [number - 1, number - 2, number + 3].contains(&other);
        for unit in UnitLabel::ALL {
            let number = i32::from(Tech::UnitTech(unit).number());
            let base = POLICY.usefulness(unit, |_| 0);
            for rival in UnitLabel::ALL {
                let other = i32::from(Tech::UnitTech(rival).number());
                let known = (1..=22).contains(&other);
                let worth = i32::from(beats(number, other)) * POLICY.beats
                    - i32::from(beats(other, number)) * POLICY.beaten_by;
                for many in [1, 3, 7] {
                    let expected = base + if known { many.min(3) * worth } else { 0 };
                    let count = |label: UnitLabel| if label == rival { many } else { 0 };
                    assert_eq!(POLICY.usefulness(unit, count), expected, "{unit:?} {rival:?}");
                }
            }
        }
    }
}
