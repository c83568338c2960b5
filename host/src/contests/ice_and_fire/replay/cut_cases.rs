//! Examples of the cut detection (rules §11.1): a position, the number of cuts that the gold pays, and the best cuts.

use anyhow::{Context, Result, ensure};
use barrow_core::contests::ice_and_fire::CommandText;
use barrow_core::contests::ice_and_fire::bot::{Cut, CutScan, Weights};
use barrow_core::contests::ice_and_fire::{Game, Rules};

use super::position_text;
use crate::replay::Tally;
use barrow_session::contests::lines::LineReader;

/// Checks every case of a file. Player 0 attacks, with all units ready.
pub(super) fn replay(lines: &mut LineReader<'_>, name: &str, tally: &mut Tally) -> Result<()> {
    loop {
        let Some(title) = lines.after("CASE") else {
            ensure!(lines.peek().is_none(), "expected CASE");
            return Ok(());
        };
        let id = title.split(' ').next().unwrap_or_default();
        let at = format!("{name}:{}: {id}", lines.number());
        let game = position_text::read(lines)?;
        let mut state = *game.state();
        state.make_ready();
        let scan = CutScan::own(&state, 1);
        let mut found: Vec<Cut> = scan.cuts(&Weights::PLAIN).collect();
        found.sort_by(|a, b| {
            if a.is_better_than(b) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
        });
        let count: usize = lines.need("CANDIDATES")?.trim().parse()?;
        let mut difference = (count != found.len())
            .then(|| format!("{count} cuts in the file, {} in the engine", found.len()));
        let mut cuts = found.iter();
        while let Some(told) = lines.after("CUT") {
            let engine = cuts.next().map(|cut| describe(&game, &scan, cut)).transpose()?.unwrap_or_default();
            if told.trim_end() != engine && difference.is_none() {
                difference = Some(format!("file {told}, engine {engine}"));
            }
        }
        tally.count(difference.map(|difference| format!("{at}: {difference}")));
    }
}

fn describe(game: &Game, scan: &CutScan, cut: &Cut) -> Result<String> {
    let mut game = game.clone();
    game.make_ready();
    let mut commands = Vec::new();
    for &action in scan.actions(cut).iter() {
        commands.push(CommandText(&game, action).to_string());
        game.act(&Rules::PERMANENT, action).context("a cut's command is refused")?;
    }
    let mover = cut.chain.mover.map_or(0, |(_, level)| level.number());
    Ok(format!(
        "{} target {} {} gold {} upkeep {} mover {mover} income {} unitcost {} towers {} hq {} : {}",
        cut.score,
        cut.target.x(),
        cut.target.y(),
        cut.chain.gold,
        cut.chain.upkeep,
        cut.income,
        cut.units,
        cut.towers,
        u8::from(cut.headquarters),
        commands.join(";")
    ))
}
