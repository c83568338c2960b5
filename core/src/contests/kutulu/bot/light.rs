//! Whether a light turns a wanderer from the own explorer to another one (rules §12.5, step 3b).

use crate::contests::kutulu::turn::light_up;
use crate::contests::kutulu::{CellSet, EXPLORERS, EffectKind, MapTables, MinionPhase, State, chase_costs};

/// Whether the own light would turn a wanderer away from the own explorer and none towards it, all others waiting.
pub(super) fn is_useful(tables: &MapTables, state: &State, own: usize) -> bool {
    let mut lit = CellSet::EMPTY;
    for effect in state.effects.iter().filter(|effect| effect.kind == EffectKind::Light) {
        if let Some(caster) = effect.caster.map(usize::from).filter(|&id| state.is_alive(id)) {
            light_up(tables, state.explorers[caster].cell, &mut lit);
        }
    }
    let mut with_ours = lit;
    light_up(tables, state.explorers[own].cell, &mut with_ours);
    let mut turns_away = false;
    for minion in
        state.minions.iter().filter(|minion| !minion.is_slasher && minion.phase == MinionPhase::Wandering)
    {
        let now = chase_costs(tables, state, &lit, minion.cell);
        let then = chase_costs(tables, state, &with_ours, minion.cell);
        let target = minion.target.map(usize::from);
        if goal(&now, target) == Some(own) {
            let is_nearer = |id: usize| match (then[id], then[own]) {
                (Some(other), Some(ours)) => other < ours,
                _ => false,
            };
            turns_away |= (0..EXPLORERS).any(is_nearer);
        } else if goal(&then, target) == Some(own) {
            return false;
        }
    }
    turns_away
}

/// The explorer that a wanderer follows: the nearest, among several the old target. `None` if a draw decides.
fn goal(costs: &[Option<u16>; EXPLORERS], target: Option<usize>) -> Option<usize> {
    let least = costs.iter().filter_map(|cost| *cost).min()?;
    let mut nearest = (0..EXPLORERS).filter(|&id| costs[id] == Some(least));
    let first = nearest.next()?;
    match target {
        Some(id) if costs[id] == Some(least) => Some(id),
        _ => {
            if nearest.next().is_none() {
                Some(first)
            } else {
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kutulu_rule_6_1_the_nearest_is_followed() {
        let costs = [Some(4), None, Some(3), Some(3)];
        assert_eq!(goal(&costs, Some(0)), None);
        assert_eq!(goal(&costs, Some(3)), Some(3));
        assert_eq!(goal(&[Some(4), None, Some(3), None], Some(0)), Some(2));
        assert_eq!(goal(&[None; 4], Some(0)), None);
    }
}
