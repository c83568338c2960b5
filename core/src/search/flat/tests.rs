extern crate std;
use super::*;
use crate::search::value::CERTAIN;
use std::vec;
use std::vec::Vec;

/// A coin per action: the first turn chooses the coin, further turns flip it again. The value is the last flip.
struct Coins {
    /// Chances of heads in hundredths.
    heads: Vec<u32>,
}

impl FlatGame for Coins {
    type State = (u32, bool, u32);

    fn root(&self) -> &Self::State {
        &(0, false, 0)
    }

    fn actions(&self) -> u32 {
        self.heads.len() as u32
    }

    fn first_turn(&self, state: &mut Self::State, action: u32, _: u32, dice: &mut Rng) {
        state.0 = action;
        self.turn(state, dice);
    }

    fn turn(&self, state: &mut Self::State, dice: &mut Rng) {
        state.1 = dice.chance(self.heads[state.0 as usize], 100);
        state.2 += 1;
    }

    fn is_over(&self, state: &Self::State) -> bool {
        state.2 == 7
    }

    fn value(&self, state: &Self::State) -> i32 {
        if state.1 { CERTAIN } else { 0 }
    }
}

const ALL: [Selection; 3] = [Selection::Uniform, Selection::Ucb1 { exploration: 30_000 }, Selection::Halving];

fn playouts(most: u64) -> impl FnMut(Effort) -> u32 {
    move |effort| (effort.playouts * u64::from(ALL_SPENT) / most.max(1)) as u32
}

fn run(heads: &[u32], selection: Selection, budget: u64, seed: u64) -> (Report, Vec<Arm>) {
    let game = Coins { heads: heads.to_vec() };
    let mut arms = vec![Arm::default(); heads.len()];
    let options = Options { depth: 3, selection };
    let report = search(&game, options, &mut arms, &mut Rng::new(seed), playouts(budget));
    (report.expect("enough arms"), arms)
}

#[test]
fn arms_are_small() {
    assert_eq!(size_of::<Arm>(), 32);
}

#[test]
fn playouts_end_at_the_depth_or_with_the_game() {
    let game = Coins { heads: vec![50] };
    let mut dice = Rng::new(1);
    let turns =
        [0, 1, 3, 7, 100].map(|depth| sample_terminal_state(&game, (0, 0), depth, &mut dice, |_| true).1);
    assert_eq!(turns, [1, 1, 3, 7, 7]);
}

/// A game without an end.
struct Endless;

impl FlatGame for Endless {
    type State = ();

    fn root(&self) -> &() {
        &()
    }

    fn actions(&self) -> u32 {
        3
    }

    fn first_turn(&self, (): &mut (), _: u32, _: u32, _: &mut Rng) {}

    fn turn(&self, (): &mut (), _: &mut Rng) {}

    fn is_over(&self, (): &()) -> bool {
        false
    }

    fn value(&self, (): &()) -> i32 {
        EVEN
    }
}

#[test]
fn a_playout_without_end_is_cut_off_when_the_budget_is_spent() {
    for selection in ALL {
        let mut arms = [Arm::default(); 3];
        let spent = |effort: Effort| (effort.turns * u64::from(ALL_SPENT) / 1_000) as u32;
        let options = Options { depth: u32::MAX, selection };
        let report = search(&Endless, options, &mut arms, &mut Rng::new(1), spent).expect("enough arms");
        assert!((1..=3).contains(&report.effort.playouts), "{selection:?}: {report:?}");
        assert!((1_000..1_032).contains(&report.effort.turns), "{selection:?}: {report:?}");
        assert_eq!(report.value, EVEN);
    }
}

#[test]
fn every_selection_finds_the_best_coin() {
    let mut heads = vec![30; 40];
    heads[17] = 90;
    for selection in ALL {
        for seed in 0..20 {
            let (report, arms) = run(&heads, selection, 2_000, seed);
            assert_eq!(report.action, 17, "{selection:?}");
            assert_eq!(report.effort, Effort { playouts: 2_000, turns: 6_000 });
            assert_eq!(arms.iter().map(|arm| arm.stats.visits()).sum::<u32>(), 2_000);
            assert_eq!(report.value, arms[17].stats.mean());
        }
    }
}

#[test]
fn promising_actions_are_sampled_more() {
    let mut heads = vec![30; 40];
    heads[17] = 90;
    for selection in [ALL[1], ALL[2]] {
        let (_, arms) = run(&heads, selection, 2_000, 5);
        assert!(arms[17].stats.visits() > 300, "{selection:?}: {}", arms[17].stats.visits());
    }
}

#[test]
fn equal_seeds_give_equal_searches() {
    for selection in ALL {
        let heads = [20, 40, 60, 55, 10];
        assert_eq!(run(&heads, selection, 300, 9), run(&heads, selection, 300, 9));
    }
}

#[test]
fn small_budgets_and_small_games_are_no_trouble() {
    for selection in ALL {
        for actions in [1, 2, 3, 1000] {
            for budget in [0, 1, 2, 30] {
                let (report, arms) = run(&vec![50; actions], selection, budget, 3);
                assert!((report.action as usize) < actions);
                let sampled = arms[report.action as usize].stats.visits() > 0;
                assert!(sampled || budget == 0 || actions == 1, "{selection:?} {actions} {budget}");
            }
        }
        let game = Coins { heads: vec![50; 3] };
        let options = Options { depth: 1, selection };
        let refused = search(&game, options, &mut [Arm::default(); 2], &mut Rng::new(1), playouts(5));
        assert_eq!(refused, Err(TooFewArms));
        let none = search(&Coins { heads: vec![] }, options, &mut [], &mut Rng::new(1), playouts(5));
        assert_eq!(none.map(|report| (report.action, report.effort.playouts)), Ok((0, 0)));
    }
}
