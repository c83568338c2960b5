//! `barrow analyze`: searches a position and prints its value, the best turn, and the candidates. Each number says whose
//! it is and of what: win chances of the game by the search and by the network, each with its expected error, and souls by
//! the count of material. Candidates behind the best are told by what they do otherwise.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::text::{fen, umi};
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, GameTurn};
use schemars::JsonSchema;
use serde::Serialize;

use super::network::open_network;
use super::position::Position;
use super::review::{self, ReviewArguments};
use super::usage::require;
use crate::configuration::Configuration;
use crate::engine::network::EngineNetwork;
use crate::engine::{Candidate, DEFAULT_MIB, Engine, Limits, MAX_MIB, SearchResult};
use crate::notation::AnnotatedGame;
use crate::progress;
use crate::quantity::{mebibytes, milliseconds};
use crate::review::{ReviewReport, ReviewSettings};
use crate::text::material::material_line;
use crate::text::narrate::Narration;
use crate::text::net_report::result_in_words;
use crate::text::output::{is_colored, print_json};
use crate::text::picture::Picture;
use crate::text::search_tree::SearchTree;
use crate::{say, say_part};

/// Candidates that are shown by default.
const CANDIDATES: usize = 5;

/// Arguments of `analyze`.
#[derive(clap::Args)]
#[command(mut_arg("turn", |turn| turn.help("Position after this many turns of the game (default: all, of which each is reviewed)")))]
pub(super) struct Arguments {
    #[command(flatten)]
    position: Position,
    #[command(flatten)]
    review: ReviewArguments,
    /// Time to think
    #[arg(long, value_name = "MS", default_value_t = 2000, value_parser = milliseconds(0))]
    movetime: u64,
    /// Nodes to search (default: as many as the time allows)
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the search
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MIB as u64, value_parser = mebibytes(1..=MAX_MIB as u64))]
    hash: u64,
    /// Network file to think with instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Print the statistics of every stage of the search
    #[arg(long)]
    tree: bool,
    /// Candidates of a position to show (default: 5)
    #[arg(long, value_name = "K")]
    candidates: Option<usize>,
    /// Print the analysis as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Analyses the position, or the start position, or reviews a whole game.
pub(super) fn run(arguments: &Arguments, configuration: &Configuration) -> Result<ExitCode> {
    let inputs = [("--game", arguments.position.recorded.file()), ("--net", arguments.net.as_deref())];
    arguments.review.refuse_shared_files(&inputs)?;
    if arguments.position.recorded.is_whole()
        && let Some(game) = arguments.position.recorded_game()?
    {
        let of_one = "of one position: say by --turn which of the game";
        require(!arguments.tree, format!("--tree is {of_one}"))?;
        require(arguments.candidates.is_none(), format!("--candidates is {of_one}"))?;
        return review_game(arguments, configuration, &game);
    }
    let game = arguments.position.game()?;
    let network = open_network(arguments.net.as_deref(), configuration)?;
    say_part!("{}", Picture::new(&game).colored(is_colored()));
    let (hash, threads) = (arguments.hash as usize, usize::from(arguments.threads));
    let mut engine = Engine::with_threads(hash, SearchOptions::default(), threads);
    engine.set_explains(arguments.tree);
    engine.set_network(network);
    if game.state().is_over() {
        bail!("the game is over, {}", result_in_words(&game));
    }
    let limits = Limits::new(Duration::from_millis(arguments.movetime), arguments.nodes);
    let bar = progress::spinner(&format!("{} thinks", game.side_to_move().name()));
    let result = engine.search_observed(&game, &limits, &mut |so_far| {
        let (nodes, best) = (so_far.statistics.nodes, so_far.best());
        bar.set_message(format!(
            "of {:?}: {nodes} nodes, wins with {}",
            limits.hard_bound,
            best.chance_in_words()
        ));
    });
    bar.finish_and_clear();
    if let Some(breakdown) = &result.breakdown {
        say!("\n{breakdown}");
    }
    let best = result.best();
    let shown = arguments.candidates.unwrap_or(CANDIDATES);
    let shown = result.candidates.get(..shown).unwrap_or(&result.candidates);

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
        print_json(&PositionAnalysis::new(&game, &result, shown))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reviews a whole game.
fn review_game(
    arguments: &Arguments,
    configuration: &Configuration,
    game: &AnnotatedGame,
) -> Result<ExitCode> {
    let file = arguments.position.recorded.file().unwrap_or_default();
    ensure!(!game.turns.is_empty(), "{file}: the game has no turns");
    let network = open_network(arguments.net.as_deref(), configuration)?;
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

/// Report of `analyze`: of a position, or of a game (`--game`).
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "for its schema: each report is printed where it is made")]
pub(super) enum AnalyzeReport {
    /// Position.
    Position(PositionAnalysis),
    /// Whole game.
    Game(ReviewReport),
}

/// Analysis of a position. Win chances are those of the side to move, 0 to 1.
#[derive(Serialize, JsonSchema)]
pub(super) struct PositionAnalysis {
    /// Position in the extended form of FEN.
    fen: String,
    /// Side to move.
    side: &'static str,
    /// Win chance by the best turn.
    value: f64,
    /// Wins, draws and losses in permille, as in UMI.
    wdl: [u16; 3],
    /// Expected difference of the win chance from the one at the side's next turn.
    expected_error: f64,
    /// Confidence in the win chance: 1 less its expected error.
    confidence: f64,
    /// Boards in index order.
    boards: Vec<BoardValue>,
    /// Best turn in UMI, `endturn` included.
    turn: Vec<String>,
    /// Candidates, the best first.
    candidates: Vec<CandidateReport>,
    /// Nodes searched.
    nodes: u64,
    /// Time of the search.
    seconds: f64,
}

/// Board by the count of material.
#[derive(Serialize, JsonSchema)]
pub(super) struct BoardValue {
    /// Name of the map.
    map: &'static str,
    /// Souls by which the side to move is ahead before its turn.
    souls: f64,
}

/// Candidate of a search.
#[derive(Serialize, JsonSchema)]
pub(super) struct CandidateReport {
    /// Win chance.
    value: f64,
    /// Wins, draws and losses in permille, as in UMI.
    wdl: [u16; 3],
    /// Expected difference of the win chance from the one at the side's next turn.
    expected_error: f64,
    /// Visits.
    visits: u64,
    /// Turn in a few words.
    summary: String,
    /// Actions of the turn in UMI, without `turn` and `endturn`.
    actions: Vec<String>,
}

impl PositionAnalysis {
    fn new(game: &Game, result: &SearchResult, shown: &[Candidate]) -> PositionAnalysis {
        let best = result.best();
        let boards = board_values(game).zip(game.config().maps());
        PositionAnalysis {
            fen: fen::Extended(game).to_string(),
            side: game.side_to_move().name(),
            value: best.value,
            wdl: wdl(best.value),
            expected_error: best.expected_error,
            confidence: best.confidence(),
            boards: boards.map(|(souls, map)| BoardValue { map: map.name(), souls }).collect(),
            turn: lines(game, &best.turn),
            candidates: shown.iter().map(|candidate| CandidateReport::new(game, candidate)).collect(),
            nodes: result.statistics.nodes,
            seconds: result.time.as_secs_f64(),
        }
    }
}

impl CandidateReport {
    fn new(game: &Game, candidate: &Candidate) -> CandidateReport {
        let mut actions = lines(game, &candidate.turn);
        actions.retain(|line| line.starts_with("action "));
        CandidateReport {
            value: candidate.value,
            wdl: wdl(candidate.value),
            expected_error: candidate.expected_error,
            visits: candidate.visits,
            summary: Narration::new(game, &candidate.turn).summary(),
            actions,
        }
    }
}

/// Wins, draws and losses in permille of a win chance; nobody draws a game on purpose.
fn wdl(chance: f64) -> [u16; 3] {
    let wins = (1000.0 * chance).round().clamp(0.0, 1000.0) as u16;
    [wins, 0, 1000 - wins]
}
