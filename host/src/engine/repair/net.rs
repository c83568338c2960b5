//! Net round the enemy necromancer: whatever the opponent replies, an attack of the next turn kills it. For boards on which the
//! opponent has so few pieces that all replies can be listed.

use barrow_core::hex::{Hex, HexSet, flood};
use barrow_core::minions::{Attack, GameTurn, Piece, View};
use barrow_solver::attack::Goal;

use super::aim::{Aim, Check};
use super::draft::Draft;
use super::effort::Effort;
use super::strikes::{Strike, most_damage, strikes_within, walks};
use crate::engine::forced::{Look, Refutation, refuting_reply};
use crate::engine::proof::{Prover, necromancer};

/// Score of each hex to which the necromancer can flee, beside the damage that is missing there.
const WAY_OUT: i32 = 2;

/// Most that a refutation adds to a score.
const LESSON: i32 = 4;

/// Distance from the necromancer within which friends gather.
const NEAR: u8 = 6;

/// Reply that refuted a draft: where the enemies stood after it, and which friends were gone.
struct Scenario {
    necromancer: Hex,
    guards: HexSet,
    gone: HexSet,
}

/// Enemy that removes a friend: the hexes that it can hit, and its attacks.
struct Remover {
    zone: HexSet,
    attack: Attack,
    hits: u8,
}

impl Remover {
    /// Whether it removes the piece of a hex.
    fn removes(&self, view: &View<'_>, at: Hex) -> bool {
        let Some(piece) = view.board.piece(at).filter(|_| self.zone.contains(at)) else { return false };
        let (unit, defense) = (view.unit(piece), view.current(piece).defense);
        let removed = match self.attack {
            Attack::None => false,
            Attack::Deathtouch => true,
            Attack::Unsummon => !unit.persistent || defense <= u16::from(self.hits),
            Attack::Damage(damage) => defense <= u16::from(damage) * u16::from(self.hits),
        };
        removed && !unit.necromancer
    }
}

/// The aim, and what refutations have taught.
#[derive(Default)]
pub(super) struct Net {
    scenarios: Vec<Scenario>,
    /// Turns that won after replies, which are tried first after others.
    winning: Vec<GameTurn>,
}

/// Most damage of these strikes without those of some friends.
fn damage_without(strikes: &[Strike], gone: HexSet) -> u16 {
    let mut left: Vec<Strike> = strikes.iter().filter(|strike| !gone.contains(strike.at)).copied().collect();
    most_damage(&mut left)
}

/// The hexes on which the necromancer of the other side can end a walk.
fn ways_out(view: &View<'_>, (necromancer, piece): (Hex, Piece)) -> HexSet {
    let own = view.board.pieces(view.side);
    let open = view.board.walkable(view.map, view.unit(piece));
    let open = if view.unit(piece).flying { open } else { open - own };
    flood(necromancer, view.current(piece).speed, open) - own
}

/// Damage that is missing for a kill of the necromancer after it went to a hex, when it and its guards remove a friend each, the
/// one who matters most.
fn missing(view: &View<'_>, piece: Piece, at: Hex, guards: HexSet) -> i32 {
    let now = view.current(piece);
    let strikes = strikes_within(view, view.side, at, guards.with(at));
    let (mut gone, mut least) = (HexSet::EMPTY, damage_without(&strikes, HexSet::EMPTY));
    let mut removers =
        vec![Remover { zone: HexSet::ball(at, now.range), attack: now.attack, hits: now.num_attacks }];
    for (guard, piece) in view.board.iter(view.side.opponent()).filter(|(hex, _)| guards.contains(*hex)) {
        let figures = view.current(piece);
        let stands = walks(view, (guard, piece), view.board.pieces(view.side));
        let zone = (0..figures.range).fold(stands, |zone, _| zone.grown());
        removers.push(Remover { zone, attack: figures.attack, hits: figures.num_attacks });
    }
    for remover in removers {
        if least < now.defense {
            break;
        }
        let mut worst = HexSet::EMPTY;
        for strike in &strikes {
            if !gone.contains(strike.at) && remover.removes(view, strike.at) {
                let left = damage_without(&strikes, gone.with(strike.at));
                if left < least {
                    (least, worst) = (left, strike.at.to_set());
                }
            }
        }
        gone |= worst;
    }
    i32::from(now.defense.saturating_sub(least))
}

impl Aim for Net {
    const GOOD: i32 = 0;
    const HOPELESS: i32 = i32::MAX;
    const IS_FRUGAL: bool = false;

    fn score(&self, view: &View<'_>) -> i32 {
        let enemy = view.side.opponent();
        let Some(necromancer) = necromancer(view, enemy) else { return 0 };
        let Some(piece) = view.board.piece(necromancer) else { return 0 };
        let (guards, own) = (view.board.pieces(enemy).without(necromancer), view.board.pieces(view.side));
        let ways = ways_out(view, (necromancer, piece)).into_iter();
        let open = ways.map(|at| missing(view, piece, at, guards.without(at))).filter(|&missing| missing > 0);
        let mut score = open.map(|missing| WAY_OUT + missing).sum();
        for Scenario { necromancer, guards, gone } in &self.scenarios {
            if !own.intersects(guards.with(*necromancer)) {
                let strikes = strikes_within(view, view.side, *necromancer, guards.with(*necromancer));
                let missing = view.current(piece).defense.saturating_sub(damage_without(&strikes, *gone));
                score += i32::from(missing).min(LESSON);
            }
        }
        score
    }

    fn hexes(&self, view: &View<'_>) -> HexSet {
        necromancer(view, view.side.opponent())
            .map_or(HexSet::EMPTY, |necromancer| HexSet::ball(necromancer, NEAR))
    }

    fn attacks(&self, view: &View<'_>) -> Vec<Vec<Goal>> {
        let enemy = view.side.opponent();
        let Some(necromancer) = necromancer(view, enemy) else { return Vec::new() };
        let guards = view.board.pieces(enemy).without(necromancer);
        let mut all = vec![Vec::new()];
        all.extend(guards.iter().flat_map(|at| [vec![Goal::Remove(at)], vec![Goal::Kill(at)]]));
        if guards.len() > 1 {
            all.push(guards.iter().map(Goal::Remove).collect());
        }
        all
    }

    fn wishes(&self, view: &View<'_>) -> Vec<Goal> {
        view.board.pieces(view.side.opponent()).iter().map(Goal::Remove).collect()
    }

    fn check(&mut self, prover: &mut Prover, draft: &Draft, effort: &mut Effort) -> Check {
        let Some(ended) = draft.ended() else { return Check::Unknown };
        let winner = draft.game.side_to_move();
        if ended.state().is_over() {
            return if ended.state().winner() == Some(winner) { Check::Reached } else { Check::Unknown };
        }
        if !effort.request() || !prover.is_safe(&ended).is_yes() {
            return Check::Unknown;
        }
        let mut look = |look| match look {
            Look::Try => effort.estimate(),
            Look::Solve => effort.request(),
        };
        match refuting_reply(prover, &ended, &mut self.winning, &mut look) {
            Refutation::None => Check::Reached,
            Refutation::Unknown => Check::Unknown,
            Refutation::Reply(reply) => {
                if let (Some(view), Some(before)) = (reply.view(draft.board), draft.view())
                    && let Some(necromancer) = necromancer(&view, winner.opponent())
                {
                    let guards = view.board.pieces(winner.opponent()).without(necromancer);
                    let gone = before.board.pieces(winner) - view.board.pieces(winner);
                    self.scenarios.push(Scenario { necromancer, guards, gone });
                }
                Check::Refuted
            }
        }
    }

    fn lessons(&mut self) -> Vec<Vec<Goal>> {
        Vec::new()
    }
}
