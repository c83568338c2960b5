//! Constraints on enemies: when the hits are enough, and what they must be good for.

use heapless::Vec;

use super::constraint_sink::Sink;
use super::encode::{Encoder, FoeLits, Row, WIDTH, following, push};
use super::model::{Economy, Hit, PIECE_CAP};
use crate::cdcl::{Capacity, Lit};

/// Pairs with one enemy: what one hit does, the literal of the first, when they strike.
type Hits = Vec<(Hit, Lit, u8), PIECE_CAP, u8>;

impl Encoder<'_> {
    /// felled = (sum of d_xy >= what is missing), sent = some unsummoning hit, r_y = one of them, never both.
    pub(super) fn foes(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        for (index, (foe, lits)) in self.survey.foes.iter().zip(&self.meaning.foes).enumerate() {
            let need = i32::from(foe.need);
            let mut terms: Vec<(i32, Lit), { WIDTH + 1 }, u8> = Vec::new();
            let mut unsummoning = Row::new();
            let mut hits = Hits::new();
            let at = self.meaning.hits.iter().zip(&self.meaning.hits_at);
            for (pair, (&hit, &clock)) in self.survey.pairs.iter().zip(at) {
                if usize::from(pair.foe) != index {
                    continue;
                }
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
                                // Damage that cannot be counted must not be done.
                                sink.clause(&[!lit])?;
                            }
                        }
                    }
                }
            }
            let most: i32 = terms.iter().map(|(amount, _)| amount).sum();
            if most < need {
                sink.clause(&[!lits.felled])?;
            } else {
                let _ = terms.push((need, !lits.felled));
                sink.at_least(&terms, need)?;
                terms.pop();
                for (amount, lit) in &mut terms {
                    (*amount, *lit) = (*amount, !*lit);
                }
                let _ = terms.push((most - need + 1, lits.felled));
                sink.at_least(&terms, most - need + 1)?;
                terms.pop();
            }
            for term in &mut terms {
                term.1 = if most < need { term.1 } else { !term.1 };
            }
            match self.survey.economy {
                Economy::Loose => {}
                Economy::Landing => let_all_land(&hits, lits, need, &terms, sink)?,
                Economy::Needed => need_all(&hits, lits, need, &terms, sink)?,
            }
            if let Some(sent) = lits.sent {
                sink.at_most_one(&unsummoning)?;
                for &hit in &unsummoning {
                    sink.clause(&[!hit, sent])?;
                }
                push(&mut unsummoning, !sent)?;
                sink.clause(&unsummoning)?;
                sink.clause(&[!sent, !lits.felled])?;
                sink.clause(&[!lits.removed, lits.felled, sent])?;
                sink.clause(&[!lits.felled, lits.removed])?;
                sink.clause(&[!sent, lits.removed])?;
            }
        }
        Ok(())
    }
}

/// Some hit is the last, and without it the enemy would live: then all others find it alive.
fn let_all_land(
    hits: &[(Hit, Lit, u8)],
    lits: &FoeLits,
    need: i32,
    damage: &[(i32, Lit)],
    sink: &mut impl Sink,
) -> Result<(), Capacity> {
    let mut lasts = Row::new();
    push(&mut lasts, !lits.felled)?;
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

/// Without any one of the hits that are used the enemy would live.
fn need_all(
    hits: &[(Hit, Lit, u8)],
    lits: &FoeLits,
    need: i32,
    damage: &[(i32, Lit)],
    sink: &mut impl Sink,
) -> Result<(), Capacity> {
    let mut known = 0;
    // Strengths in rising order; what counts is the weakest hit that is used.
    while let Some(amount) = damage.iter().map(|term| term.0).filter(|&amount| amount > known).min() {
        known = amount;
        let used = sink.new_var()?;
        for &(hit, lit, _) in hits {
            if hit == Hit::Damage(amount as u16) {
                sink.clause(&[!lit, used])?;
                sink.clause(&[!lit, lits.felled])?;
            }
        }
        at_most(damage, need - 1 + amount, used, sink)?;
    }
    Ok(())
}

/// When the guard holds, the sum is at most the limit.
fn at_most(terms: &[(i32, Lit)], limit: i32, guard: Lit, sink: &mut impl Sink) -> Result<(), Capacity> {
    let degree = terms.iter().map(|term| term.0).sum::<i32>() - limit;
    if degree <= 0 {
        return Ok(());
    }
    let mut row: Vec<(i32, Lit), { WIDTH + 1 }, u8> = Vec::new();
    row.extend(terms.iter().map(|&(amount, lit)| (amount, !lit)).take(WIDTH));
    let _ = row.push((degree, !guard));
    sink.at_least(&row, degree)
}
