//! Price bound: a proof by prices that some enemies cannot all be removed, found without search.
//!
//! Let damage to each enemy have a price, and standing on each hex a rent. Whatever a friend does from a hex is worth no
//! more than the rent and its best profit. As only one friend fights from a hex, those who may blink away apart, all that
//! the friends can do together is worth no more than the rents and their profits; if the damage that removes the enemies
//! is worth more, it cannot be done. These are the duals of the linear relaxation; prices that prove it are looked for
//! by an incremental subgradient method (Nedić & Bertsekas, "Incremental subgradient methods for nondifferentiable
//! optimization", 2001), in whole numbers, so that whatever they prove is exact.

use barrow_core::hex::{Hex, HexSet};
use heapless::Vec;

use super::elements::{Friend, Hit, Mode};
use super::model::{AttackModel, PIECE_CAP};

/// Price of an enemy's removal at first, and the unit of all prices.
const UNIT: i32 = 1 << 14;

/// Rounds in which prices are adjusted.
const ROUNDS: i32 = 32;

/// Most columns: friends with the hexes they fight from and the enemies that they hit from there.
const COLUMN_CAP: usize = 6144;

/// What a friend may do to an enemy from a hex.
#[derive(Clone, Copy)]
struct Column {
    foe: u8,
    damage: u8,
    hits: u8,
}

/// A hex from which a friend may fight.
#[derive(Clone, Copy)]
struct Stand {
    friend: u8,
    attacks: u8,
    hex: Hex,
    /// Whether the friend may leave the hex to others.
    leaves: bool,
    /// End of its columns; they begin where those of the stand before end.
    end: u16,
}

/// Stands and columns of the friends that may fight, against enemies that are to be removed.
pub(super) struct PriceBound {
    stands: Vec<Stand, { COLUMN_CAP / 2 }, u16>,
    columns: Vec<Column, COLUMN_CAP, u16>,
    /// By enemy the damage that removes it; 0 for one that need not be removed.
    needs: [i32; PIECE_CAP],
    /// By enemy the price of its removal, and of one point of damage.
    worth: [i32; PIECE_CAP],
    prices: [i32; PIECE_CAP],
    rents: [i32; Hex::COUNT],
}

impl PriceBound {
    /// A bound that knows nothing.
    pub(super) const EMPTY: PriceBound = PriceBound {
        stands: Vec::new(),
        columns: Vec::new(),
        needs: [0; PIECE_CAP],
        worth: [0; PIECE_CAP],
        prices: [0; PIECE_CAP],
        rents: [0; Hex::COUNT],
    };

    /// Whether prices prove that the `wanted` enemies cannot all be removed without the `passive` friends, while the
    /// `spared` enemies are not.
    pub(super) fn refutes(
        &mut self,
        model: &AttackModel<'_>,
        wanted: HexSet,
        spared: HexSet,
        passive: HexSet,
    ) -> bool {
        if !self.list(model, wanted, spared, passive) {
            return false;
        }
        self.rents.fill(0);
        for (worth, &need) in self.worth.iter_mut().zip(&self.needs) {
            *worth = if need > 0 { UNIT } else { 0 };
        }
        for round in 0..ROUNDS {
            self.set_prices();
            if self.gain() > 0 {
                return true;
            }
            self.adjust(UNIT / (4 + round));
        }
        false
    }

    /// Lists stands and columns. Returns whether there was room.
    fn list(&mut self, model: &AttackModel<'_>, wanted: HexSet, spared: HexSet, passive: HexSet) -> bool {
        self.stands.clear();
        self.columns.clear();
        self.needs.fill(0);
        for (need, foe) in self.needs.iter_mut().zip(model.foes.iter()) {
            *need = if wanted.contains(foe.at) { i32::from(foe.need.min(UNIT as u16 - 1)) } else { 0 };
        }
        let foes = model.foes.iter().map(|foe| foe.at).collect::<HexSet>();
        let shut = spared | (model.hostile - foes);
        let mut pairs = model.pairs.iter().peekable();
        for (index, friend) in model.friends.iter().enumerate().filter(|(_, friend)| friend.attacks > 0) {
            let mut targets: Vec<(Hex, u8, Column), PIECE_CAP, u8> = Vec::new();
            while let Some(pair) = pairs.next_if(|pair| usize::from(pair.friend) <= index) {
                let Some(foe) = model.foes.get(usize::from(pair.foe)) else { continue };
                let damage = match pair.hit {
                    Hit::Damage(amount) => amount.min(foe.need),
                    Hit::Unsummon => foe.need,
                };
                let Ok(damage) = u8::try_from(damage) else { return false };
                if wanted.contains(foe.at) {
                    let column = Column { foe: pair.foe, damage, hits: pair.hits };
                    let _ = targets.push((foe.at, pair.range, column));
                }
            }
            if targets.is_empty() || passive.contains(friend.at) {
                continue;
            }
            for mode in model.modes.get(AttackModel::mode_range(friend, true)).unwrap_or(&[]) {
                let sets = model.sets_of(mode);
                let open = sets.is_empty() || sets.iter().any(|set| !set.intersects(shut));
                if open && !self.add_stand(index as u8, friend, mode, &targets) {
                    return false;
                }
            }
        }
        true
    }

    /// Adds a stand with its columns. Returns whether there was room.
    fn add_stand(&mut self, index: u8, friend: &Friend, mode: &Mode, targets: &[(Hex, u8, Column)]) -> bool {
        let before = self.columns.len();
        for &(at, range, column) in targets {
            if mode.hex.distance(at) <= range && self.columns.push(column).is_err() {
                return false;
            }
        }
        let end = self.columns.len() as u16;
        let (hex, attacks, leaves) = (mode.hex, friend.attacks, friend.blink);
        let stand = Stand { friend: index, attacks, hex, leaves, end };
        self.columns.len() == before || self.stands.push(stand).is_ok()
    }

    /// Sets the prices of damage by those of removals.
    fn set_prices(&mut self) {
        for ((price, worth), &need) in self.prices.iter_mut().zip(&mut self.worth).zip(&self.needs) {
            *worth = (*worth).max(0);
            *price = *worth / need.max(1);
        }
    }

    /// Worth of the damage that removes the enemies, less rents and profits: more than nothing if it cannot be done.
    fn gain(&self) -> i64 {
        let worth =
            self.prices.iter().zip(&self.needs).map(|(&price, &need)| i64::from(price) * i64::from(need));
        let rents: i64 = self.rents.iter().map(|&rent| i64::from(rent)).sum();
        let mut profits = 0;
        self.each_friend(|_, profit| profits += profit);
        worth.sum::<i64>() - rents - profits
    }

    /// Visits the best stand of every friend that makes a profit, by position in the list, with this profit.
    fn each_friend(&self, mut visit: impl FnMut(usize, i64)) {
        let (mut best, mut friend, mut start) = (None, u8::MAX, 0);
        for (index, stand) in self.stands.iter().enumerate() {
            if stand.friend != friend {
                if let Some((index, profit)) = best.take() {
                    visit(index, profit);
                }
                friend = stand.friend;
            }
            let profit = self.profit(stand, start);
            start = stand.end;
            if profit > best.map_or(0, |(_, most)| most) {
                best = Some((index, profit));
            }
        }
        if let Some((index, profit)) = best {
            visit(index, profit);
        }
    }

    fn columns_of(&self, stand: &Stand, start: u16) -> &[Column] {
        self.columns.get(usize::from(start)..usize::from(stand.end)).unwrap_or(&[])
    }

    fn price_of(&self, column: Column) -> i32 {
        self.prices.get(usize::from(column.foe)).copied().unwrap_or(0) * i32::from(column.damage)
    }

    /// Worth of the best that a friend can do from a stand, less the rent.
    fn profit(&self, stand: &Stand, start: u16) -> i64 {
        let rent = if stand.leaves { 0 } else { self.rents.get(stand.hex.index()).copied().unwrap_or(0) };
        let mut worth = 0;
        self.each_hit(stand, start, |column, count| {
            worth += i64::from(self.price_of(column)) * i64::from(count);
        });
        worth - i64::from(rent)
    }

    /// Visits the hits that are worth most from a stand, with their number.
    fn each_hit(&self, stand: &Stand, start: u16, mut visit: impl FnMut(Column, u8)) {
        let columns = self.columns_of(stand, start);
        let (mut left, mut taken) = (stand.attacks, 0_u128);
        while left > 0 {
            let mut best: Option<(i32, usize, Column)> = None;
            for (index, &column) in
                columns.iter().enumerate().filter(|(index, _)| taken >> (index % 128) & 1 == 0)
            {
                let price = self.price_of(column);
                if price > best.map_or(0, |(most, ..)| most) {
                    best = Some((price, index, column));
                }
            }
            let Some((_, index, column)) = best else { return };
            let count = column.hits.min(left);
            visit(column, count);
            left -= count;
            taken |= 1 << (index % 128);
        }
    }

    /// Makes damage dearer where it is missing and hexes where friends crowd, one friend after the other.
    fn adjust(&mut self, step: i32) {
        for (worth, &need) in self.worth.iter_mut().zip(&self.needs) {
            *worth += if need > 0 { step } else { 0 };
        }
        for rent in &mut self.rents {
            *rent = (*rent - step).max(0);
        }
        self.set_prices();
        let (mut first, mut start) = (0, 0);
        while let Some(&Stand { friend, .. }) = self.stands.get(first) {
            let mut best: Option<(i64, Stand, u16)> = None;
            while let Some(&stand) = self.stands.get(first).filter(|stand| stand.friend == friend) {
                let profit = self.profit(&stand, start);
                if profit > best.map_or(0, |(most, ..)| most) {
                    best = Some((profit, stand, start));
                }
                (first, start) = (first + 1, stand.end);
            }
            if let Some((_, stand, start)) = best {
                self.work(&stand, start, step);
            }
        }
    }

    /// Lowers the prices of what a friend does from a stand, and raises the rent.
    fn work(&mut self, stand: &Stand, start: u16, step: i32) {
        let mut hits: Vec<(Column, u8), 32, u8> = Vec::new();
        self.each_hit(stand, start, |column, count| {
            let _ = hits.push((column, count));
        });
        for &(column, count) in &hits {
            let foe = usize::from(column.foe);
            let (Some(worth), Some(price), Some(&need)) =
                (self.worth.get_mut(foe), self.prices.get_mut(foe), self.needs.get(foe))
            else {
                continue;
            };
            let damage = i32::from(column.damage) * i32::from(count);
            *worth = (*worth - step * damage / need.max(1)).max(0);
            *price = *worth / need.max(1);
        }
        if let Some(rent) = self.rents.get_mut(stand.hex.index()).filter(|_| !stand.leaves) {
            *rent += step;
        }
    }
}
