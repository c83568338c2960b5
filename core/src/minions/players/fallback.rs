//! Fallback policies: the ports of the turn search implemented by rules of thumb. They serve where no net is loaded, and
//! the first games that nets were trained on were played with them.

use heapless::Vec;

use crate::hex::{Hex, HexSet};
use crate::list;
use crate::minions::tables::capacities::UNIT_COUNT;
use crate::minions::tables::config::GRAVEYARDS_TO_WIN;
use crate::minions::tables::terrain::{WALKER_CLASSES, walker_class};
use crate::minions::turn_search::ports::{
    AttackPolicy, BoardSpells, Evaluator, Fate, Fates, Foretold, GeneralChoice, GeneralPolicy, Menaces,
    SpawnPolicy, Stage, Worths,
};
use crate::minions::{
    Attack, BOARD_CAP, DraftMemory, Game, GeneralAction, Side, Spell, Tech, TechLevels, TechStatus, TileType,
    UnitLabel, View,
};
use crate::search::value::Curve;
use crate::search::value::{CERTAIN, Estimate, KNOTS};
use crate::sort::sort_by_key;

use super::appraisal::distance::{Field, Goals, Way, Ways};
use super::appraisal::home::Home;
use super::appraisal::threat::{HexCosts, ThreatCosts};
use super::appraisal::units::{count_of, count_pieces, count_units, owned_units};
use super::greedy::Greedy;
use super::heuristics::weights::{FALLBACK, FIRST_TURN, POLICY};
use super::heuristics::{cards, eval};

/// Error of the hand-written value: the average change by a shallow search.
const ERROR: i32 = CERTAIN / 12;

/// Fallback policies: hand-written implementations of the evaluator and the three policies. The state kept between
/// calls concerns the board and the position announced last.
pub struct FallbackPolicies {
    /// Appraisal of the board announced last. A list, since an empty one is all zeros: a static takes no flash then.
    board: Vec<BoardAppraisal, 1, u8>,
    /// Counts of the enemy's units by type, techs included, for the choice of techs.
    enemies: [i16; UNIT_COUNT],
    /// Distance fields to enemy necromancers, kept from board to board and from turn to turn.
    ways: [Option<Way>; WAYS],
}

/// Distance fields to enemy necromancers that are kept; small machines have room for few.
const WAYS: usize = if BOARD_CAP > 2 { 32 } else { 8 };

impl Default for FallbackPolicies {
    fn default() -> Self {
        FallbackPolicies::new()
    }
}

impl FallbackPolicies {
    /// Policies that know no board yet.
    pub const fn new() -> FallbackPolicies {
        FallbackPolicies { board: Vec::new(), enemies: [0; UNIT_COUNT], ways: [const { None }; WAYS] }
    }
}

struct BoardAppraisal {
    costs: ThreatCosts,
    goals: Goals,
    /// Distance fields to graveyards by walker class, computed on first use.
    fields: [Option<Field>; WALKER_CLASSES],
    shelter: HexSet,
    census: [i16; UNIT_COUNT],
    won: bool,
}

fn chance(score: i32) -> i32 {
    i32::from(eval::win_permille(score)) * CERTAIN / 1000
}

/// Fallback evaluator: the hand-written value of a position. It keeps nothing between calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct FallbackEvaluator;

impl Evaluator for FallbackEvaluator {
    fn begin(&mut self, _: &Game) {}

    fn evaluate(&mut self, game: &Game) -> Estimate {
        Estimate { win: chance(eval::score(game)), error: if game.state().is_over() { 0 } else { ERROR } }
    }

    fn evaluate_board(&mut self, game: &Game, _: usize, _: Stage) -> Estimate {
        Estimate { win: chance(eval::score(game)), error: ERROR }
    }

    fn curve(&mut self, game: &Game, board: usize) -> Curve {
        let score = eval::score(game);
        // The first souls on a board are worth more than the last; the hexes to place units on are few.
        let room = game.view(board).map_or(0, |view| {
            if view.board.state().allows_spawn() && !view.board.marks().won {
                (view.spawn_zone() - view.board.all_pieces()).len() as i32
            } else {
                0
            }
        });
        KNOTS.map(|souls| {
            let souls = i32::from(souls);
            let used = souls.min(room * 4);
            chance(score + used * 115 - used * used / 2)
        })
    }

    fn savings(&mut self, game: &Game) -> Curve {
        let score = eval::score(game);
        KNOTS.map(|souls| chance(score + i32::from(souls) * 40))
    }
}

impl Evaluator for FallbackPolicies {
    fn begin(&mut self, game: &Game) {
        FallbackEvaluator.begin(game);
    }

    fn evaluate(&mut self, game: &Game) -> Estimate {
        FallbackEvaluator.evaluate(game)
    }

    fn evaluate_board(&mut self, game: &Game, board: usize, stage: Stage) -> Estimate {
        FallbackEvaluator.evaluate_board(game, board, stage)
    }

    fn curve(&mut self, game: &Game, board: usize) -> Curve {
        FallbackEvaluator.curve(game, board)
    }

    fn savings(&mut self, game: &Game) -> Curve {
        FallbackEvaluator.savings(game)
    }
}

impl AttackPolicy for FallbackPolicies {
    fn prophesy(&mut self, game: &Game, board: usize, _: u8) -> Fates {
        let mut fates = Fates::new();
        let Some(view) = game.view(board) else { return fates };
        for (at, piece) in view.board.iter_all() {
            let unit = view.unit(piece);
            let (fate, chance) = if piece.side() == view.side {
                (Fate::Passive, if unit.necromancer { FALLBACK.passive_necromancer } else { 0 })
            } else if unit.necromancer {
                (Fate::Removed, 1000)
            } else {
                let now = view.current(piece);
                let strong = u16::from(!matches!(now.attack, Attack::None)) * FALLBACK.armed;
                let dear = u16::from(unit.cost).min(9) * FALLBACK.price;
                let light = u16::from(unit.rebate).min(5) * FALLBACK.rebate;
                (Fate::Removed, (500 + dear + strong - light).min(990))
            };
            // A board has no more pieces than hexes.
            let _ = fates.push(Foretold { at, fate, chance });
        }
        fates
    }

    fn menaces(&mut self, game: &Game, board: usize) -> Menaces {
        let mut menaces = Menaces::default();
        let Some(view) = game.view(board) else { return menaces };
        let enemy = view.side.opponent();
        let seats = view.board.graveyards(view.map, enemy);
        if seats.len() >= GRAVEYARDS_TO_WIN {
            menaces.seats = list::first(seats);
        }
        let Some(home) = Home::new(&view) else { return menaces };
        let costs = ThreatCosts::new(&POLICY, 0);
        menaces.lethal = costs.is_lethal(&view, &home);
        let mut strikers: Vec<(i32, Hex), { Hex::COUNT }, u8> = Vec::new();
        for (at, _) in view.board.iter(enemy) {
            let share = costs.share_of(&view, at, &home);
            if share > 0 {
                // A board has no more pieces than hexes.
                let _ = strikers.push((share, at));
            }
        }
        sort_by_key(&mut strikers, |&(share, at)| (core::cmp::Reverse(share), at));
        menaces.strikers = list::first(strikers.iter().map(|striker| striker.1));
        menaces
    }
}

impl BoardAppraisal {
    fn empty() -> BoardAppraisal {
        BoardAppraisal {
            costs: ThreatCosts::new(&POLICY, 0),
            goals: Goals::default(),
            fields: [const { None }; WALKER_CLASSES],
            shelter: HexSet::EMPTY,
            census: [0; UNIT_COUNT],
            won: false,
        }
    }

    /// Computes what the hexes of a board are judged by.
    fn appraise(&mut self, game: &Game, view: &View<'_>) {
        self.won = view.board.marks().won;
        self.costs.forget(if self.won { 0 } else { POLICY.caution(game) });
        self.costs.compute(view);
        self.shelter = match Home::new(view) {
            Some(home) if self.costs.is_lethal(view, &home) => HexSet::ring(home.at, 1),
            _ => HexSet::EMPTY,
        };
        let mut census = [0; UNIT_COUNT];
        count_pieces(view, view.side.opponent(), &mut census);
        self.census = census.map(|count| count as i16);
        self.goals = Goals::new(view);
        self.fields.fill_with(|| None);
    }

    /// Worth of standing on each of these hexes for a unit, threat costs included, in hundredths of a soul.
    fn worths(
        &mut self,
        view: &View<'_>,
        placed: &Placed,
        hexes: HexSet,
        ways: &mut Ways<'_>,
        mut visit: impl FnMut(Hex, i32),
    ) {
        let Placed { label, defense, held } = *placed;
        let unit = view.rules.unit(label);
        let class = usize::from(walker_class(unit)) % WALKER_CLASSES;
        let Some(slot) = self.fields.get_mut(class) else { return };
        let open = view.board.walkable(view.map, unit);
        let to_graveyards = slot.get_or_insert_with(|| Field::new(self.goals.graveyards, open));
        let to_prey = ways.over(self.goals.prey, open);
        let goals = &self.goals;
        let fleeting = if unit.persistent { HexSet::EMPTY } else { goals.mist };
        let danger = if self.won { HexCosts::None } else { self.costs.of_unit(view, unit, defense, None) };
        let pull = goals.pull_on(&POLICY, label);
        let special = goals.all_graveyards | fleeting | danger.hexes();
        for hex in hexes {
            let way = if self.won {
                0
            } else if unit.necromancer {
                to_prey.steps(hex)
            } else {
                to_prey.steps(hex) * pull.prey + to_graveyards.steps(hex) * pull.graveyard
            };
            if !special.contains(hex) {
                visit(hex, -way);
                continue;
            }
            let free = goals.graveyards.contains(hex);
            let mine = held == Some(hex) && goals.all_graveyards.contains(hex);
            let seat = if self.won {
                i32::from(free || mine) * FALLBACK.won_seat
            } else if unit.necromancer {
                i32::from(free || mine) * POLICY.purchases.necromancer_seat
            } else {
                // The graveyard that the unit holds counts as one it goes to.
                i32::from(free) * POLICY.seat + i32::from(mine) * FALLBACK.held_seat
            };
            let lost = i32::from(fleeting.contains(hex)) * 1000;
            visit(hex, seat - way - danger.cost(hex) - lost);
        }
    }
}

/// Unit that is to be placed or moved.
struct Placed {
    label: UnitLabel,
    defense: u16,
    /// Hex of the unit if it is on the board.
    held: Option<Hex>,
}

impl SpawnPolicy for FallbackPolicies {
    fn begin_board(&mut self, game: &Game, board: usize) {
        match game.view(board) {
            Some(view) => {
                if self.board.is_empty() {
                    let _ = self.board.push(BoardAppraisal::empty());
                }
                self.board.iter_mut().for_each(|board| board.appraise(game, &view));
            }
            None => self.board.clear(),
        }
    }

    fn spawn(&mut self, game: &Game, board: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths) {
        let (Some(appraisal), Some(view)) = (self.board.first_mut(), game.view(board)) else { return };
        let figures = view.rules.unit(unit);
        let open = view.board.walkable(view.map, figures);
        let shelter = appraisal.shelter;
        let placed = Placed { label: unit, defense: u16::from(figures.defense), held: None };
        appraisal.worths(&view, &placed, hexes, &mut Ways(&mut self.ways), |hex, worth| {
            // A unit must be able to leave the terrain it is placed on.
            let more = i32::from(shelter.contains(hex)) * POLICY.purchases.shelter
                - i32::from(!open.contains(hex)) * FALLBACK.enclosed;
            if let Some(slot) = worths.get_mut(hex.index()) {
                *slot = worth + more;
            }
        });
    }

    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths) {
        let (Some(appraisal), Some(view)) = (self.board.first_mut(), game.view(board)) else { return };
        let Some(piece) = view.board.piece(from) else { return };
        let defense = view.current(piece).defense;
        let placed = Placed { label: piece.unit(), defense, held: Some(from) };
        appraisal.worths(&view, &placed, hexes, &mut Ways(&mut self.ways), |hex, worth| {
            if let Some(slot) = worths.get_mut(hex.index()) {
                *slot = worth + i32::from(hex == from) * FALLBACK.stay;
            }
        });
    }

    fn spells(&mut self, game: &Game, board: usize, memory: &mut DraftMemory) -> BoardSpells {
        let Some(view) = game.view(board).filter(|view| !view.board.hand(view.side).is_empty()) else {
            return BoardSpells::new();
        };
        if !view.rules.spells || !Greedy::may_cast(&view) {
            return BoardSpells::new();
        }
        let turn = Greedy::spells(game, board as u8, memory);
        list::first(turn.board(board).iter().copied())
    }

    fn unit(&mut self, game: &Game, board: usize, unit: UnitLabel) -> i32 {
        let (Some(appraisal), Some(view)) = (self.board.first(), game.view(board)) else { return 0 };
        let cost = i32::from(view.rules.unit(unit).cost);
        if unit == UnitLabel::Zombie {
            // Zombies are cheap holders of graveyards; more of them are of little use.
            let graveyards = view.map.all(TileType::Graveyard) - view.board.pieces(view.side);
            let zombies = count_of(&view, view.side, UnitLabel::Zombie);
            let wanted = POLICY.purchases.zombies + graveyards.len() as i32;
            let lack = (wanted - zombies).clamp(-8, 6) * POLICY.purchases.zombie_lack;
            return cost * (POLICY.purchases.zombie + lack) + FALLBACK.zombie_presence;
        }
        let own = count_of(&view, view.side, unit);
        let value = POLICY
            .usefulness(unit, |other| appraisal.census.get(other.index()).copied().map_or(0, i32::from))
            - own * POLICY.purchases.same_type;
        // What a unit does in the way and on graveyards does not depend on its price.
        cost * value + FALLBACK.presence
    }
}

impl GeneralPolicy for FallbackPolicies {
    fn begin(&mut self, game: &Game) {
        let enemy = game.side_to_move().opponent();
        self.enemies = census(game, enemy, game.state().tech(enemy)).map(|count| count as i16);
    }

    fn prior(&mut self, game: &Game, choice: &[GeneralAction]) -> u32 {
        let (state, config) = (game.state(), game.config());
        let side = game.side_to_move();
        let theirs = state.tech(side.opponent());
        let before = state.tech_at_start(side);
        let owned = owned_units(game, side);
        let mut worth: i32 = 1_000;
        for &action in choice {
            worth += match action {
                GeneralAction::BuySpell => {
                    let left = state.souls(side) as i32 / config.num_boards().max(1) as i32;
                    if left >= 14 { 0 } else { -400 }
                }
                GeneralAction::Sell => -40,
                GeneralAction::March => 20 - owned * 2,
                GeneralAction::Assign { .. } => 0,
                GeneralAction::Advance { index } => {
                    let acquired = state.tech(side).status(index) == TechStatus::Acquired
                        && before.status(index) != TechStatus::Acquired;
                    match config.techline.techs().get(usize::from(index)) {
                        Some(&Tech::UnitTech(unit)) if acquired => {
                            let count = |other: UnitLabel| self.enemies.get(other.index()).copied();
                            let value = POLICY.usefulness(unit, |other| count(other).map_or(0, i32::from));
                            (value - 85 - 4 * owned) * 8 + i32::from(owned == 0) * 250
                        }
                        Some(Tech::Copycat) if acquired => {
                            -20 + 20 * theirs.acquired_bits().count_ones() as i32
                        }
                        Some(_) if acquired => -80,
                        _ => -30,
                    }
                }
            };
        }
        worth.clamp(1, 4_000) as u32
    }

    fn whole_turn(&mut self, game: &Game, techs: Option<&GeneralChoice>, memory: &mut DraftMemory) -> bool {
        let ways = &mut Ways(&mut self.ways);
        Greedy::with_weights(0, &FIRST_TURN).choose_after(game, techs.map(|techs| &**techs), memory, ways);
        true
    }

    fn card(&mut self, _: &Game, _: usize, spell: Spell) -> i32 {
        i32::from(cards::preference(spell))
    }
}

/// Counts of a side's units by type on all boards, reinforcements included; a tech owned counts as one unit.
fn census(game: &Game, side: Side, levels: TechLevels) -> [i32; UNIT_COUNT] {
    let mut counts = [0; UNIT_COUNT];
    for view in (0..game.config().num_boards()).filter_map(|board| game.view(board)) {
        count_units(&view, side, &mut counts);
    }
    for unit in UnitLabel::ALL {
        if let Some(slot) = counts.get_mut(unit.index()) {
            *slot += i32::from(game.config().unit_bits(unit) & levels.acquired_bits() != 0);
        }
    }
    counts
}
