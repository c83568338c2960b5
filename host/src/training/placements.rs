//! Placements: the training targets of Dark Seer. A finish of a board, which is what is done after its attack, is taken
//! apart into choices: where a piece goes, where a reinforcement is placed, which type of unit is bought. Each is seen
//! with all other choices of the finish as they are.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::players::FallbackPolicies;
use barrow_core::minions::turn_search::ports::{SpawnPolicy, Worths};
use barrow_core::minions::{BoardAction, Builder, Game, GameTurn, Piece, UndoLog, UnitLabel, View};
use barrow_core::rng::Rng;
use barrow_nnue::layout::seen_from;
use barrow_nnue::nets::places::{PlaceContexts, PlaceSurvey, Settler};
use barrow_nnue::nets::seer::{Purpose, TEMPERATURE};

use super::place_judge::PlaceJudge;

/// Choices of a finish that are kept at most.
const CHOICES_KEPT: u32 = 6;

/// Hand-written worth of a soul that is not spent, in hundredths of a soul, by which types of units of different prices
/// are compared.
const SOUL: i32 = 90;

/// Subject of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceKind {
    /// The hex of a unit.
    Place(Purpose),
    /// The type of a unit that is bought.
    Type,
}

/// Choice of a finish: all that was possible, the other choices being as they are.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Subject of the choice.
    pub kind: ChoiceKind,
    /// Options, at least two.
    pub options: Vec<ChoiceOption>,
}

/// Option of a choice.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceOption {
    /// Hex in the perspective of the side to move; without meaning for the choice of a type.
    pub hex: Hex,
    /// Type of the unit.
    pub unit: UnitLabel,
    /// Contexts of the hex for the unit; without meaning for the choice of a type.
    pub contexts: PlaceContexts,
    /// Hand-written worth in hundredths of a soul.
    pub worth: i32,
    /// Share of finishes with this option, 0 to 1.
    pub share: f32,
}

/// Walks as pairs of the hexes where a piece was after the attack and where it ended.
pub(super) type Walks = Vec<(Hex, Hex)>;

/// Finish of a board.
#[derive(Clone, Debug)]
pub(super) struct Finish {
    /// Walks of the pieces.
    pub(super) walks: Walks,
    /// Game after the walks.
    pub(super) walked: Game,
    /// Actions after the walks.
    pub(super) spawns: Vec<BoardAction>,
    /// Souls that could be spent.
    pub(super) given: u32,
}

impl Finish {
    /// Finish of these actions after an attack. `None` when a walk is not legal.
    pub(super) fn of(attacked: &Game, board: usize, actions: &[BoardAction], given: u32) -> Option<Finish> {
        let mut walked = attacked.clone();
        let (mut walks, mut spawns): (Vec<(Hex, Hex)>, _) = (Vec::new(), Vec::new());
        let mut next = 0;
        while let Some(rest) = actions.get(next..).filter(|rest| !rest.is_empty()) {
            if ends(&rest[0]).is_none() {
                spawns.push(rest[0]);
                next += 1;
                continue;
            }
            let used = walked.apply_next(board as u8, rest, &mut UndoLog::off()).ok()?.max(1);
            let group: Vec<(Hex, Hex)> = rest.iter().take(used).filter_map(ends).collect();
            // Simultaneous walks begin where no piece of the same group has come to.
            let starts: Vec<Hex> = group
                .iter()
                .map(|&(from, _)| match walks.iter().position(|&(_, to)| to == from) {
                    Some(known) => walks.swap_remove(known).0,
                    None => from,
                })
                .collect();
            walks.extend(starts.into_iter().zip(group).map(|(start, (_, to))| (start, to)));
            next += used;
        }
        Some(Finish { walks, walked, spawns, given })
    }

    /// Finish of a recorded turn without a root record: these walks, and what the turn does after its walks.
    pub(super) fn played(attacked: &Game, board: usize, walks: &[(Hex, Hex)], turn: &GameTurn) -> Finish {
        let rest = turn.board(board).iter().copied();
        let spawns: Vec<BoardAction> = rest.filter(|action| ends(action).is_none()).collect();
        let price = |action: &BoardAction| match *action {
            BoardAction::Buy { unit } => u32::from(attacked.config().rules.unit(unit).cost),
            _ => 0,
        };
        let given = spawns.iter().map(price).sum();
        Finish { walks: walks.to_vec(), walked: attacked.clone(), spawns, given }
    }

    /// Choices of places of the finish with shares by a judge, a few of them drawn by lot.
    pub(super) fn judged_choices(
        &self,
        attacked: &Game,
        board: usize,
        judge: &mut PlaceJudge<'_>,
        dice: &mut Rng,
    ) -> Vec<Choice> {
        let mut finished = self.walked.clone();
        for &action in &self.spawns {
            let _ = finished.apply_next(board as u8, &[action], &mut UndoLog::off());
        }
        let side = attacked.side_to_move();
        let mut all = self.choices(attacked, board, dice);
        all.retain_mut(|choice| {
            let ChoiceKind::Place(purpose) = choice.kind else { return false };
            // The perspective is its own inverse.
            let real = |option: &ChoiceOption| seen_from(side, option.hex);
            let Some(chosen) = choice.options.iter().find(|option| option.share > 0.0).map(real) else {
                return false;
            };
            let from = match purpose {
                Purpose::Spawn => None,
                Purpose::Move => {
                    let walk = self.walks.iter().find(|walk| walk.1 == chosen);
                    Some(walk.map_or(chosen, |walk| walk.0))
                }
            };
            let before = from.and_then(|from| attacked.state().boards().get(board)?.piece(from));
            let piece_on = |piece: Piece, hex: Hex| match (from, before) {
                (Some(from), Some(before)) if from == hex => before,
                (Some(from), Some(before)) => before.with_walk(from.distance(hex)),
                _ => piece,
            };
            let hexes: Vec<Hex> = choice.options.iter().map(real).collect();
            let Some(logits) = judge.logits(&finished, chosen, hexes, piece_on) else { return false };
            share_by(&mut choice.options, &logits);
            true
        });
        all
    }

    /// Choices of the finish, a few of them drawn by lot.
    pub(super) fn choices(&self, attacked: &Game, board: usize, dice: &mut Rng) -> Vec<Choice> {
        let Some(view) = attacked.view(board) else { return Vec::new() };
        if view.board.marks().won || view.board.marks().resigned {
            return Vec::new();
        }
        let mut hand = FallbackPolicies::default();
        hand.begin_board(attacked, board);
        let mut judge = Judge { survey: PlaceSurvey::new(&view), hand, board };
        let mut all = self.walk_choices(attacked, &view, &mut judge);
        all.extend(self.spawn_choices(&mut judge));
        while all.len() > CHOICES_KEPT as usize {
            all.swap_remove(dice.below(all.len() as u32) as usize);
        }
        all
    }

    /// Choices of the pieces that could still walk.
    fn walk_choices(&self, attacked: &Game, view: &View<'_>, judge: &mut Judge) -> Vec<Choice> {
        let walkers: HexSet = view
            .board
            .iter(view.side)
            .filter(|(_, piece)| view.steps_left(*piece).is_ok())
            .map(|(from, _)| from)
            .collect();
        let fixed = view.board.pieces(view.side) - walkers;
        let end = |from: Hex| self.walks.iter().find(|walk| walk.0 == from).map_or(from, |walk| walk.1);
        let taken: HexSet = walkers.into_iter().map(end).collect();
        let mut all = Vec::new();
        for from in walkers {
            let (Some(piece), Some(settler)) = (view.board.piece(from), Settler::piece(view, from)) else {
                continue;
            };
            let chosen = end(from);
            let hexes = (view.walks(from, piece) - fixed).with(from) - taken.without(chosen);
            let mut worths: Worths = [0; Hex::COUNT];
            judge.hand.stand(attacked, judge.board, from, hexes, &mut worths);
            let kind = Purpose::Move;
            all.extend(judge.places(view, (kind, piece.unit()), &settler, (hexes, chosen), &worths));
        }
        all
    }

    /// Choices of the reinforcements that were placed and of the types that were bought.
    fn spawn_choices(&self, judge: &mut Judge) -> Vec<Choice> {
        let (mut game, mut all) = (self.walked.clone(), Vec::new());
        let (board, mut left) = (judge.board, self.given);
        for (index, &action) in self.spawns.iter().enumerate() {
            match action {
                BoardAction::Buy { unit } => {
                    all.extend(judge.types(&game, unit, left));
                    left = left.saturating_sub(u32::from(game.config().rules.unit(unit).cost));
                }
                BoardAction::Spawn { unit, at } => {
                    let later = self.spawns[index + 1..].iter().filter_map(|action| match *action {
                        BoardAction::Spawn { at, .. } => Some(at),
                        _ => None,
                    });
                    let later: HexSet = later.collect();
                    if let Some(view) = game.view(board) {
                        let hexes = view.spawn_hexes(unit) - later;
                        let mut worths: Worths = [0; Hex::COUNT];
                        judge.hand.spawn(&game, board, unit, hexes, &mut worths);
                        let settler = Settler::reinforcement(&view, unit);
                        let kind = (Purpose::Spawn, unit);
                        all.extend(judge.places(&view, kind, &settler, (hexes, at), &worths));
                    }
                }
                _ => {}
            }
            // What needs a card or a tech of this turn is not legal here, and is left out.
            let _ = game.apply_next(board as u8, &[action], &mut UndoLog::off());
        }
        all
    }
}

/// Judge of the options of a board's choices.
struct Judge {
    survey: PlaceSurvey,
    hand: FallbackPolicies,
    board: usize,
}

impl Judge {
    /// Choice among places. `None` when the chosen one is not among them, or alone.
    fn places(
        &self,
        view: &View<'_>,
        (purpose, unit): (Purpose, UnitLabel),
        settler: &Settler,
        (hexes, chosen): (HexSet, Hex),
        worths: &Worths,
    ) -> Option<Choice> {
        if !hexes.contains(chosen) || hexes.len() < 2 {
            return None;
        }
        let options = hexes.into_iter().map(|hex| ChoiceOption {
            hex: seen_from(view.side, hex),
            unit,
            contexts: self.survey.contexts(settler, hex),
            worth: worths[hex.index()],
            share: f32::from(u8::from(hex == chosen)),
        });
        Some(Choice { kind: ChoiceKind::Place(purpose), options: options.collect() })
    }

    /// Choice among the types that can be bought and placed for these souls. `None` when the chosen one is not among
    /// them, or alone.
    fn types(&mut self, game: &Game, chosen: UnitLabel, souls: u32) -> Option<Choice> {
        let view = game.view(self.board)?;
        let mut options = Vec::new();
        for unit in UnitLabel::ALL {
            let price = game.config().rules.unit(unit).cost;
            let hexes = view.spawn_hexes(unit);
            let affordable = price > 0 && u32::from(price) <= souls;
            if !affordable || hexes.is_empty() || game.may_buy(self.board, unit).is_err() {
                continue;
            }
            let mut worths: Worths = [0; Hex::COUNT];
            self.hand.spawn(game, self.board, unit, hexes, &mut worths);
            let best = hexes.into_iter().map(|hex| worths[hex.index()]).max().unwrap_or(0);
            options.push(ChoiceOption {
                hex: Hex::all().next()?,
                unit,
                contexts: PlaceContexts::default(),
                worth: self.hand.unit(game, self.board, unit) + best - i32::from(price) * SOUL,
                share: f32::from(u8::from(unit == chosen)),
            });
        }
        let known = options.iter().any(|option| option.unit == chosen);
        (known && options.len() > 1).then_some(Choice { kind: ChoiceKind::Type, options })
    }
}

/// Sets the shares of options: chances by the hand-written worths and these logits together.
fn share_by(options: &mut [ChoiceOption], logits: &[f32]) {
    let by_hand = |option: &ChoiceOption| option.worth as f32 / TEMPERATURE as f32;
    let sums: Vec<f32> = options.iter().zip(logits).map(|(option, logit)| by_hand(option) + logit).collect();
    let most = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let all: f32 = sums.iter().map(|sum| (sum - most).exp()).sum();
    for (option, sum) in options.iter_mut().zip(sums) {
        option.share = (sum - most).exp() / all;
    }
}

/// Start and end of a walk; `None` for every other action.
fn ends(action: &BoardAction) -> Option<(Hex, Hex)> {
    match action {
        BoardAction::Move { from, to, .. } => Some((*from, *to)),
        BoardAction::Walk { path, .. } => Some((path.from(), path.to())),
        _ => None,
    }
}

/// Moves pieces that have moved without attacking back to the hexes where they began the turn. Returns the game with
/// those pieces unmoved and the walks of each board, or `None` when such a position is not valid.
pub(super) fn undo_walks(attacked: &Game) -> Option<(Game, Vec<Walks>)> {
    let mut builder = Builder::from_game(attacked.clone());
    let mut undone = Vec::new();
    for index in 0..attacked.config().num_boards() {
        let view = attacked.view(index)?;
        let movers = undoable_moves(&view);
        let board = builder.board(index)?;
        for &(hex, _) in &movers {
            board.set_piece(hex, None);
        }
        for &(hex, origin) in &movers {
            let piece = view.board.piece(hex)?.with_record(0, 0, false, false);
            board.set_piece(origin, Some(piece));
        }
        undone.push(movers.into_iter().map(|(hex, origin)| (origin, hex)).collect());
    }
    Some((builder.build().ok()?, undone))
}

/// Friendly pieces that moved without attacking and can be moved back, as pairs of present hex and origin.
fn undoable_moves(view: &View<'_>) -> Vec<(Hex, Hex)> {
    let mut movers = Vec::new();
    for (hex, piece) in view.board.iter(view.side) {
        if let Some(origin) = piece.origin()
            && piece.moved()
            && piece.attacks() == 0
            && !piece.exhausted()
            && origin != hex
        {
            movers.push((hex, origin));
        }
    }
    // A piece whose origin is occupied stays, and may occupy the origin of another.
    loop {
        let leaving: HexSet = movers.iter().map(|&(hex, _)| hex).collect();
        let staying = view.board.all_pieces() - leaving;
        let before = movers.len();
        movers.retain(|&(_, origin)| !staying.contains(origin));
        if movers.len() == before {
            return movers;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use barrow_core::minions::Side;
    use indicatif::ProgressBar;

    use super::*;
    use crate::records::RecordLines;
    use crate::records::game_record::GameRecord;
    use crate::training::visited_attacks::replayed;

    /// Calls `check` with the attacked game, the board, the game before the turn and a finish, for some turns of the
    /// sample of searched games.
    fn each_finish(mut check: impl FnMut(&Game, usize, &Game, &Finish, &mut Rng)) {
        let name = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample.jsonl.gz").display().to_string();
        let mut lines = RecordLines::open(&name, &ProgressBar::hidden()).unwrap();
        let mut dice = Rng::new(1);
        for _ in 0..4 {
            let (_, line) = lines.next_line().unwrap();
            let record = GameRecord::from_line(&line).unwrap();
            let mut game = record.start.clone();
            for ply in &record.plies {
                let before = game.clone();
                game.enter(&ply.turn, &mut UndoLog::off()).unwrap();
                game.end_turn().unwrap();
                let Some(root) = ply.root.as_ref().filter(|_| dice.chance(1, 4)) else { continue };
                for board in 0..before.config().num_boards() {
                    for attack in replayed(&before, board, root) {
                        if let Some(finish) = attack.finish(board, &mut dice) {
                            check(&attack.game, board, &before, &finish, &mut dice);
                        }
                    }
                }
            }
        }
    }

    fn friends(game: &Game, board: usize, side: Side) -> HexSet {
        game.state().boards()[board].pieces(side)
    }

    #[test]
    fn walks_lead_from_where_pieces_were_to_where_they_are() {
        let (mut walked, mut chains) = (0, 0);
        each_finish(|attacked, board, _, finish, _| {
            let side = attacked.side_to_move();
            let [start, end]: [HexSet; 2] = [
                finish.walks.iter().map(|walk| walk.0).collect(),
                finish.walks.iter().map(|walk| walk.1).collect(),
            ];
            let before = friends(attacked, board, side);
            assert!(start.is_subset(before));
            assert_eq!((before - start) | end, friends(&finish.walked, board, side));
            let unit = |game: &Game, at| game.state().boards()[board].piece(at).unwrap().unit();
            for &(from, to) in &finish.walks {
                assert_eq!(unit(attacked, from), unit(&finish.walked, to));
            }
            walked += finish.walks.len();
            chains += usize::from(start.intersects(end));
        });
        assert!(walked > 1_000 && chains > 10, "{walked} {chains}");
    }

    #[test]
    fn options_are_possible_and_their_shares_add_up() {
        let (mut places, mut types) = (0, 0);
        each_finish(|attacked, board, before, finish, dice| {
            let seed = dice.clone();
            let choices = finish.choices(attacked, board, &mut seed.clone());
            let mut hand = FallbackPolicies::default();
            let mut judge = PlaceJudge::new(&mut hand, before, board);
            let judged = finish.judged_choices(attacked, board, &mut judge, &mut seed.clone());
            for choice in choices.iter().chain(&judged) {
                let sum: f32 = choice.options.iter().map(|option| option.share).sum();
                assert!(choice.options.len() > 1 && (sum - 1.0).abs() < 1e-4, "{sum}");
                match choice.kind {
                    ChoiceKind::Place(_) => places += 1,
                    ChoiceKind::Type => types += 1,
                }
            }
            assert!(choices.iter().all(|choice| choice.options.iter().any(|option| option.share > 0.99)));
            assert!(judged.iter().all(|choice| choice.kind != ChoiceKind::Type));
        });
        assert!(places > 1_000 && types > 50, "{places} {types}");
    }

    #[test]
    fn shares_are_hand_written_chances_times_powers_of_the_odds() {
        let option = |worth| ChoiceOption {
            hex: Hex::all().next().unwrap(),
            unit: UnitLabel::Zombie,
            contexts: PlaceContexts::default(),
            worth,
            share: 0.0,
        };
        let mut options = [option(0), option(TEMPERATURE), option(0)];
        share_by(&mut options, &[1.0, 0.0, 0.0]);
        assert!((options[0].share - options[1].share).abs() < 1e-6);
        assert!((options[0].share / options[2].share - 1.0_f32.exp()).abs() < 1e-4);
    }
}
