//! A whole game on two boards, played by the search with the network against itself.

use barrow_core::minions::turn_search::ports::SharedPorts;
use barrow_core::minions::{Game, GameConfig, GameCopy, Ruleset};
use barrow_nnue::embedded_nets;
use barrow_nnue::nets::Network;
use barrow_nnue::shape::Tiny;

use crate::Machine;
use crate::memory::Memory;
use crate::work::{load, search};

/// Nodes of each turn.
const NODES: u64 = 12;

/// Turns after which the game is given up.
const TURNS: u32 = 400;

/// Plays a game to its end and prints the key of the position after each turn, and the result.
pub fn play_game(machine: &mut impl Machine, memory: &mut Memory) {
    let Ok(network) = Network::<Tiny>::from_bytes(embedded_nets::TINY) else { return };
    load(network, &mut memory.net);
    let Memory { game, after, workspace, planner, net, .. } = memory;
    start(game, after);
    let (Some(game), Some(after), Some((oracle, policies))) = (game.get(), after.get(), net.first_mut())
    else {
        return;
    };
    for turn in 1..=TURNS {
        let ports =
            SharedPorts { evaluator: &mut *oracle, policies: &mut *policies, attack_planner: &mut *planner };
        let (slices, scratch) = workspace.split();
        if search(game, slices, scratch, ports, NODES, after).is_none() {
            break;
        }
        game.go_to(after.state());
        machine.print(format_args!("{turn} {:016x}", game.state().key()));
    }
    match game.state().winner() {
        Some(side) => machine.print(format_args!("{side:?} wins")),
        None => machine.print(format_args!("no winner")),
    }
}

#[inline(never)]
fn start(game: &mut GameCopy, after: &mut GameCopy) {
    let first = Game::new(GameConfig::default().with_ruleset(Ruleset::Spooky), 11);
    game.copy(&first);
    after.copy(&first);
}
