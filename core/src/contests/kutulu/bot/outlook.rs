//! Outlook beyond the end of a simulation: skills kept, the way to company and shelters, dead ends, wanderers and
//! slashers near by.

use super::tuning::Outlook;
use crate::contests::kutulu::constants::{COMPANY_RANGE, FULL_SANITY, PLAN_HEAL, PLAN_RANGE, SHELTER_HEAL};
use crate::contests::kutulu::{EffectKind, Explorer, MapTables, MinionPhase, State};

/// Score of a point of sanity.
pub(super) const SCALE: i32 = 4;

/// Most steps of a way that counts.
const FARTHEST: i32 = 12;

/// Distance in steps within which wanderers are feared.
const FEAR: i32 = 4;

/// Value of an explorer's situation at the end of a simulation, in quarters of a point of sanity.
pub(super) fn leaf_value(
    tables: &MapTables,
    outlook: &Outlook,
    root: &State,
    end: &State,
    player: usize,
) -> i32 {
    skills_spent(outlook, &root.explorers[player], &end.explorers[player])
        + running_plans(tables, outlook, end, player)
        + company(tables, outlook, end, player)
        + shelter(tables, outlook, end, player)
        + danger(tables, outlook, end, player)
}

/// The price of the skills used, as a loss. A plan is worth less the less sanity is left to use it with.
fn skills_spent(outlook: &Outlook, before: &Explorer, after: &Explorer) -> i32 {
    let used = |before: u8, after: u8| i32::from(before.saturating_sub(after));
    let plan = outlook.plan * i32::from(before.sanity) / i32::from(FULL_SANITY);
    let yells = (after.yelled_at & !before.yelled_at).count_ones() as i32;
    -(plan * used(before.plans, after.plans)
        + outlook.light * used(before.lights, after.lights)
        + outlook.yell * yells)
}

/// Sanity that plans will still restore after the end of the simulation if nobody moves.
fn running_plans(tables: &MapTables, outlook: &Outlook, end: &State, player: usize) -> i32 {
    if outlook.plan == 0 {
        return 0;
    }
    let heal = SCALE * i32::from(PLAN_HEAL);
    let near = |one: usize, other: usize| {
        let steps = tables.distance(end.explorers[one].cell, end.explorers[other].cell);
        steps.is_some_and(|steps| steps <= PLAN_RANGE)
    };
    let healed = end.effects.iter().filter(|effect| effect.kind == EffectKind::Plan).map(|effect| {
        let Some(caster) = effect.caster.map(usize::from) else { return 0 };
        let each = if caster == player {
            end.living().filter(|&id| id == player || near(player, id)).count() as i32
        } else {
            i32::from(near(caster, player))
        };
        heal * each * i32::from(effect.left)
    });
    let missing = SCALE * i32::from(FULL_SANITY - end.explorers[player].sanity);
    healed.sum::<i32>().min(missing)
}

/// The loss to expect on the way to the nearest other explorer.
fn company(tables: &MapTables, outlook: &Outlook, end: &State, player: usize) -> i32 {
    if outlook.company == 0 {
        return 0;
    }
    let cell = end.explorers[player].cell;
    let others = end.living().filter(|&id| id != player);
    let steps = others.filter_map(|id| tables.distance(cell, end.explorers[id].cell)).min();
    let saved = i32::from(end.constants.lonely) - i32::from(end.constants.group);
    let far = steps.map_or(FARTHEST, i32::from) - i32::from(COMPANY_RANGE);
    -outlook.company * saved * far.clamp(0, FARTHEST)
}

/// The gain to expect of the best shelter, less for each step to it.
fn shelter(tables: &MapTables, outlook: &Outlook, end: &State, player: usize) -> i32 {
    if outlook.shelter == 0 {
        return 0;
    }
    let explorer = &end.explorers[player];
    let missing = i32::from(FULL_SANITY - explorer.sanity);
    let worth = end.effects.iter().filter_map(|effect| match effect.kind {
        EffectKind::Shelter { cell } => {
            let steps = i32::from(tables.distance(explorer.cell, cell)?);
            let heals = (i32::from(SHELTER_HEAL) * i32::from(effect.left)).min(missing);
            Some(heals * (FARTHEST - steps) / FARTHEST)
        }
        _ => None,
    });
    outlook.shelter * worth.max().unwrap_or(0).max(0)
}

/// The loss to expect of minions near by.
fn danger(tables: &MapTables, outlook: &Outlook, end: &State, player: usize) -> i32 {
    if outlook.dead_end == 0 && outlook.wanderer == 0 && outlook.slasher == 0 {
        return 0;
    }
    let cell = end.explorers[player].cell;
    let (mut loss, mut is_hunted) = (0, false);
    for minion in end.minions.iter() {
        if minion.is_slasher {
            let rushes = match minion.phase {
                MinionPhase::Rush => true,
                MinionPhase::Stalking => minion.counter <= 2,
                _ => false,
            };
            if rushes && tables.sees(minion.cell, cell) {
                loss += outlook.slasher;
            }
        } else if minion.phase == MinionPhase::Wandering {
            let steps = tables.distance(minion.cell, cell).map_or(FARTHEST, i32::from);
            let is_ours = minion.target.is_none_or(|target| usize::from(target) == player);
            if is_ours && steps < FEAR {
                loss += outlook.wanderer * (FEAR - steps);
                is_hunted = true;
            }
        }
    }
    if is_hunted && tables.neighbours(cell).count() < 2 {
        loss += outlook.dead_end;
    }
    -loss
}
