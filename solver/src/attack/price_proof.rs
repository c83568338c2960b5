//! The price bound as steps of a proof: a cutting-planes derivation that VeriPB checks (Gocht & Nordström).
//!
//! The steps are those of one proof by contradiction, in which all wishes hold. Inequalities of three kinds are added up,
//! with prices and rents as factors, and the sum is false under the wishes:
//!
//! - removal: the hits on an enemy do the damage that removes it;
//! - room: at most one friend fights from a hex, and none while the enemy on it lives;
//! - profit: a friend's hits are worth no more than its rent and its best profit. Which stand is the best is a question of
//!   cases, each of which is refuted in a proof by contradiction within the first.
//!
//! Labels are `@e` and the number of an enemy, `@h` and that of a hex, `@p` and that of a friend; `@c` bounds a friend's
//! attacks, and `@n` denies the profit that is being proved.

use core::fmt::{self, Display};

use heapless::Vec;

use super::super::constraint_sink::{ConstraintSink, CountingSink};
use super::super::elements::{Foe, Friend, Hit, Mode, Pair};
use super::super::encode::{WIDTH, encode, stopover_lits};
use super::super::lits::following;
use super::{AttackModel, Choice, Hex, HexSet, PIECE_CAP, PriceBound, Stand};
use crate::cdcl::{Capacity, Lit, Name, Solver};

/// Literals of which at most one holds.
type Claims = Vec<Lit, { PIECE_CAP + 1 }, u8>;

/// Prices that have refuted something, and the model they are about.
#[derive(Clone, Copy)]
struct Refutation<'a> {
    bound: &'a PriceBound,
    model: &'a AttackModel<'a>,
}

impl<'a> Refutation<'a> {
    fn price(self, foe: usize) -> i64 {
        self.bound.prices.get(foe).map_or(0, |&price| i64::from(price))
    }

    fn rent(self, hex: Hex) -> i64 {
        self.bound.rents.get(hex.index()).map_or(0, |&rent| i64::from(rent))
    }

    fn pairs_of(self, friend: usize) -> impl Iterator<Item = &'a Pair> + Clone {
        self.model.pairs.iter().filter(move |pair| usize::from(pair.friend) == friend)
    }

    /// Hits of a friend, each with its worth. Beyond the width of a constraint there are none; see the encoding of pairs.
    fn hits_of(self, friend: usize) -> impl Iterator<Item = (i64, Lit)> + Clone {
        let hits = self.pairs_of(friend).flat_map(move |pair| {
            let worth = self.worth(pair);
            hits(pair).map(move |hit| (worth, hit))
        });
        hits.take(4 * WIDTH)
    }

    /// Worth of one hit of a pair.
    fn worth(self, pair: &Pair) -> i64 {
        let need = self.model.foes.get(usize::from(pair.foe)).map_or(0, |foe| foe.need);
        let damage = if let Hit::Damage(amount) = pair.hit { amount.min(need) } else { need };
        self.price(usize::from(pair.foe)) * i64::from(damage)
    }

    /// Modes in which a friend fights, with the stand and its choices if there are any.
    fn modes_of(
        self,
        friend: &Friend,
    ) -> impl Iterator<Item = (&'a Mode, Option<&'a Stand>, &'a [Choice])> + Clone {
        let range = AttackModel::mode_range(friend, true);
        self.model.modes.get(range.clone()).unwrap_or(&[]).iter().zip(range).map(move |(mode, at)| {
            let stands = &self.bound.stands;
            let position = stands.iter().position(|stand| usize::from(stand.mode) == at);
            let start = position.and_then(|position| stands.get(position.checked_sub(1)?));
            let start = start.map_or(0, |before| usize::from(before.end));
            let stand = position.and_then(|position| stands.get(position));
            let choices = stand.and_then(|stand| self.bound.choices.get(start..usize::from(stand.end)));
            (mode, stand, choices.unwrap_or(&[]))
        })
    }

    /// Literals of which at most one holds: friends that fight from a hex and do not leave it, and that an enemy lives
    /// there.
    fn claims(self, hex: Hex) -> Claims {
        let stands =
            self.bound.stands.iter().filter(|stand| usize::from(stand.place) == hex.index() && stand.open);
        let friends = stands.filter_map(|stand| Some(self.model.modes.get(usize::from(stand.mode))?.lit));
        let foe = self.model.foes.iter().zip(&self.bound.targets).find(|(foe, _)| foe.at == hex);
        let lives = foe.filter(|(_, target)| !target.is_fixed || target.removed == 0);
        let mut claims = Claims::new();
        // A friend has one stand on a hex.
        friends.chain(lives.map(|(foe, _)| !foe.lits.removed)).for_each(|lit| _ = claims.push(lit));
        claims
    }
}

/// Hits of a pair.
fn hits(pair: &Pair) -> impl Iterator<Item = Lit> + Clone + use<> {
    let first = pair.first;
    (0..pair.hits).map(move |more| following(first, more))
}

/// Proof of what prices refute.
pub(in super::super) struct PriceProof<'a, 's, 'm> {
    refutation: Refutation<'a>,
    solver: &'s mut Solver<'m>,
}

impl<'a, 's, 'm> PriceProof<'a, 's, 'm> {
    /// A proof of what a bound has just [refuted](PriceBound::refutes).
    pub(in super::super) fn new(
        bound: &'a PriceBound,
        model: &'a AttackModel<'a>,
        solver: &'s mut Solver<'m>,
    ) -> Self {
        PriceProof { refutation: Refutation { bound, model }, solver }
    }

    /// Writes that these wishes exclude one another.
    pub(in super::super) fn write(mut self, wishes: &[Lit]) {
        let it = self.refutation;
        let wishes = wishes.iter().map(|&wish| (1, !wish));
        self.step(format_args!("@u pbc {}>= 1 : subproof\n", Terms(wishes)));
        for (index, foe) in it.model.foes.iter().enumerate().filter(|(index, _)| it.price(*index) > 0) {
            self.removal(index, foe);
        }
        for hex in Hex::all().filter(|&hex| it.rent(hex) > 0) {
            self.room(hex);
        }
        for (index, friend) in it.model.friends.iter().enumerate() {
            if it.hits_of(index).any(|(worth, _)| worth > 0) {
                self.profit(index, friend);
            }
        }
        self.sum();
        self.step(format_args!("rup >= 1 ;\nqed : -1 ;\ndel id @u ;\n"));
    }

    fn step(&mut self, text: fmt::Arguments<'_>) {
        self.solver.log_step(text);
    }

    /// Writes a clause that follows by unit propagation.
    fn follows(&mut self, lits: impl Iterator<Item = Lit> + Clone) {
        self.step(format_args!("rup {}>= 1 ;\n", Terms(lits.map(|lit| (1, lit)))));
    }

    /// Writes that damage and unsummoning hits make up for what an enemy needs if it is removed.
    fn removal(&mut self, index: usize, foe: &Foe) {
        let (need, lits) = (i64::from(foe.need), &foe.lits);
        let pairs = self.refutation.model.pairs.iter().filter(|pair| usize::from(pair.foe) == index);
        let damage = pairs.clone().flat_map(|pair| {
            let amount = if let Hit::Damage(amount) = pair.hit { i64::from(amount) } else { 0 };
            hits(pair).map(move |hit| (amount, hit)).filter(|(amount, _)| *amount > 0)
        });
        // Beyond the width of a constraint there are none; see the encoding of targets.
        let damage = damage.take(WIDTH);
        let most: i64 = damage.clone().map(|(amount, _)| amount).sum();
        let rule = if most < need { "rup" } else { "ia" };
        let terms = Terms(damage.chain([(need, !lits.dies)]));
        self.step(format_args!("@e{index} {rule} {terms}>= {need} ;\n"));
        if let Some(unsummons) = lits.hit_by_unsummon {
            let first_hits = pairs.filter(|pair| pair.hit == Hit::Unsummon).map(|pair| pair.first);
            self.follows(first_hits.chain([!unsummons]));
            self.follows([!lits.removed, lits.dies, unsummons].into_iter());
            self.step(format_args!("@e{index} pol @e{index} -1 {need} * + -2 {need} * + ;\n"));
        }
    }

    /// Writes that there is room for one friend on a hex: pairs that exclude one another, one literal more at a time.
    fn room(&mut self, hex: Hex) {
        let (claims, at) = (self.refutation.claims(hex), hex.index());
        for (count, &last) in claims.iter().enumerate() {
            if count == 0 {
                self.step(format_args!("@h{at} rup +1 {} >= 0 ;\n", Name(!last)));
                continue;
            }
            for &other in claims.iter().take(count) {
                self.follows([!other, !last].into_iter());
            }
            self.step(format_args!("@h{at} pol -1"));
            for back in 2..=count {
                self.step(format_args!(" -{back} +"));
            }
            if count > 1 {
                self.step(format_args!(" @h{at} {} * + {count} d", count - 1));
            }
            self.step(format_args!(" ;\n"));
        }
    }

    /// Writes that what a friend's hits are worth, less the rent, is no more than its best profit.
    fn profit(&mut self, index: usize, friend: &Friend) {
        let it = self.refutation;
        let (all, attacks) = (it.hits_of(index), i64::from(friend.attacks));
        let is_bounded = all.clone().count() > usize::from(friend.attacks);
        if is_bounded {
            let terms = Terms(all.clone().map(|(_, hit)| (-1, hit)));
            self.step(format_args!("@c ia {terms}>= -{attacks} ;\n"));
        }
        self.hits_from_afar(index, friend);
        let mut best = 0;
        for (mode, stand, choices) in it.modes_of(friend) {
            match stand {
                Some(stand) if stand.open => best = best.max(it.bound.profit(stand, choices)),
                Some(_) => self.impossible(friend, mode.lit, &[]),
                None => {}
            }
        }
        let rents = it.modes_of(friend).filter_map(|(mode, stand, _)| {
            let stand = stand.filter(|stand| stand.open)?;
            Some((i64::from(it.bound.rent(stand)), mode.lit))
        });
        let terms = all.map(|(worth, hit)| (-worth, hit)).chain(rents).filter(|term| term.0 != 0);
        self.step(format_args!("@p{index} pbc {}>= -{best} : subproof\n@n pol -1 ;\n", Terms(terms)));
        for (mode, stand, choices) in
            it.modes_of(friend).filter(|(_, stand, _)| stand.is_none_or(|it| it.open))
        {
            let least = stand.map_or(0, |stand| it.bound.least_price(stand, choices));
            if least > 0 && is_bounded {
                self.step(format_args!("pol @n @c {least} * + ;\n"));
            }
            self.follows([!mode.lit].into_iter());
        }
        self.step(format_args!("rup >= 1 ;\nqed : -1 ;\n"));
    }

    /// Writes that a friend does not hit enemies from hexes to which it comes only when they are gone.
    fn hits_from_afar(&mut self, index: usize, friend: &Friend) {
        let it = self.refutation;
        let met = |mode: &Mode, choices: &[Choice], pair: &Pair| {
            let foe = it.model.foes.get(usize::from(pair.foe));
            let is_near = foe.is_some_and(|foe| mode.hex.distance(foe.at) <= pair.range);
            is_near && !choices.iter().any(|choice| choice.foe == pair.foe)
        };
        let mut gone = HexSet::EMPTY;
        for (mode, _, choices) in it.modes_of(friend) {
            for pair in it.pairs_of(index).filter(|pair| met(mode, choices, pair)) {
                if let Some(foe) = it.model.foes.get(usize::from(pair.foe)) {
                    gone.insert(foe.at);
                }
            }
        }
        if gone.is_empty() {
            return;
        }
        self.orders(index, friend, gone);
        for (mode, _, choices) in it.modes_of(friend) {
            for pair in it.pairs_of(index).filter(|pair| met(mode, choices, pair)) {
                self.impossible(friend, mode.lit, &[!pair.first]);
            }
        }
    }

    /// Writes for these enemies that a friend that hits one does not come after its removal.
    fn orders(&mut self, index: usize, friend: &Friend, foes: HexSet) {
        let (it, lits) = (self.refutation, &friend.lits);
        let comes = [lits.arrives_at, lits.continues_at, lits.leaves_at];
        let found = |guard: Lit, earlier: u8, later: u8| {
            let foe =
                it.model.foes.iter().position(|foe| foe.lits.removed_at == earlier && foes.contains(foe.at));
            let pair = it.pairs_of(index).find(|pair| Some(usize::from(pair.foe)) == foe);
            let Some(pair) = pair.filter(|_| comes.contains(&later)) else { return };
            let clause = [!guard, !pair.first, lits.passive];
            if let Some(first) = lits.first_stopover {
                if let Some(second) = lits.second_stopover {
                    self.follows(clause.into_iter().chain([!first, !second]));
                    self.follows(clause.into_iter().chain([!first, second]));
                }
                self.follows(clause.into_iter().chain([!first]));
                self.follows(clause.into_iter().chain([first]));
            }
            self.follows(clause.into_iter());
        };
        // The solver holds this very encoding, so that there is room.
        let _ = encode(it.model, &mut StrictOrders { counting: CountingSink::new(), found });
    }

    /// Writes that a mode is impossible, or one of the other literals holds: on each way by itself if a friend may make
    /// stopovers.
    fn impossible(&mut self, friend: &Friend, mode: Lit, or: &[Lit]) {
        let clause = [!mode].into_iter().chain(or.iter().copied());
        let lits = &friend.lits;
        for (_, first) in stopover_lits(friend.first_stopovers, lits.first_stopover) {
            for (_, second) in stopover_lits(friend.second_stopovers, lits.second_stopover) {
                self.follows(clause.clone().chain([!first, !second]));
            }
            self.follows(clause.clone().chain([!first]));
        }
        self.follows(clause);
    }

    /// Writes the sum.
    fn sum(&mut self) {
        let it = self.refutation;
        self.step(format_args!("pol"));
        let mut plus = "";
        for index in (0..it.model.foes.len()).filter(|&index| it.price(index) > 0) {
            self.step(format_args!(" @e{index} {} *{plus}", it.price(index)));
            plus = " +";
        }
        for hex in Hex::all().filter(|&hex| it.rent(hex) > 0 && !it.claims(hex).is_empty()) {
            self.step(format_args!(" @h{} {} *{plus}", hex.index(), it.rent(hex)));
            plus = " +";
        }
        for index in 0..it.model.friends.len() {
            if it.hits_of(index).any(|(worth, _)| worth > 0) {
                self.step(format_args!(" @p{index}{plus}"));
                plus = " +";
            }
        }
        self.step(format_args!(" ;\n"));
    }
}

impl PriceBound {
    /// Worth of the last attack that a friend makes from a stand if each is worth the most; nothing when attacks are left
    /// over.
    fn least_price(&self, stand: &Stand, choices: &[Choice]) -> i64 {
        let worths =
            || choices.iter().map(|&choice| (i64::from(self.price(choice)), u32::from(choice.hits.max(1))));
        let made =
            |least: i64| worths().filter(|(worth, _)| *worth >= least).map(|(_, hits)| hits).sum::<u32>();
        let enough = worths().filter(|&(worth, _)| made(worth) >= u32::from(stand.attacks));
        enough.map(|(worth, _)| worth).max().unwrap_or(0)
    }
}

/// Sink that finds strict order constraints: guard, earlier and later clock.
struct StrictOrders<F> {
    counting: CountingSink,
    found: F,
}

impl<F: FnMut(Lit, u8, u8)> ConstraintSink for StrictOrders<F> {
    fn new_var(&mut self) -> Result<Lit, Capacity> {
        self.counting.new_var()
    }

    fn new_clocks(&mut self, count: usize) -> Result<(), Capacity> {
        self.counting.new_clocks(count)
    }

    fn clause(&mut self, _lits: &[Lit]) -> Result<(), Capacity> {
        Ok(())
    }

    fn at_most_one(&mut self, _lits: &[Lit]) -> Result<(), Capacity> {
        Ok(())
    }

    fn at_least(&mut self, _terms: &[(i32, Lit)], _degree: i32) -> Result<(), Capacity> {
        Ok(())
    }

    fn order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity> {
        if strict {
            (self.found)(guard, earlier, later);
        }
        Ok(())
    }
}

/// The left side of an inequality, as VeriPB writes it.
struct Terms<I>(I);

impl<I: Iterator<Item = (i64, Lit)> + Clone> Display for Terms<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.clone().try_for_each(|(coefficient, lit)| write!(f, "{coefficient:+} {} ", Name(lit)))
    }
}
