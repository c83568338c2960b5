//! Progress of the search for a card that decides the game: each turn that is composed in a position takes a slice of it, so
//! that no node takes long.

/// Requests for attacks in a position, but for those that the last slice has too many.
const REQUESTS: u8 = 96;

/// Requests of a slice, but for those of the last enemy.
const SLICE: u8 = 6;

/// Effort of a slice, in propagations of the solver, but for that of the last request: about as much as the longest request of a
/// turn search may take, so that many long ones do not come together in one node.
const SLICE_EFFORT: u64 = 4_000;

/// Progress of the search in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CardProgress {
    /// Requests that are left; 0 when the search has ended.
    requests: u8,
    /// Enemies dealt with, over all aims on all boards.
    victims: u8,
    /// Cards tried on the next enemy, which is in the way.
    cards: u8,
}

impl CardProgress {
    /// Progress before the first slice.
    pub(super) const BEGIN: CardProgress = CardProgress { requests: REQUESTS, victims: 0, cards: 0 };

    /// Progress of a search that has ended, or that another thread goes on with.
    pub(super) const END: CardProgress = CardProgress { requests: 0, victims: 0, cards: 0 };

    /// The next slice, with the planner's effort so far; `None` when the search has ended.
    pub(super) fn next(self, effort: u64) -> Option<Slice> {
        (self.requests > 0).then_some(Slice {
            left: self.requests,
            skipped: self.victims,
            tried: self.cards,
            victims: 0,
            requests: 0,
            effort,
            interrupted: None,
        })
    }
}

/// Slice of a search: goes through aims and their enemies in the same order as those before it.
pub(super) struct Slice {
    /// Requests that were left when it began.
    left: u8,
    /// Enemies of earlier slices that have not been passed yet.
    skipped: u8,
    /// Cards that the last slice tried on the first enemy of this one.
    tried: u8,
    /// Enemies passed and dealt with.
    victims: u8,
    /// Requests so far.
    requests: u8,
    /// Effort of the planner when it began.
    effort: u64,
    /// Cards tried on the enemy at which it ended.
    interrupted: Option<u8>,
}

impl Slice {
    /// Passes the enemies of an aim that earlier slices have dealt with; how many of these there are.
    pub(super) fn skip(&mut self, victims: usize) -> usize {
        let passed = self.skipped.min(u8::try_from(victims).unwrap_or(u8::MAX));
        self.skipped -= passed;
        self.pass(usize::from(passed));
        usize::from(passed)
    }

    /// Takes the number of cards that the last slice tried on the enemy with which this one begins; 0 for every other enemy.
    pub(super) fn take_tried(&mut self) -> usize {
        usize::from(core::mem::take(&mut self.tried))
    }

    /// Whether this slice begins amid the cards for an enemy.
    pub(super) fn is_amid_cards(&self) -> bool {
        self.tried > 0
    }

    /// Ends the slice after so many cards for an enemy, with which the next one begins.
    pub(super) fn interrupt(&mut self, cards: usize) {
        self.interrupted = Some(u8::try_from(cards).unwrap_or(u8::MAX));
    }

    /// Counts enemies as dealt with.
    pub(super) fn pass(&mut self, victims: usize) {
        self.victims = self.victims.saturating_add(u8::try_from(victims).unwrap_or(u8::MAX));
    }

    /// Counts a request.
    pub(super) fn request(&mut self) {
        self.requests = self.requests.saturating_add(1);
    }

    /// Whether the rest is for later slices, by the planner's effort so far.
    pub(super) fn is_over(&self, effort: u64) -> bool {
        self.requests >= SLICE || self.is_effort_spent(effort) || self.interrupted.is_some()
    }

    /// Whether its effort is spent, by the planner's effort so far.
    pub(super) fn is_effort_spent(&self, effort: u64) -> bool {
        effort.saturating_sub(self.effort) >= SLICE_EFFORT
    }

    /// Progress after this slice: the end where more cannot be counted.
    pub(super) fn progress(&self) -> CardProgress {
        let requests = self.left.saturating_sub(self.requests);
        if self.victims < u8::MAX {
            CardProgress { requests, victims: self.victims, cards: self.interrupted.unwrap_or(0) }
        } else {
            CardProgress::END
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    /// Requests of one slice: aim, enemy by its place, and card by its place, of which there are two, or none for the enemy alone.
    /// Each takes so much effort.
    fn dealt(progress: &mut CardProgress, aims: &[usize], cost: u64) -> Vec<(usize, usize, Option<usize>)> {
        let (mut all, mut effort) = (Vec::new(), 1_000);
        let Some(mut slice) = progress.next(effort) else { return all };
        *progress = CardProgress::END;
        let ask = |slice: &mut Slice, effort: &mut u64| {
            slice.request();
            *effort += cost;
        };
        for (aim, &victims) in aims.iter().enumerate() {
            let first = slice.skip(victims);
            for victim in first..victims {
                if victim > first && slice.is_over(effort) {
                    *progress = slice.progress();
                    return all;
                }
                let tried = slice.take_tried();
                if tried == 0 {
                    ask(&mut slice, &mut effort);
                    all.push((aim, victim, None));
                }
                for card in tried..2 {
                    if card > 0 && slice.is_effort_spent(effort) {
                        slice.interrupt(card);
                        *progress = slice.progress();
                        return all;
                    }
                    ask(&mut slice, &mut effort);
                    all.push((aim, victim, Some(card)));
                }
                slice.pass(1);
            }
            if slice.is_over(effort) {
                *progress = slice.progress();
                return all;
            }
        }
        all
    }

    #[test]
    fn slices_together_deal_with_every_enemy_once_until_the_requests_are_used() {
        for (aims, cost) in [&[][..], &[0], &[1], &[2, 0, 5], &[7, 7], &[30, 1], &[100, 100]]
            .into_iter()
            .flat_map(|aims| [0, 10, SLICE_EFFORT / 2, SLICE_EFFORT].map(|cost| (aims, cost)))
        {
            let every =
                aims.iter().enumerate().flat_map(|(aim, &len)| (0..len).map(move |victim| (aim, victim)));
            let steps =
                every.flat_map(|(aim, victim)| [None, Some(0), Some(1)].map(|card| (aim, victim, card)));
            let expected: Vec<_> = steps.collect();
            let (mut progress, mut all) = (CardProgress::BEGIN, Vec::new());
            while progress != CardProgress::END && progress.next(0).is_some() {
                let part = dealt(&mut progress, aims, cost);
                assert!(part.len() <= usize::from(SLICE), "{part:?}");
                assert!(part.len() as u64 * cost <= 2 * SLICE_EFFORT, "{part:?}");
                all.extend(part);
            }
            let (least, most) = (usize::from(REQUESTS), usize::from(REQUESTS + SLICE));
            assert!(all.len() >= least.min(expected.len()) && all.len() < most, "{aims:?} {cost}");
            assert_eq!(all, expected[..all.len()], "{aims:?} {cost}");
        }
    }

    #[test]
    fn more_enemies_than_can_be_counted_end_the_search() {
        let mut slice = CardProgress::BEGIN.next(0).unwrap();
        slice.pass(300);
        assert_eq!(slice.progress(), CardProgress::END);
    }
}
