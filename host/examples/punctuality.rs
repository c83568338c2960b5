//! Punctuality of turns: a UMI session gets positions of eight crowded boards, searches each for a fixed time, and the
//! time from `go` to the last line of the turn is compared with the time asked for.
//!
//! `cargo run --release -p barrow --example punctuality -- FILE [TURNS] [MILLISECONDS] [RULESET]`
//!
//! The file has a position in Spooky's form on each line; their boards are joined, eight to a position. Besides the
//! lateness of all turns that of the undisturbed ones is printed, for which the process had a processor nearly all the
//! time; on a busy machine the others say more about the machine. Real-time priority makes it worse: Linux stops such a
//! program for 50 ms of every second in which it never waits (`sched_rt_runtime_us`).

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use barrow::umi::Session;
use barrow_core::rng::Rng;
use rustix::time::{ClockId, clock_gettime};

/// Boards of a position.
const BOARDS: usize = 8;

/// Time without a processor from which on a turn counts as disturbed.
const DISTURBANCE: Duration = Duration::from_millis(2);

/// Times of one turn.
struct Turn {
    wall: Duration,
    processor: Duration,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.first().context("a file with positions is needed")?;
    let number = |place: usize, usual: u64| arguments.get(place).map_or(Ok(usual), |word| word.parse());
    let (turns, milliseconds) = (number(1, 200)?, number(2, 50)?);
    let ruleset = arguments.get(3).map_or("server", String::as_str);
    let text = std::fs::read_to_string(file).with_context(|| file.clone())?;
    let boards: Vec<&str> = text
        .lines()
        .flat_map(|line| line.split(' ').skip(3).take(2))
        .filter(|board| board.starts_with('n'))
        .collect();
    ensure!(!boards.is_empty(), "{file}: no position with a board in play");

    let mut session = Session::new(Vec::new());
    let maps = ["AllLand"; BOARDS].join(",");
    for line in [
        format!("setoption name Ruleset value {ruleset}"),
        format!("config 4 {maps} S,P,W,H,G,K,T,X,A,J,U,V,M,L,O,C,R,Q,B,1,E,D,Y,3,2"),
        "isready".to_owned(),
    ] {
        ask(&mut session, &line)?;
    }
    let mut dice = Rng::new(1);
    let mut times = Vec::new();
    for turn in 0..turns {
        let techs =
            [(); 2].map(|()| (0..25).map(|_| if dice.chance(1, 2) { 'U' } else { 'A' }).collect::<String>());
        let drawn: Vec<&str> =
            (0..BOARDS).map(|_| boards[dice.below(boards.len() as u32) as usize]).collect();
        let position = format!("60|60 0|0 {} {} {} 30", techs.join("|"), drawn.join(" "), turn % 2);
        ask(&mut session, &format!("position fen {position}"))?;
        let (began, processor) = (Instant::now(), processor_time());
        ask(&mut session, &format!("go movetime {milliseconds}"))?;
        times.push(Turn { wall: began.elapsed(), processor: processor_time().saturating_sub(processor) });
    }
    let allowed = Duration::from_millis(milliseconds);
    report("lateness of all turns", allowed, times.iter().map(|turn| turn.wall));
    let calm = times.iter().filter(|turn| turn.wall.saturating_sub(turn.processor) < DISTURBANCE);
    report("lateness of undisturbed turns", allowed, calm.map(|turn| turn.wall));
    report("processor time beyond that allowed", allowed, times.iter().map(|turn| turn.processor));
    Ok(())
}

/// Sends a line, and waits for the end of the search that it starts.
fn ask(session: &mut Session<Vec<u8>>, line: &str) -> Result<()> {
    session.output().clear();
    session.handle(line)?;
    session.settle()?;
    let said = String::from_utf8_lossy(session.output()).into_owned();
    ensure!(!said.contains("error: "), "{line}: {said}");
    Ok(())
}

fn report(what: &str, allowed: Duration, times: impl Iterator<Item = Duration>) {
    let mut late: Vec<f64> = times.map(|time| (time.as_secs_f64() - allowed.as_secs_f64()) * 1e3).collect();
    late.sort_by(f64::total_cmp);
    let at = |percent: usize| late.get(late.len().saturating_sub(1) * percent / 100).copied().unwrap_or(0.0);
    println!(
        "{what}: p50 {:.1} p90 {:.1} p99 {:.1} max {:.1} ms, {} of {} over 20 ms",
        at(50),
        at(90),
        at(99),
        at(100),
        late.iter().filter(|&&late| late > 20.0).count(),
        late.len()
    );
}

/// Processor time of all threads of this process.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
