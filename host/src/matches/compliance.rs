//! Compliance check of a UMI engine: greeting, readiness, bad lines, stop, and legal turns in time over many positions.

use std::time::{Duration, Instant};

use anyhow::Result;
use barrow_core::minions::players::Greedy;
use barrow_core::minions::{Game, Side};
use schemars::JsonSchema;
use serde::Serialize;

use super::decision::Decision;
use super::fault::Fault;
use super::openings::Openings;
use super::player_spec::EngineCommand;
use super::time_control::TimeControl;
use super::umi_process::UmiProcess;
use crate::interrupt;
use crate::text::quoted::{quoted, shortened};

/// Line that no engine knows.
const NONSENSE: &str = "dance with the stars";

/// Turns that the simple player plays before a position is asked about: none to this many.
const PLIES: u32 = 24;

/// Time in which an engine must end its search after `stop`, where a turn has less, and itself after `quit`.
const STOP_TIME: Duration = Duration::from_secs(1);

/// Terms of a check.
#[derive(Clone, Debug)]
pub struct ComplianceTerms {
    /// Openings of the positions, which the simple player leads on by up to 24 turns.
    pub openings: Openings,
    /// Positions in which the engine is asked for a turn.
    pub positions: u32,
    /// Times for turns and start.
    pub time_control: TimeControl,
}

/// Result of one check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ComplianceResult {
    /// Rule that the engine was to keep.
    pub check: &'static str,
    /// Whether it did so.
    pub passed: bool,
    /// Figures, or what the engine did instead.
    pub detail: String,
}

/// Checks an engine, given by its command. An engine that does not greet is an error, since nothing else can
/// be asked of it, and so is an interrupt. `progress` is called after each position.
pub fn check_engine(
    command: &EngineCommand,
    terms: &ComplianceTerms,
    mut progress: impl FnMut(),
) -> Result<Vec<ComplianceResult>> {
    let mut engine = start(command, terms)?;
    let mut results = vec![result("greets: umi, umiok", Ok(String::new()))?];
    results.push(result("is ready: isready, readyok", ready(&mut engine, terms))?);
    results.push(result(
        "answers a line that it cannot know by one line error:, and goes on",
        bad_line(&mut engine, terms),
    )?);
    results.push(result("ends a search without limits at once after stop", stop(&mut engine, terms))?);
    let (mut right, mut wrong, mut most) = (0, Vec::new(), Duration::ZERO);
    for number in 0..terms.positions {
        let game = position(terms, number)?;
        let began = Instant::now();
        let turn = engine
            .begin(&game, terms.time_control)
            .and_then(|()| engine.turn(&game, terms.time_control, [Duration::ZERO; 2]));
        let fault = match turn {
            Ok(decision) => fault_of(&game, &decision),
            Err(fault) => Some(fault),
        };
        interrupt::check()?;
        most = most.max(began.elapsed());
        progress();
        match fault {
            None => right += 1,
            Some(fault) => {
                wrong.push(format!("position {number}: {fault}"));
                // Whatever it says next may still belong to this turn.
                engine = start(command, terms)?;
            }
        }
    }
    let figures = format!("{right} of {} turns, {} ms at most", terms.positions, most.as_millis());
    let legality = match wrong.first() {
        None => Ok(figures),
        Some(first) => Err(format!("{figures}; {first}")),
    };
    results.push(result("plays legal turns in time", legality)?);
    let ended = engine.quit(Instant::now() + STOP_TIME);
    let lingers = || format!("still runs {} ms after quit", STOP_TIME.as_millis());
    results.push(result("ends at quit", if ended { Ok(String::new()) } else { Err(lingers()) })?);
    Ok(results)
}

/// Fault of a turn in a position: it is not legal, or the engine is wrong about who has won after it.
fn fault_of(game: &Game, decision: &Decision) -> Option<Fault> {
    let outcome = match game.clone().play(&decision.turn) {
        Ok(outcome) => outcome,
        Err(error) => return Some(Fault::Illegal(error.to_string())),
    };
    let (winner, said) = (outcome.winner.map(Side::name), decision.said_winner.as_deref());
    let word = |name: Option<&str>| {
        name.map_or_else(|| "no winner".to_owned(), |name| format!("winner {}", quoted(name)))
    };
    (winner != said)
        .then(|| Fault::Unreadable(format!("endturn with {} where there is {}", word(said), word(winner))))
}

/// Starts the engine. That it does not greet a check that is interrupted says nothing of it.
fn start(command: &EngineCommand, terms: &ComplianceTerms) -> Result<UmiProcess> {
    let started = UmiProcess::start(command, terms.time_control.startup);
    interrupt::check()?;
    started
}

/// Result of a check; an error after an interrupt, which the engine is not to blame for.
fn result(check: &'static str, outcome: Result<String, String>) -> Result<ComplianceResult> {
    interrupt::check()?;
    let passed = outcome.is_ok();
    let detail = shortened(&outcome.unwrap_or_else(|why| why));
    Ok(ComplianceResult { check, passed, detail })
}

fn ready(engine: &mut UmiProcess, terms: &ComplianceTerms) -> Result<String, String> {
    engine.send("isready").map_err(|fault| fault.to_string())?;
    let deadline = Instant::now() + terms.time_control.startup;
    engine.wait_for("readyok", deadline).map(|_| String::new()).map_err(|fault| fault.to_string())
}

fn bad_line(engine: &mut UmiProcess, terms: &ComplianceTerms) -> Result<String, String> {
    engine.send(NONSENSE).and_then(|()| engine.send("isready")).map_err(|fault| fault.to_string())?;
    let deadline = Instant::now() + terms.time_control.startup;
    let mut said = Vec::new();
    loop {
        let line = engine.receive(deadline).map_err(|fault| fault.to_string())?;
        if line == "readyok" {
            break;
        }
        said.push(line);
    }
    match &said[..] {
        [line] if line.starts_with("error:") => Ok(String::new()),
        [] => Err("it says nothing".to_owned()),
        [line] => Err(format!("it says {}", shortened(line))),
        [first, ..] => Err(format!("it says {} lines, the first {}", said.len(), shortened(first))),
    }
}

fn stop(engine: &mut UmiProcess, terms: &ComplianceTerms) -> Result<String, String> {
    for line in ["position startpos", "go infinite"] {
        engine.send(line).map_err(|fault| fault.to_string())?;
    }
    let until = Instant::now() + Duration::from_millis(100);
    loop {
        match engine.receive(until) {
            Ok(line) if line.starts_with("endturn") => return Err("it answers before stop".to_owned()),
            Ok(line) if line.starts_with("error:") => return Err(format!("it says {}", shortened(&line))),
            Ok(_) => {}
            Err(Fault::Timeout) => break,
            Err(fault) => return Err(fault.to_string()),
        }
    }
    engine.send("stop").map_err(|fault| fault.to_string())?;
    let sent = Instant::now();
    let answer =
        engine.wait_for("endturn", sent + STOP_TIME.max(terms.time_control.deadline(Duration::ZERO)));
    answer.map(|_| format!("after {} ms", sent.elapsed().as_millis())).map_err(|fault| fault.to_string())
}

/// Position with this number: its opening, led on by the simple player.
fn position(terms: &ComplianceTerms, number: u32) -> Result<Game> {
    let opening = terms.openings.of_pair(number)?;
    let mut game = opening.game;
    let mut player = Greedy::new(opening.seed);
    for _ in 0..number % (PLIES + 1) {
        let mut next = game.clone();
        next.play(&player.choose(&game))?;
        if next.state().is_over() {
            break;
        }
        game = next;
    }
    Ok(game)
}
