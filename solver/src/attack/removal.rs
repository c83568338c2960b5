//! Constraints on enemies: when the hits are enough, and what they must be good for.

use heapless::Vec;

use super::encode::{Encoder, Row, WIDTH, following, push};
use super::sink::Sink;
use super::survey::Hit;
use crate::cdcl::{Capacity, Lit};

impl Encoder<'_> {
    /// felled = (sum of d_xy >= what is missing), sent = some unsummoning hit, r_y = one of them, never both.
    pub(super) fn foes(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        for (index, (foe, lits)) in self.survey.foes.iter().zip(&self.meaning.foes).enumerate() {
            let need = i32::from(foe.need);
            let mut terms: Vec<(i32, Lit), { WIDTH + 1 }, u8> = Vec::new();
            let mut unsummoning = Row::new();
            for (pair, &hit) in self.survey.pairs.iter().zip(&self.meaning.hits) {
                if usize::from(pair.foe) != index {
                    continue;
                }
                match pair.hit {
                    Hit::Unsummon => push(&mut unsummoning, hit)?,
                    Hit::Damage(amount) => {
                        for more in 0..pair.hits {
                            if terms.len() < WIDTH {
                                let _ = terms.push((i32::from(amount), following(hit, more)));
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
