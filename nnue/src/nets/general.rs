//! The general's net: how plausible a choice of techs and extra spells is (seed 000, "use NN for initial choice").
//!
//! A choice is a number of steps, and its logit the sum of theirs. A step on a tech is an output of a small layer that
//! reads the contexts of the tech and of the position ([`Survey`]), with the same weights for every tech; a step that
//! concerns no tech reads the contexts of the position alone. Steps are counted from the position before the choice
//! to the one after it, so that the order of the actions does not matter. A network file may leave the net out.

use barrow_core::minions::tables::capacities::TECH_CAP;
use barrow_core::minions::{Budget, Game, TechLevels};
use fixed::types::I16F16;

pub use super::general_contexts::Survey;
use super::general_layer::Sums;
use super::layer::to_fixed;
use super::network::Network;
use crate::shape::{MAX_BOARD_LAYER, Profile};

/// Step of a choice of the general.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Step {
    /// A tech is acquired.
    Acquire = 0,
    /// A tech is unlocked, whether by a march or by name; one that is acquired as well is only acquired.
    Unlock = 1,
    /// The first extra spell is bought.
    FirstSpell = 2,
    /// Another extra spell is bought.
    NextSpell = 3,
    /// The free tech point is sold.
    Sale = 4,
}

/// Choice of the general as steps: what the position after it has that the position before it had not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Choice {
    /// Places in the line of the techs acquired, as a bit set.
    pub acquired: u32,
    /// Places in the line of the techs unlocked and not acquired, as a bit set.
    pub unlocked: u32,
    /// Number of extra spells bought.
    pub bought: u8,
    /// Whether the free tech point was sold.
    pub sold: bool,
}

impl Choice {
    /// Choice that leads from one position to another of the same turn.
    pub fn between(before: &Game, after: &Game) -> Choice {
        let (side, state) = (before.side_to_move(), before.state());
        Choice::since(state.tech(side), state.budget(), after)
    }

    /// Choice since the side to move had these tech levels and this budget.
    fn since(old: TechLevels, spent: Budget, after: &Game) -> Choice {
        let new = after.state().tech(after.side_to_move());
        let budget = after.state().budget();
        Choice {
            acquired: new.acquired_bits() & !old.acquired_bits(),
            unlocked: new.unlocked_bits() & !old.unlocked_bits() & !new.acquired_bits(),
            bought: budget.bought.saturating_sub(spent.bought),
            sold: budget.sold && !spent.sold,
        }
    }

    /// Calls `visit` with each step and, for a step on a tech, its place in the line.
    pub fn steps(&self, mut visit: impl FnMut(Step, Option<u8>)) {
        for (places, step) in [(self.acquired, Step::Acquire), (self.unlocked, Step::Unlock)] {
            let mut left = places;
            while left != 0 {
                visit(step, Some(left.trailing_zeros() as u8));
                left &= left - 1;
            }
        }
        for number in 0..self.bought {
            visit(if number == 0 { Step::FirstSpell } else { Step::NextSpell }, None);
        }
        if self.sold {
            visit(Step::Sale, None);
        }
    }
}

/// Steps of one position, computed on demand.
#[derive(Clone, Debug)]
pub struct Steps {
    survey: Survey,
    levels: TechLevels,
    budget: Budget,
    /// Sums of the bias and of the contexts of the position.
    position: Sums,
    /// Logits of acquiring and of unlocking the tech at each place, in the steps of sums of the last layer.
    techs: [Option<[i32; 2]>; TECH_CAP],
    /// Logits of buying the first and a later extra spell, and of the sale.
    others: [i32; 3],
}

impl<P: Profile> Network<'_, P> {
    /// Whether the network has a net for the general.
    pub fn has_general(&self) -> bool {
        self.general.is_some()
    }

    /// Steps of a position; `None` if the network has no net for the general.
    pub fn general_steps(&self, game: &Game) -> Option<Steps> {
        let net = self.general.as_ref()?;
        let survey = Survey::new(game);
        let mut position = [0; MAX_BOARD_LAYER];
        position.iter_mut().zip(net.bias).for_each(|(sum, bias)| *sum = i32::from(*bias));
        survey.position(game, |row| net.add(&mut position, row));
        let others = [Step::FirstSpell, Step::NextSpell, Step::Sale];
        let others = net.outputs(&position, others.map(|step| step as usize));
        let (levels, budget) = (game.state().tech(game.side_to_move()), game.state().budget());
        Some(Steps { survey, levels, budget, position, techs: [None; TECH_CAP], others })
    }

    /// Logit of the choice that leads from the position of these steps to another one of the same turn. Steps that
    /// were not needed before are computed now.
    pub fn choice_logit(&self, steps: &mut Steps, after: &Game) -> I16F16 {
        let Some(net) = &self.general else { return I16F16::ZERO };
        let Steps { survey, position, techs, others, .. } = steps;
        let choice = Choice::since(steps.levels, steps.budget, after);
        let mut sum: i64 = 0;
        choice.steps(|step, place| {
            let [first, next, sale] = *others;
            let mut tech = || {
                let place = place?;
                let slot = techs.get_mut(usize::from(place))?;
                Some(*slot.get_or_insert_with(|| {
                    let mut sums = *position;
                    survey.tech(after.config(), place, |row| net.add(&mut sums, row));
                    net.outputs(&sums, [Step::Acquire as usize, Step::Unlock as usize])
                }))
            };
            sum += i64::from(match step {
                Step::Acquire => tech().map_or(0, |[acquire, _]| acquire),
                Step::Unlock => tech().map_or(0, |[_, unlock]| unlock),
                Step::FirstSpell => first,
                Step::NextSpell => next,
                Step::Sale => sale,
            });
        });
        to_fixed::<P>(sum.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
    }
}
