//! Matching pieces to hexes: friends that stand in the way of an attack must all step aside at once, each to a
//! hex of its own within its reach.
//!
//! The method is that of augmenting paths (H. Kuhn, "The Hungarian method for the assignment problem", 1955, and
//! C. Berge, "Two theorems in graph theory", 1957): each piece in turn takes a free hex, if necessary by pushing
//! an earlier piece to another of its hexes. Pieces are never unmatched again, so a piece without such a path
//! shows that the pieces up to it cannot all be served.

use barrow_core::hex::{ByHex, Hex, HexSet};
use heapless::Vec;

/// Assignment of pieces to hexes: entry `i` is the hex of piece `i`, or nothing if the piece had to be left out. At most one
/// entry per hex, so a hundred pieces are all a board can hold.
pub type Matching = Vec<Option<Hex>, { Hex::COUNT }>;

/// Gives as many pieces as possible a hex of their own, piece `i` one out of `reach[i]`.
///
/// The pieces that are served first in the slice are never left out in favour of later ones: the set of pieces
/// served is the first in lexicographic order. Nothing comes back for more than [`Hex::COUNT`] pieces.
///
/// ```
/// use barrow_core::hex::{Hex, HexSet};
/// use barrow_solver::attack::match_pieces;
/// let [c2, d2] = ["c2", "d2"].map(|name| Hex::named(name).unwrap());
/// // The second piece has only c2, so the first one must take d2. For the third one nothing is left.
/// let reach = [HexSet::from_iter([c2, d2]), c2.to_set(), d2.to_set()];
/// assert_eq!(match_pieces(&reach).unwrap(), [Some(d2), Some(c2), None]);
/// ```
pub fn match_pieces(reach: &[HexSet]) -> Option<Matching> {
    let mut matching = Matching::new();
    matching.resize(reach.len(), None).ok()?;
    let mut holder = ByHex::new(None);
    let mut taken = HexSet::EMPTY;
    for piece in 0..reach.len() {
        if let Some(free) = augment(reach, &matching, &mut holder, taken, piece) {
            taken.insert(free);
            matching.fill(None);
            for hex in taken {
                if let Some(slot) = holder[hex].and_then(|owner: u8| matching.get_mut(usize::from(owner))) {
                    *slot = Some(hex);
                }
            }
        }
    }
    Some(matching)
}

/// Finds a free hex for the piece by breadth-first search over hexes and pushes the holders along the way found.
/// Reads `reach`, `matching` and `taken`; writes `holder`. The answer is the hex that is now taken too.
fn augment(
    reach: &[HexSet],
    matching: &Matching,
    holder: &mut ByHex<Option<u8>>,
    taken: HexSet,
    piece: usize,
) -> Option<Hex> {
    // wanted_by[h]: the piece through which the search came to hex h.
    let mut wanted_by = ByHex::new(0_u8);
    let mut queue: Vec<u8, { Hex::COUNT }> = Vec::new();
    let mut seen = HexSet::EMPTY;
    queue.push(piece as u8).ok()?;
    let mut head = 0;
    while let Some(&asking) = queue.get(head) {
        head += 1;
        let new = *reach.get(usize::from(asking))? - seen;
        seen |= new;
        for hex in new {
            wanted_by[hex] = asking;
        }
        if let Some(free) = (new - taken).first() {
            push_along(matching, holder, &wanted_by, free, piece);
            return Some(free);
        }
        for hex in new {
            queue.push(holder[hex]?).ok()?;
        }
    }
    None
}

/// Walks back from the free hex: each piece takes the hex it asked for and leaves its old one to the piece
/// before it.
fn push_along(
    matching: &Matching,
    holder: &mut ByHex<Option<u8>>,
    wanted_by: &ByHex<u8>,
    free: Hex,
    piece: usize,
) {
    let mut hex = Some(free);
    while let Some(target) = hex {
        let owner = wanted_by[target];
        holder[target] = Some(owner);
        hex = if usize::from(owner) == piece {
            None
        } else {
            matching.get(usize::from(owner)).copied().flatten()
        };
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec as List;

    /// Tries every assignment: the lexicographically first set of served pieces, piece by piece.
    fn brute_force(reach: &[HexSet]) -> List<bool> {
        fn all_served(reach: &[HexSet], taken: HexSet) -> bool {
            match reach.split_first() {
                None => true,
                Some((&first, rest)) => (first - taken).iter().any(|hex| all_served(rest, taken.with(hex))),
            }
        }
        let mut served: List<HexSet> = List::new();
        let mut answer = List::new();
        for &set in reach {
            served.push(set);
            let possible = all_served(&served, HexSet::EMPTY);
            if !possible {
                served.pop();
            }
            answer.push(possible);
        }
        answer
    }

    fn check_sound(reach: &[HexSet], matching: &Matching) {
        let mut taken = HexSet::EMPTY;
        for (hex, &set) in matching.iter().zip(reach) {
            if let Some(hex) = *hex {
                assert!(set.contains(hex), "{hex} is out of reach");
                assert!(taken.insert(hex), "{hex} is given twice");
            }
        }
    }

    #[test]
    fn full_boards_are_matched() {
        let everywhere = [HexSet::ALL; Hex::COUNT];
        let matching = match_pieces(&everywhere).unwrap();
        check_sound(&everywhere, &matching);
        assert!(matching.iter().all(Option::is_some));
        assert_eq!(match_pieces(&[HexSet::ALL; Hex::COUNT + 1]), None);
        assert_eq!(match_pieces(&[]).unwrap(), []);
        assert_eq!(match_pieces(&[HexSet::EMPTY]).unwrap(), [None]);
    }

    #[test]
    fn a_chain_of_pieces_is_pushed_along() {
        // Piece i reaches hexes i and i + 1; the last one reaches only hex 0, so everybody has to move up.
        let hex = |index: u8| Hex::new(index).unwrap();
        let mut reach: List<HexSet> = (0..99).map(|i| HexSet::from_iter([hex(i), hex(i + 1)])).collect();
        reach.push(hex(0).to_set());
        let matching = match_pieces(&reach).unwrap();
        check_sound(&reach, &matching);
        assert!(matching.iter().all(Option::is_some));
        assert_eq!(matching.first().copied().flatten(), Some(hex(1)));
    }

    proptest! {
        #[test]
        fn matching_equals_brute_force(rows in prop::collection::vec(0_u128..256, 0..8)) {
            // Eight hexes far apart in the bit set, so that sets collide often.
            let spread = |bits: u128| (0..8).filter(|bit| bits >> bit & 1 == 1).fold(0, |set, bit| set | 1 << (bit * 13));
            let reach: List<HexSet> = rows.into_iter().map(|row| HexSet::from_bits(spread(row))).collect();
            let matching = match_pieces(&reach).unwrap();
            check_sound(&reach, &matching);
            let served: List<bool> = matching.iter().map(Option::is_some).collect();
            prop_assert_eq!(served, brute_force(&reach));
        }
    }
}
