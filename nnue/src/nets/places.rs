//! Contexts of places: what Dark Seer knows of a hex beyond the [`BoardLayer`], for a unit that may be placed there or
//! end its turn there.
//!
//! A place has one level of each group, 0 to 7, the same in training ([`PlaceSurvey`]). A context is a group, the role of
//! the unit and the level; its number is `(group * 5 + role) * 8 + level`.
//!
//! | group | level |
//! |---|---|
//! | 0 strikers | enemies that could hit the place in their next turn: 0 to 5, 6 or 7, more |
//! | 1 force | the damage they could do, in shares of the unit's defense, as the force of Death Prophet |
//! | 2 targets | enemies no farther than the unit's speed and range: as group 0 |
//! | 3 friends, 4 enemies | pieces on the neighbouring hexes |
//! | 5 graveyard | distance of the nearest graveyard that no other friend holds |
//! | 6 prey, 7 home | distance of the nearest necromancer of the enemy, of the own side |
//! | 8 ground | plain, graveyard, sorcery node, teleporter, spawner, mist, other; 7 where the unit could not walk |
//! | 9 way | of a piece, its distance from where it is; of a reinforcement, free neighbouring hexes |
//! | 10 support | friends at most two hexes away: as group 0 |
//! | 11 press | enemies at most three hexes away: as group 0 |
//!
//! Distances are straight and at most 7, which also stands for nothing of the kind. "Could hit" depends on speed, range
//! and terrain and on all pieces as they stand. A deathtouch counts as all of the defense of a unit but a necromancer,
//! an unsummoning as one damage to a persistent unit and as all of the defense of another. Roles: 0 a necromancer, then
//! the first that fits of 1 a price of two souls at most, 2 a range of two at least, 3 a speed of two at least, 4 any.

use barrow_core::hex::{Hex, HexSet, flood};
use barrow_core::minions::{Attack, TileType, Unit, UnitLabel, View};

use super::board_layer::BoardLayer;
use super::network::Network;
use super::prophet::{level_of_force, level_of_number};
use super::seer::{Purpose, Term};
use crate::shape::{PLACE_CONTEXTS, PLACE_GROUPS, PLACE_LEVELS, PLACE_ROLES, Profile};

/// Contexts of a place, one of each group: numbers below [`PLACE_CONTEXTS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlaceContexts(pub [u16; PLACE_GROUPS]);

impl PlaceContexts {
    /// Rows of Dark Seer for a purpose.
    pub fn rows(&self, purpose: Purpose) -> [u16; PLACE_GROUPS] {
        self.0.map(|context| context.saturating_add(purpose as u16 * PLACE_CONTEXTS as u16))
    }
}

/// Unit for which places are judged, a piece or a reinforcement, with what stands on the board at that moment.
#[derive(Clone, Copy, Debug)]
pub struct Settler {
    unit: &'static Unit,
    defense: u16,
    /// Hex of the unit if it is a piece.
    from: Option<Hex>,
    friends: HexSet,
    enemies: HexSet,
    /// Hexes where the unit can walk.
    open: HexSet,
}

impl Settler {
    /// Settler that is a reinforcement of a type.
    pub fn reinforcement(view: &View<'_>, unit: UnitLabel) -> Settler {
        let unit = view.rules.unit(unit);
        Settler {
            unit,
            defense: u16::from(unit.defense),
            from: None,
            friends: view.board.pieces(view.side),
            enemies: view.board.pieces(view.side.opponent()),
            open: view.board.walkable(view.map, unit),
        }
    }

    /// Settler that is a piece of the side to move; `None` when there is none on the hex.
    pub fn piece(view: &View<'_>, from: Hex) -> Option<Settler> {
        let piece = view.friend(from).ok()?;
        let settler = Settler::reinforcement(view, piece.unit());
        let friends = settler.friends.without(from);
        Some(Settler { defense: view.current(piece).defense, from: Some(from), friends, ..settler })
    }
}

/// Blows that the enemy could strike at a hex.
#[derive(Clone, Copy, Default)]
struct Blows {
    /// Enemies that could strike.
    strikers: u8,
    /// Damage of all of them together.
    damage: u16,
    /// Enemies among them with a deathtouch.
    deathtouches: u8,
    /// Enemies among them that unsummon.
    unsummoners: u8,
}

/// Survey of a board for placement: what threatens each hex, and how far things are.
#[derive(Clone, Copy)]
pub struct PlaceSurvey {
    graveyards: HexSet,
    /// Levels of the ground for units that can walk there.
    grounds: [u8; Hex::COUNT],
    /// Blows against walkers and against fliers.
    blows: [[Blows; Hex::COUNT]; 2],
    /// Distances of the nearest free graveyard, of the enemy's and of the own necromancer.
    distances: [[u8; Hex::COUNT]; 3],
}

impl PlaceSurvey {
    /// Survey of a board as it stands.
    pub fn new(view: &View<'_>) -> PlaceSurvey {
        let (friends, enemies) = (view.board.pieces(view.side), view.board.pieces(view.side.opponent()));
        let graveyards = view.map.all(TileType::Graveyard);
        let necromancers = |side| {
            let all = view.board.iter(side).filter(|(_, piece)| view.unit(*piece).necromancer);
            all.fold(HexSet::EMPTY, |set, (at, _)| set.with(at))
        };
        let goals = [graveyards - friends, necromancers(view.side.opponent()), necromancers(view.side)];
        let mut survey = PlaceSurvey {
            graveyards,
            grounds: [0; Hex::COUNT],
            blows: [[Blows::default(); Hex::COUNT]; 2],
            distances: goals.map(distances),
        };
        for (hex, ground) in Hex::all().zip(&mut survey.grounds) {
            *ground = level_of_ground(view.board.tile(view.map, hex));
        }
        for from in enemies {
            survey.add_striker(view, from);
        }
        survey
    }

    /// Adds the blows of an enemy, as if its side were to move and it were fresh.
    fn add_striker(&mut self, view: &View<'_>, from: Hex) {
        let Some(piece) = view.board.piece(from) else { return };
        let now = view.current(piece);
        if now.attack == Attack::None {
            return;
        }
        let unit = view.unit(piece);
        let mut zone = from.to_set();
        if !now.lumbering {
            let reach = flood(from, now.speed, view.passable(piece.side(), unit));
            zone |= reach - view.board.all_pieces();
        }
        for (range, blows) in [now.range, now.range_flying].into_iter().zip(&mut self.blows) {
            if range == 0 {
                continue;
            }
            for hex in (0..range).fold(zone, |zone, _| zone.grown()) {
                let Some(blows) = blows.get_mut(hex.index()) else { continue };
                blows.strikers = blows.strikers.saturating_add(1);
                match now.attack {
                    Attack::None => {}
                    Attack::Damage(amount) => {
                        let damage = u16::from(amount).saturating_mul(u16::from(now.num_attacks));
                        blows.damage = blows.damage.saturating_add(damage);
                    }
                    Attack::Unsummon => blows.unsummoners = blows.unsummoners.saturating_add(1),
                    Attack::Deathtouch => blows.deathtouches = blows.deathtouches.saturating_add(1),
                }
            }
        }
    }

    /// Contexts of a hex for a unit.
    pub fn contexts(&self, settler: &Settler, hex: Hex) -> PlaceContexts {
        let Settler { unit, friends, enemies, .. } = *settler;
        let near = |set: HexSet, radius: u8| (HexSet::ball(hex, radius) & set).len();
        let beside = |set: HexSet| near(set.without(hex), 1) as u8;
        let [graveyard, prey, home] =
            self.distances.each_ref().map(|far| far.get(hex.index()).copied().unwrap_or(FAR));
        let returns = settler.from == Some(hex) && self.graveyards.contains(hex);
        let arms = match unit.attack {
            Attack::None => 0,
            _ if unit.lumbering => unit.range,
            _ => unit.speed.saturating_add(unit.range),
        };
        let blows = self.blows.get(usize::from(unit.flying)).and_then(|blows| blows.get(hex.index()));
        let blows = blows.copied().unwrap_or_default();
        let way = match settler.from {
            Some(from) => from.distance(hex),
            None => beside(HexSet::ALL - friends - enemies),
        };
        let ground = self.grounds.get(hex.index()).copied().filter(|_| settler.open.contains(hex));
        let levels: [u8; PLACE_GROUPS] = [
            level_of_number(blows.strikers),
            level_of_force(damage(blows, settler), settler.defense),
            level_of_number(count(near(enemies, arms))),
            beside(friends),
            beside(enemies),
            if returns { 0 } else { graveyard },
            prey,
            home,
            ground.unwrap_or(BARRED),
            way,
            level_of_number(count(near(friends.without(hex), 2))),
            level_of_number(count(near(enemies, 3))),
        ];
        let mut contexts = PlaceContexts::default();
        let role = role(unit) as usize;
        for (group, (context, level)) in contexts.0.iter_mut().zip(levels).enumerate() {
            let level = usize::from(level.min(PLACE_LEVELS as u8 - 1));
            *context = ((group * PLACE_ROLES + role) * PLACE_LEVELS + level) as u16;
        }
        contexts
    }
}

impl<P: Profile> Network<'_, P> {
    /// Whether the network has contexts of places. One without them has no Dark Seer.
    pub fn has_places(&self) -> bool {
        !self.places.bias.is_empty()
    }

    /// Term of a row of the contexts of places; 0 when the network lacks the row.
    pub fn place_term(&self, board_layer: &BoardLayer, row: u16) -> Term {
        Self::row_term(board_layer, &self.places, usize::from(row))
    }
}

/// Distance that stands for all larger ones.
const FAR: u8 = PLACE_LEVELS as u8 - 1;

/// Level of ground where the unit could not walk.
const BARRED: u8 = 7;

/// Level of ground where a unit can walk.
fn level_of_ground(tile: TileType) -> u8 {
    match tile {
        TileType::Ground => 0,
        TileType::Graveyard => 1,
        TileType::SorceryNode => 2,
        TileType::Teleporter => 3,
        TileType::Spawner => 4,
        TileType::Mist => 5,
        _ => 6,
    }
}

/// Straight distances of all hexes from the nearest hex of a set, at most [`FAR`].
fn distances(goals: HexSet) -> [u8; Hex::COUNT] {
    let mut distances = [FAR; Hex::COUNT];
    let (mut near, mut known) = (goals, HexSet::EMPTY);
    for distance in 0..FAR {
        for hex in near - known {
            if let Some(slot) = distances.get_mut(hex.index()) {
                *slot = distance;
            }
        }
        known = near;
        near = near.grown();
    }
    distances
}

/// Damage that blows do to a unit.
fn damage(blows: Blows, settler: &Settler) -> u16 {
    let Settler { unit, defense, .. } = *settler;
    let unsummoned = if unit.persistent { 1 } else { defense };
    let touched = if unit.necromancer { 0 } else { defense };
    blows
        .damage
        .saturating_add(unsummoned.saturating_mul(u16::from(blows.unsummoners)))
        .saturating_add(touched.saturating_mul(u16::from(blows.deathtouches)))
}

/// A number of pieces, at most 255.
fn count(number: usize) -> u8 {
    number.min(usize::from(u8::MAX)) as u8
}

/// Role of a unit type.
fn role(unit: &Unit) -> u8 {
    match unit {
        unit if unit.necromancer => 0,
        unit if unit.cost <= 2 => 1,
        unit if unit.range >= 2 => 2,
        unit if unit.speed >= 2 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::collections::BTreeSet;
    use std::vec::Vec;

    use barrow_core::minions::text::fen;
    use barrow_core::minions::{Board, GameConfig, Piece, Ruleset};
    use barrow_core::rng::Rng;
    use barrow_testing::MIDGAME;

    use super::*;

    #[test]
    fn every_ground_has_its_level() {
        use TileType::{Graveyard, Ground, Mist, SorceryNode, Spawner, Teleporter, Water};
        let tiles = [Ground, Graveyard, SorceryNode, Teleporter, Spawner, Mist, Water];
        assert_eq!(tiles.map(level_of_ground), [0, 1, 2, 3, 4, 5, 6]);
    }

    /// Hexes to which an enemy can walk, step by step.
    fn slow_reach(view: &View<'_>, from: Hex) -> Vec<Hex> {
        let piece = view.board.piece(from).unwrap();
        let (now, unit) = (view.current(piece), view.unit(piece));
        let mut reached = std::vec![from];
        for _ in 0..if now.lumbering { 0 } else { now.speed } {
            for hex in reached.clone() {
                for &next in hex.neighbours() {
                    let blocked = view.board.piece(next).is_some_and(|other| other.side() == view.side);
                    let walls = !view.board.walkable(view.map, unit).contains(next);
                    let flies_over = unit.flying && blocked;
                    if !reached.contains(&next)
                        && !walls
                        && (!blocked || flies_over && view.passable(piece.side(), unit).contains(next))
                    {
                        reached.push(next);
                    }
                }
            }
        }
        reached.retain(|hex| *hex == from || view.board.piece(*hex).is_none());
        reached
    }

    /// Number of strikers and the damage they do to a unit on a hex.
    fn slow_blows(view: &View<'_>, unit: &Unit, defense: u16, hex: Hex) -> (usize, u32) {
        let (mut strikers, mut damage) = (0, 0);
        for (from, enemy) in view.board.iter(view.side.opponent()) {
            let now = view.current(enemy);
            let range = if unit.flying { now.range_flying } else { now.range };
            let hits = range > 0 && slow_reach(view, from).iter().any(|stand| stand.distance(hex) <= range);
            if now.attack == Attack::None || !hits {
                continue;
            }
            strikers += 1;
            damage += match now.attack {
                Attack::Damage(amount) => u32::from(amount) * u32::from(now.num_attacks),
                Attack::Unsummon if unit.persistent => 1,
                Attack::Deathtouch if unit.necromancer => 0,
                Attack::Unsummon | Attack::Deathtouch => u32::from(defense),
                Attack::None => 0,
            };
        }
        (strikers, damage)
    }

    fn slow_contexts(view: &View<'_>, unit: &Unit, defense: u16, from: Option<Hex>, hex: Hex) -> Vec<usize> {
        let (us, them) = (view.side, view.side.opponent());
        let pieces: Vec<(Hex, Piece)> = view.board.iter_all().filter(|(at, _)| Some(*at) != from).collect();
        let within = |side, low: u8, high: u8| {
            let near = pieces
                .iter()
                .filter(|(at, piece)| piece.side() == side && (low..=high).contains(&at.distance(hex)));
            near.count()
        };
        let nearest = |hexes: Vec<Hex>| hexes.iter().map(|at| at.distance(hex)).min().unwrap_or(7).min(7);
        let necromancers = |side| -> Vec<Hex> {
            // The unit itself is where it was when the survey was made.
            view.board
                .iter(side)
                .filter(|(_, piece)| view.unit(*piece).necromancer)
                .map(|(at, _)| at)
                .collect()
        };
        let number = |count: usize| if count > 7 { 7 } else { count.min(6) };
        let (strikers, damage) = slow_blows(view, unit, defense, hex);
        let share = f64::from(damage) / f64::from(defense);
        let borders = [f64::MIN_POSITIVE, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0];
        let grave = |at: Hex| view.map.fixed_tile(at) == TileType::Graveyard;
        let free = |at: &Hex| grave(*at) && view.board.piece(*at).is_none_or(|piece| piece.side() == them);
        let graveyard =
            if from == Some(hex) && grave(hex) { 0 } else { nearest(Hex::all().filter(free).collect()) };
        let arms = match unit.attack {
            Attack::None => 0,
            _ => unit.range + if unit.lumbering { 0 } else { unit.speed },
        };
        let kinds = [
            TileType::Ground,
            TileType::Graveyard,
            TileType::SorceryNode,
            TileType::Teleporter,
            TileType::Spawner,
            TileType::Mist,
        ];
        let tile = view.board.tile(view.map, hex);
        let ground = if view.board.walkable(view.map, unit).contains(hex) {
            kinds.iter().position(|kind| *kind == tile).unwrap_or(6)
        } else {
            7
        };
        let empty = hex.neighbours().iter().filter(|at| view.board.piece(**at).is_none()).count();
        let role = match () {
            () if unit.necromancer => 0,
            () if unit.cost < 3 => 1,
            () if unit.range > 1 => 2,
            () if unit.speed > 1 => 3,
            () => 4,
        };
        let levels = [
            number(strikers),
            borders.iter().filter(|border| share >= **border).count(),
            number(within(them, 0, arms)),
            within(us, 1, 1),
            within(them, 1, 1),
            usize::from(graveyard),
            usize::from(nearest(necromancers(them))),
            usize::from(nearest(necromancers(us))),
            ground,
            from.map_or(empty, |from| usize::from(from.distance(hex).min(7))),
            number(within(us, 1, 2)),
            number(within(them, 0, 3)),
        ];
        levels.iter().enumerate().map(|(group, level)| (group * 5 + role) * 8 + level).collect()
    }

    /// The board with units of all types on it.
    fn shaken(board: &Board, rng: &mut Rng) -> Board {
        let mut board = board.clone();
        for (at, piece) in board.clone().iter_all() {
            if rng.chance(1, 2) {
                board.set_piece(
                    at,
                    Some(Piece::fresh(piece.side(), *rng.choose(&UnitLabel::ALL).unwrap(), at)),
                );
            }
        }
        board
    }

    #[test]
    fn contexts_are_what_counting_piece_by_piece_gives() {
        let mut rng = Rng::new(5);
        let mut seen = BTreeSet::new();
        for (ruleset, line) in MIDGAME
            .lines()
            .step_by(12)
            .flat_map(|line| [Ruleset::Spooky, Ruleset::Server].map(|ruleset| (ruleset, line)))
        {
            let game = fen::parse(line, &GameConfig::default().with_ruleset(ruleset)).unwrap();
            for index in 0..game.state().boards().len() {
                let view = game.view(index).unwrap();
                let board = shaken(view.board, &mut rng);
                let view = View { board: &board, ..view };
                let survey = PlaceSurvey::new(&view);
                let mut check = |settler: Settler, from: Option<Hex>, hex: Hex| {
                    let fast = survey.contexts(&settler, hex).0.map(usize::from);
                    let slow = slow_contexts(&view, settler.unit, settler.defense, from, hex);
                    assert_eq!(fast[..], slow, "{hex:?} {settler:?} {line}");
                    seen.extend(slow);
                };
                for (from, _) in board.iter(view.side) {
                    let settler = Settler::piece(&view, from).unwrap();
                    HexSet::ball(from, 2).into_iter().step_by(3).chain([from]).for_each(|hex| {
                        check(settler, Some(from), hex);
                    });
                }
                for hex in Hex::all().step_by(9) {
                    let unit = *rng.choose(&UnitLabel::ALL).unwrap();
                    check(Settler::reinforcement(&view, unit), None, hex);
                }
            }
        }
        assert!(seen.len() > PLACE_CONTEXTS * 3 / 4, "{}", seen.len());
    }
}
