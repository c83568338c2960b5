//! Assignment of pieces to hexes, at most one piece on a hex, with the greatest total worth.
//!
//! The exact method is the Hungarian one in its sparse form: pieces are assigned one by one, each by a shortest
//! augmenting path under prices of contested hexes (H. Kuhn, "The Hungarian method for the assignment problem", 1955;
//! R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment problems",
//! 1987). It works in about 2 KiB of stack.
//!
//! The result is a hex for each piece. The caller finds the order of moves, and whether pieces that swap places in a
//! cycle can do so.

use core::fmt;
use core::mem;

use heapless::Vec;

use crate::hex::{ByHex, Hex, HexSet};

/// Pieces of one assignment at most.
pub const PIECE_CAP: usize = 64;
/// Places of a piece at most, besides the hex where it stands.
pub const PLACE_CAP: usize = 12;

/// An assignment: a hex for each piece, in the order of the pieces; no two the same.
pub type Assignment = Vec<Hex, PIECE_CAP, u8>;

/// A piece with the places where it may go; it can always stay.
#[derive(Clone, Debug)]
pub struct Piece {
    from: Hex,
    places: Vec<Hex, PLACE_CAP, u8>,
    stay: i32,
    /// Worths of `places`, in the same order.
    worths: [i32; PLACE_CAP],
}

impl Piece {
    /// A piece on this hex without other places. Staying is worth 0.
    pub const fn at(from: Hex) -> Piece {
        Piece { from, places: Vec::new(), stay: 0, worths: [0; PLACE_CAP] }
    }

    /// Hex where the piece stands.
    pub const fn from(&self) -> Hex {
        self.from
    }

    /// Adds a place with its worth, in any unit that all pieces share. The piece's own hex sets the worth of staying,
    /// and a place added before gets the new worth. Of more than [`PLACE_CAP`] places the best stay; of equal ones
    /// those added first.
    pub fn offer(&mut self, place: Hex, worth: i32) {
        if place == self.from {
            self.stay = worth;
            return;
        }
        let known = self.places.iter().position(|&other| other == place);
        let index = known.unwrap_or_else(|| {
            let new = self.places.len();
            if self.places.push(place).is_ok() {
                return new;
            }
            // The last of the worst makes room if the new one is better.
            let worst = (0..PLACE_CAP).rev().min_by_key(|&index| self.worths.get(index));
            let worst = worst.filter(|&index| self.worths.get(index).is_some_and(|&least| least < worth));
            worst.unwrap_or(PLACE_CAP)
        });
        if let (Some(hex), Some(slot)) = (self.places.get_mut(index), self.worths.get_mut(index)) {
            (*hex, *slot) = (place, worth);
        }
    }

    /// Worth of a place, if it was added.
    pub fn worth(&self, place: Hex) -> Option<i32> {
        self.options().find(|option| option.0 == place).map(|option| option.1)
    }

    /// All places, the hex where the piece stands first.
    fn options(&self) -> impl Iterator<Item = (Hex, i32)> {
        let others = self.places.iter().copied().zip(self.worths.iter().copied());
        core::iter::once((self.from, self.stay)).chain(others)
    }

    /// Places with worths on a finer scale, on which staying counts a little more: too little, over all pieces, to
    /// outweigh a difference in worth.
    fn scaled(&self) -> impl Iterator<Item = (Hex, i64)> {
        let scale = 2 * PIECE_CAP as i64;
        self.options().map(move |(hex, worth)| (hex, i64::from(worth) * scale + i64::from(hex == self.from)))
    }
}

/// Reason why there is no assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignError {
    /// More than [`PIECE_CAP`] pieces.
    TooManyPieces,
    /// Two pieces stand on the same hex, so not all could stay.
    SharedHex,
}

impl fmt::Display for AssignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AssignError::TooManyPieces => "more than 64 pieces to place",
            AssignError::SharedHex => "two pieces to place stand on the same hex",
        })
    }
}

impl core::error::Error for AssignError {}

/// An assignment of the greatest total worth; of those, one in which as many as possible stay.
///
/// ```
/// use barrow_core::hex::Hex;
/// use barrow_core::search::assign::{Piece, assign, greedy};
/// let [a, b, goal] = ["a0", "b0", "c0"].map(|name| Hex::named(name).unwrap());
/// let (mut first, mut second) = (Piece::at(a), Piece::at(b));
/// first.offer(goal, 10);
/// first.offer(b, 9);
/// second.offer(goal, 8);
/// let pieces = [first, second];
/// // One by one, the first piece takes the only other place of the second one.
/// assert_eq!(greedy(&pieces).unwrap().as_slice(), [goal, b]);
/// assert_eq!(assign(&pieces).unwrap().as_slice(), [b, goal]);
/// ```
pub fn assign(pieces: &[Piece]) -> Result<Assignment, AssignError> {
    let mut places = homes(pieces)?;
    let mut market = Market {
        prices: ByHex::new(0),
        owners: ByHex::new(None),
        losses: ByHex::new(0),
        takers: ByHex::new(0),
    };
    for newcomer in 0..pieces.len() as u8 {
        market.seat(pieces, newcomer, &mut places);
    }
    Ok(places)
}

/// The greedy assignment: one piece after the other gets its best free place and stays unless a place is better. The
/// baseline of the exact assignment.
pub fn greedy(pieces: &[Piece]) -> Result<Assignment, AssignError> {
    let mut places = homes(pieces)?;
    let mut taken = places.iter().copied().collect::<HexSet>();
    for (piece, place) in pieces.iter().zip(&mut places) {
        taken.remove(piece.from);
        let mut best = piece.stay;
        for (hex, worth) in piece.options() {
            if worth > best && !taken.contains(hex) {
                (*place, best) = (hex, worth);
            }
        }
        taken.insert(*place);
    }
    Ok(places)
}

/// Total worth of an assignment; a place that its piece does not have counts nothing.
pub fn worth(pieces: &[Piece], places: &Assignment) -> i64 {
    pieces.iter().zip(places).map(|(piece, &place)| i64::from(piece.worth(place).unwrap_or(0))).sum()
}

fn homes(pieces: &[Piece]) -> Result<Assignment, AssignError> {
    let mut places = Assignment::new();
    let mut taken = HexSet::EMPTY;
    for piece in pieces {
        places.push(piece.from).map_err(|_| AssignError::TooManyPieces)?;
        if taken.contains(piece.from) {
            return Err(AssignError::SharedHex);
        }
        taken.insert(piece.from);
    }
    Ok(places)
}

/// Prices and owners of hexes. A hex without owner costs nothing, and every owner has a hex with its greatest worth
/// less price: so no other assignment of the owners is worth more.
struct Market {
    prices: ByHex<i64>,
    owners: ByHex<Option<u8>>,
    /// Loss of all together, compared with their best offers, when a newcomer's arrival frees this hex, and the piece
    /// that then takes it: known for the hexes that the newcomer's paths have reached.
    losses: ByHex<i64>,
    takers: ByHex<u8>,
}

impl Market {
    /// Assigns one more piece by the shortest augmenting path, on which owners move on, and raises prices to match.
    fn seat(&mut self, pieces: &[Piece], newcomer: u8, places: &mut Assignment) {
        let Market { prices, owners, losses, takers } = self;
        let (mut open, mut closed) = (HexSet::EMPTY, HexSet::EMPTY);
        let (mut asking, mut so_far) = (newcomer, 0);
        let (goal, total) = loop {
            let Some(piece) = pieces.get(usize::from(asking)) else { return };
            let gain = |(hex, worth): (Hex, i64)| worth - prices[hex];
            let most = piece.scaled().map(gain).max().unwrap_or(0);
            for (hex, worth) in piece.scaled() {
                let loss = so_far + most - gain((hex, worth));
                if !closed.contains(hex) && (!open.contains(hex) || loss < losses[hex]) {
                    losses[hex] = loss;
                    takers[hex] = asking;
                    open.insert(hex);
                }
            }
            let nearness = |hex: Hex| (losses[hex], owners[hex]);
            // There is always one, since everybody staying is an assignment too.
            let Some(mut nearest) = open.first() else { return };
            for hex in open {
                if nearness(hex) < nearness(nearest) {
                    nearest = hex;
                }
            }
            so_far = losses[nearest];
            let Some(owner) = owners[nearest] else { break (nearest, so_far) };
            open.remove(nearest);
            closed.insert(nearest);
            asking = owner;
        };
        for hex in closed {
            prices[hex] += total - losses[hex];
        }
        let mut hex = goal;
        for _ in pieces {
            let taker = takers[hex];
            owners[hex] = Some(taker);
            let Some(place) = places.get_mut(usize::from(taker)) else { return };
            let left = mem::replace(place, hex);
            if taker == newcomer {
                return;
            }
            hex = left;
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::rng::Rng as Dice;
    use proptest::prelude::*;
    use std::vec::Vec as List;

    /// Greatest total worth, and the greatest number of pieces that stay with it, by trying everything.
    fn brute_force(pieces: &[Piece], taken: HexSet) -> Option<(i64, usize)> {
        let Some((piece, others)) = pieces.split_first() else { return Some((0, 0)) };
        let options = piece.options().filter(|option| !taken.contains(option.0));
        let total = |(hex, worth): (Hex, i32)| {
            let (rest, stay) = brute_force(others, taken.with(hex))?;
            Some((rest + i64::from(worth), stay + usize::from(hex == piece.from)))
        };
        options.filter_map(total).max()
    }

    fn stays(pieces: &[Piece], places: &Assignment) -> usize {
        pieces.iter().zip(places).filter(|&(piece, &place)| place == piece.from).count()
    }

    fn assert_valid(pieces: &[Piece], places: &Assignment) {
        assert_eq!(pieces.len(), places.len());
        assert!(pieces.iter().zip(places).all(|(piece, &place)| piece.worth(place).is_some()));
        assert_eq!(places.iter().copied().collect::<HexSet>().len(), places.len());
    }

    /// Whether some pieces could move on in a circle, or in a line that ends on a free hex, and gain by it. Longest
    /// ways from hex to hex, with one more node for "a free hex" (Floyd's and Warshall's algorithm).
    fn can_be_improved(pieces: &[Piece], places: &Assignment) -> bool {
        const NODES: usize = Hex::COUNT + 1;
        let mut gains = std::vec![[i64::MIN / 4; NODES]; NODES];
        let taken: HexSet = places.iter().copied().collect();
        for (piece, &place) in pieces.iter().zip(places) {
            let now = i64::from(piece.worth(place).unwrap());
            gains[Hex::COUNT][place.index()] = 0;
            for (hex, worth) in piece.options() {
                let to = if taken.contains(hex) { hex.index() } else { Hex::COUNT };
                gains[place.index()][to] = gains[place.index()][to].max(i64::from(worth) - now);
            }
        }
        for middle in 0..NODES {
            let onwards = gains[middle];
            for row in &mut gains {
                let first = row[middle];
                for (gain, rest) in row.iter_mut().zip(onwards) {
                    *gain = (*gain).max(first + rest);
                }
            }
        }
        (0..NODES).any(|node| gains[node][node] > 0)
    }

    fn hex(index: u32) -> Hex {
        Hex::new(index as u8).unwrap()
    }

    /// Pieces on the first `area` hexes, with places and worths from the dice; a small area makes them contend.
    fn crowd(count: u32, options: u32, area: u32, most: u32, seed: u64) -> List<Piece> {
        let mut dice = Dice::new(seed);
        let mut from: List<u32> = (0..area).collect();
        dice.shuffle(&mut from);
        let new = |&from: &u32| {
            let mut piece = Piece::at(hex(from));
            for _ in 0..options {
                let worth = i64::from(dice.below(2 * most + 1)) - i64::from(most);
                piece.offer(hex(dice.below(area)), worth as i32);
            }
            piece
        };
        from.iter().take(count as usize).map(new).collect()
    }

    #[test]
    fn a_piece_considers_its_best_places() {
        let mut piece = Piece::at(hex(50));
        for index in 0..20 {
            piece.offer(hex(index), 10 + (index as i32 * 7) % 20);
        }
        // Worths 10 to 29, each once: the best twelve are those from 18 on.
        let kept: HexSet = piece.options().map(|option| option.0).collect();
        let best = (0..20).filter(|index| (index * 7) % 20 >= 8).chain([50]);
        assert_eq!(kept, best.map(hex).collect());
        piece.offer(hex(50), 3);
        piece.offer(hex(4), 1);
        assert_eq!(
            (piece.worth(hex(50)), piece.worth(hex(4)), piece.worth(hex(0))),
            (Some(3), Some(1), None)
        );
        piece.offer(hex(60), 1);
        assert_eq!(piece.worth(hex(60)), None);
        piece.offer(hex(60), 2);
        assert_eq!((piece.worth(hex(60)), piece.worth(hex(4))), (Some(2), None));
    }

    #[test]
    fn bad_input_has_a_name() {
        let all: List<Piece> = (0..65).map(|index| Piece::at(hex(index))).collect();
        assert_eq!(assign(&all), Err(AssignError::TooManyPieces));
        assert_eq!(greedy(&all), Err(AssignError::TooManyPieces));
        assert_eq!(assign(&[Piece::at(hex(3)), Piece::at(hex(3))]), Err(AssignError::SharedHex));
        assert_eq!(assign(&[]), Ok(Assignment::new()));
    }

    #[test]
    fn pieces_move_in_circles_only_for_gain() {
        let ring = |worth: i32| -> List<Piece> {
            let new = |index: u32| {
                let mut piece = Piece::at(hex(index));
                piece.offer(hex((index + 1) % 64), worth);
                piece
            };
            (0..64).map(new).collect()
        };
        let stay: List<Hex> = (0..64).map(hex).collect();
        let turn: List<Hex> = (0..64).map(|index| hex((index + 1) % 64)).collect();
        for (worth, expected) in [(0, &stay), (-1, &stay), (1, &turn), (i32::MIN, &stay), (i32::MAX, &turn)] {
            assert_eq!(assign(&ring(worth)).unwrap().as_slice(), expected.as_slice());
            assert_eq!(greedy(&ring(worth)).unwrap().as_slice(), stay.as_slice());
        }
        let mut content = Piece::at(hex(5));
        content.offer(hex(9), 0);
        assert_eq!(greedy(&[content]).unwrap().as_slice(), [hex(5)]);
    }

    #[test]
    fn greed_costs() {
        let (mut exact, mut naive) = (0, 0);
        for seed in 0..100 {
            let pieces = crowd(20, 8, 40, 100, seed);
            exact += worth(&pieces, &assign(&pieces).unwrap());
            naive += worth(&pieces, &greedy(&pieces).unwrap());
        }
        assert!(exact * 100 > naive * 105, "{exact} {naive}");
    }

    proptest! {
        #[test]
        fn small_crowds_are_assigned_as_by_trying_everything(
            count in 0..=6_u32,
            options in 0..6_u32,
            area in 6..12_u32,
            most in prop_oneof![Just(2_u32), Just(50), Just(i32::MAX as u32)],
            seed in any::<u64>(),
        ) {
            let pieces = crowd(count, options, area, most, seed);
            let places = assign(&pieces).unwrap();
            assert_valid(&pieces, &places);
            let found = (worth(&pieces, &places), stays(&pieces, &places));
            prop_assert_eq!(Some(found), brute_force(&pieces, HexSet::EMPTY));
            let naive = greedy(&pieces).unwrap();
            assert_valid(&pieces, &naive);
            prop_assert!(worth(&pieces, &naive) <= found.0);
        }

        #[test]
        fn large_crowds_cannot_be_improved(
            count in 1..=64_u32,
            options in 1..20_u32,
            area in 64..=100_u32,
            most in prop_oneof![Just(3_u32), Just(1000)],
            seed in any::<u64>(),
        ) {
            let pieces = crowd(count, options, area, most, seed);
            let places = assign(&pieces).unwrap();
            assert_valid(&pieces, &places);
            prop_assert!(!can_be_improved(&pieces, &places));
        }
    }
}
