//! `barrow analyze`: a position, its value, and what to do in it.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::text::{fen, umi};
use barrow_core::minions::turn_search::Options;
use barrow_core::minions::{Game, GameTurn};
use serde_json::{Value, json};

use super::position::Position;
use super::tree::Tree;
use crate::engine::analysis::{Analysis, Candidate, Effort, HASH_MIB};
use crate::engine::embedded_nets;
use crate::engine::{Engine, MOST_MIB};
use crate::text::narrate::Narration;
use crate::text::net_report::NetReport;
use crate::text::picture::Picture;

/// Arguments of `analyze`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    position: Position,
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
    #[arg(long, value_name = "MIB", default_value_t = HASH_MIB as u64, value_parser = clap::value_parser!(u64).range(1..=MOST_MIB as u64))]
    hash: u64,
    /// Print the statistics of every stage of the search
    #[arg(long)]
    tree: bool,
    /// Candidates to show
    #[arg(long, value_name = "K", default_value_t = 5)]
    candidates: usize,
    /// Print the analysis as one JSON object on the last line
    #[arg(long)]
    json: bool,
}

/// Analyses the position, or the start position.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let game = arguments.position.game()?;
    print!("{}", Picture::new(&game).colored(std::io::stdout().is_terminal()));
    let effort = Effort { time: Duration::from_millis(arguments.movetime), nodes: arguments.nodes };
    let (hash, threads) = (arguments.hash as usize, usize::from(arguments.threads));
    let mut engine = Engine::with_threads(hash, Options::default(), threads);
    engine.explain(arguments.tree);
    let analysis = Analysis::by(&mut engine, &game, effort)?;
    let best = analysis.best();
    let shown = analysis.candidates.get(..arguments.candidates).unwrap_or(&analysis.candidates);

    println!(
        "\nvalue for {}: {}, confidence {:.0}%",
        game.side_to_move().name(),
        worth(best),
        100.0 * analysis.confidence()
    );
    for (index, souls) in board_values(&game).enumerate() {
        println!("  board {index}: {souls:+.1} souls before the turn");
    }
    if let Some(network) = embedded_nets::desktop() {
        print!("before any search {}", NetReport::new(&network, &game));
    }
    tell(&Narration::new(&game, &best.turn));
    println!("\nin UMI:");
    for line in lines(&game, &best.turn) {
        println!("{line}");
    }
    if shown.len() > 1 {
        println!("\ncandidates ({} listed, {} nodes):", analysis.candidates.len(), analysis.report.nodes);
    }
    for candidate in shown.iter().filter(|_| shown.len() > 1) {
        let summary = Narration::new(&game, &candidate.turn).summary();
        println!("  {}, {} visits: {summary}", worth(candidate), candidate.visits);
    }
    if let Some(explanation) = &analysis.explanation {
        print!("\n{}", Tree(explanation));
    }
    if arguments.json {
        println!("{}", report(&game, &analysis, shown));
    }
    Ok(ExitCode::SUCCESS)
}

fn worth(candidate: &Candidate) -> String {
    format!("{:.1}% to win, {:+.1} souls", 100.0 * candidate.value, f64::from(candidate.score) / 100.0)
}

/// Value of each board for the side to move, in souls.
fn board_values(game: &Game) -> impl Iterator<Item = f64> + '_ {
    (0..game.config().num_boards()).map(|board| f64::from(eval::board_score(game, board)) / 100.0)
}

fn tell(narration: &Narration) {
    println!("\nbest turn:");
    for sentence in &narration.general {
        println!("  {sentence}");
    }
    for (index, board) in narration.boards.iter().enumerate() {
        println!("  board {index}:{}", if board.sentences.is_empty() { " nothing" } else { "" });
        for sentence in &board.sentences {
            println!("    {sentence}");
        }
    }
}

/// The turn as UMI lines, `endturn` included.
fn lines(game: &Game, turn: &GameTurn) -> Vec<String> {
    let text = umi::TurnText::new(game, turn).to_string();
    text.lines().map(str::to_owned).chain(["endturn".to_owned()]).collect()
}

fn report(game: &Game, analysis: &Analysis, shown: &[Candidate]) -> Value {
    let boards = board_values(game).zip(game.config().maps());
    let candidates = shown.iter().map(|candidate| {
        let summary = Narration::new(game, &candidate.turn).summary();
        json!({ "value": candidate.value, "visits": candidate.visits, "summary": summary })
    });
    json!({
        "fen": fen::Extended(game).to_string(),
        "value": analysis.best().value,
        "confidence": analysis.confidence(),
        "boards": boards.map(|(souls, map)| json!({ "map": map.name(), "souls": souls })).collect::<Vec<_>>(),
        "turn": lines(game, &analysis.best().turn),
        "candidates": candidates.collect::<Vec<_>>(),
        "nodes": analysis.report.nodes,
        "seconds": analysis.time.as_secs_f64(),
    })
}
