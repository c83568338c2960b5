//! Target constraints: which hits remove an enemy, and which hits the overkill policy allows.

use barrow_core::list::{self, Full};
use heapless::Vec;

use super::constraint_sink::ConstraintSink;
use super::elements::Hit;
use super::encode::{Encoder, Row, WIDTH, push};
use super::lits::{FoeLits, following};
use super::model::{OverkillPolicy, PIECE_CAP};
use crate::cdcl::{Capacity, Lit, Resource};

/// Pairs of one enemy: attack effect of a hit, literal of the first hit, clock.
type Hits = Vec<(Hit, Lit, u8), PIECE_CAP, u8>;

impl Encoder<'_> {
    /// Encodes enemies: dies = (sum of d_xy >= what is missing), hit_by_unsummon = some unsummoning hit, r_y = one of
    /// them, never both.
    pub(super) fn foes(&self, sink: &mut impl ConstraintSink) -> Result<(), Capacity> {
        for (index, foe) in self.model.foes.iter().enumerate() {
            let lits = &foe.lits;
            let need = i32::from(foe.need);
            let mut terms: Vec<(i32, Lit), { WIDTH + 1 }, u8> = Vec::new();
            let mut unsummoning = Row::new();
            let mut hits = Hits::new();
            for pair in self.model.pairs.iter().filter(|pair| usize::from(pair.foe) == index) {
                let (hit, clock) = (pair.first, pair.at);
                // A friend has one pair with an enemy, and there are no more friends than fit.
                let _ = hits.push((pair.hit, hit, clock));
                match pair.hit {
                    Hit::Unsummon => push(&mut unsummoning, hit)?,
                    Hit::Damage(amount) => {
                        for more in 0..pair.hits {
                            let lit = following(hit, more);
                            if terms.len() < WIDTH {
                                let _ = terms.push((i32::from(amount), lit));
                            } else {
                                // Hits beyond the width of a constraint cannot be counted and are forbidden.
                                sink.clause(&[!lit])?;
                            }
                        }
                    }
                }
            }
            let most: i32 = terms.iter().map(|(amount, _)| amount).sum();
            if most < need {
                sink.clause(&[!lits.dies])?;
            } else {
                let _ = terms.push((need, !lits.dies));
                sink.at_least(&terms, need)?;
                terms.pop();
                for (amount, lit) in &mut terms {
                    (*amount, *lit) = (*amount, !*lit);
                }
                let _ = terms.push((most - need + 1, lits.dies));
                sink.at_least(&terms, most - need + 1)?;
                terms.pop();
            }
            for term in &mut terms {
                term.1 = if most < need { term.1 } else { !term.1 };
            }
            match self.model.policy {
                OverkillPolicy::Allowed => {}
                OverkillPolicy::AllHitsLand => all_hits_land(&hits, lits, need, &terms, sink)?,
                OverkillPolicy::AllHitsNeeded => all_hits_needed(&hits, lits, need, &terms, sink)?,
            }
            if let Some(hit_by_unsummon) = lits.hit_by_unsummon {
                sink.at_most_one(&unsummoning)?;
                for &hit in &unsummoning {
                    sink.clause(&[!hit, hit_by_unsummon])?;
                }
                push(&mut unsummoning, !hit_by_unsummon)?;
                sink.clause(&unsummoning)?;
                sink.clause(&[!hit_by_unsummon, !lits.dies])?;
                sink.clause(&[!lits.removed, lits.dies, hit_by_unsummon])?;
                sink.clause(&[!lits.dies, lits.removed])?;
                sink.clause(&[!hit_by_unsummon, lits.removed])?;
            }
        }
        Ok(())
    }
}

/// Encodes that all hits find the enemy alive: one of them is the last, not before any other, and without it the enemy
/// would live.
fn all_hits_land(
    hits: &[(Hit, Lit, u8)],
    lits: &FoeLits,
    need: i32,
    damage: &[(i32, Lit)],
    sink: &mut impl ConstraintSink,
) -> Result<(), Capacity> {
    let mut lasts = Row::new();
    push(&mut lasts, !lits.dies)?;
    let several = hits.iter().filter(|(hit, ..)| *hit != Hit::Unsummon).count() > 1;
    for &(hit, lit, clock) in hits {
        let last = match hit {
            Hit::Unsummon => lit,
            Hit::Damage(amount) if several => {
                let last = sink.new_var()?;
                push(&mut lasts, last)?;
                sink.clause(&[!last, lit])?;
                at_most(damage, need - 1 + i32::from(amount), last, sink)?;
                last
            }
            Hit::Damage(_) => continue,
        };
        for &(kind, other, earlier) in hits {
            if other == lit || earlier == clock || kind == Hit::Unsummon {
                continue;
            }
            let both = sink.new_var()?;
            sink.clause(&[!last, !other, both])?;
            sink.order(both, earlier, clock, false)?;
        }
    }
    if several { sink.clause(&lasts) } else { Ok(()) }
}

/// Encodes that all hits are needed: without any one of those made the enemy would live.
fn all_hits_needed(
    hits: &[(Hit, Lit, u8)],
    lits: &FoeLits,
    need: i32,
    damage: &[(i32, Lit)],
    sink: &mut impl ConstraintSink,
) -> Result<(), Capacity> {
    let mut known = 0;
    // Amounts of damage in rising order; the weakest hit that is made decides.
    while let Some(amount) = damage.iter().map(|term| term.0).filter(|&amount| amount > known).min() {
        known = amount;
        let used = sink.new_var()?;
        for &(hit, lit, _) in hits {
            if hit == Hit::Damage(amount as u16) {
                sink.clause(&[!lit, used])?;
                sink.clause(&[!lit, lits.dies])?;
            }
        }
        at_most(damage, need - 1 + amount, used, sink)?;
    }
    Ok(())
}

/// Encodes that a sum is at most the limit when the guard holds.
fn at_most(
    terms: &[(i32, Lit)],
    limit: i32,
    guard: Lit,
    sink: &mut impl ConstraintSink,
) -> Result<(), Capacity> {
    let degree = terms.iter().map(|term| term.0).sum::<i32>() - limit;
    if degree <= 0 {
        return Ok(());
    }
    let negated = terms.iter().map(|&(amount, lit)| (amount, !lit));
    let row: Result<Vec<(i32, Lit), { WIDTH + 1 }, u8>, Full> = list::all(negated.chain([(degree, !guard)]));
    let full = Capacity { what: Resource::Pairs, needed: terms.len() + 1, available: WIDTH + 1 };
    sink.at_least(&row.map_err(|_| full)?, degree)
}
