//! `barrow analyze`: searches a position and prints its value, the best turn, and the candidates. Each number says whose
//! it is and of what: win chances of the game by the search and by the network, each with its expected error, and souls by
//! the count of material. Candidates behind the best are told by what they do otherwise.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::text::{fen, umi};
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, GameTurn};
use serde_json::{Value, json};

use super::position::Position;
use super::review::{self, ReviewArguments};
use crate::engine::network::EngineNetwork;
use crate::engine::{Candidate, DEFAULT_MIB, Engine, Limits, MAX_MIB, SearchResult};
use crate::notation::AnnotatedGame;
use crate::review::ReviewSettings;
use crate::text::material::material_line;
use crate::text::narrate::Narration;
use crate::text::output::is_colored;
use crate::text::picture::Picture;
use crate::text::search_tree::SearchTree;
use crate::{say, say_part};

/// Arguments of `analyze`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    position: Position,
    #[command(flatten)]
    review: ReviewArguments,
    /// Time to think
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    movetime: u64,
    /// Nodes to search (default: as many as the time allows)
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the search
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MIB as u64, value_parser = clap::value_parser!(u64).range(1..=MAX_MIB as u64))]
    hash: u64,
    /// Network file to think with instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Print the statistics of every stage of the search
    #[arg(long)]
    tree: bool,
    /// Candidates to show
    #[arg(long, value_name = "K", default_value_t = 5)]
    candidates: usize,
    /// Print the analysis as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Analyses the position, or the start position, or reviews a whole game.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.position.recorded.is_whole()
        && let Some(game) = arguments.position.recorded.game()?
    {
        return review_game(arguments, &game);
    }
    let game = arguments.position.game()?;
    let network = arguments.net.as_deref().map(EngineNetwork::open).transpose()?;
    say_part!("{}", Picture::new(&game).colored(is_colored()));
    let (hash, threads) = (arguments.hash as usize, usize::from(arguments.threads));
    let mut engine = Engine::with_threads(hash, SearchOptions::default(), threads);
    engine.set_explains(arguments.tree);
    engine.set_network(network);
    if game.state().is_over() {
        bail!("the game is over");
    }
    let result =
        engine.search(&game, &Limits::new(Duration::from_millis(arguments.movetime), arguments.nodes));
    if let Some(breakdown) = &result.breakdown {
        say!("\n{breakdown}");
    }
    let best = result.best();
    let shown = result.candidates.get(..arguments.candidates).unwrap_or(&result.candidates);

    let side = game.side_to_move().name();
    say!("\nby the search, {side} wins the game with {}", best.chance_in_words());
    if let Some(network) = network.or_else(EngineNetwork::embedded) {
        say_part!("before any search, {}", network.report(&game));
    }
    say!("{}", material_line(&game));
    let narration = Narration::new(&game, &best.turn);
    print_turn(&narration);
    say!("\nin UMI:");
    for line in lines(&game, &best.turn) {
        say!("{line}");
    }
    if shown.len() > 1 {
        say!(
            "\n{} of {} candidates, {} nodes; how often {side} wins with each, give or take points:",
            shown.len(),
            result.candidates.len(),
            result.statistics.nodes
        );
    }
    for (place, candidate) in shown.iter().enumerate().filter(|_| shown.len() > 1) {
        let other = Narration::new(&game, &candidate.turn);
        let words =
            if place == 0 { other.summary() } else { format!("as 1, but {}", other.difference(&narration)) };
        say!(
            "  {}. {:.1}% ± {:.0}, {} visits: {words}",
            place + 1,
            100.0 * candidate.value,
            100.0 * candidate.expected_error,
            candidate.visits,
        );
    }
    if let Some(explanation) = &result.explanation {
        say_part!("\n{}", SearchTree(explanation));
    }
    if arguments.json {
        println!("{}", report(&game, &result, shown));
    }
    Ok(ExitCode::SUCCESS)
}

/// Reviews a whole game.
fn review_game(arguments: &Arguments, game: &AnnotatedGame) -> Result<ExitCode> {
    let network = arguments.net.as_deref().map(EngineNetwork::open).transpose()?;
    let (hash, threads) = (arguments.hash as usize, usize::from(arguments.threads));
    let mut engine = Engine::with_threads(hash, SearchOptions::default(), threads);
    engine.set_network(network);
    let settings = ReviewSettings {
        time: Duration::from_millis(arguments.movetime),
        nodes: arguments.nodes,
        blunder: arguments.review.threshold(),
    };
    review::run(&arguments.review, game, &mut engine, &settings, arguments.json)
}

/// Value of each board for the side to move, in souls.
fn board_values(game: &Game) -> impl Iterator<Item = f64> + '_ {
    (0..game.config().num_boards()).map(|board| f64::from(eval::board_score(game, board)) / 100.0)
}

/// Prints a turn in words, board by board.
fn print_turn(narration: &Narration) {
    say!("\nbest turn:");
    for sentence in &narration.general {
        say!("  {sentence}");
    }
    for (index, board) in narration.boards.iter().enumerate() {
        say!("  board {index}:{}", if board.sentences.is_empty() { " nothing" } else { "" });
        for sentence in &board.sentences {
            say!("    {sentence}");
        }
    }
}

/// The turn as UMI lines, `endturn` included.
fn lines(game: &Game, turn: &GameTurn) -> Vec<String> {
    let text = umi::TurnText::new(game, turn).to_string();
    text.lines().map(str::to_owned).chain(["endturn".to_owned()]).collect()
}

/// The object of `--json`.
fn report(game: &Game, result: &SearchResult, shown: &[Candidate]) -> Value {
    let boards = board_values(game).zip(game.config().maps());
    let candidates = shown.iter().map(|candidate| {
        let summary = Narration::new(game, &candidate.turn).summary();
        json!({ "value": candidate.value, "visits": candidate.visits, "summary": summary })
    });
    json!({
        "fen": fen::Extended(game).to_string(),
        "value": result.best().value,
        "expected_error": result.best().expected_error,
        "confidence": result.best().confidence(),
        "boards": boards.map(|(souls, map)| json!({ "map": map.name(), "souls": souls })).collect::<Vec<_>>(),
        "turn": lines(game, &result.best().turn),
        "candidates": candidates.collect::<Vec<_>>(),
        "nodes": result.statistics.nodes,
        "seconds": result.time.as_secs_f64(),
    })
}
