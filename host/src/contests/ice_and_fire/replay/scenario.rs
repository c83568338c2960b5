//! Scenarios: a position each, then lines of commands and what players are sent before and after them.

use anyhow::{Result, bail};
use barrow_core::contests::ice_and_fire::Rules;

use super::position_text;
use crate::replay::Tally;
use barrow_session::contests::ice_and_fire::input_line::{differ, input_line};
use barrow_session::contests::ice_and_fire::record::player;
use barrow_session::contests::lines::LineReader;

pub(super) fn replay(lines: &mut LineReader<'_>, name: &str, tally: &mut Tally) -> Result<()> {
    let rules = Rules::PERMANENT;
    loop {
        if lines.peek().is_none() {
            return Ok(());
        }
        let title = lines.need("SCENARIO")?;
        let id = title.split(' ').next().unwrap_or_default();
        if !lines.need("MAP")?.is_empty() {
            bail!("expected the rows of the map below MAP");
        }
        let mut game = position_text::read(lines)?;
        while let Some(number) = lines.after("PLAY") {
            let number = number.trim();
            let mover = player(number.parse()?)?;
            game.begin_turn(mover);
            let at = format!("{name}:{}: {id}", lines.number());
            let told = lines.need("IN")?;
            let mut difference = differ("input", told, &format!("{number} {}", input_line(&game, mover)));
            let answer = lines.need("OUT")?;
            // What is not recognised ends the game, which the next line of the file tells.
            let _ = game.execute(&rules, answer);
            if let Some(scores) = lines.after("OVER") {
                let engine = game
                    .outcome()
                    .map_or("goes on".to_owned(), |over| format!("{} {}", over.scores[0], over.scores[1]));
                difference = difference.or_else(|| differ("scores", scores, &engine));
            } else {
                let told = lines.need("AFTER")?;
                let engine = match game.outcome() {
                    Some(_) => "over".to_owned(),
                    None => format!("{number} {}", input_line(&game, mover)),
                };
                difference = difference.or_else(|| differ("after", told, &engine));
            }
            tally.count(difference.map(|difference| format!("{at}: {difference}")));
        }
    }
}
