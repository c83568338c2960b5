//! Games between built-in bots, turn by turn.

use crate::messages::{Contest, ContestRow, MatchAsk, Scene, WatchedGame};

use super::{ice_and_fire, kutulu, roborally};

/// Game under way.
pub(super) trait LiveGame: Send {
    /// Whether the game is over.
    fn is_over(&self) -> bool;

    /// Plays a turn. Returns its scenes.
    fn turn(&mut self) -> Result<Vec<Scene>, String>;
}

/// Contest game between bots, if one was begun.
#[derive(Default)]
pub struct LiveContest {
    game: Option<Box<dyn LiveGame>>,
}

impl LiveContest {
    /// Begins a game in the place of the one before. Returns it with its first scene.
    pub fn begin(&mut self, ask: &MatchAsk) -> Result<WatchedGame, String> {
        let (game, watched): (Box<dyn LiveGame>, WatchedGame) = match ask.contest {
            Contest::Roborally => boxed(roborally::RoborallyMatch::new(ask)?),
            Contest::Kutulu => boxed(kutulu::KutuluMatch::new(ask)?),
            Contest::IceAndFire => boxed(ice_and_fire::IceAndFireMatch::new(ask)?),
        };
        self.game = Some(game);
        Ok(watched)
    }

    /// Plays a turn. Returns its scenes, and whether more turns come.
    pub fn turn(&mut self) -> Result<(Vec<Scene>, bool), String> {
        let game = self.game.as_mut().ok_or("no game between bots was begun")?;
        let scenes = if game.is_over() { Vec::new() } else { game.turn()? };
        Ok((scenes, !game.is_over()))
    }
}

fn boxed<G: LiveGame + 'static>((game, watched): (G, WatchedGame)) -> (Box<dyn LiveGame>, WatchedGame) {
    (Box::new(game), watched)
}

/// Games and players to choose from.
pub(super) fn rows() -> Vec<ContestRow> {
    let row = |contest, name: &str, bots: &[&str], maps, seats| ContestRow {
        contest,
        name: name.to_owned(),
        bots: bots.iter().map(|&bot| bot.to_owned()).collect(),
        maps,
        seats,
    };
    vec![
        row(Contest::Roborally, "RoboRally", &roborally::BOTS, roborally::courses(), roborally::SEATS),
        row(Contest::Kutulu, "Code of Kutulu", &kutulu::BOTS, kutulu::maps(), kutulu::SEATS),
        row(
            Contest::IceAndFire,
            "A Code of Ice and Fire",
            &ice_and_fire::BOTS,
            Vec::new(),
            ice_and_fire::SEATS,
        ),
    ]
}

/// Names of the bots of all seats: those asked for, then the strongest.
pub(super) fn chosen(known: &[&str], asked: &[String], seats: usize) -> Result<Vec<String>, String> {
    let strongest = known.first().copied().unwrap_or_default();
    if asked.len() > seats {
        return Err(format!("{seats} bots play at most"));
    }
    let name = |seat: usize| match asked.get(seat) {
        None => Ok(strongest.to_owned()),
        Some(name) if known.contains(&name.as_str()) => Ok(name.clone()),
        Some(_) => Err(format!("no such bot; there are {}", known.join(", "))),
    };
    (0..seats).map(name).collect()
}
