//! Backfitting of the main effects of the candidates of a position: how much better than the average turn one is by a
//! candidate alone, whatever the other stages choose.
//!
//! A position has few turns, and most of its visits go to the best one. So the mean value of the turns with a candidate
//! says as much of the candidates that it happened to meet as of itself: an attack that was tried with bad techs only
//! looks bad, also after better techs are known. A linear model of the values of turns, with an effect of each choice
//! of the general and of each attack, tells them apart. It is fitted by backfitting (J. Friedman, W. Stuetzle,
//! "Projection pursuit regression", 1981), all effects at once and damped, and shrunk as in ridge regression (A. Hoerl,
//! R. Kennard, 1970). That turns made of independent choices are compared by such linear side information is due to A. Shleyfman,
//! A. Komenda and C. Domshlak, "On combinatorial actions and CMABs with linear side information" (2014).

use super::arena::Index;
use super::candidates::{Candidates, Stages};
use super::explored::Compared;
use super::money_stage::knot_of;
use super::picks::Picks;
use super::shared_tree::SharedTree;
use crate::search::tree::{Node, Tree};

/// Sweeps of one fit. Each begins with the effects of the fit before.
const SWEEPS: usize = 4;

/// Turns from which on a position has effects.
const TURNS: usize = 3;

/// Turns up to which the effects of a position are fitted with each new turn; up to twice as many it is every second one, and so
/// on: a fit takes the longer the more turns there are, and one more changes the less.
const STEADY: usize = 64;

/// As [`STEADY`], in compositions, at a much visited position of several threads: a fit has the position's lock, for which all of
/// them wait.
const STEADY_OF_THREADS: usize = 16;

/// Boards of a turn.
fn boards_of(picks: &Picks) -> usize {
    picks.boards.iter().take_while(|board| !board.0.is_none()).count()
}

/// Sum of the main effects of the candidates of a turn.
fn sum_of_effects(candidates: &Candidates<'_>, picks: &Picks) -> i32 {
    let attacks = picks.boards.iter().take(boards_of(picks));
    let effects = attacks.map(|&(attack, _)| candidates.get(attack).main_effect.effect());
    candidates.get(picks.general).main_effect.effect() + effects.sum::<i32>()
}

impl SharedTree<'_> {
    /// Fits the main effects of the candidates of a position to the values of its turns, unless there are too few of them, or
    /// hardly more than at the last fit. Where compositions of known turns count as turns, so they do here.
    pub(super) fn fit_main_effects(&mut self, node: u32) {
        let turns = self.tree.node(node).map_or(0, Node::edge_count);
        let (compositions, steady) = if self.counts_found_again(node) {
            let found_again = self.candidates.stages(self.tree.payload(node)).found_again;
            (turns + usize::from(found_again), STEADY_OF_THREADS)
        } else {
            (turns, STEADY)
        };
        if turns >= TURNS && compositions.is_multiple_of(1 + compositions / steady) {
            fit(&self.tree, &mut self.candidates, node);
        }
    }
}

fn fit(tree: &Tree<'_, Picks>, candidates: &mut Candidates<'_>, node: u32) {
    let mean = tree.stats(node).mean();
    let stages = *candidates.stages(tree.payload(node));
    let boards = tree.edges(node).next().map_or(0, |(_, edge)| boards_of(&edge.payload));
    let parts = 1 + boards as i64;
    for _ in 0..SWEEPS {
        sum_contexts(tree, candidates, node, &stages);
        adjust(candidates, stages.general, mean, parts);
        for board in stages.boards.iter().take(boards) {
            adjust(candidates, board.attacks, mean, parts);
        }
    }
    sum_contexts_of_money(tree, candidates, node, &stages);
}

/// Sums up the contexts of the choices of the general and of the attacks of a position anew.
fn sum_contexts(tree: &Tree<'_, Picks>, candidates: &mut Candidates<'_>, node: u32, stages: &Stages) {
    forget_context(candidates, stages.general);
    for board in &stages.boards {
        forget_context(candidates, board.attacks);
    }
    for (_, edge) in tree.edges(node) {
        let (weight, sum) = (edge.stats.weight(), sum_of_effects(candidates, &edge.payload));
        if let Some(general) = candidates.get_mut(edge.payload.general) {
            general.main_effect.add_context(weight, sum);
        }
        for &(attack, _) in edge.payload.boards.iter().take(boards_of(&edge.payload)) {
            if let Some(attack) = candidates.get_mut(attack) {
                attack.main_effect.add_context(weight, sum);
            }
        }
    }
}

/// Sums up the contexts of the sums of money of a position anew.
fn sum_contexts_of_money(
    tree: &Tree<'_, Picks>,
    candidates: &mut Candidates<'_>,
    node: u32,
    stages: &Stages,
) {
    for board in &stages.boards {
        forget_context(candidates, board.money);
    }
    for (_, edge) in tree.edges(node) {
        let (weight, sum) = (edge.stats.weight(), sum_of_effects(candidates, &edge.payload));
        for (&(_, spawn), board) in
            edge.payload.boards.iter().zip(&stages.boards).take(boards_of(&edge.payload))
        {
            let knot = knot_of(candidates.get(spawn).given);
            let known = candidates.list(board.money).find(|(_, money)| money.knot == knot);
            if let Some((index, _)) = known
                && let Some(money) = candidates.get_mut(index)
            {
                money.main_effect.add_context(weight, sum);
            }
        }
    }
}

fn forget_context<T: Compared>(candidates: &mut Candidates<'_>, first: Index<T>) {
    candidates.for_each(first, |known: &mut T| known.main_effect_mut().forget_context());
}

fn adjust<T: Compared>(candidates: &mut Candidates<'_>, first: Index<T>, mean: i32, parts: i64) {
    candidates.for_each(first, |known: &mut T| {
        let stats = *known.stats();
        known.main_effect_mut().adjust(&stats, mean, parts);
    });
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec;
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::super::arena::Slot;
    use super::super::candidates::{AttackCandidate, GeneralCandidate, MoneyCandidate, SpawnCandidate};
    use super::super::main_effect::{MainEffect, RIDGE};
    use super::super::slices::{MemoryUsage, SearchSlices};
    use super::super::threading::Batch;
    use super::*;
    use crate::minions::{Action, GeneralAction};
    use crate::search::stats::{FULL_WEIGHT, Stats};
    use crate::search::tree::{Edge, Stripe};
    use crate::search::value::CERTAIN;

    const BOARDS: usize = 2;
    const CHOICES: usize = 3;

    /// A turn: its choice of the general, its attacks, its win chance in percent and its visits.
    type Turn = (usize, [usize; BOARDS], i32, u32);

    /// Means, fair means and effects of the candidates of the general and of each board after so many fits to these turns.
    fn fitted(turns: &[Turn], fits: usize) -> [[(i32, i32, i32); CHOICES]; 1 + BOARDS] {
        fitted_by(Stripe::WHOLE, turns, |tree| {
            (0..fits).for_each(|_| fit(&tree.tree, &mut tree.candidates, tree.root));
        })
    }

    /// Means, fair means and effects after `fits` has had a stripe of a tree in which these turns are those of the root.
    fn fitted_by(
        stripe: Stripe,
        turns: &[Turn],
        fits: impl FnOnce(&mut SharedTree<'_>),
    ) -> [[(i32, i32, i32); CHOICES]; 1 + BOARDS] {
        let memory = SearchSlices {
            nodes: &mut [Node::EMPTY],
            edges: &mut vec![Edge::vacant(Picks::default()); turns.len()],
            table: &mut [0; 2],
            stages: &mut [Stages::EMPTY],
            generals: &mut [Slot::<GeneralCandidate>::EMPTY; CHOICES],
            attacks: &mut [Slot::<AttackCandidate>::EMPTY; CHOICES * BOARDS],
            money: &mut [Slot::<MoneyCandidate>::EMPTY],
            spawns: &mut [Slot::<SpawnCandidate>::EMPTY],
            actions: &mut [Action::General(GeneralAction::Sell)],
        };
        let (tree, mut candidates) = memory.into_parts(MemoryUsage::default());
        let mut tree = tree.as_stripe(stripe);
        let (node, stages) = (tree.node_of(0).unwrap().0, candidates.add_stages().unwrap());
        tree.set_payload(node, stages);
        let generals =
            [0; CHOICES].map(|_| candidates.add_general(stages, GeneralCandidate::EMPTY, []).unwrap());
        let attacks = core::array::from_fn::<_, BOARDS, _>(|board| {
            [0; CHOICES].map(|_| {
                let first = candidates.board(stages, board).attacks;
                let index = candidates.add(AttackCandidate::EMPTY, first, []).unwrap();
                candidates.board_mut(stages, board).unwrap().attacks = index;
                index
            })
        });
        for &(general, chosen, percent, visits) in turns {
            let mut picks = Picks { general: generals[general], ..Picks::default() };
            for board in 0..BOARDS {
                picks.boards[board].0 = attacks[board][chosen[board]];
            }
            let edge = tree.add_edge(node, picks).unwrap();
            for _ in 0..visits {
                let value = percent * CERTAIN / 100;
                tree.add(node, edge, value, FULL_WEIGHT);
                candidates.get_mut(picks.general).unwrap().stats.add(value, FULL_WEIGHT);
                for board in 0..BOARDS {
                    candidates.get_mut(picks.boards[board].0).unwrap().stats.add(value, FULL_WEIGHT);
                }
            }
        }
        let mut tree =
            SharedTree { tree, candidates, root: node, composing: 0, spent: None, batch: Batch::new() };
        fits(&mut tree);
        let candidates = tree.candidates;
        let told = |known: &dyn Fn(usize) -> (Stats, MainEffect)| {
            core::array::from_fn(|choice| {
                let (stats, own) = known(choice);
                (stats.mean(), own.fair_mean(&stats), own.effect())
            })
        };
        let mut all = [[(0, 0, 0); CHOICES]; 1 + BOARDS];
        all[0] = told(&|choice| {
            let known = candidates.get(generals[choice]);
            (known.stats, known.main_effect)
        });
        for board in 0..BOARDS {
            all[1 + board] = told(&|choice| {
                let known = candidates.get(attacks[board][choice]);
                (known.stats, known.main_effect)
            });
        }
        all
    }

    #[test]
    fn an_attack_is_not_blamed_for_the_techs_that_it_met() {
        // The second attack was better than the first with the techs tried at first; then better techs were found.
        let turns = [
            (0, [0, 0], 40, 20),
            (0, [1, 0], 46, 20),
            (1, [0, 0], 80, 900),
            (0, [0, 1], 30, 10),
            (1, [0, 1], 70, 10),
        ];
        let [generals, first, second] = fitted(&turns, 50);
        assert!(first[0].0 > first[1].0 + 30 * CERTAIN / 100, "{first:?}");
        assert!(first[1].1 > first[0].1, "{first:?}");
        assert!(generals[1].1 > generals[0].1 + 25 * CERTAIN / 100, "{generals:?}");
        // The third choices were never tried.
        assert_eq!([generals[2].2, first[2].2, second[2].2], [0; 3]);
        assert!(second[0].1 > second[1].1);
    }

    #[test]
    fn threads_wait_for_a_fit_the_less_the_more_turns_were_composed() {
        let turns = [(0, [0, 0], 40, 200), (1, [0, 0], 80, 200), (0, [1, 1], 60, 200)];
        let effect_of_best = |stripe, found_again| {
            let effects = fitted_by(stripe, &turns, |tree| {
                let stages = tree.tree.payload(tree.root);
                tree.candidates.stages_mut(stages).unwrap().found_again = found_again;
                tree.fit_main_effects(tree.root);
            });
            effects[0][1].2
        };
        // Forty-one compositions, and with one more a multiple of three; one thread has three turns, however often it found them.
        assert_eq!(effect_of_best(Stripe::new(0, 2).unwrap(), 38), 0);
        assert!(effect_of_best(Stripe::new(0, 2).unwrap(), 39) > 0);
        assert!(effect_of_best(Stripe::WHOLE, 38) > 0);
    }

    proptest! {
        #[test]
        fn what_effects_leave_of_values_is_as_much_as_the_ridge_holds_back(
            turns in prop::collection::vec((0..CHOICES, [0..CHOICES, 0..CHOICES], 0..=100i32, 1..60u32), 1..24)
        ) {
            let effects = fitted(&turns, 3_000).map(|stage| stage.map(|candidate| candidate.2));
            let visits: i64 = turns.iter().map(|turn| i64::from(turn.3)).sum();
            let mean = turns.iter().map(|turn| i64::from(turn.2 * CERTAIN / 100) * i64::from(turn.3)).sum::<i64>() / visits;
            let parts = |turn: &Turn| [turn.0, turn.1[0], turn.1[1]];
            for stage in 0..=BOARDS {
                for choice in 0..CHOICES {
                    let own: Vec<&Turn> = turns.iter().filter(|turn| parts(turn)[stage] == choice).collect();
                    let rest: i64 = own.iter().map(|turn| {
                        let sum: i32 = parts(turn).iter().zip(&effects).map(|(&part, stage)| stage[part]).sum();
                        (i64::from(turn.2 * CERTAIN / 100) - mean - i64::from(sum)) * i64::from(turn.3)
                    }).sum();
                    let visits: i64 = own.iter().map(|turn| i64::from(turn.3)).sum();
                    let held = RIDGE / i64::from(FULL_WEIGHT) * i64::from(effects[stage][choice]);
                    // Steps are whole numbers, rounded towards nothing.
                    let least = (BOARDS as i64 + 3) * (visits + RIDGE / i64::from(FULL_WEIGHT));
                    prop_assert!((rest - held).abs() <= least, "{rest} {held} {least} {effects:?}");
                }
            }
        }
    }
}
