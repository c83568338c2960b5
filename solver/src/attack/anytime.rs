//! Anytime planning: the best plan that a budget allows, with how far it is proved.
//!
//! Most boards need no more than the one search of [`AttackSolver::plan`]. Where that takes too long, wishes are granted
//! one by one: a wish that the best plan so far fulfils is granted at once, any other is asked of the solver, and what
//! the solver cannot decide within a share of the budget stays open. So there is a plan at any time, and it only gets
//! better.

use barrow_core::list;
use barrow_core::minions::turn_search::ports::ATTACK_CAP;
use heapless::Vec;

use super::model::{AttackModel, PIECE_CAP, full};
use super::plan::{AttackPlan, AttackSolver, Goal, PLAN_CAP, Wishes};
use crate::cdcl::{Answer, Budget, Capacity, Lit, Resource};

/// Propagations for each variable in the one search for all wishes, beyond which they are granted one by one, and the
/// part of the budget that it may take: one of so many.
const QUICK: u64 = 16;
const QUICK_SHARE: u64 = 2;

/// Conflicts after which the one search for all wishes learns by cutting planes; real boards need none to a few. With fewer
/// propagations than are ample it does so after more: scores, which come with them, take longer to find a first plan.
const FEW_CONFLICTS: u64 = 8;
const PATIENCE: u64 = 400;
const AMPLE: u64 = 40_000;

/// Propagations after which a plan in which few friends fight is given up.
const PEACEFUL: u64 = 4_000;

/// Share of the remaining budget that one wish may take, one part of so many: while all wishes before it are decided, and
/// after one that is not, when there is less to be won.
const SHARES: [u64; 2] = [2, 16];

/// Best plan that was found, and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BestPlan {
    /// The plan.
    pub plan: AttackPlan,
    /// Number of wishes: goals about pieces that can take part, each once.
    pub wishes: usize,
    /// Number of first wishes that are decided: no plan grants more of them in their order.
    pub decided: usize,
    /// Whether there is no plan at all, since all are forbidden.
    pub none: bool,
}

impl BestPlan {
    /// Whether no plan of the model is better. Of a model that is not complete there may be others.
    pub fn is_proved(&self) -> bool {
        self.decided == self.wishes
    }
}

/// Whether a literal says that an enemy is removed.
fn is_removal(model: &AttackModel<'_>, lit: Lit) -> bool {
    let mut foes = model.foes.iter().map(|foe| &foe.lits);
    foes.any(|lits| lit == lits.removed || lit == lits.dies || Some(lit) == lits.hit_by_unsummon)
}

impl AttackSolver<'_, '_> {
    /// After so many conflicts linear constraints are learnt by cutting planes instead of clauses.
    /// [`AttackSolver::best_plan`] begins with that by itself.
    pub const fn use_cutting_planes(&mut self, conflicts: u64) {
        self.solver.use_cutting_planes(conflicts);
    }

    /// The best plan that is not forbidden, as far as it can be found within a budget of propagations, for goals in
    /// falling order of importance. There is a plan whenever not all are forbidden; what it takes to find the first one
    /// is not bounded, but little.
    ///
    /// # Errors
    /// When there are more goals than a list of wishes holds, or no plan of at most [`PLAN_CAP`] actions is found.
    pub fn best_plan(&mut self, goals: &[Goal], propagations: u64) -> Result<BestPlan, Capacity> {
        let mut best = BestPlan::default();
        self.best_plan_in(goals, propagations, &mut best)?;
        Ok(best)
    }

    /// Plans as [`AttackSolver::best_plan`] does, in a plan that is lent and empty.
    #[inline(never)]
    pub(super) fn best_plan_in(
        &mut self,
        goals: &[Goal],
        propagations: u64,
        best: &mut BestPlan,
    ) -> Result<(), Capacity> {
        let wishes = self.wishes(goals)?;
        self.solver.use_cutting_planes(if propagations < AMPLE { PATIENCE } else { FEW_CONFLICTS });
        best.wishes = wishes.len();
        let end = self.solver.statistics().propagations.saturating_add(propagations);
        let quick =
            Budget::propagations((QUICK * self.model.numbers.vars as u64).min(propagations / QUICK_SHARE));
        match self.solver.solve_within(&[], &wishes, quick)? {
            Answer::Sat => best.decided = best.wishes,
            Answer::Unsat => best.none = true,
            Answer::Unknown => match self.solver.solve(&[])? {
                Answer::Sat => best.decided = self.grant(&wishes, end)?,
                _ => best.none = true,
            },
        }
        if best.none {
            best.decided = best.wishes;
            return Ok(());
        }
        let granted = self.fit(&wishes, PLAN_CAP, &mut best.plan)?;
        best.decided = best.decided.min(granted);
        Ok(())
    }

    /// Fills a plan from the model on the trail. If it has more than so many actions, removals that were wished for are given
    /// up, the least important first, until it has not. Returns how many of the first wishes are as they were.
    ///
    /// # Errors
    /// When there is no plan with so few actions, or none is found.
    fn fit(&mut self, wishes: &Wishes, most: usize, plan: &mut AttackPlan) -> Result<usize, Capacity> {
        if self.extract(plan).is_some() && plan.actions.len() <= most {
            return Ok(wishes.len());
        }
        let as_they_are: Wishes =
            list::first(wishes.iter().map(|&wish| if self.solver.holds(wish) { wish } else { !wish }));
        // Who need not fight does not: hits that remove nobody are actions, too.
        let passive: Wishes = list::first(self.model.friends.iter().map(|friend| friend.lits.passive));
        for kept in (0..wishes.len()).rev() {
            let Some((first, rest)) = as_they_are.split_at_checked(kept) else { continue };
            if !rest.first().is_some_and(|&wish| is_removal(self.model, wish)) {
                continue;
            }
            let given_up = rest.iter().filter(|&&wish| is_removal(self.model, wish)).map(|&wish| !wish);
            let fixed: Wishes = list::first(first.iter().copied().chain(given_up));
            let answer = self.solver.solve_within(&fixed, &passive, Budget::propagations(PEACEFUL))?;
            *plan = AttackPlan::default();
            if answer == Answer::Sat && self.extract(plan).is_some() && plan.actions.len() <= most {
                return Ok(kept);
            }
        }
        self.solver.forget_model();
        Err(full(Resource::Actions, most))
    }

    /// The best plan that is found within a budget of propagations by granting wishes one by one, where the one search
    /// for all was too long. A turn has room for its actions.
    #[inline(never)]
    pub(super) fn grant_in(
        &mut self,
        goals: &[Goal],
        propagations: u64,
        plan: &mut AttackPlan,
    ) -> Result<Answer, Capacity> {
        let wishes = self.wishes(goals)?;
        let end = self.solver.statistics().propagations.saturating_add(propagations);
        let mut answer = self.solver.solve_within(&[], &[], Budget::propagations(propagations))?;
        if answer == Answer::Unknown {
            // On crowded boards plans in which few friends fight are found sooner than others, but worse.
            let passive: Wishes = list::first(self.model.friends.iter().map(|friend| friend.lits.passive));
            answer = self.solver.solve_within(&[], &passive, Budget::propagations(PEACEFUL))?;
        }
        if answer != Answer::Sat {
            return Ok(answer);
        }
        self.grant(&wishes, end)?;
        self.fit(&wishes, ATTACK_CAP, plan)?;
        Ok(Answer::Sat)
    }

    /// Grants wishes one by one, beginning with a model on the trail, and leaves the best model on the trail. Returns how
    /// many of the first ones are decided.
    fn grant(&mut self, wishes: &Wishes, end: u64) -> Result<usize, Capacity> {
        let mut fixed = Wishes::new();
        // Wishes that could not be decided, with their places in the order.
        let mut open: Vec<(u16, Lit), { 4 * PIECE_CAP }, u16> = Vec::new();
        self.solver.keep_model();
        self.solver.choose_by_scores();
        for (index, &wish) in wishes.iter().enumerate() {
            if self.solver.is_kept(wish) {
                let _ = fixed.push(wish);
                continue;
            }
            let share = SHARES[usize::from(!open.is_empty())];
            let left = end.saturating_sub(self.solver.statistics().propagations);
            match self.ask(&mut fixed, wish, left / share)? {
                Answer::Sat => {
                    self.solver.keep_model();
                    let _ = fixed.push(wish);
                    // What the new plan grants beside is not given up for a later wish.
                    open.retain(|&(_, wish)| {
                        let granted = self.solver.is_kept(wish);
                        if granted {
                            let _ = fixed.push(wish);
                        }
                        !granted
                    });
                }
                Answer::Unsat => {
                    let _ = fixed.push(!wish);
                }
                Answer::Unknown => {
                    let _ = open.push((index as u16, wish));
                }
            }
        }
        // No wish that was granted or denied contradicts the best model, so this takes no search.
        self.solver.return_to_kept();
        self.solver.solve_within(&fixed, &[], Budget::UNLIMITED)?;
        Ok(open.first().map_or(wishes.len(), |&(index, _)| usize::from(index)))
    }

    /// Whether a wish can be granted after what is fixed, within a share of the propagations.
    fn ask(&mut self, fixed: &mut Wishes, wish: Lit, share: u64) -> Result<Answer, Capacity> {
        if share == 0 {
            return Ok(Answer::Unknown);
        }
        let _ = fixed.push(wish);
        let answer = self.solver.solve_within(fixed, &[], Budget::propagations(share));
        fixed.pop();
        answer
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::boxed::Box;
    use std::vec::Vec;

    use barrow_core::hex::Hex;
    use barrow_core::minions::{Builder, Game, GameConfig, MapLabel, Piece, Ruleset, Side, UnitLabel};
    use barrow_core::rng::Rng;

    use super::super::lists::LargeRoom;
    use super::super::plan::PlanAnswer;
    use super::*;

    /// A board of so many pieces of a hundred, of all types.
    fn board(rng: &mut Rng, share: u32) -> Game {
        let config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap();
        let mut builder = Builder::new(config, 1);
        let board = builder.board(0).unwrap();
        for hex in Hex::all() {
            let side = if rng.chance(1, 2) { Side::Yellow } else { Side::Blue };
            let unit = *rng.choose(&UnitLabel::ALL).unwrap();
            if rng.chance(share, 100) {
                board.set_piece(hex, Some(Piece::fresh(side, unit, hex)));
            }
        }
        builder.build().unwrap()
    }

    #[test]
    #[cfg_attr(not(feature = "every-board"), ignore = "there is room for fewer pieces")]
    fn wishes_granted_one_by_one_are_those_of_the_best_plan() {
        let (mut rng, mut memory) = (Rng::new(9), std::vec![0; 1 << 18]);
        let mut room = Box::new(LargeRoom::new());
        let mut denied = 0;
        for _ in 0..8 {
            let game = board(&mut rng, 25);
            let model = AttackModel::new(&game.view(0).unwrap(), &mut *room).unwrap();
            let goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
            let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
            let Ok(PlanAnswer::Plan(best)) = solver.plan(&goals, u64::MAX) else { panic!("no plan") };
            let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
            let mut plan = AttackPlan::default();
            assert_eq!(solver.grant_in(&goals, 1 << 40, &mut plan), Ok(Answer::Sat));
            let removed = best.killed | best.unsummoned;
            assert_eq!(plan.killed | plan.unsummoned, removed);
            assert!(goals.iter().all(|&goal| match goal {
                Goal::Remove(at) => solver.grants(goal) == removed.contains(at),
                _ => false,
            }));
            denied += goals.len() - removed.len();
            solver.solver.add_clause(&[]).unwrap();
            assert_eq!(solver.grant_in(&goals, 1 << 40, &mut plan), Ok(Answer::Unsat));
        }
        assert!(denied > 5, "{denied}");
    }

    #[test]
    #[cfg_attr(not(feature = "every-board"), ignore = "there is room for fewer pieces")]
    fn without_time_for_another_plan_nobody_fights() {
        let (mut rng, mut memory) = (Rng::new(22), std::vec![0; 1 << 20]);
        let mut room = Box::new(LargeRoom::new());
        let mut peaceful = 0;
        for _ in 0..4 {
            let game = board(&mut rng, 75);
            let model = AttackModel::new(&game.view(0).unwrap(), &mut *room).unwrap();
            let goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
            let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
            let mut plan = AttackPlan::default();
            // The budget ends at the first conflict.
            assert_eq!(solver.grant_in(&goals, 0, &mut plan), Ok(Answer::Sat));
            peaceful += u32::from(plan.fighters.is_empty());
        }
        assert!(peaceful > 1, "{peaceful}");
    }
}
