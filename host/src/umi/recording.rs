//! Recording of a session: the turns played, as annotated games at the end of a file (option `Record`).
//!
//! Hosts send whole positions, so that what the other side has played is often not known. A turn in another position than
//! the turn before led to is recorded with its position; an earlier turn number, or another configuration, is that of
//! another game.

use std::process;

use anyhow::Result;
use barrow_core::minions::{Game, GameTurn, Side};

use crate::engine::network::{EngineNetwork, StaticNetwork};
use crate::notation::{
    AnnotatedGame, AnnotatedTurn, Ending, GameWriter, RecordingFile, Tags, TurnNotes, network_name, now,
};

/// Recording of the games of a session.
#[derive(Default)]
pub(super) struct SessionRecording {
    file: Option<RecordingFile>,
    /// Game that is being recorded, with the position after its last turn.
    game: Option<(GameWriter, Box<Game>)>,
    /// Number of games begun.
    games: u32,
}

impl SessionRecording {
    /// Records to a file from now on, or to none.
    pub(super) fn open(&mut self, name: Option<&str>) -> Result<(), String> {
        self.end_game();
        self.file = None;
        let file = name.map(RecordingFile::append).transpose();
        self.file = file.map_err(|error| format!("Record: {error:#}"))?;
        Ok(())
    }

    /// Records a turn with the positions before and after it, and who has played it with which network. After an error
    /// nothing more is recorded.
    pub(super) fn turn(
        &mut self,
        [before, after]: [&Game; 2],
        turn: &GameTurn,
        player: (&str, Option<StaticNetwork>),
        notes: TurnNotes,
    ) -> Result<()> {
        if self.file.is_none() {
            return Ok(());
        }
        let written = self.write(before, turn, player, notes);
        if written.is_err() {
            (self.file, self.game) = (None, None);
        } else if let Some((_, last)) = &mut self.game {
            **last = after.clone();
        }
        if after.state().is_over() {
            self.end_game();
        }
        written
    }

    fn write(
        &mut self,
        before: &Game,
        turn: &GameTurn,
        player: (&str, Option<StaticNetwork>),
        notes: TurnNotes,
    ) -> Result<()> {
        let goes_on =
            |last: &Game| last.config() == before.config() && last.state().turn() <= before.state().turn();
        if self.game.as_ref().is_some_and(|(_, last)| !goes_on(last)) {
            self.end_game();
        }
        let mut annotated = AnnotatedTurn::new(before, turn, notes);
        if let Some((writer, last)) = &self.game {
            annotated.position = (**last != *before).then(|| Box::new(before.clone()));
            return writer.turn(&annotated);
        }
        let Some(file) = &self.file else { return Ok(()) };
        self.games += 1;
        // Several programs may write to one file.
        let label = format!("{}-{}-{}", now(), process::id(), self.games);
        let game = AnnotatedGame::new(tags(before.side_to_move(), player), before.clone());
        let writer = file.begin(Some(&label), &game)?;
        writer.turn(&annotated)?;
        self.game = Some((writer, Box::new(before.clone())));
        Ok(())
    }

    /// Ends the game that is being recorded.
    pub(super) fn end_game(&mut self) {
        if let Some((writer, last)) = self.game.take() {
            // The turns are written; that the last line is not changes none of them.
            let _ = writer.end(&Ending::at(&last));
        }
    }
}

impl Drop for SessionRecording {
    fn drop(&mut self) {
        self.end_game();
    }
}

/// Tags of a game whose first turn is this player's.
fn tags(side: Side, (player, network): (&str, Option<StaticNetwork>)) -> Tags {
    let mut tags = Tags::of_event("UMI session");
    let (name, network_tag) = match side {
        Side::Yellow => (Tags::YELLOW, Tags::YELLOW_NETWORK),
        Side::Blue => (Tags::BLUE, Tags::BLUE_NETWORK),
    };
    tags.set(name, player);
    if player != "host"
        && let Some(network) = network.or_else(EngineNetwork::embedded)
    {
        tags.set(network_tag, &network_name(network));
    }
    tags
}
