//! A slow reference implementation of the rules of Minions, written from `docs/spec/minions.md` alone, to compare the
//! engine with. Sections and divergences are those of the specification.
//!
//! Reference and engine share tables (figures of units, classes of spells, tiles of maps; other tests compare these with
//! their sources) and the types of actions, but no rule. Each method for an action returns the state after it, or `None`
//! if the action is illegal. The reference has no reasons for refusals, no undo and no capacities.

mod casting;
mod combat;
pub mod convert;
mod general;
pub mod geometry;
mod movement;
mod placement;
pub mod state;
mod turn_end;

use barrow_core::minions::{BoardAction, Budget, GameTurn, Spell};

use state::State;

impl State {
    /// Plays the first action of a list on board `b`, or the simultaneous move that the list begins with. Returns the
    /// position afterwards and the number of actions used; `None` if the action is illegal.
    pub fn act(&self, b: usize, actions: &[BoardAction]) -> Option<(State, usize)> {
        let first = *actions.first()?;
        let board = self.boards.get(b)?;
        if self.winner.is_some() || board.resigned {
            return None;
        }
        if board.spawn_phase && is_attack_phase_only(first) {
            return None;
        }
        let mut next = self.clone();
        let mut used = 1;
        match first {
            BoardAction::Move { .. } | BoardAction::Walk { .. } => {
                while actions.get(used - 1)?.is_joined() {
                    used += 1;
                }
                next.walk(b, actions.get(..used)?)?;
            }
            BoardAction::Attack { from, to } => next.attack(b, geometry::at(from), geometry::at(to))?,
            BoardAction::Teleport { from, to } => next.teleport(b, geometry::at(from), geometry::at(to))?,
            BoardAction::Blink { at } => next.blink(b, geometry::at(at))?,
            BoardAction::Spawn { unit, at } => next.spawn(b, unit, geometry::at(at))?,
            BoardAction::UseTile { at } => next.use_tile(b, geometry::at(at))?,
            BoardAction::Cast { spell, params } => next.cast(b, spell, params)?,
            BoardAction::Discard { spell } => next.discard(b, spell)?,
            BoardAction::UseAbility { user, ability, terrain, to } => {
                next.use_ability(b, geometry::at(user), ability, terrain, geometry::at(to))?;
            }
            BoardAction::Buy { unit } => next.buy(b, unit)?,
            BoardAction::Keep { unit } => next.keep(b, unit)?,
            BoardAction::Resign => next.boards[b].resigned = true,
            BoardAction::EndPhase => next.boards[b].spawn_phase = true,
        }
        if is_spawn_phase_only(first) {
            next.boards[b].spawn_phase = true;
        }
        Some((next, used))
    }

    /// Returns the position after all actions of a turn (the general's, then board by board), before the end of the
    /// turn; `None` if one of the actions is illegal.
    fn enter(&self, turn: &GameTurn) -> Option<State> {
        let mut now = self.clone();
        let budget =
            Budget { tech_points: self.tech_points as u8, bought: self.bought as u8, sold: self.sold };
        for action in turn.general_actions(budget) {
            now = now.general(action)?;
        }
        for b in 0..turn.board_actions.len() {
            let mut rest = turn.board(b);
            // Divergence 38: with Spooky a resignation replaces everything else on its board.
            if self.is_spooky() && rest.contains(&BoardAction::Resign) {
                rest = &[BoardAction::Resign];
            }
            while !rest.is_empty() {
                let (next, used) = now.act(b, rest)?;
                now = next;
                rest = &rest[used..];
            }
        }
        Some(now)
    }

    /// Returns the position after a turn and its end; `None` if the turn is illegal.
    pub(crate) fn play(&self, turn: &GameTurn) -> Option<State> {
        self.enter(turn)?.end_turn()
    }
}

/// Whether an action is illegal in the spawn phase (§4).
fn is_attack_phase_only(action: BoardAction) -> bool {
    matches!(
        action,
        BoardAction::Move { .. }
            | BoardAction::Walk { .. }
            | BoardAction::Attack { .. }
            | BoardAction::Teleport { .. }
            | BoardAction::Blink { .. }
            | BoardAction::EndPhase
    )
}

/// Whether an action belongs to the spawn phase, and so begins it (§4, §14).
fn is_spawn_phase_only(action: BoardAction) -> bool {
    match action {
        BoardAction::Spawn { .. } | BoardAction::UseTile { .. } | BoardAction::UseAbility { .. } => true,
        BoardAction::Cast { spell, .. } => matches!(
            spell,
            Spell::Reposition
                | Spell::Earthquake
                | Spell::Firestorm
                | Spell::Flood
                | Spell::Whirlwind
                | Spell::Terraform
                | Spell::Normalize
                | Spell::Displace
                | Spell::Blink
        ),
        _ => false,
    }
}
