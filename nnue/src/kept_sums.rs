//! Sums that an evaluator keeps: of boards and decks that it has met, since most of those of a search are met again, and of
//! both sides' tech levels. Small machines keep few or none.

use barrow_core::minions::{Board, Budget, Game, MapLabel, Side, SideArray};

use crate::accumulator::{BoardAccumulator, DeckSums, GlobalAccumulator, LevelSums};
use crate::features::{Part, Stage};
use crate::nets::Network;
use crate::nets::oracle::Summary;
use crate::shape::{EMBED, Profile};

/// Memory of an evaluator. Whatever it holds of the evaluator's network, values are the same; what it holds of another network
/// it must not be asked for: sums do not say whose they are.
pub trait SumsMemory<P: Profile> {
    /// Place of the sums of a board with this key; `None` if boards have no places.
    fn board(&mut self, key: u64) -> Option<&mut KeptBoard<P>>;

    /// Sums of a side's tech levels; `None` if they are not kept.
    fn levels(&mut self, side: Side) -> Option<&mut LevelSums>;

    /// Place of the sums of a side's deck whose generator is in this state; `None` if decks have no places.
    fn deck(&mut self, side: Side, rng: u64) -> Option<&mut DeckSums>;
}

/// No memory.
impl<P: Profile> SumsMemory<P> for () {
    fn board(&mut self, _: u64) -> Option<&mut KeptBoard<P>> {
        None
    }

    fn levels(&mut self, _: Side) -> Option<&mut LevelSums> {
        None
    }

    fn deck(&mut self, _: Side, _: u64) -> Option<&mut DeckSums> {
        None
    }
}

/// Memory with places for the sums of `BOARDS` boards, and of `DECKS` decks of each side. Networks of small machines do not see
/// cards to come, and need no place for decks. It is for one network: begin anew, by [`Default`], with another one.
#[derive(Clone, Debug)]
pub struct KeptSums<P: Profile, const BOARDS: usize, const DECKS: usize = 0> {
    boards: [KeptBoard<P>; BOARDS],
    levels: SideArray<LevelSums>,
    decks: SideArray<[DeckSums; DECKS]>,
}

impl<P: Profile, const BOARDS: usize, const DECKS: usize> Default for KeptSums<P, BOARDS, DECKS> {
    fn default() -> Self {
        KeptSums {
            boards: [const { KeptBoard::EMPTY }; BOARDS],
            levels: SideArray::new(LevelSums::default(), LevelSums::default()),
            decks: SideArray::new([const { DeckSums::EMPTY }; DECKS], [const { DeckSums::EMPTY }; DECKS]),
        }
    }
}

impl<P: Profile, const BOARDS: usize, const DECKS: usize> SumsMemory<P> for KeptSums<P, BOARDS, DECKS> {
    fn board(&mut self, key: u64) -> Option<&mut KeptBoard<P>> {
        self.boards.get_mut((key as usize).checked_rem(BOARDS)?)
    }

    fn levels(&mut self, side: Side) -> Option<&mut LevelSums> {
        Some(&mut self.levels[side])
    }

    fn deck(&mut self, side: Side, rng: u64) -> Option<&mut DeckSums> {
        let decks = &mut self.decks[side];
        // Every card dealt adds the same odd number to the state.
        decks.get_mut((rng as usize).checked_rem(DECKS)?)
    }
}

/// Sums of a board at the start of a turn, and its summary for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct KeptBoard<P: Profile> {
    /// Key of the board, its map and the side that the sums are of; none at first.
    of: Option<(u64, MapLabel, Side)>,
    pub(crate) sums: BoardAccumulator<P>,
    pub(crate) summary: Summary,
}

impl<P: Profile> KeptBoard<P> {
    /// A place without sums.
    const EMPTY: KeptBoard<P> =
        KeptBoard { of: None, sums: BoardAccumulator::ZERO, summary: Summary([0; EMBED]) };

    /// Computes the sums of a board, unless they are those that are kept here.
    pub(crate) fn fill(&mut self, network: &Network<'_, P>, map: MapLabel, board: &Board, side: Side) {
        let of = Some((board.key(), map, side));
        if self.of != of {
            self.of = of;
            self.sums.refresh(&network.board_tables(), map, board, Stage::TurnStart);
            self.summary = network.summary(self.sums.lanes(side), self.sums.lanes(side.opponent()));
        }
    }
}

/// Accumulators of the general at the start of a turn.
pub(crate) struct GeneralSums {
    /// Accumulator without what choices of the side to move change: its levels, money and cards to come, budget and row.
    pub(crate) steady: GlobalAccumulator,
    /// Accumulator of the steady parts and of the cards to come to the side to move.
    pub(crate) with_cards: GlobalAccumulator,
    /// Accumulator of all parts.
    pub(crate) whole: GlobalAccumulator,
}

/// Accumulators of the general, from sums that are kept as far as there are any.
pub(crate) fn general<P: Profile>(
    network: &Network<'_, P>,
    memory: &mut impl SumsMemory<P>,
    game: &Game,
) -> GeneralSums {
    let table = network.general_table();
    let (us, them) = (game.side_to_move(), game.side_to_move().opponent());
    let parts = [Part::Config, Part::Purse(them), Part::Clock];
    let mut sums = GlobalAccumulator::with(&table, game, &parts);
    add_levels(network, memory, game, them, &mut sums);
    add_deck(network, memory, game, them, &mut sums);
    let steady = sums;
    add_deck(network, memory, game, us, &mut sums);
    let with_cards = sums;
    sums.add(&table, game, &[Part::Purse(us), Part::Budget, Part::Row]);
    add_levels(network, memory, game, us, &mut sums);
    GeneralSums { steady, with_cards, whole: sums }
}

/// Numbers of bought spells for which the general's accumulators are kept: none and one.
const PURCHASES: usize = 2;

/// Souls and budget that a choice of the general leaves.
type Left = (u32, Budget);

/// Accumulators of the general after choices of the side to move, as far as many choices share them.
pub(crate) struct ChoiceSums {
    /// Accumulator without the parts that choices change.
    steady: GlobalAccumulator,
    /// Accumulators of the steady parts and of the cards to come, by the number of bought spells: of these cards only those
    /// change that are bought.
    with_cards: [Option<GlobalAccumulator>; PURCHASES],
    /// Accumulators without tech levels alone, by the number of bought spells, each after the choices that leave this money and this
    /// budget: most choices differ in levels only.
    without_levels: [Option<(Left, GlobalAccumulator)>; PURCHASES],
}

impl ChoiceSums {
    /// Sums of no position.
    pub(crate) const NONE: ChoiceSums = ChoiceSums {
        steady: GlobalAccumulator::ZERO,
        with_cards: [None; PURCHASES],
        without_levels: [None; PURCHASES],
    };

    /// Sums of a position before its choices.
    pub(crate) fn new(general: &GeneralSums, game: &Game) -> ChoiceSums {
        let mut sums = ChoiceSums { steady: general.steady, ..ChoiceSums::NONE };
        if let Some(slot) = sums.with_cards.get_mut(usize::from(game.state().budget().bought)) {
            *slot = Some(general.with_cards);
        }
        sums
    }

    /// Accumulator of the general after a choice.
    pub(crate) fn after<P: Profile>(
        &mut self,
        network: &Network<'_, P>,
        memory: &mut impl SumsMemory<P>,
        game: &Game,
    ) -> GlobalAccumulator {
        let (side, state) = (game.side_to_move(), game.state());
        let (budget, bought) = (state.budget(), usize::from(state.budget().bought));
        let left = (state.souls(side), budget);
        // Which cards of the row are dealt is told by nothing else.
        let is_whole = state.num_taken() == 0;
        let known = match self.without_levels.get(bought) {
            Some(Some((of, sums))) if is_whole && *of == left => Some(*sums),
            _ => None,
        };
        let mut general = known.unwrap_or_else(|| {
            let known = self.with_cards.get(bought).copied().flatten();
            let mut sums = known.unwrap_or_else(|| {
                let mut sums = self.steady;
                add_deck(network, memory, game, side, &mut sums);
                sums
            });
            if let Some(slot) = self.with_cards.get_mut(bought) {
                *slot = Some(sums);
            }
            sums.add(&network.general_table(), game, &[Part::Purse(side), Part::Budget, Part::Row]);
            if let Some(slot) = self.without_levels.get_mut(bought).filter(|_| is_whole) {
                *slot = Some((left, sums));
            }
            sums
        });
        add_levels(network, memory, game, side, &mut general);
        general
    }
}

/// Adds the rows of the cards that are still to come to a side.
pub(crate) fn add_deck<P: Profile>(
    network: &Network<'_, P>,
    memory: &mut impl SumsMemory<P>,
    game: &Game,
    side: Side,
    general: &mut GlobalAccumulator,
) {
    let table = network.general_table();
    match memory.deck(side, game.state().deck(side).rng()) {
        Some(kept) => general.add_sums(kept.update(&table, game, side)),
        None => general.add(&table, game, &[Part::Deck(side)]),
    }
}

/// Adds the rows of a side's tech levels.
pub(crate) fn add_levels<P: Profile>(
    network: &Network<'_, P>,
    memory: &mut impl SumsMemory<P>,
    game: &Game,
    side: Side,
    general: &mut GlobalAccumulator,
) {
    let table = network.general_table();
    match memory.levels(side) {
        Some(kept) => general.add_sums(kept.update(&table, game, side)),
        None => general.add(&table, game, &[Part::Levels(side)]),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec;

    use barrow_core::minions::players::Greedy;
    use barrow_core::minions::turn_search::ports::Evaluator;
    use barrow_core::minions::{Action, GameConfig, GeneralAction, Ruleset, UndoLog};

    use super::*;
    use crate::format::{Extent, Line, file_len};
    use crate::ports::OraclePort;
    use crate::random_net;
    use crate::shape::{Handheld, UNITS};

    #[test]
    fn values_do_not_depend_on_what_is_kept() {
        let extent: Extent = UNITS.into();
        let mut lines = vec![Line::ZERO; file_len::<Handheld>(extent) / 64];
        random_net::fill::<Handheld>(Line::bytes_mut(&mut lines), extent, 3).unwrap();
        let network = Network::<Handheld>::from_bytes(Line::bytes(&lines)).unwrap();
        let mut plain = OraclePort::new(network);
        // Three places for two boards, and two for decks: sums are kept, and make room for others.
        let mut keeping = OraclePort::with_memory(network, KeptSums::<Handheld, 3, 2>::default());
        let mut most = 0;
        for (seed, ruleset) in [(1, Ruleset::Server), (2, Ruleset::Spooky)] {
            let mut game = Game::new(GameConfig::default().with_ruleset(ruleset), seed);
            for turn in 0..30 {
                assert_eq!(plain.evaluate(&game), keeping.evaluate(&game));
                plain.begin(&game);
                keeping.begin(&game);
                assert_eq!(plain.evaluate_begun(&game), keeping.evaluate_begun(&game));
                let mut after = game.clone();
                // As many purchases as there is money for, also more than sums are kept for.
                let mut actions = [GeneralAction::BuySpell; 6];
                [actions[0], actions[1]] = [GeneralAction::March, GeneralAction::Advance { index: 0 }];
                for action in actions {
                    let _ = after.apply(Action::General(action), &mut UndoLog::off());
                    most = most.max(after.state().budget().bought);
                    let value = plain.evaluate_general(&after);
                    assert_eq!(value, keeping.evaluate_general(&after));
                    let mut fresh = OraclePort::new(network);
                    fresh.begin(&game);
                    assert_eq!(value, fresh.evaluate_general(&after));
                }
                if game.play(&Greedy::new(turn).choose(&game)).is_err() || game.state().is_over() {
                    break;
                }
            }
        }
        assert!(most > 2, "{most}");
    }
}
