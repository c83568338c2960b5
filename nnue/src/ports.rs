//! The nets as the search wants them: ports of `barrow_core::search`, fulfilled by one network file.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::turn_search::ports::{
    AttackPolicy, Evaluator, Fate, Fates, Foretold, SpawnPolicy, Stage, Worths,
};
use barrow_core::minions::{BOARD_CAP, Board, Game, UnitLabel};
use barrow_core::search::value::Curve;
use barrow_core::search::value::{CERTAIN, Estimate, KNOTS};
use fixed::types::I16F16;
use heapless::Vec;

use crate::accumulator::{BoardAccumulator, Delta, GlobalAccumulator};
use crate::features::{Part, Stage as Seen};
use crate::nets::board_layer::BoardLayer;
use crate::nets::logistic::chance;
use crate::nets::network::Network;
use crate::nets::oracle::{Context, Judgement, Output, Summary};
use crate::nets::prophet;
use crate::nets::seer::{Purpose, Term};
use crate::shape::Profile;

/// Logit of a soul that stays in the purse, in 1/65,536: 35 hundredths of one that fights, at 4,000 to the factor e.
/// What is not spent comes a turn late.
const SAVED: i32 = 35 * 65_536 / 4_000;

/// Hundredths of a soul for one unit of a wish: from how plausible a place is to what it is worth.
const WISH: i64 = 120;

/// Numbers of spells bought in a turn for which sums are kept: none to two.
const PURCHASES: usize = 3;

/// Oracle behind [`Evaluator`]. It remembers the position at the start of the turn, and follows candidates of one
/// board from there by the rows that changed.
pub struct OraclePort<'n, P: Profile> {
    network: Network<'n, P>,
    boards: Vec<(Board, BoardAccumulator<P>), BOARD_CAP, u8>,
    context: Option<Context>,
    /// The general's sums but for what choices change, after no purchase, one, and so on.
    steady: [Option<GlobalAccumulator>; PURCHASES],
    /// The board judged last: value and curve are asked of the same.
    judged: Option<((usize, u64, Seen), Judgement)>,
}

const fn seen(stage: Stage) -> Seen {
    match stage {
        Stage::TurnStart => Seen::TurnStart,
        Stage::AfterAttack => Seen::AfterAttack,
        Stage::AfterSpawn => Seen::AfterSpawn,
    }
}

/// A win chance of 65,535 parts as one of 65,536.
fn certain(chance: u16) -> i32 {
    i32::from(chance) + i32::from(chance >> 15)
}

impl<'n, P: Profile> OraclePort<'n, P> {
    /// The evaluator that a network makes.
    pub fn new(network: Network<'n, P>) -> OraclePort<'n, P> {
        OraclePort { network, boards: Vec::new(), context: None, steady: [None; PURCHASES], judged: None }
    }

    /// Everything about a position at the start of a turn; the sums of each board are shown to `visit`.
    fn survey(
        network: &Network<'_, P>,
        game: &Game,
        mut visit: impl FnMut(&Board, &BoardAccumulator<P>),
    ) -> Context {
        let side = game.side_to_move();
        let tables = network.board_tables();
        let mut summaries: Vec<Summary, BOARD_CAP, u8> = Vec::new();
        for (board, &map) in game.state().boards().iter().zip(game.config().maps()) {
            let sums = BoardAccumulator::of(&tables, map, board, Seen::TurnStart);
            let _ = summaries.push(network.summary(sums.lanes(side), sums.lanes(side.opponent())));
            visit(board, &sums);
        }
        let general = GlobalAccumulator::of(&network.general_table(), game);
        network.context(general.lanes(side), general.lanes(side.opponent()), &summaries)
    }

    /// Mean logit and mean error over the boards: the same as [`Network::position`], with the error found on the way.
    fn overall(&self, context: &Context) -> Estimate {
        let boards = context.boards().max(1);
        let (mut logits, mut error) = (0i64, 0);
        for board in 0..context.boards() {
            let judgement = self.network.judge(context, board, &context.summary(board));
            logits += i64::from(self.network.output(&judgement, Output::Win).to_bits());
            error += CERTAIN - certain(self.network.confidence(&judgement));
        }
        let mean = I16F16::from_bits((logits / boards as i64) as i32);
        Estimate { win: certain(chance(mean)), error: error / boards as i32 }
    }

    /// The board as it stands now, judged among the others as they were at the start of the turn.
    fn judge(&mut self, game: &Game, index: usize, stage: Seen) -> Option<Judgement> {
        let side = game.side_to_move();
        let key = game.state().boards().get(index)?.key();
        if let Some((known, judgement)) = self.judged
            && known == (index, key, stage)
        {
            return Some(judgement);
        }
        let (board, map) = (game.state().boards().get(index)?, *game.config().maps().get(index)?);
        let (before, parent) = self.boards.get(index)?;
        let tables = self.network.board_tables();
        let delta: Delta<P::Layout> =
            Delta::between(map, (before, Seen::TurnStart), (board, stage), HexSet::ALL);
        let sums = BoardAccumulator::from_parent(&tables, parent, &delta)
            .unwrap_or_else(|_| BoardAccumulator::of(&tables, map, board, stage));
        let summary = self.network.summary(sums.lanes(side), sums.lanes(side.opponent()));
        let judgement = self.network.judge(self.context.as_ref()?, index, &summary);
        self.judged = Some(((index, key, stage), judgement));
        Some(judgement)
    }

    fn estimate(&self, judgement: &Judgement) -> Estimate {
        Estimate {
            win: certain(self.network.win_chance(judgement)),
            error: CERTAIN - certain(self.network.confidence(judgement)),
        }
    }
}

impl<P: Profile> Evaluator for OraclePort<'_, P> {
    fn begin(&mut self, game: &Game) {
        let boards = &mut self.boards;
        boards.clear();
        self.context = Some(OraclePort::survey(&self.network, game, |board, sums| {
            // A position has no more boards than fit.
            let _ = boards.push((board.clone(), *sums));
        }));
        self.steady = [None; PURCHASES];
        self.judged = None;
    }

    fn evaluate_begun(&mut self, game: &Game) -> Estimate {
        match &self.context {
            Some(context) => self.overall(context),
            None => self.evaluate(game),
        }
    }

    fn evaluate(&mut self, game: &Game) -> Estimate {
        self.overall(&OraclePort::survey(&self.network, game, |_, _| {}))
    }

    fn evaluate_board(&mut self, game: &Game, board: usize, stage: Stage) -> Estimate {
        match self.judge(game, board, seen(stage)) {
            Some(judgement) => self.estimate(&judgement),
            None => self.evaluate(game),
        }
    }

    fn evaluate_general(&mut self, game: &Game) -> Estimate {
        let Some(before) = &self.context else { return self.evaluate(game) };
        let side = game.side_to_move();
        let table = self.network.general_table();
        let changing = [Part::Levels(side), Part::Purse(side), Part::Budget, Part::Row];
        // Of the cards to come only those change that are bought: choices with as many purchases share them.
        let without = || GlobalAccumulator::without(&table, game, &changing);
        let known = self.steady.get_mut(usize::from(game.state().budget().bought));
        let mut general = known.map_or_else(without, |known| *known.get_or_insert_with(without));
        general.add(&table, game, &changing);
        let mut summaries: Vec<Summary, BOARD_CAP, u8> = Vec::new();
        summaries.extend((0..before.boards()).map(|board| before.summary(board)));
        let context = self.network.context(general.lanes(side), general.lanes(side.opponent()), &summaries);
        Estimate { win: certain(chance(self.network.position(&context))), error: 0 }
    }

    fn curve(&mut self, game: &Game, board: usize) -> Curve {
        let Some(judgement) = self.judge(game, board, Seen::AfterAttack) else { return [0; KNOTS.len()] };
        KNOTS.map(|souls| certain(chance(self.network.curve(&judgement, u16::from(souls)))))
    }

    fn savings(&mut self, _: &Game) -> Curve {
        let logit = self.context.as_ref().map_or(I16F16::ZERO, |context| self.network.position(context));
        KNOTS.map(|souls| {
            let more = I16F16::from_bits(SAVED.saturating_mul(i32::from(souls)));
            certain(chance(logit.saturating_add(more)))
        })
    }
}

/// Death Prophet behind [`AttackPolicy`], and Dark Seer behind [`SpawnPolicy`].
pub struct VisionPort<'n, P: Profile> {
    network: Network<'n, P>,
    board_layer: Option<BoardLayer>,
}

impl<'n, P: Profile> VisionPort<'n, P> {
    /// The policies that a network makes.
    pub fn new(network: Network<'n, P>) -> VisionPort<'n, P> {
        VisionPort { network, board_layer: None }
    }

    fn board_layer(&self, game: &Game, index: usize, stage: Seen) -> Option<BoardLayer> {
        let side = game.side_to_move();
        let (board, map) = (game.state().boards().get(index)?, *game.config().maps().get(index)?);
        let sums = BoardAccumulator::of(&self.network.board_tables(), map, board, stage);
        Some(self.network.board_layer(sums.lanes(side), sums.lanes(side.opponent())))
    }

    fn wish(&self, game: &Game, purpose: Purpose, unit: UnitLabel, hexes: HexSet, worths: &mut Worths) {
        let Some(board_layer) = &self.board_layer else { return };
        let side = game.side_to_move();
        let general = self.network.unit_term(board_layer, purpose, unit);
        for hex in hexes {
            let place = self.network.hex_term(board_layer, side, purpose, hex);
            let pair = self.network.pair_term(side, purpose, hex, unit);
            let wish = i64::from(self.network.wish(place, general, pair).to_bits());
            if let Some(slot) = worths.get_mut(hex.index()) {
                *slot = ((wish * WISH) >> 16) as i32;
            }
        }
    }
}

impl<P: Profile> AttackPolicy for VisionPort<'_, P> {
    fn prophesy(&mut self, game: &Game, board: usize) -> Fates {
        let mut fates = Fates::new();
        let (Some(board_layer), Some(view)) =
            (self.board_layer(game, board, Seen::TurnStart), game.view(board))
        else {
            return fates;
        };
        self.network.prophesy(&board_layer, view, |at, fate, logit| {
            let permille = (u32::from(chance(logit)) * 1000 / 65_535) as u16;
            let fate = if fate == prophet::Fate::Passive { Fate::Passive } else { Fate::Removed };
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

impl<P: Profile> SpawnPolicy for VisionPort<'_, P> {
    fn begin_board(&mut self, game: &Game, board: usize) {
        self.board_layer = self.board_layer(game, board, Seen::AfterAttack);
    }

    fn spawn(&mut self, game: &Game, _: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths) {
        self.wish(game, Purpose::Spawn, unit, hexes, worths);
    }

    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths) {
        let piece = game.state().boards().get(board).and_then(|board| board.piece(from));
        if let Some(piece) = piece {
            self.wish(game, Purpose::Move, piece.unit(), hexes, worths);
        }
    }

    fn unit(&mut self, game: &Game, _: usize, unit: UnitLabel) -> i32 {
        let price = i32::from(game.config().rules.unit(unit).cost) * 100;
        let Some(board_layer) = &self.board_layer else { return price };
        let term = self.network.unit_term(board_layer, Purpose::Spawn, unit);
        let wish = self.network.wish(Term::default(), term, Term::default());
        price + ((i64::from(wish.to_bits()) * WISH) >> 16) as i32
    }
}
