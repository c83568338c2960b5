//! Progress of the search for a card that decides the game: each turn that is composed in a position takes a slice of it, so
//! that no node takes long.

/// Requests for attacks in a position, but for those that the last slice has too many.
const REQUESTS: u8 = 96;

/// Requests of a slice, but for those of the last enemy.
const SLICE: u8 = 6;

/// Progress of the search in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CardProgress {
    /// Requests that are left; 0 when the search has ended.
    requests: u8,
    /// Enemies dealt with, over all aims on all boards.
    victims: u8,
}

impl CardProgress {
    /// Progress before the first slice.
    pub(super) const BEGIN: CardProgress = CardProgress { requests: REQUESTS, victims: 0 };

    /// Progress of a search that has ended, or that another thread goes on with.
    pub(super) const END: CardProgress = CardProgress { requests: 0, victims: 0 };

    /// The next slice; `None` when the search has ended.
    pub(super) fn next(self) -> Option<Slice> {
        (self.requests > 0).then_some(Slice {
            left: self.requests,
            skipped: self.victims,
            victims: 0,
            requests: 0,
        })
    }
}

/// Slice of a search: goes through aims and their enemies in the same order as those before it.
pub(super) struct Slice {
    /// Requests that were left when it began.
    left: u8,
    /// Enemies of earlier slices that have not been passed yet.
    skipped: u8,
    /// Enemies passed and dealt with.
    victims: u8,
    /// Requests so far.
    requests: u8,
}

impl Slice {
    /// Passes the enemies of an aim that earlier slices have dealt with; how many of these there are.
    pub(super) fn skip(&mut self, victims: usize) -> usize {
        let passed = self.skipped.min(u8::try_from(victims).unwrap_or(u8::MAX));
        self.skipped -= passed;
        self.pass(usize::from(passed));
        usize::from(passed)
    }

    /// Counts enemies as dealt with.
    pub(super) fn pass(&mut self, victims: usize) {
        self.victims = self.victims.saturating_add(u8::try_from(victims).unwrap_or(u8::MAX));
    }

    /// Counts a request.
    pub(super) fn request(&mut self) {
        self.requests = self.requests.saturating_add(1);
    }

    /// Whether the rest is for later slices.
    pub(super) fn is_over(&self) -> bool {
        self.requests >= SLICE
    }

    /// Progress after this slice: the end where more cannot be counted.
    pub(super) fn progress(&self) -> CardProgress {
        let requests = self.left.saturating_sub(self.requests);
        if self.victims < u8::MAX {
            CardProgress { requests, victims: self.victims }
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

    /// Enemies dealt with by one slice, by aim and place, with three requests for each; whether it was the last one.
    fn dealt(progress: &mut CardProgress, aims: &[usize]) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        let Some(mut slice) = progress.next() else { return all };
        *progress = CardProgress::END;
        for (aim, &victims) in aims.iter().enumerate() {
            for victim in slice.skip(victims)..victims {
                if slice.is_over() {
                    *progress = slice.progress();
                    return all;
                }
                slice.pass(1);
                (0..3).for_each(|_| slice.request());
                all.push((aim, victim));
            }
        }
        all
    }

    #[test]
    fn slices_together_deal_with_every_enemy_once_until_the_requests_are_used() {
        for aims in [&[][..], &[0], &[1], &[2, 0, 5], &[7, 7], &[30, 1], &[100, 100]] {
            let every =
                aims.iter().enumerate().flat_map(|(aim, &len)| (0..len).map(move |victim| (aim, victim)));
            let expected: Vec<_> = every.take(usize::from(REQUESTS) / 3).collect();
            let (mut progress, mut all) = (CardProgress::BEGIN, Vec::new());
            while progress != CardProgress::END && progress.next().is_some() {
                let part = dealt(&mut progress, aims);
                assert!(part.len() <= usize::from(SLICE) / 3, "{part:?}");
                all.extend(part);
            }
            assert_eq!(all, expected, "{aims:?}");
        }
    }

    #[test]
    fn more_enemies_than_can_be_counted_end_the_search() {
        let mut slice = CardProgress::BEGIN.next().unwrap();
        slice.pass(300);
        assert_eq!(slice.progress(), CardProgress::END);
    }
}
