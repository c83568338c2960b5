//! Target constraints: which hits remove an enemy, and which hits the overkill policy allows.

use barrow_core::list::{self, Full};
use heapless::Vec;

use super::constraint_sink::ConstraintSink;
use super::elements::Hit;
use super::encode::{Encoder, Row, WIDTH, push};
use super::lits::{FoeLits, following};
use super::model::{OverkillPolicy, PIECE_CAP, full};
use crate::cdcl::{Capacity, Lit, Resource};

/// Pairs of one enemy: attack effect of a hit, literal of the first hit, clock.
type Hits = Vec<(Hit, Lit, u8), PIECE_CAP, u8>;

/// Most terms of a sum: hits, and one literal that says whether the sum is in force.
const TERM_CAP: usize = WIDTH + 1;
type Terms = Vec<(i32, Lit), TERM_CAP, u8>;

impl Encoder<'_> {
    /// Encodes enemies: dies = (sum of d_xy >= what is missing), hit_by_unsummon = some unsummoning hit, r_y = one of
    /// them, never both.
    pub(super) fn foes(&self, sink: &mut impl ConstraintSink) -> Result<(), Capacity> {
        for (index, foe) in self.model.foes.iter().enumerate() {
            let lits = &foe.lits;
            let need = i32::from(foe.need);
            let mut terms = Terms::new();
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
                // In the same row, since the stack of a handheld is short.
                terms.iter_mut().for_each(|term| term.1 = !term.1);
                let _ = terms.push((most - need + 1, lits.dies));
                sink.at_least(&terms, most - need + 1)?;
                terms.pop();
                terms.iter_mut().for_each(|term| term.1 = !term.1);
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
            // Hits of one clock are those of one friend, who hits an enemy in one way.
            if earlier == clock || kind == Hit::Unsummon {
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
    let row: Result<Terms, Full> = list::all(negated.chain([(degree, !guard)]));
    // By reference: the list is large.
    match &row {
        Ok(row) => sink.at_least(row, degree),
        Err(_) => Err(full(Resource::Pairs, TERM_CAP)),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::boxed::Box;

    use barrow_core::hex::Hex;
    use barrow_core::minions::{Builder, GameConfig, MapLabel, Ruleset};

    use super::super::elements::{Foe, Friend, Mode, Pair};
    use super::super::lists::LargeRoom;
    use super::super::model::AttackModel;
    use super::super::plan::{AttackSolver, Goal};
    use super::*;

    #[test]
    #[cfg_attr(not(feature = "every-board"), ignore = "there is room for fewer pieces")]
    fn hits_are_counted_as_far_as_there_is_room_and_forbidden_beyond() {
        let builder = Builder::new(GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap(), 1);
        let mut room = Box::new(LargeRoom::new());
        let mut model = AttackModel::new(&builder.build().unwrap().view(0).unwrap(), &mut *room).unwrap();
        // Fifty friends, who hit one enemy up to three times each from where they stand.
        let at = Hex::FIRST;
        model.foes.push(Foe { at, need: 100, ..Foe::EMPTY }).unwrap();
        for (index, hex) in Hex::all().skip(1).take(50).enumerate() {
            let friend = index as u8;
            let (first_mode, num_modes) = (u16::from(friend), 1);
            let fighter = Friend { at: hex, attacks: 3, first_mode, num_modes, ..Friend::EMPTY };
            model.friends.push(fighter).unwrap();
            model.modes.push(Mode { friend, hex, ..Mode::EMPTY }).unwrap();
            model
                .pairs
                .push(Pair { friend, hits: 3, hit: Hit::Damage(1), range: 20, ..Pair::EMPTY })
                .unwrap();
        }
        model.number();
        let mut memory = std::vec![0; 1 << 17];
        let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
        let hits: std::vec::Vec<Lit> =
            model.pairs.iter().flat_map(|pair| (0..3).map(|more| following(pair.first, more))).collect();
        for (index, &hit) in hits.iter().enumerate() {
            assert_eq!(solver.can_hold(&[hit]).unwrap(), index < WIDTH, "{index}");
        }
        let [removed, spared] = [Goal::Remove(at), Goal::Spare(at)].map(|goal| solver.lit(goal).unwrap());
        let passive = |count: usize| model.friends.iter().take(count).map(|friend| friend.lits.passive);
        // 28 hits may be missing, which are those of nine friends and one more.
        for (missing, goal, possible) in
            [(9, removed, true), (10, removed, false), (0, spared, true), (50, spared, true)]
        {
            let lits: std::vec::Vec<Lit> = passive(missing).chain([goal]).collect();
            assert_eq!(solver.can_hold(&lits).unwrap(), possible, "{missing}");
        }
        let all: std::vec::Vec<Lit> = [spared].into_iter().chain(hits[..100].iter().copied()).collect();
        assert!(solver.can_hold(&all[..100]).unwrap() && !solver.can_hold(&all).unwrap());
    }
}
