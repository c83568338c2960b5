//! Margins: the room that a solver gets beyond what the constraints of a model take, for what it learns and for plans that
//! are forbidden.

use crate::cdcl::Limits;

/// Words for learnt clauses beyond two of full length: conflicts are rare, and forgetting costs time only.
const LEARNT_WORDS: usize = 1 << 11;

/// Words of learnt clauses for each variable beyond so many, where that is more, and the most: on crowded boards conflicts
/// are not rare.
const LEARNT_WORDS_PER_VAR: usize = 16;
const FEW_VARS: usize = 300;
const MOST_LEARNT_WORDS: usize = 15 << 10;

/// Words of learnt linear constraints for each of learnt clauses beyond [`LEARNT_WORDS`].
const LINEAR_SHARE: usize = 3;

/// Words that learnt linear constraints do not exceed where the problem leaves so many: with a model 1 MiB.
const MOST_WORDS: usize = (1 << 18) - 10_000;

/// Words for blocking clauses, which forbid plans; a quarter as many for those of two literals.
const BLOCKING_WORDS: usize = 1 << 11;

/// Limits of a problem with room for blocking and learnt clauses.
pub(super) fn with_margin(limits: Limits) -> Limits {
    let mut limits = with_little_margin(limits);
    let wanted = LEARNT_WORDS_PER_VAR * limits.vars.saturating_sub(FEW_VARS);
    let wanted = wanted.min(MOST_LEARNT_WORDS);
    limits.learnt += wanted.saturating_sub(LEARNT_WORDS);
    let left = MOST_WORDS.saturating_sub(limits.words());
    limits.store += if cfg!(feature = "every-board") { (LINEAR_SHARE * wanted).min(left) } else { 0 };
    limits
}

/// Limits of a problem with room for blocking clauses and few learnt ones.
pub(super) fn with_little_margin(mut limits: Limits) -> Limits {
    limits.learnt = LEARNT_WORDS + 2 * Limits::clause_words(limits.vars);
    limits.clauses += BLOCKING_WORDS;
    limits.store += BLOCKING_WORDS / 4;
    limits
}
