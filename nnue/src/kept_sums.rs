//! Sums that an evaluator keeps: of boards that it has met, since most boards of a search are met again, and of both sides'
//! tech levels. Small machines keep none.

use barrow_core::minions::{Board, Game, MapLabel, Side, SideArray};

use crate::accumulator::{BoardAccumulator, GlobalAccumulator, LevelSums};
use crate::features::{Part, Stage};
use crate::nets::Network;
use crate::nets::oracle::Summary;
use crate::shape::{EMBED, Profile};

/// Memory of an evaluator. Whatever it holds, values are the same.
pub trait SumsMemory<P: Profile> {
    /// Place of the sums of a board with this key; `None` if boards have no places.
    fn board(&mut self, key: u64) -> Option<&mut KeptBoard<P>>;

    /// Sums of a side's tech levels; `None` if they are not kept.
    fn levels(&mut self, side: Side) -> Option<&mut LevelSums>;
}

/// No memory.
impl<P: Profile> SumsMemory<P> for () {
    fn board(&mut self, _: u64) -> Option<&mut KeptBoard<P>> {
        None
    }

    fn levels(&mut self, _: Side) -> Option<&mut LevelSums> {
        None
    }
}

/// Memory with places for the sums of `BOARDS` boards.
#[derive(Clone, Debug)]
pub struct KeptSums<P: Profile, const BOARDS: usize> {
    boards: [KeptBoard<P>; BOARDS],
    levels: SideArray<LevelSums>,
}

impl<P: Profile, const BOARDS: usize> Default for KeptSums<P, BOARDS> {
    fn default() -> Self {
        KeptSums {
            boards: [const { KeptBoard::EMPTY }; BOARDS],
            levels: SideArray::new(LevelSums::default(), LevelSums::default()),
        }
    }
}

impl<P: Profile, const BOARDS: usize> SumsMemory<P> for KeptSums<P, BOARDS> {
    fn board(&mut self, key: u64) -> Option<&mut KeptBoard<P>> {
        self.boards.get_mut((key as usize).checked_rem(BOARDS)?)
    }

    fn levels(&mut self, side: Side) -> Option<&mut LevelSums> {
        Some(&mut self.levels[side])
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

/// Accumulator of the general, from sums that are kept as far as there are any.
pub(crate) fn general<P: Profile>(
    network: &Network<'_, P>,
    memory: &mut impl SumsMemory<P>,
    game: &Game,
) -> GlobalAccumulator {
    let table = network.general_table();
    if memory.levels(Side::Yellow).is_none() {
        return GlobalAccumulator::of(&table, game);
    }
    let mut general = GlobalAccumulator::without(&table, game, &Side::ALL.map(Part::Levels));
    for side in Side::ALL {
        add_levels(network, memory, game, side, &mut general);
    }
    general
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
        // Three places for two boards: sums are kept, and make room for others.
        let mut keeping = OraclePort::with_memory(network, KeptSums::<Handheld, 3>::default());
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
