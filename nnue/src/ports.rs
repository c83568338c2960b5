//! Ports of the search ([`barrow_core::minions::turn_search::ports`]), implemented by the nets of one network file.

use core::cmp::Reverse;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::list;
use barrow_core::minions::turn_search::ports::{
    AttackPolicy, Evaluator, Fate, Fates, Foretold, GeneralPolicy, SpawnPolicy, Stage, Worths,
};
use barrow_core::minions::{BOARD_CAP, Board, Game, GeneralAction, Side, Spell, UnitLabel};
use barrow_core::search::value::Curve;
use barrow_core::search::value::{CERTAIN, Estimate, KNOTS};
use barrow_core::sort::sort_by_key;
use fixed::types::I16F16;
use heapless::Vec;

use crate::accumulator::{BoardAccumulator, Delta};
use crate::kept_sums::{ChoiceSums, GeneralSums, SumsMemory, general};
use crate::nets::Network;
use crate::nets::board_layer::BoardLayer;
use crate::nets::exponential::plausibility;
use crate::nets::general::Steps;
use crate::nets::logistic::chance;
use crate::nets::oracle::{Context, JoinedLayer, JoinedSums, Output, Summary};
use crate::nets::places::{PlaceSurvey, Settler};
use crate::nets::prophet::PredictionKind;
use crate::nets::seer::{Purpose, TEMPERATURE, Term};
use crate::shape::{MODE_CAP, PLACE_ROWS, Profile};

/// Logit of a saved soul, in 1/65,536: 35 hundredths of a soul on a board, at 4,000 hundredths of a soul for the
/// factor e. A saved soul takes effect a turn later.
const SAVED: i32 = 35 * 65_536 / 4_000;

/// Oracle as an [`Evaluator`]. Keeps the accumulators of the position at the start of the turn, and updates them by
/// the rows that differ on the board of a candidate. `M` is the memory for sums of earlier positions, none by default.
pub struct OraclePort<'n, P: Profile, M = ()> {
    network: Network<'n, P>,
    boards: Vec<(Board, BoardAccumulator<P>), BOARD_CAP, u8>,
    context: Option<Context>,
    /// Sums of the general at the start of the turn, as far as its choices leave them as they are.
    choices: ChoiceSums,
    /// Sums of the joined layers of the context without the general, computed on first use.
    joined_sums: Option<JoinedSums>,
    /// Joined layer of the last board, by board, key and stage: value and curve are usually asked of the same board.
    last: Option<((usize, u64, Stage), JoinedLayer)>,
    memory: M,
}

/// Win chance in parts of [`CERTAIN`], from one in parts of 65,535.
fn certain(chance: u16) -> i32 {
    i32::from(chance) + i32::from(chance >> 15)
}

impl<'n, P: Profile> OraclePort<'n, P> {
    /// Evaluator of a network.
    pub fn new(network: Network<'n, P>) -> OraclePort<'n, P> {
        OraclePort::with_memory(network, ())
    }
}

impl<'n, P: Profile, M: SumsMemory<P>> OraclePort<'n, P, M> {
    /// Evaluator of a network with a memory for sums: quicker, with the same values.
    pub fn with_memory(network: Network<'n, P>, memory: M) -> OraclePort<'n, P, M> {
        let (context, joined_sums, last) = (None, None, None);
        let (boards, choices) = (Vec::new(), ChoiceSums::NONE);
        OraclePort { network, boards, context, choices, joined_sums, last, memory }
    }

    /// Context of a position at the start of a turn, and the general's accumulators; calls `visit` with each board and its
    /// accumulator.
    fn survey(
        network: &Network<'_, P>,
        memory: &mut M,
        game: &Game,
        mut visit: impl FnMut(&Board, &BoardAccumulator<P>),
    ) -> (Context, GeneralSums) {
        let side = game.side_to_move();
        let mut summaries: Vec<Summary, BOARD_CAP, u8> = Vec::new();
        for (board, &map) in game.state().boards().iter().zip(game.config().maps()) {
            let summary = if let Some(kept) = memory.board(board.key()) {
                kept.fill(network, map, board, side);
                visit(board, &kept.sums);
                kept.summary
            } else {
                let sums = BoardAccumulator::of(&network.board_tables(), map, board, Stage::TurnStart);
                visit(board, &sums);
                network.summary(sums.lanes(side), sums.lanes(side.opponent()))
            };
            let _ = summaries.push(summary);
        }
        let general = general(network, memory, game);
        let lanes = |side: Side| general.whole.lanes(side);
        (network.context(lanes(side), lanes(side.opponent()), &summaries), general)
    }

    /// Estimate of a position: win chance of the mean logit over the boards, as [`Network::position`], and mean
    /// error.
    fn overall(&self, context: &Context) -> Estimate {
        let boards = context.boards().max(1);
        let (mut logits, mut error) = (0i64, 0);
        for board in 0..context.boards() {
            let joined = self.network.joined_layer(context, board, &context.summary(board));
            logits += i64::from(self.network.output(&joined, Output::Win).to_bits());
            error += CERTAIN - certain(self.network.confidence(&joined));
        }
        let mean = I16F16::from_bits((logits / boards as i64) as i32);
        Estimate { win: certain(chance(mean)), error: error / boards as i32 }
    }

    /// Joined layer of a board as it is now, with the other boards as they were at the start of the turn.
    fn joined_layer(&mut self, game: &Game, index: usize, stage: Stage) -> Option<JoinedLayer> {
        let side = game.side_to_move();
        let key = game.state().boards().get(index)?.key();
        if let Some((known, joined)) = self.last
            && known == (index, key, stage)
        {
            return Some(joined);
        }
        let (board, map) = (game.state().boards().get(index)?, *game.config().maps().get(index)?);
        let (before, parent) = self.boards.get(index)?;
        let tables = self.network.board_tables();
        let delta: Delta<P::Layout> = Delta::between(map, (before, Stage::TurnStart), (board, stage));
        let sums = BoardAccumulator::from_parent(&tables, parent, &delta)
            .unwrap_or_else(|_| BoardAccumulator::of(&tables, map, board, stage));
        let summary = self.network.summary(sums.lanes(side), sums.lanes(side.opponent()));
        let joined = self.network.joined_layer(self.context.as_ref()?, index, &summary);
        self.last = Some(((index, key, stage), joined));
        Some(joined)
    }

    /// Estimate of a joined layer.
    fn estimate(&self, joined: &JoinedLayer) -> Estimate {
        Estimate {
            win: certain(self.network.win_chance(joined)),
            error: CERTAIN - certain(self.network.confidence(joined)),
        }
    }
}

impl<P: Profile, M: SumsMemory<P>> Evaluator for OraclePort<'_, P, M> {
    fn begin(&mut self, game: &Game) {
        let boards = &mut self.boards;
        boards.clear();
        let (context, general) = OraclePort::survey(&self.network, &mut self.memory, game, |board, sums| {
            // A position has no more boards than fit.
            let _ = boards.push((board.clone(), *sums));
        });
        self.context = Some(context);
        self.choices = ChoiceSums::new(&general, game);
        self.joined_sums = None;
        self.last = None;
    }

    fn evaluate_begun(&mut self, game: &Game) -> Estimate {
        match &self.context {
            Some(context) => self.overall(context),
            None => self.evaluate(game),
        }
    }

    fn evaluate(&mut self, game: &Game) -> Estimate {
        let (context, _) = OraclePort::survey(&self.network, &mut self.memory, game, |_, _| {});
        self.overall(&context)
    }

    fn evaluate_board(&mut self, game: &Game, board: usize, stage: Stage) -> Estimate {
        match self.joined_layer(game, board, stage) {
            Some(joined) => self.estimate(&joined),
            None => self.evaluate(game),
        }
    }

    fn evaluate_general(&mut self, game: &Game) -> Estimate {
        let Some(context) = &self.context else { return self.evaluate(game) };
        let side = game.side_to_move();
        let general = self.choices.after(&self.network, &mut self.memory, game);
        let sums = self.joined_sums.get_or_insert_with(|| self.network.joined_sums(context));
        let logit = self.network.position_with(sums, general.lanes(side), general.lanes(side.opponent()));
        Estimate { win: certain(chance(logit)), error: 0 }
    }

    fn curve(&mut self, game: &Game, board: usize) -> Curve {
        let Some(joined) = self.joined_layer(game, board, Stage::AfterAttack) else {
            return [0; KNOTS.len()];
        };
        KNOTS.map(|souls| certain(chance(self.network.curve(&joined, u16::from(souls)))))
    }

    fn savings(&mut self, _: &Game) -> Curve {
        let logit = self.context.as_ref().map_or(I16F16::ZERO, |context| self.network.position(context));
        KNOTS.map(|souls| {
            let more = I16F16::from_bits(SAVED.saturating_mul(i32::from(souls)));
            certain(chance(logit.saturating_add(more)))
        })
    }
}

/// Death Prophet as an [`AttackPolicy`] and Dark Seer as a [`SpawnPolicy`].
///
/// Dark Seer's worths are corrections to be added to those of another policy: their mean over the hexes asked about is
/// zero, and so is the mean of [`SpawnPolicy::unit`] over the types on offer. They are all zero when the network has no
/// contexts of places.
pub struct VisionPort<'n, P: Profile> {
    network: Network<'n, P>,
    /// Board layer and survey of the board that [`SpawnPolicy::begin_board`] recorded.
    board: Option<(BoardLayer, PlaceSurvey)>,
    /// Terms of hexes on the board layer, which units of all types share.
    hexes: [HexTerms; KEPT_PURPOSES],
    /// Terms of the contexts of places on the board layer, computed on first use.
    places: [Option<Term>; PLACE_ROWS],
    /// Mean wish for the unit types on offer, in 1/65,536.
    offered: i64,
}

/// Purposes for which terms of hexes are kept: both, 832 bytes; none on small machines, which play on two boards.
const KEPT_PURPOSES: usize = if BOARD_CAP > 2 { 2 } else { 0 };

/// Terms of hexes for one purpose, computed on first use.
struct HexTerms {
    known: HexSet,
    terms: [Term; Hex::COUNT],
}

impl HexTerms {
    /// No terms.
    const NONE: HexTerms = HexTerms { known: HexSet::EMPTY, terms: [Term::ZERO; Hex::COUNT] };

    /// Term of a hex.
    #[inline]
    fn of(&mut self, hex: Hex, compute: impl FnOnce() -> Term) -> Term {
        let Some(slot) = self.terms.get_mut(hex.index()) else { return compute() };
        if self.known.insert(hex) {
            *slot = compute();
        }
        *slot
    }
}

impl<'n, P: Profile> VisionPort<'n, P> {
    /// Policies of a network.
    pub fn new(network: Network<'n, P>) -> VisionPort<'n, P> {
        let hexes = [const { HexTerms::NONE }; KEPT_PURPOSES];
        VisionPort { network, board: None, hexes, places: [None; PLACE_ROWS], offered: 0 }
    }

    /// Board layer of a board at a stage of the turn; `None` when there is no such board.
    fn board_layer(&self, game: &Game, index: usize, stage: Stage) -> Option<BoardLayer> {
        let side = game.side_to_move();
        let (board, map) = (game.state().boards().get(index)?, *game.config().maps().get(index)?);
        let sums = BoardAccumulator::of(&self.network.board_tables(), map, board, stage);
        Some(self.network.board_layer(sums.lanes(side), sums.lanes(side.opponent())))
    }

    /// The mode that is the nth most probable on a board, counted from 0; `None` when the network has none.
    fn nth_mode(&self, board_layer: &BoardLayer, nth: u8) -> Option<usize> {
        let modes = 0..self.network.modes().min(MODE_CAP);
        let logit = |mode: usize| self.network.mode_logit(board_layer, mode);
        let mut order: Vec<(Reverse<I16F16>, usize), MODE_CAP> =
            list::first(modes.map(|mode| (Reverse(logit(mode)), mode)));
        sort_by_key(&mut order, |entry| *entry);
        order.get(usize::from(nth)).or(order.last()).map(|entry| entry.1)
    }
}

impl<P: Profile> AttackPolicy for VisionPort<'_, P> {
    fn modes(&self) -> u8 {
        self.network.modes().clamp(1, MODE_CAP) as u8
    }

    fn prophesy(&mut self, game: &Game, board: usize, mode: u8) -> Fates {
        let mut fates = Fates::new();
        let (Some(board_layer), Some(view)) =
            (self.board_layer(game, board, Stage::TurnStart), game.view(board))
        else {
            return fates;
        };
        let mode = self.nth_mode(&board_layer, mode);
        self.network.prophesy(&board_layer, view, mode, |at, kind, logit| {
            let permille = (u32::from(chance(logit)) * 1000 / 65_535) as u16;
            let fate = if kind == PredictionKind::Passive { Fate::Passive } else { Fate::Removed };
            // Killed and unsummoned exclude each other, so their chances add up.
            match fates.iter_mut().find(|known| known.at == at && known.fate == fate) {
                Some(known) => known.chance = (known.chance + permille).min(1000),
                None => {
                    let _ = fates.push(Foretold { at, fate, chance: permille });
                }
            }
        });
        fates
    }
}

impl<P: Profile> VisionPort<'_, P> {
    /// Sets the correction of a unit's worth on each of these hexes, in hundredths of a soul, by hex index.
    fn correct(
        &mut self,
        game: &Game,
        (purpose, label): (Purpose, UnitLabel),
        settler: &Settler,
        hexes: HexSet,
        worths: &mut Worths,
    ) {
        let Some((board_layer, survey)) = &self.board else { return };
        let (side, network) = (game.side_to_move(), self.network);
        let mut kept = self.hexes.get_mut(purpose as usize);
        let mut sum = 0;
        for hex in hexes {
            let hex_term = || network.hex_term(board_layer, side, purpose, hex);
            let mut wish = match &mut kept {
                Some(kept) => kept.of(hex, hex_term),
                None => hex_term(),
            };
            wish = wish.plus(network.pair_term(side, purpose, hex, label));
            for row in survey.contexts(settler, hex).rows(purpose) {
                let Some(known) = self.places.get_mut(usize::from(row)) else { continue };
                wish = wish.plus(*known.get_or_insert_with(|| network.place_term(board_layer, row)));
            }
            let wish = network.wish(wish).to_bits();
            sum += i64::from(wish);
            if let Some(slot) = worths.get_mut(hex.index()) {
                *slot = wish;
            }
        }
        let mean = sum / (hexes.len() as i64).max(1);
        for hex in hexes {
            if let Some(slot) = worths.get_mut(hex.index()) {
                *slot = worth_of(i64::from(*slot) - mean);
            }
        }
    }

    /// Wish for a unit type wherever it stands, in 1/65,536.
    fn type_wish(&self, board_layer: &BoardLayer, unit: UnitLabel) -> i64 {
        i64::from(self.network.wish(self.network.unit_term(board_layer, Purpose::Spawn, unit)).to_bits())
    }
}

/// Hundredths of a soul of a wish in 1/65,536.
fn worth_of(wish: i64) -> i32 {
    ((wish * i64::from(TEMPERATURE)) >> 16) as i32
}

impl<P: Profile> SpawnPolicy for VisionPort<'_, P> {
    fn begin_board(&mut self, game: &Game, board: usize) {
        self.board = None;
        let Some(view) = game.view(board).filter(|_| self.network.has_places()) else { return };
        let Some(board_layer) = self.board_layer(game, board, Stage::AfterAttack) else { return };
        let (mut sum, mut offers) = (0, 0);
        for unit in UnitLabel::ALL.into_iter().filter(|&unit| game.may_buy(board, unit).is_ok()) {
            sum += self.type_wish(&board_layer, unit);
            offers += 1;
        }
        self.offered = sum / offers.max(1);
        self.hexes.iter_mut().for_each(|hexes| hexes.known = HexSet::EMPTY);
        self.places = [None; PLACE_ROWS];
        self.board = Some((board_layer, PlaceSurvey::new(&view)));
    }

    fn spawn(&mut self, game: &Game, board: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths) {
        if let Some(view) = game.view(board) {
            let settler = Settler::reinforcement(&view, unit);
            self.correct(game, (Purpose::Spawn, unit), &settler, hexes, worths);
        }
    }

    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths) {
        let Some(view) = game.view(board) else { return };
        if let (Some(settler), Some(piece)) = (Settler::piece(&view, from), view.board.piece(from)) {
            self.correct(game, (Purpose::Move, piece.unit()), &settler, hexes, worths);
        }
    }

    fn unit(&mut self, _: &Game, _: usize, unit: UnitLabel) -> i32 {
        match &self.board {
            Some((board_layer, _)) => worth_of(self.type_wish(board_layer, unit) - self.offered),
            None => 0,
        }
    }
}

/// The general's net as a [`GeneralPolicy`]. Cards have no worth for it.
pub struct GeneralPort<'n, P: Profile> {
    network: Network<'n, P>,
    steps: Option<Steps>,
}

impl<'n, P: Profile> GeneralPort<'n, P> {
    /// Policy of a network; `None` if the network has no net for the general.
    pub fn new(network: Network<'n, P>) -> Option<GeneralPort<'n, P>> {
        network.has_general().then_some(GeneralPort { network, steps: None })
    }
}

impl<P: Profile> GeneralPolicy for GeneralPort<'_, P> {
    fn begin(&mut self, game: &Game) {
        self.steps = self.network.general_steps(game);
    }

    fn prior(&mut self, game: &Game, _: &[GeneralAction]) -> u32 {
        match &mut self.steps {
            Some(steps) => plausibility(self.network.choice_logit(steps, game)),
            None => 1,
        }
    }

    fn card(&mut self, _: &Game, _: usize, _: Spell) -> i32 {
        0
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    use barrow_core::minions::text::fen;
    use barrow_core::minions::{GameConfig, Ruleset};

    use super::*;
    use crate::format::{Extent, Line, file_len};
    use crate::random_net;
    use crate::shape::{Handheld, UNITS};

    #[test]
    fn corrections_of_dark_seer_cancel_out_and_need_contexts_of_places() {
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let mut changed = 0;
        for line in barrow_testing::MIDGAME.lines().step_by(40) {
            let game = fen::parse(line, &config).unwrap();
            for places in [PLACE_ROWS, 0] {
                let extent = Extent { places, ..UNITS.into() };
                let mut lines = vec![Line::ZERO; file_len::<Handheld>(extent) / 64];
                random_net::fill::<Handheld>(Line::bytes_mut(&mut lines), extent, 3).unwrap();
                let mut port = VisionPort::new(Network::<Handheld>::from_bytes(Line::bytes(&lines)).unwrap());
                port.begin_board(&game, 0);
                let view = game.view(0).unwrap();
                let (from, _) = view.board.iter(view.side).next().unwrap();
                let hexes = HexSet::ball(from, 2);
                let mut each: Vec<Worths> = vec![[0; Hex::COUNT]; 2];
                port.stand(&game, 0, from, hexes, &mut each[0]);
                port.spawn(&game, 0, UnitLabel::Zombie, hexes, &mut each[1]);
                for worths in each {
                    // Rounding down takes less than one from each.
                    let sum: i32 = worths.iter().sum();
                    assert!((-(hexes.len() as i32)..=1).contains(&sum), "{sum}");
                    let outside = Hex::all().filter(|hex| !hexes.contains(*hex));
                    assert!(outside.into_iter().all(|hex| worths[hex.index()] == 0));
                    let any = worths.iter().any(|worth| *worth != 0);
                    assert!(!any || places > 0);
                    changed += usize::from(any);
                }
                let types: Vec<UnitLabel> =
                    UnitLabel::ALL.into_iter().filter(|&unit| game.may_buy(0, unit).is_ok()).collect();
                let sum: i32 = types.iter().map(|&unit| port.unit(&game, 0, unit)).sum();
                assert!((-(types.len() as i32)..=1).contains(&sum), "{sum}");
            }
        }
        assert!(changed > 2, "{changed}");
    }

    #[test]
    fn prophecies_come_by_the_shares_of_their_modes() {
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let game = fen::parse(barrow_testing::MIDGAME.lines().next().unwrap(), &config).unwrap();
        let prophecies = |modes: usize| -> (Vec<Fates>, Vec<I16F16>) {
            let extent = Extent { modes, ..UNITS.into() };
            let mut lines = vec![Line::ZERO; file_len::<Handheld>(extent) / 64];
            random_net::fill::<Handheld>(Line::bytes_mut(&mut lines), extent, 3).unwrap();
            let network = Network::<Handheld>::from_bytes(Line::bytes(&lines)).unwrap();
            let mut port = VisionPort::new(network);
            assert_eq!(usize::from(port.modes()), modes.max(1));
            let layer = port.board_layer(&game, 0, Stage::TurnStart).unwrap();
            let order =
                (0..modes as u8).map(|nth| network.mode_logit(&layer, port.nth_mode(&layer, nth).unwrap()));
            let order: Vec<I16F16> = order.collect();
            ((0..=modes as u8).map(|mode| port.prophesy(&game, 0, mode)).collect(), order)
        };
        let (all, order) = prophecies(4);
        assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
        let distinct = |a: usize, b: usize| all[a] != all[b];
        assert!((0..4).all(|a| (0..a).all(|b| distinct(a, b))));
        // Past the last mode it is the last one again.
        assert_eq!(all[4], all[3]);
        assert_eq!(prophecies(0).0.len(), 1);
    }
}
