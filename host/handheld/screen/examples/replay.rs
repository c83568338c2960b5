//! Plays the game of a save memory once more: every turn of the engine must be the one that this machine finds with as much
//! work. Prints what it has compared; ends with 1 at the first difference.
//!
//! `replay FILE`

use std::process::ExitCode;

use barrow_core::minions::{Action, DraftMemory, Game, GameTurn};
use barrow_nnue::embedded_nets;
use barrow_nnue::nets::Network;
use barrow_screen::cartridge::{CartridgeSearch, NODES_PER_SLICE};
use barrow_screen::coding::Entry;
use barrow_screen::engine::{Engine, actions_of, simple_turn};
use barrow_screen::record::Entries;
use barrow_screen::save::{SAVE_BYTES, record_of};
use barrow_screen::table::play;

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        eprintln!("replay FILE");
        return ExitCode::FAILURE;
    };
    match std::fs::read(&name).map_err(|error| error.to_string()).and_then(|memory| replay(&memory)) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The turn that a search of this many slices finds, as on the cartridge.
fn found_in(search: &mut CartridgeSearch, game: &Game, slices: u16) -> Option<GameTurn> {
    search.begin();
    for _ in 0..slices {
        if !search.work(game, NODES_PER_SLICE.into()) {
            return None;
        }
    }
    if slices > 0 { search.answer(game) } else { None }
}

fn replay(memory: &[u8]) -> Result<String, String> {
    let network = Network::from_bytes(embedded_nets::TINY).map_err(|error| error.to_string())?;
    let mut search = Box::new(CartridgeSearch::new());
    search.take_network(network);
    let (mut draft, mut all_slices) = (DraftMemory::new(), 0);
    let memory = memory.get(..SAVE_BYTES).ok_or("too short")?;
    let (record, [base, turn, _]) = record_of(memory).map_err(|error| error.text().to_owned())?;
    let text = String::from_utf8_lossy(&record[..usize::from(base)]);
    let mut game = Game::from_fen(&text).map_err(|error| error.to_string())?;
    let (mut rest, mut engine, mut person) = (&record[usize::from(base)..usize::from(turn)], 0, 0);
    while !rest.is_empty() {
        // One turn: notes, actions, its end.
        let (mut entries, mut slices, mut actions) = (Entries::new(rest), None, Vec::new());
        for entry in entries.by_ref() {
            match entry {
                Entry::Searched(count) => slices = Some(count),
                Entry::Action(action) => actions.push(action),
                // Marks are of a turn that is being entered.
                Entry::Late(_) => {}
                Entry::EndTurn | Entry::ResignGame => break,
            }
        }
        let used = rest.len() - entries.rest();
        if let Some(slices) = slices {
            let found = found_in(&mut search, &game, slices);
            let turn = found.as_ref().unwrap_or_else(|| simple_turn(&game, &mut draft));
            let own: Vec<Action> = actions_of(turn, game.state().budget()).collect();
            all_slices += u32::from(slices);
            if own != actions {
                return Err(format!("turn {}: here {own:?}, there {actions:?}", game.state().turn() + 1));
            }
            engine += 1;
        } else {
            person += 1;
        }
        play(&mut game, Entries::new(&rest[..used])).map_err(|(reason, _)| reason.to_string())?;
        rest = &rest[used..];
    }
    let winner = game.state().winner().map_or("nobody", |side| side.name());
    Ok(format!(
        "{engine} turns of the engine, {all_slices} slices, equal this machine's; {person} of the player; winner {winner}"
    ))
}
