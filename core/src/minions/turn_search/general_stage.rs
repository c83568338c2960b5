//! The general stage: all choices of techs (seed 000, "just generate all possible choices at this point").
//!
//! A choice is a number of extra spells to buy and a use of every tech point. Two choices are the same when they
//! lead to the same tech levels and the same money.

use heapless::Vec;

use super::ports::{GENERAL_CAP, GeneralChoice, GeneralPolicy};
use crate::heapless_vec;
use crate::list;
use crate::minions::tables::capacities::{BOARD_CAP, CHANGES_PER_ACTION};
use crate::minions::{Action, DRAFT_LOG, DraftMemory, Game, GeneralAction, TechLevels, TechStatus, UndoLog};

/// Choices of the general that are rated in one position at most. With one tech point there are at most 27; with two,
/// which cost 4 souls for each board, some three hundred, of which those enumerated first are rated.
pub const GENERAL_CHOICE_CAP: usize = 96;

/// Extra spells of one choice at most.
const BOUGHT_CAP: u8 = 2;

/// Steps that are tried for one list. With one tech point there are some hundred, with two some thousand at most; with twenty,
/// which positions by hand may have, nearly all lead to results that are known, and would take seconds.
const STEP_CAP: u16 = 8_192;

/// Tech levels and souls after a choice.
type Result = (TechLevels, u32);

/// Choices of the general with their priors, 0..=65,535.
pub type GeneralChoices = Vec<(u16, GeneralChoice), GENERAL_CHOICE_CAP, u16>;

/// Choices of the general with the plausibility that the policy gives them.
type RatedChoices = Vec<(u32, GeneralChoice), GENERAL_CHOICE_CAP, u16>;

// An action of the general makes fewer changes than a third of those that the log keeps free for it.
const _: () = assert!((GENERAL_CAP + BOARD_CAP) * CHANGES_PER_ACTION / 3 + CHANGES_PER_ACTION <= DRAFT_LOG);

/// Lists the choices of the side to move: the `most` most plausible ones, in falling order. Never empty: where
/// nothing else is legal, the choice is to do nothing.
pub fn list_choices(game: &Game, policy: &mut impl GeneralPolicy, most: usize, found: &mut GeneralChoices) {
    let mut memory = DraftMemory::new();
    if let Some((game, _, mut log)) = memory.begin(game) {
        list_choices_in(game, &mut log, policy, most, found);
    }
}

/// Lists the choices as [`list_choices`] does, by playing and undoing them in the game itself.
pub(super) fn list_choices_in(
    game: &mut Game,
    log: &mut UndoLog<'_>,
    policy: &mut impl GeneralPolicy,
    most: usize,
    found: &mut GeneralChoices,
) {
    found.clear();
    policy.begin(game);
    let mut all = RatedChoices::new();
    let start = log.mark();
    let mut listing =
        Listing { game, choice: GeneralChoice::new(), known: KnownResults::new(), steps_left: STEP_CAP };
    for bought in 0..=BOUGHT_CAP {
        if bought > 0 && !listing.push(GeneralAction::BuySpell, log) {
            break;
        }
        listing.spend(log, 0, &mut |game, choice| {
            let prior = policy.prior(game, choice);
            all.push((prior, choice.clone())).is_ok()
        });
    }
    game.undo(start, log);
    if all.is_empty() {
        let _ = all.push((1, GeneralChoice::new()));
    }
    // Ties keep the order of enumeration, so the result is the same everywhere.
    let mut order: Vec<(core::cmp::Reverse<u32>, u16), GENERAL_CHOICE_CAP, u16> = Vec::new();
    for (entry, index) in all.iter().zip(0..) {
        let entry = (core::cmp::Reverse(entry.0), index);
        if order.len() >= most && order.last() <= Some(&entry) {
            continue;
        }
        order.truncate(most.saturating_sub(1));
        let place = order.iter().rposition(|known| *known < entry).map_or(0, |better| better + 1);
        // There is room: the list of all is as long.
        let _ = heapless_vec::insert(&mut order, place, entry);
    }
    // Only proportions count, so that the priors fit whatever the policy's factor is.
    let largest = all.iter().map(|entry| entry.0).max().unwrap_or(0);
    let shift = (u32::BITS - largest.leading_zeros()).saturating_sub(u16::BITS);
    let best = order.iter().filter_map(|&(_, index)| all.get(usize::from(index)));
    let best = best.map(|(prior, choice)| (((prior >> shift).max(1)) as u16, choice.clone()));
    // There is room for as many as there are in all.
    let _ = list::append(found, best);
}

/// Results that are known, as a list behind a hash table with linear probing.
struct KnownResults {
    list: Vec<Result, GENERAL_CHOICE_CAP, u8>,
    /// Number in the list plus 1; 0 where nothing is.
    table: [u8; RESULT_SLOTS],
}

/// Slots of the table of known results: more than twice as many as results.
const RESULT_SLOTS: usize = 256;

const _: () = assert!(2 * GENERAL_CHOICE_CAP < RESULT_SLOTS && RESULT_SLOTS.is_power_of_two());

impl KnownResults {
    const fn new() -> KnownResults {
        KnownResults { list: Vec::new(), table: [0; RESULT_SLOTS] }
    }

    /// The slot of a result: the one where it is, or the free one where it belongs.
    fn slot(&self, result: &Result) -> usize {
        let (TechLevels { unlocked, acquired }, souls) = *result;
        let mixed = unlocked.wrapping_mul(0x9e37_79b9) ^ acquired.wrapping_mul(0x85eb_ca6b) ^ souls;
        let mut slot = (mixed.wrapping_mul(0xc2b2_ae35) >> 24) as usize % RESULT_SLOTS;
        while let Some(number) = self.table[slot].checked_sub(1)
            && self.list.get(usize::from(number)) != Some(result)
        {
            slot = (slot + 1) % RESULT_SLOTS;
        }
        slot
    }

    fn contains(&self, result: &Result) -> bool {
        self.table[self.slot(result)] != 0
    }

    /// Adds a result that is not known. False where there is no room.
    fn add(&mut self, result: Result) -> bool {
        let slot = self.slot(&result);
        let added = self.list.push(result).is_ok();
        if added {
            self.table[slot] = self.list.len() as u8;
        }
        added
    }
}

struct Listing<'g> {
    game: &'g mut Game,
    choice: GeneralChoice,
    known: KnownResults,
    steps_left: u16,
}

impl Listing<'_> {
    fn push(&mut self, action: GeneralAction, log: &mut UndoLog<'_>) -> bool {
        let mark = log.mark();
        if self.game.apply(Action::General(action), log).is_err() {
            return false;
        }
        if self.choice.push(action).is_err() {
            self.game.undo(mark, log);
            return false;
        }
        true
    }

    fn result(&self) -> Result {
        let side = self.game.side_to_move();
        (self.game.state().tech(side), self.game.state().souls(side))
    }

    /// Counts steps that are tried. False where fewer are left.
    fn count_steps(&mut self, tried: u32) -> bool {
        let left = u32::from(self.steps_left).checked_sub(tried);
        self.steps_left = left.unwrap_or(0) as u16;
        left.is_some()
    }

    /// Spends the remaining points in every way; of two steps whose order does not matter, the first in the line
    /// comes first. Returns whether `visit` has room for more choices, and steps are left to find them.
    fn spend(
        &mut self,
        log: &mut UndoLog<'_>,
        first: u8,
        visit: &mut impl FnMut(&Game, &GeneralChoice) -> bool,
    ) -> bool {
        let mut spent = false;
        let (state, config) = (self.game.state(), self.game.config());
        let (points, (levels, souls)) = (state.budget().tech_points, self.result());
        if points > 0 {
            let (allowed, techs) = (state.tech_steps(config), config.techline.len());
            let may_sell = state.may_sell(config);
            // The last step is foreseen, for playing it costs more.
            let foreseen = |index: u8, status| {
                let mut after = levels;
                after.set(index, status);
                (points == 1).then_some((after, souls))
            };
            // No step is possible beyond the one that follows what is unlocked.
            let unlocked = levels.unlocked_bits();
            let line = 1_u32.unbounded_shl(techs as u32).wrapping_sub(1);
            let mut untried = (unlocked | unlocked << 1 | 1) & line & u32::MAX.unbounded_shl(first.into());
            let mut open = untried & (allowed.unlocking | allowed.acquiring);
            while open != 0 {
                let index = open.trailing_zeros() as u8;
                open &= open - 1;
                // Those before it that are not allowed are tried, too.
                let tried = untried & !(u32::MAX - 1).unbounded_shl(index.into());
                untried ^= tried;
                let Some(status) = allowed.status(index) else { break };
                let step = GeneralAction::Advance { index };
                if !self.count_steps(tried.count_ones())
                    || !self.try_step((step, foreseen(index, status)), index, &mut spent, log, visit)
                {
                    return false;
                }
            }
            let march = levels.first_locked(techs).and_then(|index| foreseen(index, TechStatus::Unlocked));
            // A march may open a tech that comes before the one acquired last.
            if !self.count_steps(untried.count_ones() + 1)
                || !self.try_step((GeneralAction::March, march), 0, &mut spent, log, visit)
            {
                return false;
            }
            let sells = !self.choice.contains(&GeneralAction::Sell);
            if sells && !self.count_steps(1)
                || sells && may_sell && !self.try_step((GeneralAction::Sell, None), 0, &mut spent, log, visit)
            {
                return false;
            }
        }
        // A choice that leaves points unused counts only where no use is left for them.
        if spent {
            return true;
        }
        if self.known.contains(&(levels, souls)) {
            return true;
        }
        self.known.add((levels, souls)) && visit(self.game, &self.choice)
    }

    /// Plays a step, if its result is not known already, and spends the points that are left after it from the position
    /// `next` of the line on. `spent` becomes true where the step is legal. Returns what [`Listing::spend`] does.
    fn try_step(
        &mut self,
        (step, result): (GeneralAction, Option<Result>),
        next: u8,
        spent: &mut bool,
        log: &mut UndoLog<'_>,
        visit: &mut impl FnMut(&Game, &GeneralChoice) -> bool,
    ) -> bool {
        if result.as_ref().is_some_and(|result| self.known.contains(result)) {
            *spent = true;
            return true;
        }
        let mark = log.mark();
        if !self.push(step, log) {
            return true;
        }
        *spent = true;
        let more = self.spend(log, next, visit);
        self.choice.pop();
        self.game.undo(mark, log);
        more
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::minions::{Budget, Builder, GameConfig, MapLabel, Ruleset, SideArray, Spell};

    const RULESETS: [Ruleset; 2] = [Ruleset::Server, Ruleset::Spooky];

    struct Even;

    impl GeneralPolicy for Even {
        fn prior(&mut self, _: &Game, choice: &[GeneralAction]) -> u32 {
            100 - choice.len() as u32
        }

        fn card(&mut self, _: &Game, _: usize, _: Spell) -> i32 {
            0
        }
    }

    fn list(game: &Game) -> GeneralChoices {
        let mut found = GeneralChoices::new();
        list_choices(game, &mut Even, GENERAL_CHOICE_CAP, &mut found);
        found
    }

    #[test]
    fn results_are_known_once_they_are_added_until_the_table_is_full() {
        let (mut known, mut rng) = (KnownResults::new(), crate::rng::Rng::new(3));
        let mut listed = std::vec::Vec::new();
        for _ in 0..1_000 {
            let levels = TechLevels { unlocked: rng.below(8), acquired: rng.below(4) };
            let result = (levels, rng.below(8));
            let is_known = listed.contains(&result);
            assert_eq!(known.contains(&result), is_known);
            if !is_known {
                assert_eq!(known.add(result), listed.len() < GENERAL_CHOICE_CAP);
                listed.push(result);
                listed.truncate(GENERAL_CHOICE_CAP);
            }
        }
        assert_eq!(listed.len(), GENERAL_CHOICE_CAP);
    }

    #[test]
    fn at_the_start_one_can_march_or_nothing_else() {
        for ruleset in RULESETS {
            let game = Game::new(GameConfig::new(ruleset, &[MapLabel::ALL[0]]).unwrap(), 1);
            let found = list(&game);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].1.len(), 1);
        }
    }

    #[test]
    fn a_list_ends_however_many_points_there_are() {
        let config = GameConfig::new(Ruleset::Server, &[MapLabel::ALL[0]; 2]).unwrap();
        let mut builder = Builder::from_game(Game::new(config, 1));
        let levels = TechLevels {
            unlocked: (1 << 25) - 1,
            acquired: ((1 << 25) - 1) ^ 0b1_0000_1000_0110_0100_0100_0010,
        };
        builder.tech(SideArray::new(levels, levels), SideArray::new(levels, levels));
        builder.budget(Budget { tech_points: 20, bought: 20, ..Budget::default() });
        let game = builder.build().unwrap();
        let (mut visited, mut memory) = (0, DraftMemory::new());
        let (game, _, mut log) = memory.begin(&game).unwrap();
        let mut listing =
            Listing { game, choice: GeneralChoice::new(), known: KnownResults::new(), steps_left: STEP_CAP };
        let ended = listing.spend(&mut log, 0, &mut |_, _| {
            visited += 1;
            true
        });
        // Too many orders of the same few steps: the list is cut, and not empty.
        assert_eq!((ended, listing.steps_left), (false, 0));
        assert!(visited > 0);
    }

    #[test]
    fn all_choices_differ_and_are_legal() {
        for ruleset in RULESETS {
            let mut game = Game::new(GameConfig::new(ruleset, &[MapLabel::ALL[0]; 2]).unwrap(), 1);
            let mut most = 0;
            for turn in 0..24 {
                let found = list(&game);
                most = most.max(found.len());
                let mut seen = std::vec::Vec::new();
                for (_, choice) in &found {
                    let mut after = game.clone();
                    for &action in choice {
                        after.apply(Action::General(action), &mut UndoLog::off()).unwrap();
                    }
                    let side = after.side_to_move();
                    let result = (after.state().tech(side), after.state().souls(side));
                    assert!(!seen.contains(&result));
                    seen.push(result);
                }
                assert!(found.windows(2).all(|pair| pair[0].0 >= pair[1].0));
                let choice = &found[turn % found.len()].1;
                for &action in choice {
                    game.apply(Action::General(action), &mut UndoLog::off()).unwrap();
                }
                if game.end_turn().is_err() {
                    break;
                }
            }
            assert!(most > 5, "{most}");
        }
    }
}
