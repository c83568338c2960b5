//! Sums of the cards still to come to a side, kept from one position to the next: in a search the decks after a number of
//! turns are nearly always the same.

use barrow_core::minions::{Deck, Game, Side, SideArray};

use super::global::GlobalAccumulator;
use super::tables::GlobalTable;
use crate::features::Part;
use crate::shape::{GLOBAL, Profile};

/// Sums of the rows of one side's cards to come, for both perspectives, with the deck that they are of.
#[derive(Clone, Debug)]
pub struct DeckSums {
    /// Deck that the sums are of; none at first.
    of: Option<Deck>,
    lanes: SideArray<[i16; GLOBAL]>,
}

impl DeckSums {
    /// A place without sums.
    pub(crate) const EMPTY: DeckSums = DeckSums { of: None, lanes: SideArray::new([0; GLOBAL], [0; GLOBAL]) };

    /// Sums of the cards to come to a side in a position.
    pub(crate) fn update<P: Profile>(
        &mut self,
        table: &GlobalTable<'_, P>,
        game: &Game,
        side: Side,
    ) -> &SideArray<[i16; GLOBAL]> {
        let deck = game.state().deck(side);
        if self.of.as_ref() != Some(deck) {
            let mut sums = GlobalAccumulator::ZERO;
            sums.add(table, game, &[Part::Deck(side)]);
            self.lanes = SideArray::new(*sums.lanes(Side::Yellow), *sums.lanes(Side::Blue));
            self.of = Some(deck.clone());
        }
        &self.lanes
    }
}
