//! The spawn stage of one board: every piece that can still move goes to its best place, and the board's souls become
//! units (seed 000 "Spawn"). Actions are played as they are chosen, so the candidate is legal.

use heapless::Vec;

use super::ports::{SpawnPolicy, Worths};
use crate::heapless_vec;
use crate::hex::{Hex, HexSet};
use crate::list;
use crate::minions::tables::capacities::UNIT_COUNT;
use crate::minions::tables::ruleset::ResetChoice;
use crate::minions::{Action, BoardAction, DraftMemory, Game, TileType, UndoLog, UnitLabel, View};
use crate::rng::Rng;
use crate::search::assign::{self, Piece};

/// Actions of one board after its attack at most.
pub const SPAWN_ACTION_CAP: usize = 128;

/// The actions of a board after its attack.
pub type SpawnActions = Vec<BoardAction, SPAWN_ACTION_CAP, u8>;

/// Souls up to which combinations are tabulated; richer boards spend the rest one unit at a time.
const TABLE_SOULS: usize = 40;

/// Hexes that take part in the tabulation.
const TABLE_HEXES: usize = 10;

/// Types of units that take part in the tabulation.
const TABLE_UNITS: usize = 8;

/// Worth of a unit on a hex at most, either way, so that sums over the table's hexes do not wrap.
const WORTH_CAP: i32 = 1 << 26;

/// Value of a soul that stays in the purse, in hundredths of a soul.
const SAVED: i32 = 50;

/// Switches and noise of the spawn stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpawnOptions {
    /// Whether pieces are placed by one assignment for all, or one by one.
    pub assignment: bool,
    /// Whether spells are cast.
    pub spells: bool,
    /// Largest absolute noise on a worth, in hundredths of a soul.
    pub noise: i32,
    /// Number of actions at most, up to [`SPAWN_ACTION_CAP`]: what the attack has left of a board's list.
    pub room: usize,
}

/// Composes and plays a board's actions after its attack, with at most `souls` souls. Returns the souls spent; `out`
/// holds the actions. Spells are tried out in `draft`.
// Whatever is lent is one more argument.
#[allow(clippy::too_many_arguments)]
pub fn compose_spawn<P: SpawnPolicy>(
    game: &mut Game,
    board: u8,
    souls: u32,
    policy: &mut P,
    options: SpawnOptions,
    rng: &mut Rng,
    draft: &mut DraftMemory,
    out: &mut SpawnActions,
) -> u32 {
    out.clear();
    let mut hand = Playing { game, board, policy, options, rng, out };
    hand.keep();
    let index = usize::from(board);
    let Some(view) = hand.game.view(index) else { return 0 };
    if view.board.marks().resigned {
        return 0;
    }
    hand.policy.begin_board(hand.game, index);
    hand.walk();
    hand.cast(draft);
    hand.use_tile();
    hand.place_waiting();
    hand.buy(souls)
}

struct Playing<'a, P> {
    game: &'a mut Game,
    board: u8,
    policy: &'a mut P,
    options: SpawnOptions,
    rng: &'a mut Rng,
    out: &'a mut SpawnActions,
}

impl<P: SpawnPolicy> Playing<'_, P> {
    fn index(&self) -> usize {
        usize::from(self.board)
    }

    fn view(&self) -> Option<View<'_>> {
        self.game.view(self.index())
    }

    /// Plays an action if it is legal and there is room for it.
    fn play(&mut self, action: BoardAction) -> bool {
        if self.out.is_full() || self.out.len() >= self.options.room {
            return false;
        }
        let done = self.game.apply(Action::Board(self.board, action), &mut UndoLog::off()).is_ok();
        done && self.out.push(action).is_ok()
    }

    fn noise(&mut self) -> i32 {
        if self.options.noise == 0 {
            return 0;
        }
        self.rng.below(2 * self.options.noise as u32 + 1) as i32 - self.options.noise
    }

    /// Keeps the best unit after a board reset.
    fn keep(&mut self) {
        let index = self.index();
        let Some(view) = self.game.view(index) else { return };
        let due = view.awaits_setup();
        let units: Vec<UnitLabel, UNIT_COUNT, u8> = match view.rules.reset_choice {
            ResetChoice::Mandatory if due => {
                list::first(view.board.reserves(view.side).map(|(unit, _)| unit))
            }
            ResetChoice::Mandatory => Vec::new(),
            ResetChoice::Optional => list::first(view.board.candidates(view.side)),
        };
        let (game, policy) = (&*self.game, &mut *self.policy);
        let best = units.iter().copied().max_by_key(|&unit| (policy.unit(game, index, unit), unit));
        if best.is_some() || due {
            self.play(BoardAction::Keep { unit: best });
        }
    }

    /// Moves every piece that can still move to its best place.
    fn walk(&mut self) {
        let index = self.index();
        let Some(view) = self.game.view(index) else { return };
        if view.board.marks().spawn_phase {
            return;
        }
        let mut pieces: Vec<Piece, { assign::PIECE_CAP }, u8> = Vec::new();
        let friends = view.board.pieces(view.side);
        let mut walkers = HexSet::EMPTY;
        for (from, piece) in view.board.iter(view.side) {
            // Those for whom there is no room stay where they are.
            if view.steps_left(piece).is_ok() && walkers.len() < assign::PIECE_CAP {
                walkers.insert(from);
            }
        }
        let fixed = friends - walkers;
        let mut worths: Worths = [0; Hex::COUNT];
        for from in walkers {
            let Some(view) = self.game.view(index) else { return };
            let Some(piece) = view.board.piece(from) else { continue };
            let places = (view.walks(from, piece) - fixed).with(from);
            self.policy.stand(self.game, index, from, places, &mut worths);
            let mut piece_options = Piece::at(from);
            for to in places {
                let worth = worths.get(to.index()).copied().unwrap_or(0);
                piece_options.offer(to, worth.saturating_add(self.noise()));
            }
            if pieces.push(piece_options).is_err() {
                break;
            }
        }
        let found = if self.options.assignment { assign::assign(&pieces) } else { assign::greedy(&pieces) };
        // An assignment fails only when two pieces stand on one hex.
        let Ok(found) = found else { return };
        let mut moves: Vec<(Hex, Hex), { assign::PIECE_CAP }, u8> = Vec::new();
        for (piece, &to) in pieces.iter().zip(&found) {
            if piece.from() != to {
                let _ = moves.push((piece.from(), to));
            }
        }
        self.play_moves(moves);
    }

    /// Plays moves to free hexes first; the remaining moves form cycles, which are played simultaneously.
    fn play_moves(&mut self, mut moves: Vec<(Hex, Hex), { assign::PIECE_CAP }, u8>) {
        while !moves.is_empty() {
            let Some(view) = self.view() else { return };
            let occupied = view.board.all_pieces();
            if let Some(place) = moves.iter().position(|&(_, to)| !occupied.contains(to)) {
                let (from, to) = moves.swap_remove(place);
                self.play(BoardAction::walk(from, to));
                continue;
            }
            let Some(cycle) = take_cycle(&mut moves) else {
                // Somebody is in the way who will not go.
                moves.pop();
                continue;
            };
            self.play_together(&cycle);
        }
    }

    fn play_together(&mut self, cycle: &[(Hex, Hex)]) {
        let mut group: Vec<BoardAction, { assign::PIECE_CAP }, u8> = Vec::new();
        for (place, &(from, to)) in cycle.iter().enumerate() {
            let joined = place + 1 < cycle.len();
            let _ = group.push(BoardAction::Move { from, to, joined });
        }
        if self.out.len() + group.len() > self.options.room.min(SPAWN_ACTION_CAP) {
            return;
        }
        if self.game.apply_next(self.board, &group, &mut UndoLog::off()).is_ok() {
            let _ = self.out.extend_from_slice(&group);
        }
    }

    fn cast(&mut self, draft: &mut DraftMemory) {
        if !self.options.spells {
            return;
        }
        for &spell in &self.policy.spells(self.game, self.index(), draft) {
            // Turns that differ in one card measure the worth of the card.
            let saved = self.options.noise > 0 && !is_discard(&spell) && self.rng.chance(1, 4);
            if !saved {
                self.play(spell);
            }
        }
    }

    fn use_tile(&mut self) {
        let Some(view) = self.view() else { return };
        for at in view.map.all(TileType::Spawner) - view.board.all_pieces() {
            if self.play(BoardAction::UseTile { at }) {
                return;
            }
        }
    }

    /// The best free hex of the spawn zone for a unit, with its worth.
    fn best_hex(&mut self, unit: UnitLabel, zone: HexSet) -> Option<(i32, Hex)> {
        let index = self.index();
        let view = self.game.view(index)?;
        let hexes = view.spawn_hexes_in(zone, unit);
        if hexes.is_empty() {
            return None;
        }
        let mut worths: Worths = [0; Hex::COUNT];
        self.policy.spawn(self.game, index, unit, hexes, &mut worths);
        let worth = |hex: Hex| worths.get(hex.index()).copied().unwrap_or(i32::MIN);
        hexes.into_iter().map(|hex| (worth(hex), hex)).max()
    }

    fn place_waiting(&mut self) {
        for _ in 0..Hex::COUNT {
            let Some(view) = self.view() else { return };
            let units = view.board.reserves(view.side).map(|(unit, _)| unit);
            let units: Vec<UnitLabel, UNIT_COUNT, u8> = list::first(units);
            if units.is_empty() {
                return;
            }
            let zone = view.spawn_zone();
            let mut best: Option<(i32, UnitLabel, Hex)> = None;
            for unit in units {
                let value = self.policy.unit(self.game, usize::from(self.board), unit);
                if let Some((worth, at)) = self.best_hex(unit, zone)
                    && best.is_none_or(|known| value.saturating_add(worth) > known.0)
                {
                    best = Some((value.saturating_add(worth), unit, at));
                }
            }
            match best {
                // A unit that is worth less than nothing on the board is better kept back.
                Some((worth, unit, at)) if worth > 0 && self.play(BoardAction::Spawn { unit, at }) => {}
                _ => return,
            }
        }
    }

    /// Buys and places the best combination of units and hexes for the souls.
    fn buy(&mut self, souls: u32) -> u32 {
        let index = self.index();
        let purse = self.game.state().souls(self.game.side_to_move());
        let souls = souls.min(purse);
        let mut shop = Shop::default();
        let mut everywhere = HexSet::EMPTY;
        let zone = self.view().map_or(HexSet::EMPTY, |view| view.spawn_zone());
        for unit in UnitLabel::ALL {
            let price = self.game.config().rules.unit(unit).cost;
            if u32::from(price) > souls || price == 0 || self.game.may_buy(index, unit).is_err() {
                continue;
            }
            let Some(hexes) = self.view().map(|view| view.spawn_hexes_in(zone, unit)) else { return 0 };
            if hexes.is_empty() {
                continue;
            }
            everywhere |= hexes;
            let mut worths: Worths = [0; Hex::COUNT];
            self.policy.spawn(self.game, index, unit, hexes, &mut worths);
            let value = self.policy.unit(self.game, index, unit).saturating_add(self.noise());
            shop.offer(Offer { unit, price, hexes, worths, value });
        }
        if shop.0.is_empty() {
            return 0;
        }
        let mut spent = 0;
        // Few hexes are tabulated at a time; a rich side goes through several rounds.
        for _ in 0..8 {
            let left = (souls - spent).min(TABLE_SOULS as u32) as usize;
            if shop.0.iter().all(|offer| usize::from(offer.price) > left) {
                break;
            }
            let free = everywhere - self.view().map_or(HexSet::EMPTY, |view| view.board.all_pieces());
            let best = shop.tabulate(free, left);
            let mut bought = 0;
            for (unit, at) in best {
                let price = u32::from(self.game.config().rules.unit(unit).cost);
                if self.out.len() + 2 <= self.options.room.min(SPAWN_ACTION_CAP)
                    && self.play(BoardAction::Buy { unit })
                    && self.play(BoardAction::Spawn { unit, at })
                {
                    bought += price;
                }
            }
            spent += bought;
            if bought == 0 || spent >= souls {
                break;
            }
        }
        spent
    }
}

fn is_discard(action: &BoardAction) -> bool {
    matches!(action, BoardAction::Discard { .. })
}

/// Takes a cycle out of the moves: each move ends where the next one begins, and the last where the first one begins.
fn take_cycle(
    moves: &mut Vec<(Hex, Hex), { assign::PIECE_CAP }, u8>,
) -> Option<Vec<(Hex, Hex), { assign::PIECE_CAP }, u8>> {
    let &(start, mut to) = moves.last()?;
    let mut cycle: Vec<(Hex, Hex), { assign::PIECE_CAP }, u8> = Vec::new();
    let _ = cycle.push((start, to));
    while to != start {
        let &next = moves.iter().find(|entry| entry.0 == to)?;
        if cycle.len() > moves.len() {
            return None;
        }
        cycle.push(next).ok()?;
        to = next.1;
    }
    moves.retain(|entry| !cycle.contains(entry));
    Some(cycle)
}

/// A unit that can be bought.
struct Offer {
    unit: UnitLabel,
    price: u8,
    hexes: HexSet,
    worths: Worths,
    /// Worth of the unit on the board, wherever it stands.
    value: i32,
}

impl Offer {
    fn worth(&self, hex: Hex) -> Option<i32> {
        let worth = self.worths.get(hex.index()).copied().filter(|_| self.hexes.contains(hex))?;
        Some(worth.saturating_add(self.value).clamp(-WORTH_CAP, WORTH_CAP))
    }
}

#[derive(Default)]
struct Shop(Vec<Offer, TABLE_UNITS, u8>);

impl Shop {
    /// Adds an offer; when there are too many, the offer with the least worth for its price is dropped.
    fn offer(&mut self, offer: Offer) {
        let Err(offer) = self.0.push(offer) else { return };
        let yield_of = |offer: &Offer| offer.value.saturating_sub(i32::from(offer.price) * SAVED);
        if let Some(worst) = self.0.iter_mut().min_by_key(|known| yield_of(known))
            && yield_of(worst) < yield_of(&offer)
        {
            *worst = offer;
        }
    }

    /// The combination of units on different hexes that is worth most, money left over included: a knapsack with
    /// one choice for each hex, `hexes * souls * units` steps.
    fn tabulate(&self, free: HexSet, souls: usize) -> Vec<(UnitLabel, Hex), TABLE_HEXES, u8> {
        let best_worth = |hex: Hex| self.0.iter().filter_map(|offer| offer.worth(hex)).max();
        // The best hexes, the best one first, ties by index.
        let mut hexes: Vec<(i32, Hex), { TABLE_HEXES + 1 }, u8> = Vec::new();
        for hex in free {
            let Some(worth) = best_worth(hex) else { continue };
            let place = hexes.iter().rposition(|known| known.0 >= worth).map_or(0, |better| better + 1);
            if place < TABLE_HEXES {
                // There is room for one hex more than are kept.
                let _ = heapless_vec::insert(&mut hexes, place, (worth, hex));
                hexes.truncate(TABLE_HEXES);
            }
        }
        let mut table = [[i32::MIN / 2; TABLE_SOULS + 1]; TABLE_HEXES + 1];
        let mut chosen = [[u8::MAX; TABLE_SOULS + 1]; TABLE_HEXES];
        for (left, slot) in table[0].iter_mut().enumerate().take(souls + 1) {
            *slot = left as i32 * SAVED;
        }
        for (row, &(_, hex)) in hexes.iter().enumerate() {
            // A hex that stays empty costs nothing and is worth nothing.
            let Some([known, better]) = table.get_mut(row..row + 2) else { break };
            let Some(chosen) = chosen.get_mut(row) else { break };
            *better = *known;
            for (index, offer) in self.0.iter().enumerate() {
                let Some(worth) = offer.worth(hex) else { continue };
                let price = usize::from(offer.price);
                let Some(rests) = known.get(..(souls + 1).saturating_sub(price)) else { continue };
                let (Some(better), Some(chosen)) = (better.get_mut(price..), chosen.get_mut(price..)) else {
                    continue;
                };
                for ((rest, best), choice) in rests.iter().zip(better).zip(chosen) {
                    // Worths are bounded, so that sums of one for each hex are too.
                    let value = rest.wrapping_add(worth);
                    *choice = if value > *best { index as u8 } else { *choice };
                    *best = value.max(*best);
                }
            }
        }
        let mut combination = Vec::new();
        let mut left = souls;
        for (row, &(_, hex)) in hexes.iter().enumerate().rev() {
            let choice = chosen.get(row).and_then(|row| row.get(left));
            if let Some(offer) = choice.and_then(|&choice| self.0.get(usize::from(choice))) {
                let _ = combination.push((offer.unit, hex));
                left -= usize::from(offer.price);
            }
        }
        combination
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::minions::players::FallbackPolicies;
    use crate::minions::{GameConfig, Ruleset};

    #[test]
    fn a_finish_has_no_more_actions_than_there_is_room_for() {
        let game = Game::new(GameConfig::default().with_ruleset(Ruleset::Server), 3);
        let mut lengths = std::vec::Vec::new();
        for room in (0..=SPAWN_ACTION_CAP).chain([usize::MAX]) {
            let options = SpawnOptions { assignment: true, spells: false, noise: 0, room };
            let (mut after, mut out) = (game.clone(), SpawnActions::new());
            let (mut policy, mut draft) = (FallbackPolicies::default(), DraftMemory::new());
            compose_spawn(&mut after, 0, 30, &mut policy, options, &mut Rng::new(1), &mut draft, &mut out);
            let mut replayed = game.clone();
            for &action in &out {
                replayed.apply(Action::Board(0, action), &mut UndoLog::off()).unwrap();
            }
            assert_eq!(replayed.state().key(), after.state().key());
            let bought = out.iter().filter(|action| matches!(action, BoardAction::Buy { .. })).count();
            let placed = out.iter().filter(|action| matches!(action, BoardAction::Spawn { .. })).count();
            // Nobody is bought for whom there is no room on the board.
            assert_eq!(bought, placed, "room for {room}");
            lengths.push(out.len());
        }
        assert_eq!(lengths[..4], [0, 1, 2, 3]);
        assert!(lengths.iter().enumerate().all(|(room, &length)| length <= room), "{lengths:?}");
        let [.., whole, unbounded] = lengths[..] else { panic!("two rooms at least") };
        assert!(whole > 3 && whole == unbounded, "{lengths:?}");
    }
}
