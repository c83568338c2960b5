//! Checks of hard positions: by rules and solver, and once more by replies of players.

use std::time::Duration;

use anyhow::{Result, bail, ensure};
use barrow_core::minions::GameTurn;
use barrow_core::minions::players::{Greedy, Random};

use super::{Tactic, Task};
use crate::engine::forced::{every_reply_loses, keeps_graveyards, retakes_graveyards};
use crate::engine::proof::Prover;
use crate::engine::{Engine, Limits};

/// Checks that a position fits its task: its solution solves it, by rules and solver, a pass does not, and there is no attack
/// that wins at once without a card. The error says what does not fit.
pub fn verify(tactic: &Tactic, prover: &mut Prover) -> Result<()> {
    let game = &tactic.game;
    let Some(solution) = &tactic.solution else { bail!("there is no solution") };
    ensure!(tactic.is_solved_with(prover, solution), "the solution does not solve it");
    ensure!(!tactic.is_solved_with(prover, &GameTurn::new()), "a pass solves it");
    ensure!(prover.winning_attack(game).is_no(), "an attack without a card wins at once");
    let after = |turn: &GameTurn| {
        let mut played = game.clone();
        played.play(turn).map(|_| played)
    };
    let (passed, solved) = (after(&GameTurn::new())?, after(solution)?);
    let won = solved.state().winner() == Some(game.side_to_move());
    match tactic.task {
        Task::Card => ensure!(won, "the solution does not win"),
        Task::Retake => {
            ensure!(passed.state().is_over(), "a pass does not lose");
            ensure!(retakes_graveyards(prover, game, tactic.board).is_no(), "no card is needed");
        }
        Task::Escape | Task::Split => {
            ensure!(prover.winning_attack(&passed).is_yes(), "there is no threat");
            let threats = (0..game.config().num_boards()).filter(|&board| prover.kills_on(&passed, board));
            ensure!((threats.count() > 1) == (tactic.task == Task::Split), "threats on other boards");
        }
        Task::Siege => {
            let kept = (0..game.config().num_boards())
                .any(|board| keeps_graveyards(prover, &solved, board).is_yes());
            ensure!(kept, "the graveyards can be taken back");
        }
        Task::Mate => ensure!(every_reply_loses(prover, &solved).is_yes(), "a reply does not lose"),
        Task::Kill | Task::Defend | Task::Trade(_) | Task::Souls(_) => {
            bail!("{} is another kind", tactic.task.name())
        }
    }
    Ok(())
}

/// Checks a solution once more by replies of players, without the solver's word on what they can do: none of them wins for
/// the opponent, and where the task is to win at the next turn, each of them loses. `nodes` are those of the opponent's
/// search, `replies` the number of random and of simple turns.
pub fn confirm(
    tactic: &Tactic,
    prover: &mut Prover,
    engine: &mut Engine,
    nodes: u64,
    replies: u64,
) -> Result<()> {
    let Some(solution) = &tactic.solution else { bail!("there is no solution") };
    let side = tactic.game.side_to_move();
    let mut solved = tactic.game.clone();
    solved.play(solution)?;
    if solved.state().is_over() {
        ensure!(solved.state().winner() == Some(side), "the solution loses");
        return Ok(());
    }
    engine.clear();
    let found = engine.search(&solved, &Limits::new(Duration::MAX, nodes));
    let mut turns: Vec<GameTurn> = found.candidates.into_iter().map(|candidate| candidate.turn).collect();
    turns.extend((0..replies).map(|seed| Random::new(seed).choose(&solved)));
    turns.extend((0..replies).map(|seed| Greedy::new(seed).choose(&solved)));
    for turn in turns {
        let mut replied = solved.clone();
        replied.play(&turn)?;
        let winner = replied.state().winner();
        ensure!(winner != Some(side.opponent()) || tactic.task == Task::Retake, "a reply wins");
        if matches!(tactic.task, Task::Siege | Task::Mate) && winner != Some(side) {
            ensure!(prover.winning_attack(&replied).is_yes(), "a reply does not lose");
        }
    }
    Ok(())
}
