//! UCB1 over thousands of arms. The bonus uses the logarithm of the next power of two above the samples so far, so
//! that between two powers only the sampled arm's bound changes and a tournament tree finds the next one in
//! log2(arms) steps.

use super::{ALL_SPENT, Arm, Effort, FlatGame, Run};
use crate::search::stats::{FULL_WEIGHT, ucb1};

/// Bound of the random keys of arms without samples, which put these arms in random order.
const SHUFFLE: u32 = 1 << 24;

impl<G: FlatGame, S: FnMut(Effort) -> u32> Run<'_, G, S> {
    /// Samples by UCB1. Returns the arm with the most samples, of equals the one with the best mean.
    pub(super) fn ucb1(&mut self, exploration: u32) -> Option<usize> {
        for arm in &mut *self.arms {
            arm.key = i32::MAX - self.dice.below(SHUFFLE) as i32;
        }
        play_all(self.arms);
        let mut horizon: u64 = 16;
        while self.spent() < ALL_SPENT {
            if self.effort.playouts >= horizon {
                horizon *= 2;
                for arm in self.arms.iter_mut().filter(|arm| arm.stats.visits() > 0) {
                    arm.key = bound(arm, horizon, exploration);
                }
                play_all(self.arms);
            }
            let best = self.arms.get(1).map_or(0, |root| root.link as usize);
            self.sample(best);
            self.arms[best].key = bound(&self.arms[best], horizon, exploration);
            replay(self.arms, best);
        }
        let sampled = self.arms.iter().enumerate().filter(|(_, arm)| arm.stats.visits() > 0);
        let best = sampled.max_by_key(|(_, arm)| (arm.stats.visits(), arm.stats.mean()));
        best.map(|(place, _)| place)
    }
}

fn bound(arm: &Arm, horizon: u64, exploration: u32) -> i32 {
    ucb1(&arm.stats, horizon * u64::from(FULL_WEIGHT), exploration)
}

/// Builds the whole tournament tree. Match `i` is between the winners of `2 i` and `2 i + 1`, where places from
/// the number of arms on are the arms themselves; its winner is in `arms[i].link`.
fn play_all(arms: &mut [Arm]) {
    for place in (1..arms.len()).rev() {
        play(arms, place);
    }
}

/// Updates the matches of a tournament tree from this arm to the top.
fn replay(arms: &mut [Arm], arm: usize) {
    let mut place = usize::midpoint(arm, arms.len());
    while place > 0 {
        play(arms, place);
        place /= 2;
    }
}

fn play(arms: &mut [Arm], place: usize) {
    let count = arms.len();
    let winner = |at: usize| if at >= count { at - count } else { arms[at].link as usize };
    let (left, right) = (winner(2 * place), winner(2 * place + 1));
    let best = if arms[right].key > arms[left].key { right } else { left };
    arms[place].link = best as u32;
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::rng::Rng;
    use std::vec;

    #[test]
    fn the_tournament_finds_the_highest_bound() {
        let mut dice = Rng::new(3);
        for count in 2..70 {
            let mut arms = vec![Arm::default(); count];
            for arm in &mut arms {
                arm.key = dice.below(1000) as i32;
            }
            play_all(&mut arms);
            for _ in 0..50 {
                let highest = arms.iter().map(|arm| arm.key).max();
                assert_eq!(Some(arms[arms[1].link as usize].key), highest, "{count} arms");
                let changed = dice.below(count as u32) as usize;
                arms[changed].key = dice.below(1000) as i32;
                replay(&mut arms, changed);
            }
        }
    }
}
