//! The cards of a spell row as an `action give_spell` line names them.

use heapless::Vec;

use crate::minions::rules::game::Game;
use crate::minions::tables::capacities::ROW_CAP;
use crate::minions::tables::spell::Spell;

/// Row of the side to move once the spells of its turn are bought, with the cards that are taken already.
pub(super) struct RowCards<'a> {
    game: &'a Game,
    cards: Vec<Spell, ROW_CAP, u8>,
}

impl<'a> RowCards<'a> {
    /// The row after this many purchases of a spell.
    pub(super) fn new(game: &'a Game, bought: u8) -> RowCards<'a> {
        RowCards { game, cards: game.state().row_after(game.config(), usize::from(bought)) }
    }

    /// Spell at a place of the row, from 0. `None` behind the last card.
    pub(super) fn spell(&self, card: u8) -> Option<Spell> {
        self.cards.get(usize::from(card)).copied()
    }

    /// Whether a card of the row is left when these cards were given, each as board and place.
    pub(super) fn is_left(&self, card: u8, given: &[(u8, u8)]) -> bool {
        let place = usize::from(card);
        let state = self.game.state();
        let taken = place < state.row().len() && state.is_taken(place);
        place < self.cards.len() && !taken && given.iter().all(|&(_, other)| other != card)
    }

    /// Place of the first card of this name that is left when these cards were given.
    pub(super) fn first(&self, spell: Spell, given: &[(u8, u8)]) -> Option<u8> {
        let places = (0..self.cards.len() as u8).filter(|&card| self.spell(card) == Some(spell));
        places.into_iter().find(|&card| self.is_left(card, given))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minions::{Builder, GameConfig};

    #[test]
    fn cards_are_left_that_nobody_took_or_was_given() {
        let mut builder = Builder::from_game(Game::new(GameConfig::default(), 1));
        builder.row(&[Spell::Fester, Spell::Shield, Spell::Fester], 0b001).unwrap();
        let game = builder.build().unwrap();
        let row = RowCards::new(&game, 0);
        let left = |given: &[(u8, u8)]| [0, 1, 2, 3].map(|card| row.is_left(card, given));
        assert_eq!(left(&[]), [false, true, true, false]);
        assert_eq!(left(&[(0, 1)]), [false, false, true, false]);
        assert_eq!((row.first(Spell::Fester, &[]), row.first(Spell::Fester, &[(1, 2)])), (Some(2), None));
    }
}
