//! The model of an attack on one board, before it is put into constraints: friends and the hexes they could fight from,
//! now or once enemies in the way are gone; enemies and the friends that could hit them (seed 000, "generate all
//! attacker-defender pairs").

use barrow_core::hex::{Hex, HexSet, flood};
use barrow_core::minions::{Attack, Piece, View};
use heapless::Vec;

use super::elements::{Foe, Friend, Hit, Mode, ModeKind, Pair};
use super::fighters::Fighters;
use super::lists::{List, ModelLists, ModelRoom};
use super::lits::{FoeLits, FriendLits, Numbers};
use super::reach::{ReachableHex, reachable_hexes};
use crate::cdcl::{Capacity, MAX_CLOCKS, Resource};

/// Most pieces of a side that can take part: as many as a board has hexes, or 48 without the feature `every-board`.
pub const PIECE_CAP: usize = if cfg!(feature = "every-board") { Hex::COUNT } else { 48 };

/// Clocks up to which a model may have those that it could do without.
pub(super) const ROOMY_CLOCKS: usize = 128;

/// Number of reinforcements of one type from which on they count as full, so that no plan can fail for want of room
/// there.
const CROWDED: u8 = u8::MAX - PIECE_CAP as u8;

/// Overkill policy: which hits a plan may contain (seed 000 "no overkill").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum OverkillPolicy {
    /// Any hits. Hits after the death of their target are left out of the plan, so that a friend that is a fighter in
    /// the model may do nothing in the plan.
    #[default]
    Allowed,
    /// Every hit finds its target alive, so that every fighter of the model fights in the plan. A hit need not be of
    /// use.
    AllHitsLand,
    /// Every hit is needed: without it some enemy would not be removed.
    AllHitsNeeded,
}

/// Model of the attacks on one board: friends, enemies, modes and pairs, in lists that are lent.
#[derive(Debug)]
pub struct AttackModel<'l> {
    pub(super) friends: List<'l, Friend>,
    pub(super) foes: List<'l, Foe>,
    pub(super) modes: List<'l, Mode>,
    pub(super) pairs: List<'l, Pair>,
    /// Sets of enemies that block a path.
    pub(super) sets: List<'l, HexSet>,
    /// Overkill policy of the plans.
    pub(super) policy: OverkillPolicy,
    /// Whether it is made [for long searches](AttackModel::for_long_searches).
    pub(super) for_long_searches: bool,
    /// Whether stopovers were left out.
    pub(super) cut: bool,
    /// The list that was full first, if one was: what did not fit was left out.
    pub(super) lacking: Option<Capacity>,
    /// Hexes of friends that nothing can move.
    pub(super) closed: HexSet,
    /// Hexes occupied by friends.
    pub(super) friendly: HexSet,
    /// Hexes occupied by enemies.
    pub(super) hostile: HexSet,
    /// Variables and clocks of all these.
    pub(super) numbers: Numbers,
    /// By hex the position in the list of the first mode in which a friend comes there from another hex.
    pub(super) comes_to: [u16; Hex::COUNT],
}

/// Error of a full list.
pub(super) fn full(what: Resource, available: usize) -> Capacity {
    Capacity { what, needed: available + 1, available }
}

impl<'l> AttackModel<'l> {
    /// Models the attacks of the side to move on a board, in lists that are lent.
    ///
    /// # Errors
    /// When one of the lists is full.
    pub fn new(view: &View<'_>, room: &'l mut impl ModelRoom) -> Result<AttackModel<'l>, Capacity> {
        AttackModel::with_movers(view, HexSet::EMPTY, room)
    }

    /// Models the attacks of the side to move on a board, and the ways of these friends to any hex without fighting,
    /// for the goal [`Goal::Occupy`](super::Goal::Occupy).
    ///
    /// # Errors
    /// When one of the lists is full.
    pub fn with_movers(
        view: &View<'_>,
        movers: HexSet,
        room: &'l mut impl ModelRoom,
    ) -> Result<AttackModel<'l>, Capacity> {
        let model = AttackModel::fill(view, (Fighters::ALL, movers), OverkillPolicy::Allowed, room.lists());
        match model.lacking {
            Some(capacity) => Err(capacity),
            None => Ok(model),
        }
    }

    /// Models the attacks of the side to move on a board as far as they fit in the lists. Every plan of a reduced model
    /// is playable, but there may be better ones; [`AttackModel::lacking`] says what did not fit.
    pub fn reduced(view: &View<'_>, room: &'l mut impl ModelRoom) -> AttackModel<'l> {
        AttackModel::fill(view, (Fighters::ALL, HexSet::EMPTY), OverkillPolicy::Allowed, room.lists())
    }

    /// The list that was too short for the board, if one was.
    pub fn lacking(&self) -> Option<Capacity> {
        self.lacking
    }

    /// Bytes of the lists in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.friends)
            + size_of_val(&*self.foes)
            + size_of_val(&*self.modes)
            + size_of_val(&*self.pairs)
            + size_of_val(&*self.sets)
            + size_of::<AttackModel<'_>>()
    }

    /// Models a board as far as these fight.
    pub(super) fn fill(
        view: &View<'_>,
        (fighters, movers): (Fighters, HexSet),
        policy: OverkillPolicy,
        ModelLists { friends, foes, modes, pairs, sets }: ModelLists<'l>,
    ) -> AttackModel<'l> {
        let (friends, _) = friends.split_at_mut(PIECE_CAP.min(friends.len()));
        let (foes, _) = foes.split_at_mut(PIECE_CAP.min(foes.len()));
        let mut model = AttackModel {
            friends: List::new(friends),
            foes: List::new(foes),
            modes: List::new(modes),
            pairs: List::new(pairs),
            sets: List::new(sets),
            policy,
            for_long_searches: false,
            cut: false,
            lacking: None,
            closed: HexSet::EMPTY,
            friendly: view.board.pieces(view.side),
            hostile: view.board.pieces(view.side.opponent()),
            numbers: Numbers::default(),
            comes_to: [0; Hex::COUNT],
        };
        let marks = view.board.marks();
        if !marks.spawn_phase && !marks.resigned {
            model.add_pieces(view, fighters, movers);
            model.fit_clocks();
        }
        model.number();
        model
    }

    /// Adds everything on the board.
    fn add_pieces(&mut self, view: &View<'_>, fighters: Fighters, movers: HexSet) {
        self.cut = fighters != Fighters::ALL;
        let mut attackers: Vec<(Hex, Piece), PIECE_CAP, u8> = Vec::new();
        for entry in view.board.iter(view.side) {
            if AttackModel::is_immovable(view, entry.0, entry.1) {
                self.closed.insert(entry.0);
            }
            let attacks = fighters.attackers.contains(entry.0) && view.ready_to_attack(entry.1).is_ok();
            if attacks && attackers.push(entry).is_err() {
                self.lacks(Resource::Pieces, PIECE_CAP);
            }
        }
        for &(at, piece) in &attackers {
            self.add_attacker(view, at, piece, fighters.targets);
        }
        self.add_step_asides(view, movers);
    }

    /// Leaves blinks out until there are clocks enough.
    fn fit_clocks(&mut self) {
        let mut count = self.num_clocks();
        for friend in self.friends.iter_mut().rev() {
            if count > MAX_CLOCKS && friend.blink {
                friend.blink = false;
                count -= 1;
                self.lacking = Some(full(Resource::Clocks, MAX_CLOCKS));
            }
        }
    }

    /// Notes that a list was full.
    pub(super) fn lacks(&mut self, what: Resource, available: usize) {
        self.lacking = self.lacking.or(Some(full(what, available)));
    }

    /// The same model with another overkill policy.
    #[must_use]
    pub fn with_overkill_policy(mut self, policy: OverkillPolicy) -> AttackModel<'l> {
        self.policy = policy;
        self.number();
        self
    }

    /// Whether everything that may matter is considered. If not, there may be attacks that no plan contains: with split
    /// moves on boards with many pieces in contact, under rulesets that let moves be split; and any in a
    /// [reduced](AttackModel::reduced) model.
    pub fn is_complete(&self) -> bool {
        !self.cut && self.lacking.is_none()
    }

    /// Number of friends that could attack, and of enemies that could be attacked.
    pub fn size(&self) -> (usize, usize) {
        (self.friends.iter().filter(|friend| friend.attacks > 0).count(), self.foes.len())
    }

    /// Hexes of the enemies that could be attacked.
    pub fn targets(&self) -> impl Iterator<Item = Hex> + '_ {
        self.foes.iter().map(|foe| foe.at)
    }

    /// Hexes of the friends that could attack.
    pub fn attackers(&self) -> impl Iterator<Item = Hex> + '_ {
        self.friends.iter().filter(|friend| friend.attacks > 0).map(|friend| friend.at)
    }

    /// Adds a friend with its modes, and the enemies that it could hit with their pairs.
    fn add_attacker(&mut self, view: &View<'_>, at: Hex, piece: Piece, targets: HexSet) {
        let Ok(now) = view.ready_to_attack(piece) else { return };
        let unit = view.unit(piece);
        // A lumbering piece fights from where it stands, or moves without fighting.
        let entry = AttackModel::passive_friend(view, at, piece);
        let steps = if now.lumbering { 0 } else { entry.steps };
        let open = entry.open;
        let reach = now.range.max(now.range_flying);
        let near = HexSet::ball(at, (steps + reach).min(18)) & self.hostile & targets;
        if near.is_empty() {
            return;
        }
        let anywhere = flood(at, steps, open);
        let mut useful = HexSet::EMPTY;
        let mut targets: Vec<(Hex, Piece, u8), PIECE_CAP, u8> = Vec::new();
        for target in near {
            let Some(other) = view.board.piece(target) else { continue };
            let foe = view.unit(other);
            let range = if foe.flying { now.range_flying } else { now.range };
            let immune = foe.necromancer && unit.attack == Attack::Deathtouch;
            let zone = HexSet::ball(target, range) & (anywhere - self.closed.without(at));
            let room = view.board.reserve(other.side(), other.unit()) < CROWDED;
            if range > 0 && !immune && room && !zone.is_empty() {
                useful |= zone;
                if targets.push((target, other, range)).is_err() {
                    self.lacks(Resource::Pieces, PIECE_CAP);
                }
            }
        }
        if targets.is_empty() {
            return;
        }
        if self.friends.len() == self.friends.capacity() {
            // Where the friend stands nobody else can come to.
            self.closed.insert(at);
            self.lacks(Resource::Pieces, self.friends.capacity());
            return;
        }
        let friend = self.friends.len() as u8;
        let first_mode = self.modes.len() as u16;
        let attacks = now.num_attacks - piece.attacks();
        for reachable in reachable_hexes(at, steps, open, self.hostile, unit.flying, useful) {
            self.add_mode(friend, ModeKind::Fight, &reachable);
        }
        let num_modes = self.modes.len() as u16 - first_mode;
        let _ = self.friends.push(Friend { attacks, first_mode, num_modes, ..entry });
        for &(target, other, range) in &targets {
            let Some(foe) = self.add_foe(view, target, other) else { continue };
            let need = self.foes.get(usize::from(foe)).map_or(1, |foe| foe.need);
            let persistent = view.unit(other).persistent;
            let (hit, most) = match now.attack {
                Attack::None => continue,
                Attack::Damage(amount) => (Hit::Damage(u16::from(amount).min(need)), need),
                Attack::Unsummon if persistent => (Hit::Damage(1), need),
                Attack::Unsummon => (Hit::Unsummon, 1),
                Attack::Deathtouch => (Hit::Damage(need), 1),
            };
            let useful_hits = match hit {
                Hit::Damage(amount) => most.div_ceil(amount.max(1)),
                Hit::Unsummon => 1,
            };
            let hits = useful_hits.min(u16::from(attacks)) as u8;
            if self.pairs.push(Pair { friend, foe, hits, hit, range, ..Pair::EMPTY }).is_err() {
                self.lacks(Resource::Pairs, self.pairs.capacity());
            }
        }
    }

    /// A friend without attacks and modes.
    pub(super) fn passive_friend(view: &View<'_>, at: Hex, piece: Piece) -> Friend {
        let unit = view.unit(piece);
        let open = view.board.walkable(view.map, unit);
        let steps = if open.contains(at) { view.steps_left(piece).unwrap_or(0) } else { 0 };
        Friend {
            at,
            attacks: 0,
            blink: AttackModel::may_blink(view, piece),
            steps,
            open,
            flying: unit.flying,
            lumbering: view.current(piece).lumbering,
            first_stopovers: HexSet::EMPTY,
            second_stopovers: HexSet::EMPTY,
            first_mode: 0,
            num_modes: 0,
            first_aside: 0,
            num_asides: 0,
            contested: false,
            lits: FriendLits::NONE,
        }
    }

    /// Hexes that a friend can walk to now without attacking, empty or not; its own is one of them.
    pub(super) fn walks(&self, friend: &Friend) -> HexSet {
        let passable = if friend.flying { friend.open } else { friend.open - self.hostile };
        flood(friend.at, friend.steps, passable)
    }

    /// Adds a mode with the sets of enemies that block its path, if there is room.
    pub(super) fn add_mode(&mut self, friend: u8, kind: ModeKind, reachable: &ReachableHex) {
        let first_set = self.sets.len();
        for &set in &reachable.blockers {
            if self.sets.push(set).is_err() {
                self.lacks(Resource::Sets, self.sets.capacity());
                self.sets.truncate(first_set);
                return;
            }
        }
        let (first_set, num_sets) = (first_set as u16, reachable.blockers.len() as u8);
        let mode = Mode { friend, hex: reachable.hex, kind, first_set, num_sets, ..Mode::EMPTY };
        if self.modes.push(mode).is_err() {
            self.lacks(Resource::Modes, self.modes.capacity());
        }
    }

    /// Whether a piece can blink away and has room among the reinforcements.
    fn may_blink(view: &View<'_>, piece: Piece) -> bool {
        view.unit(piece).blink
            && !view.awaits_setup()
            && view.board.reserve(piece.side(), piece.unit()) < CROWDED
    }

    /// Whether a friend can neither walk nor blink nor teleport.
    fn is_immovable(view: &View<'_>, at: Hex, piece: Piece) -> bool {
        let walks =
            view.steps_left(piece).is_ok() && view.board.walkable(view.map, view.unit(piece)).contains(at);
        !walks && !AttackModel::may_blink(view, piece) && view.teleports(at).is_empty()
    }

    /// Position in the list of the enemy on a hex, which is added if need be and there is room.
    fn add_foe(&mut self, view: &View<'_>, at: Hex, piece: Piece) -> Option<u8> {
        if let Some(known) = self.foes.iter().position(|foe| foe.at == at) {
            return Some(known as u8);
        }
        let now = view.current(piece);
        let need = now.defense.saturating_sub(piece.damage()).max(1);
        let foe = Foe { at, need, soulbound: now.soulbound, lits: FoeLits::NONE };
        if self.foes.push(foe).is_err() {
            self.lacks(Resource::Pieces, self.foes.capacity());
            return None;
        }
        Some(self.foes.len() as u8 - 1)
    }

    /// Positions of the modes in which a friend fights, or of those in which it steps aside.
    pub(super) fn mode_range(friend: &Friend, fights: bool) -> core::ops::Range<usize> {
        let (first, count) = if fights {
            (friend.first_mode, friend.num_modes)
        } else {
            (friend.first_aside, friend.num_asides)
        };
        usize::from(first)..usize::from(first) + usize::from(count)
    }

    /// Whether the enemy on a hex must be gone before a friend comes to a mode's hex.
    pub(super) fn must_be_gone(&self, at: Hex, mode: &Mode) -> bool {
        let sets = self.sets_of(mode);
        !sets.is_empty() && sets.iter().all(|set| set.contains(at))
    }

    /// Sets of enemies of which one must be gone before a mode's path is open; none when it is open.
    pub(super) fn sets_of(&self, mode: &Mode) -> &[HexSet] {
        let first = usize::from(mode.first_set);
        self.sets.get(first..first + usize::from(mode.num_sets)).unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::boxed::Box;

    use barrow_core::minions::{Builder, Game, GameConfig, MapLabel, Ruleset, Side, UnitLabel};

    use super::super::lists::LargeRoom;
    use super::*;

    /// A board with these pieces of Yellow, who is to move, and of Blue.
    fn board(pieces: &[(Side, UnitLabel, &str)], reserves: u8) -> Game {
        let config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap();
        let mut builder = Builder::new(config, 0);
        let board = builder.board(0).unwrap();
        for &(side, unit, name) in pieces {
            let hex = Hex::named(name).unwrap();
            board.set_piece(hex, Some(Piece::fresh(side, unit, hex)));
            board.set_reserve(side, unit, reserves);
        }
        builder.build().unwrap()
    }

    /// A model of an empty board, with so many friends that could fight and blink, and so many enemies.
    fn crowd(room: &mut LargeRoom, friends: usize, attacks: u8, foes: usize) -> AttackModel<'_> {
        let game = board(&[], 0);
        let mut model = AttackModel::new(&game.view(0).unwrap(), room).unwrap();
        for _ in 0..friends {
            let friend = Friend { attacks, blink: attacks == 1, ..Friend::EMPTY };
            model.friends.push(friend).unwrap();
        }
        for _ in 0..foes {
            model.foes.push(Foe::EMPTY).unwrap();
        }
        model
    }

    #[test]
    #[cfg_attr(not(feature = "every-board"), ignore = "there is room for fewer pieces")]
    fn the_last_friends_do_not_blink_when_clocks_are_few() {
        let mut room = Box::new(LargeRoom::new());
        // Three clocks for each friend and one for each enemy.
        for foes in [15, 16, 17, 20] {
            let mut model = crowd(&mut room, 80, 1, foes);
            model.fit_clocks();
            let kept = 80 - foes.saturating_sub(16);
            assert!(model.friends.iter().enumerate().all(|(index, friend)| friend.blink == (index < kept)));
            let lacking = (foes > 16).then_some(full(Resource::Clocks, MAX_CLOCKS));
            assert_eq!(model.lacking, lacking);
            assert_eq!(model.num_clocks(), 240 + foes - (80 - kept));
        }
    }

    #[test]
    #[cfg_attr(not(feature = "every-board"), ignore = "there is room for fewer pieces")]
    fn pairs_have_clocks_of_their_own_while_there_are_few() {
        let mut room = Box::new(LargeRoom::new());
        for (foes, own) in [(0, 2), (1, 1), (2, 0), (3, 0)] {
            // Two clocks for each friend and one for each enemy, and two pairs.
            let mut model = crowd(&mut room, 63, 2, foes);
            model.pairs.push(Pair { hits: 1, ..Pair::EMPTY }).unwrap();
            model.pairs.push(Pair { friend: 1, hits: 1, ..Pair::EMPTY }).unwrap();
            let model = model.with_overkill_policy(OverkillPolicy::AllHitsLand);
            assert_eq!(model.numbers.clocks, 126 + foes + own);
            let apart = |pair: &&Pair| {
                let friend = model.friends[usize::from(pair.friend)];
                pair.at != friend.lits.attacks_at
            };
            assert_eq!(model.pairs.iter().filter(apart).count(), own);
        }
    }

    #[test]
    fn full_reserves_take_no_piece_more() {
        let most = u8::MAX - PIECE_CAP as u8;
        let blinker = UnitLabel::ALL.into_iter().find(|unit| {
            let unit = unit.server();
            unit.blink && matches!(unit.attack, Attack::Damage(_)) && !unit.lumbering
        });
        let pieces = [(Side::Yellow, blinker.unwrap(), "c2"), (Side::Blue, UnitLabel::Warg, "c3")];
        let mut room = Box::new(LargeRoom::new());
        for (reserves, is_free) in [(0, true), (3, true), (most - 1, true), (most, false), (255, false)] {
            let game = board(&pieces, reserves);
            let view = game.view(0).unwrap();
            let (at, friend) = view.board.iter(Side::Yellow).next().unwrap();
            assert_eq!(AttackModel::may_blink(&view, friend), is_free, "{reserves} {at}");
            let model = AttackModel::new(&view, &mut *room).unwrap();
            assert_eq!(model.foes.len(), usize::from(is_free), "{reserves}");
        }
    }

    #[test]
    fn bytes_are_those_of_every_list() {
        let mut room = Box::new(LargeRoom::new());
        let mut model = crowd(&mut room, 3, 1, 2);
        let before = model.bytes();
        assert_eq!(before, size_of_val(&model) + 3 * size_of::<Friend>() + 2 * size_of::<Foe>());
        model.sets.push(HexSet::EMPTY).unwrap();
        assert_eq!(model.bytes(), before + size_of::<HexSet>());
        model.modes.push(Mode::EMPTY).unwrap();
        model.pairs.push(Pair::EMPTY).unwrap();
        let all = size_of::<HexSet>() + size_of::<Mode>() + size_of::<Pair>();
        assert_eq!(model.bytes(), before + all);
    }

    #[test]
    fn a_full_list_needs_one_place_more() {
        let error = full(Resource::Pairs, 7);
        assert_eq!(error, Capacity { what: Resource::Pairs, needed: 8, available: 7 });
    }
}
