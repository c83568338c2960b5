//! Choices of the general in a position, with the shares of the visits that a search gave to each: what the general's
//! net learns from.

use std::collections::HashMap;

use barrow_core::minions::players::FallbackPolicies;
use barrow_core::minions::turn_search::{GENERAL_CHOICE_CAP, GeneralChoices, list_choices};
use barrow_core::minions::{Action, Game, GeneralAction, UndoLog};
use barrow_nnue::nets::general::Choice;

use crate::records::root_record::{RootRecord, VisitedGeneral};
use barrow_session::notation::read_turn;

/// Choice of the general with what is known of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedChoice {
    /// Choice.
    pub choice: Choice,
    /// Share of the visits of the search, 0 to 1.
    pub share: f32,
    /// Plausibility by the hand-written policy, which sums up to 1 over the choices.
    pub hand: f32,
}

/// Choices of the general at the root of a search. Choices that the search listed and never visited have the share 0.
/// Empty where there was no choice, and for a record that does not belong to the position.
pub(super) fn rated_choices(before: &Game, root: &RootRecord) -> Vec<RatedChoice> {
    let mut listed = GeneralChoices::new();
    list_choices(before, &mut FallbackPolicies::default(), GENERAL_CHOICE_CAP, &mut listed);
    let mut all: Vec<RatedChoice> = Vec::new();
    let mut places: HashMap<Choice, usize> = HashMap::new();
    let mut place = |all: &mut Vec<RatedChoice>, choice: Choice| {
        *places.entry(choice).or_insert_with(|| {
            all.push(RatedChoice { choice, share: 0.0, hand: 0.0 });
            all.len() - 1
        })
    };
    for (prior, actions) in &listed {
        if let Some(choice) = choice_of(before, actions.iter().copied()) {
            let place = place(&mut all, choice);
            all[place].hand += f32::from(*prior);
        }
    }
    for general in &root.generals {
        if let Some(choice) = visited_choice(before, general) {
            let place = place(&mut all, choice);
            all[place].share += general.visits as f32;
            // The hand-written policy would not have listed it.
            all[place].hand = all[place].hand.max(1.0);
        }
    }
    let visits: f32 = all.iter().map(|rated| rated.share).sum();
    let priors: f32 = all.iter().map(|rated| rated.hand).sum();
    if all.len() < 2 || visits <= 0.0 {
        return Vec::new();
    }
    for rated in &mut all {
        rated.share /= visits;
        rated.hand /= priors;
    }
    all
}

/// Choice that these actions make, with the tech points that are left spent by marching, as the end of the turn spends
/// them.
fn choice_of(before: &Game, actions: impl IntoIterator<Item = GeneralAction>) -> Option<Choice> {
    let mut after = before.clone();
    for action in actions {
        after.apply(Action::General(action), &mut UndoLog::off()).ok()?;
    }
    while after.config().rules.auto_march
        && after.state().budget().tech_points > 0
        && after.apply(Action::General(GeneralAction::March), &mut UndoLog::off()).is_ok()
    {}
    Some(Choice::between(before, &after))
}

fn visited_choice(before: &Game, general: &VisitedGeneral) -> Option<Choice> {
    let mut text = "turn".to_owned();
    for action in &general.actions {
        text.extend(["\naction ", action]);
    }
    let turn = read_turn(before, &text).ok()?;
    choice_of(before, turn.general_actions(before.state().budget()))
}

#[cfg(test)]
pub(in crate::training) mod tests {
    use barrow_core::minions::Ruleset;

    use super::*;
    use crate::bench::test_positions;
    use crate::records::root_record::general_lines;

    /// Choices of a position with visits that follow from their places in the list of the hand-written policy.
    pub(in crate::training) fn rated(game: &Game, visits: impl Fn(usize) -> u32) -> Vec<RatedChoice> {
        let mut listed = GeneralChoices::new();
        list_choices(game, &mut FallbackPolicies::default(), GENERAL_CHOICE_CAP, &mut listed);
        let visited = listed.iter().enumerate().filter(|&(place, _)| visits(place) > 0);
        let generals = visited.map(|(place, (_, actions))| {
            let actions: Vec<Action> = actions.iter().map(|&action| Action::General(action)).collect();
            VisitedGeneral {
                visits: visits(place),
                value: 0.5,
                actions: general_lines(game, &actions).unwrap(),
            }
        });
        let root = RootRecord {
            visits: 0,
            nodes: 80,
            value: 0.5,
            error: 0.1,
            reply: None,
            generals: generals.collect(),
            boards: Vec::new(),
        };
        rated_choices(game, &root)
    }

    /// Visits of the first three choices.
    pub(in crate::training) fn visits_by_place(place: usize) -> u32 {
        [50, 20, 10].get(place).copied().unwrap_or(0)
    }

    #[test]
    fn visited_choices_have_their_shares_and_all_others_none() {
        for game in test_positions::middle_games(Ruleset::Server) {
            let rated = rated(&game, visits_by_place);
            let shares: Vec<f32> =
                rated.iter().map(|rated| rated.share).filter(|&share| share > 0.0).collect();
            assert_eq!(shares, [50.0 / 80.0, 20.0 / 80.0, 10.0 / 80.0]);
            assert!(
                rated.len() >= 3 && (rated.iter().map(|rated| rated.hand).sum::<f32>() - 1.0).abs() < 1e-4
            );
            let distinct: std::collections::HashSet<Choice> =
                rated.iter().map(|rated| rated.choice).collect();
            assert_eq!(distinct.len(), rated.len());
        }
    }

    #[test]
    fn without_visits_there_is_nothing_to_learn() {
        let game = &test_positions::middle_games(Ruleset::Server)[0];
        assert!(rated(game, |_| 0).is_empty());
    }

    #[test]
    fn points_that_a_turn_leaves_are_spent_by_marching() {
        let mut marched = 0;
        for game in test_positions::middle_games(Ruleset::Server) {
            // In some positions there is nothing left to unlock.
            if let Some(march) = choice_of(&game, [GeneralAction::March]) {
                assert_eq!(choice_of(&game, []), Some(march));
                marched += usize::from(march.unlocked != 0);
            }
        }
        assert!(marched > 2, "{marched}");
    }
}
