//! The rules of Minions a second time: slow, obvious, and written from the rules specification alone, so that the
//! engine's quick version has something to be held to. Section numbers are the specification's.
//!
//! The two share plain data (unit figures, spell classes, map tiles, which other tests compare with their sources)
//! and the vocabulary of actions, but no rule. A step of the reference takes a state and returns the state after
//! it, or nothing when the step is refused; it knows no reasons, no undo and no capacities.

pub mod convert;
pub mod fighting;
pub mod general;
pub mod geometry;
pub mod magic;
pub mod placing;
pub mod state;
pub mod turn_end;
pub mod walking;

use barrow_core::minions::{BoardAction, GameTurn, Spell};

use state::State;

impl State {
    /// The first action of a board's list, or the simultaneous move it begins, with the number of actions that
    /// were used; nothing when it is refused.
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

    /// All actions of a turn in its order (the general's, then board by board), its end not included; nothing when
    /// any of them is refused.
    pub fn enter(&self, turn: &GameTurn) -> Option<State> {
        let mut now = self.clone();
        for action in turn.general_actions() {
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

    /// A whole turn with its end.
    pub fn play(&self, turn: &GameTurn) -> Option<State> {
        self.enter(turn)?.end_turn()
    }
}

/// §4: impossible in the spawn phase. Ending the attack phase is possible once only.
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

/// §4, §14: what is restricted to the spawn phase and so begins it.
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
