//! Price bound: a proof by prices that some enemies cannot all be removed, found without search.
//!
//! Let damage to each enemy have a price, and standing on each hex a rent. Whatever a friend does from a hex is worth no
//! more than the rent and its best profit. As only one friend fights from a hex, those who may blink away apart, all that
//! the friends can do together is worth no more than the rents and their profits; if the damage that removes the enemies
//! is worth more, it cannot be done. A hex on which an enemy stands is let only if that enemy is removed as well, so that
//! its rent counts less the worth of this damage.
//!
//! These are the duals of a linear relaxation. They are found from the other side: every friend has a *mass* that it
//! divides among what it can do, and prices and rents are what the masses leave undone and overdo, so that the sum of
//! their squares falls whenever a friend shifts mass from its worst choice to its best. Where the relaxation has no
//! solution, what is left at the least sum are prices that prove it. Each shift is the step of sequential minimal
//! optimization (Platt, "Fast training of support vector machines using sequential minimal optimization", 1999), in
//! whole numbers; whether prices prove anything is computed from them alone, so that whatever they prove is exact.

use barrow_core::hex::{Hex, HexSet};
use heapless::Vec;

use super::elements::Hit;
use super::model::{AttackModel, PIECE_CAP};

/// Mass of one attack, of a hex's room and of an enemy's removal.
const MASS: i32 = 1 << 12;

/// Prices and rents are missing and excess masses times this.
const SCALE: i32 = 1 << 8;

/// Share of an enemy's removal that may be missing, and of a hex's room that may be exceeded, in masses that count as a
/// solution of the relaxation.
const TOLERANCE: i32 = MASS / 64;

/// Rounds between two looks at what the prices prove.
const ROUNDS_BETWEEN: u32 = 4;

/// Most choices: friends with the hexes they fight from and the enemies that they hit from there.
const CHOICE_CAP: usize = if cfg!(feature = "every-board") { 6144 } else { 1024 };

/// Numbers of prices and rents: powers of two, so that an index that is masked needs no check.
const PRICES: usize = PIECE_CAP.next_power_of_two();
const RENTS: usize = Hex::COUNT.next_power_of_two();

/// Place of a friend that leaves its hex to others: no hex, and never let.
const NO_PLACE: u8 = (RENTS - 1) as u8;
const _: () = assert!(Hex::COUNT <= NO_PLACE as usize);

/// Mass of a choice that cannot be made.
const CLOSED: i32 = -1;

/// Choice of a friend: an enemy to hit from a hex.
#[derive(Clone, Copy)]
struct Choice {
    foe: u8,
    damage: u8,
    hits: u8,
    /// Index of the hex on which it takes room, or [`NO_PLACE`].
    place: u8,
    /// Mass, or [`CLOSED`].
    mass: i32,
}

/// A hex from which a friend may fight.
#[derive(Clone, Copy)]
struct Stand {
    friend: u8,
    attacks: u8,
    /// Index of the hex, or [`NO_PLACE`].
    place: u8,
    /// Whether the friend may still come there.
    open: bool,
    /// Position of the mode in the model.
    mode: u16,
    /// End of its choices; they begin where those of the stand before end.
    end: u16,
}

/// An enemy, with the damage that it takes.
#[derive(Clone, Copy)]
struct Target {
    hex: Hex,
    /// Damage that removes it.
    need: i32,
    /// Mass of its removal.
    removed: i32,
    /// Whether it is to be removed, or spared.
    is_fixed: bool,
    /// Sum of masses times damage.
    damage: i32,
}

impl Target {
    /// Price of one point of damage by what is missing.
    fn price(&self) -> i32 {
        let missing = (self.need * self.removed - self.damage).max(0);
        missing / self.need.max(1) * SCALE / self.need.max(1)
    }
}

/// A hex, with the mass of friends on it.
#[derive(Clone, Copy)]
struct Place {
    room: i32,
    used: i32,
}

impl Place {
    /// Rent by the mass for which there is no room.
    fn rent(&self) -> i32 {
        (self.used - self.room).max(0) * SCALE
    }
}

/// A choice with its profit; none is to do nothing.
#[derive(Clone, Copy)]
struct Offer {
    profit: i32,
    /// Position of the choice.
    at: Option<usize>,
}

/// Masses of the friends that may fight, and the prices that follow from them.
pub(super) struct PriceBound {
    stands: Vec<Stand, { CHOICE_CAP / 2 }, u16>,
    choices: Vec<Choice, CHOICE_CAP, u16>,
    targets: Vec<Target, PIECE_CAP, u8>,
    places: [Place; Hex::COUNT],
    /// Price of one point of damage, by enemy.
    prices: [i32; PRICES],
    /// Rent by hex.
    rents: [i32; RENTS],
    /// Mass that does nothing, by friend.
    idle: [i32; PIECE_CAP],
    /// Whether the choices are listed, and all of them had room.
    is_listed: bool,
    is_complete: bool,
}

impl PriceBound {
    /// A bound that knows nothing.
    pub(super) const EMPTY: PriceBound = PriceBound {
        stands: Vec::new(),
        choices: Vec::new(),
        targets: Vec::new(),
        places: [Place { room: MASS, used: 0 }; Hex::COUNT],
        prices: [0; PRICES],
        rents: [0; RENTS],
        idle: [0; PIECE_CAP],
        is_listed: false,
        is_complete: true,
    };

    /// Whether prices prove that the `wanted` enemies cannot all be removed without the `passive` friends, while the
    /// `spared` enemies are not. They are adjusted for so many rounds at most, beginning with those of the last call: all
    /// calls must be about the same model.
    pub(super) fn refutes(
        &mut self,
        model: &AttackModel<'_>,
        (wanted, spared, passive): (HexSet, HexSet, HexSet),
        rounds: u32,
    ) -> bool {
        if !self.is_listed {
            self.list(model);
        }
        if !self.is_complete {
            return false;
        }
        self.fix(wanted, spared);
        self.close(model, spared, passive);
        self.count();
        for round in 1..=rounds {
            self.let_places();
            self.adjust();
            if round % ROUNDS_BETWEEN == 0 {
                if self.gain() > 0 {
                    return true;
                }
                if self.is_solved() {
                    return false;
                }
            }
        }
        false
    }

    /// Lists enemies, stands and choices.
    fn list(&mut self, model: &AttackModel<'_>) {
        self.is_listed = true;
        for foe in model.foes.iter() {
            let need = i32::from(foe.need);
            let target = Target { hex: foe.at, need, removed: 0, is_fixed: false, damage: 0 };
            self.is_complete &= self.targets.push(target).is_ok() && need < 256;
        }
        let mut pairs = model.pairs.iter().peekable();
        for (index, (friend, idle)) in model.friends.iter().zip(&mut self.idle).enumerate() {
            *idle = MASS * i32::from(friend.attacks);
            let mut own: Vec<(Hex, u8, Choice), PIECE_CAP, u8> = Vec::new();
            while let Some(pair) = pairs.next_if(|pair| usize::from(pair.friend) <= index) {
                let Some(foe) = model.foes.get(usize::from(pair.foe)) else { continue };
                let damage = match pair.hit {
                    Hit::Damage(amount) => amount.min(foe.need),
                    Hit::Unsummon => foe.need,
                };
                let choice =
                    Choice { foe: pair.foe, damage: damage as u8, hits: pair.hits, place: NO_PLACE, mass: 0 };
                // A friend has one pair with an enemy.
                let _ = own.push((foe.at, pair.range, choice));
            }
            let range = AttackModel::mode_range(friend, true);
            for (mode, at) in model.modes.get(range.clone()).unwrap_or(&[]).iter().zip(range) {
                let before = self.choices.len();
                let place = if friend.blink { NO_PLACE } else { mode.hex.index() as u8 };
                for &(hex, range, choice) in &own {
                    // An enemy that must be gone before the friend comes is not hit from there.
                    if mode.hex.distance(hex) <= range && !model.must_be_gone(hex, mode) {
                        self.is_complete &= self.choices.push(Choice { place, ..choice }).is_ok();
                    }
                }
                if self.choices.len() > before {
                    let stand = Stand {
                        friend: index as u8,
                        attacks: friend.attacks.max(1),
                        place,
                        open: true,
                        mode: at as u16,
                        end: self.choices.len() as u16,
                    };
                    self.is_complete &= self.stands.push(stand).is_ok();
                }
            }
        }
    }

    /// Fixes the fates of enemies, and the room on the hexes of those whose fate is open.
    fn fix(&mut self, wanted: HexSet, spared: HexSet) {
        for target in &mut self.targets {
            let is_wanted = wanted.contains(target.hex);
            target.is_fixed = is_wanted || spared.contains(target.hex);
            if target.is_fixed {
                target.removed = if is_wanted { MASS } else { 0 };
            }
            if let Some(place) = self.places.get_mut(target.hex.index()) {
                place.room = if target.is_fixed { MASS } else { target.removed };
            }
        }
    }

    /// Closes stands to which friends can no longer come, and takes back the masses of all that is no longer of use.
    fn close(&mut self, model: &AttackModel<'_>, spared: HexSet, passive: HexSet) {
        let foes = self.targets.iter().map(|target| target.hex).collect::<HexSet>();
        let shut = spared | (model.hostile - foes);
        let mut start = 0;
        for stand in &mut self.stands {
            let sets = model.modes.get(usize::from(stand.mode)).map_or(&[][..], |mode| model.sets_of(mode));
            let still =
                model.friends.get(usize::from(stand.friend)).is_some_and(|it| passive.contains(it.at));
            stand.open = !still && (sets.is_empty() || sets.iter().any(|set| !set.intersects(shut)));
            let choices = self.choices.get_mut(start..usize::from(stand.end)).unwrap_or(&mut []);
            for choice in choices {
                let target = self.targets.get(usize::from(choice.foe));
                if stand.open && target.is_some_and(|it| !it.is_fixed || it.removed > 0) {
                    choice.mass = choice.mass.max(0);
                } else if let Some(idle) = self.idle.get_mut(usize::from(stand.friend)) {
                    *idle += core::mem::replace(&mut choice.mass, CLOSED).max(0);
                }
            }
            start = usize::from(stand.end);
        }
    }

    /// Counts damage and used room anew, and sets all prices and rents.
    fn count(&mut self) {
        self.targets.iter_mut().for_each(|target| target.damage = 0);
        self.places.iter_mut().for_each(|place| place.used = 0);
        let mut start = 0;
        for stand in &self.stands {
            let mut used = 0;
            for choice in self.choices.get(start..usize::from(stand.end)).unwrap_or(&[]) {
                let mass = choice.mass.max(0);
                if let Some(target) = self.targets.get_mut(usize::from(choice.foe)) {
                    target.damage += mass * i32::from(choice.damage);
                }
                used += mass / i32::from(stand.attacks).max(1);
            }
            if let Some(place) = self.places.get_mut(usize::from(stand.place)) {
                place.used += used;
            }
            start = usize::from(stand.end);
        }
        (0..self.targets.len()).for_each(|foe| self.set_price(foe));
        (0..Hex::COUNT).for_each(|hex| self.set_rent(hex));
    }

    /// Sets the price of an enemy, by its position in the list.
    fn set_price(&mut self, foe: usize) {
        self.prices[foe % PRICES] = self.targets.get(foe).map_or(0, Target::price);
    }

    /// Sets the rent of a hex, by its index.
    fn set_rent(&mut self, hex: usize) {
        self.rents[hex % RENTS] = self.places.get(hex).map_or(0, Place::rent);
    }

    /// Worth of the damage that removes an enemy.
    fn worth(&self, foe: usize) -> i64 {
        let need = self.targets.get(foe).map_or(0, |target| i64::from(target.need));
        i64::from(self.prices[foe % PRICES]) * need
    }

    /// Whether next to nothing is missing, and hexes are hardly crowded.
    fn is_solved(&self) -> bool {
        (0..self.targets.len()).all(|foe| self.worth(foe) <= i64::from(TOLERANCE * SCALE))
            && self.rents.iter().all(|&rent| rent <= TOLERANCE * SCALE)
    }

    /// Adjusts how much of each enemy whose fate is open is removed: more where its hex is crowded, less where damage is
    /// missing.
    fn let_places(&mut self) {
        for foe in 0..self.targets.len() {
            let worth = self.worth(foe);
            let Some(target) = self.targets.get_mut(foe).filter(|target| !target.is_fixed) else { continue };
            let hex = target.hex.index();
            // Both squares change alike, so that half of the difference makes them least.
            let step = (i64::from(self.rents[hex % RENTS]) - worth) / i64::from(2 * SCALE);
            let removed = (target.removed + step as i32).clamp(0, MASS);
            if removed != target.removed
                && let Some(place) = self.places.get_mut(hex)
            {
                (target.removed, place.room) = (removed, removed);
                self.set_price(foe);
                self.set_rent(hex);
            }
        }
    }

    /// Has every friend shift mass from its worst choice to its best, one friend after the other.
    fn adjust(&mut self) {
        let (mut first, mut start) = (0, 0);
        while let Some(&Stand { friend, attacks, .. }) = self.stands.get(first) {
            let mut end = start;
            while let Some(stand) = self.stands.get(first).filter(|stand| stand.friend == friend) {
                (first, end) = (first + 1, usize::from(stand.end));
            }
            let idle = self.idle.get(usize::from(friend)).is_some_and(|&mass| mass > 0);
            let (best, worst) = self.extremes((start, end), attacks, idle);
            start = end;
            if best.profit > worst.profit {
                self.shift((friend, attacks), best, worst);
            }
        }
    }

    /// Best open choice of those in a range, and worst that has mass, of a friend with so many attacks.
    // Apart, so that what it keeps has registers: here is where the time goes.
    #[inline(never)]
    fn extremes(&self, (start, end): (usize, usize), attacks: u8, idle: bool) -> (Offer, Offer) {
        const NOTHING: usize = usize::MAX;
        let (mut best, mut best_at) = (0, NOTHING);
        let (mut worst, mut worst_at) = (if idle { 0 } else { i32::MAX }, NOTHING);
        for (index, choice) in self.choices.get(start..end).unwrap_or(&[]).iter().enumerate() {
            if choice.mass == CLOSED {
                continue;
            }
            let rent = self.rents[usize::from(choice.place) % RENTS];
            // A division takes longer than all the rest.
            let share = if rent == 0 || attacks <= 1 { rent } else { rent / i32::from(attacks) };
            let profit = self.price(*choice) - share;
            if profit > best {
                (best, best_at) = (profit, index);
            }
            if profit < worst && choice.mass > 0 {
                (worst, worst_at) = (profit, index);
            }
        }
        let offer = |profit, index| Offer { profit, at: (index != NOTHING).then(|| start + index) };
        (offer(best, best_at), offer(worst, worst_at))
    }

    fn price(&self, choice: Choice) -> i32 {
        self.prices[usize::from(choice.foe) % PRICES] * i32::from(choice.damage)
    }

    fn rent(&self, stand: &Stand) -> i32 {
        self.rents[usize::from(stand.place) % RENTS]
    }

    /// Shifts as much of a friend's mass from one choice to another as makes the sum of squares least.
    fn shift(&mut self, (friend, attacks): (u8, u8), to: Offer, from: Offer) {
        // Changes by one mass: damage by enemy, and room in shares of `WHOLE` by hex. No position is that large.
        const NOWHERE: (usize, i32) = (usize::MAX, 0);
        const WHOLE: i32 = 1 << 10;
        let (mut damages, mut rooms) = ([NOWHERE; 2], [NOWHERE; 2]);
        for ((offer, sign), (damage, room)) in
            [(to, 1), (from, -1)].into_iter().zip(damages.iter_mut().zip(&mut rooms))
        {
            if let Some(choice) = offer.at.and_then(|at| self.choices.get(at)) {
                *damage = (usize::from(choice.foe), sign * i32::from(choice.damage));
                if choice.place != NO_PLACE {
                    *room = (usize::from(choice.place), sign * WHOLE / i32::from(attacks).max(1));
                }
            }
        }
        for changes in [&mut damages, &mut rooms] {
            let [one, other] = changes;
            if one.0 == other.0 {
                one.1 += other.1;
                *other = NOWHERE;
            }
        }
        let need = |foe: usize| self.targets.get(foe).map_or(1, |target| target.need.max(1));
        let squares = damages.iter().map(|&(foe, change)| change * WHOLE / need(foe));
        let squares = squares.chain(rooms.iter().map(|room| room.1)).map(|share| share * share / WHOLE);
        let curvature = i64::from(squares.sum::<i32>().max(1));
        let step = i64::from(to.profit - from.profit) * i64::from(WHOLE / SCALE) / curvature;
        let Some(source) = self.mass(friend, from) else { return };
        let step = step.min(i64::from(*source)).max(1) as i32;
        *source -= step;
        if let Some(goal) = self.mass(friend, to) {
            *goal += step;
        }
        for (foe, change) in damages {
            if let Some(target) = self.targets.get_mut(foe) {
                target.damage += step * change;
                self.set_price(foe);
            }
        }
        for (hex, change) in rooms {
            if let Some(place) = self.places.get_mut(hex) {
                place.used += step * change / WHOLE;
                self.set_rent(hex);
            }
        }
    }

    /// Mass of a choice, or the idle mass of the friend.
    fn mass(&mut self, friend: u8, offer: Offer) -> Option<&mut i32> {
        match offer.at {
            Some(choice) => self.choices.get_mut(choice).map(|choice| &mut choice.mass),
            None => self.idle.get_mut(usize::from(friend)),
        }
    }

    /// Worth of the damage that removes the enemies, less rents and profits: more than nothing if it cannot be done.
    fn gain(&self) -> i64 {
        let mut gain = 0;
        for (foe, target) in self.targets.iter().enumerate() {
            let rent = i64::from(self.rents[target.hex.index() % RENTS]);
            if target.is_fixed {
                gain += if target.removed > 0 { self.worth(foe) } else { 0 };
            } else {
                // It is let if the rent exceeds what the removal costs.
                gain += rent - (rent - self.worth(foe)).max(0);
            }
        }
        gain -= self.rents.iter().map(|&rent| i64::from(rent)).sum::<i64>();
        let (mut best, mut friend, mut start) = (0, u8::MAX, 0);
        for stand in &self.stands {
            if stand.friend != friend {
                gain -= core::mem::take(&mut best);
                friend = stand.friend;
            }
            let choices = self.choices.get(start..usize::from(stand.end)).unwrap_or(&[]);
            start = usize::from(stand.end);
            if stand.open {
                best = best.max(self.profit(stand, choices));
            }
        }
        gain - best
    }

    /// Worth of the best that a friend can do from a stand, less the rent.
    fn profit(&self, stand: &Stand, choices: &[Choice]) -> i64 {
        if stand.attacks == 1 {
            let prices = choices.iter().map(|&choice| self.price(choice));
            return i64::from(prices.max().unwrap_or(0)) - i64::from(self.rent(stand));
        }
        let mut worth = 0;
        let (mut left, mut taken) = (stand.attacks, 0_u128);
        while left > 0 {
            let free = choices.iter().enumerate().filter(|(index, _)| taken >> (index % 128) & 1 == 0);
            let best = free.map(|(index, &choice)| (self.price(choice), index, choice.hits)).max();
            let Some((price, index, hits)) = best.filter(|&(price, ..)| price > 0) else { break };
            let count = hits.min(left).max(1);
            worth += i64::from(price) * i64::from(count);
            left -= count;
            taken |= 1 << (index % 128);
        }
        worth - i64::from(self.rent(stand))
    }
}

#[cfg(feature = "proof")]
#[path = "price_proof.rs"]
pub(super) mod price_proof;

#[cfg(test)]
#[path = "price_bound_tests.rs"]
mod tests;
