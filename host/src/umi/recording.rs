//! Recording of a session: the turns played, as annotated games at the end of a file (option `Record`).
//!
//! A turn of `go` is only proposed: it is recorded when the host leaves the position, and searching the position again replaces
//! it. Hosts send whole positions, so that what the other side has played is often not known. A turn in another position than
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
    /// Turn of `go` in a position that the host has not left yet.
    proposed: Option<Box<Proposal>>,
    /// Number of games begun.
    games: u32,
}

/// Turn that a search has proposed.
struct Proposal {
    before: Box<Game>,
    after: Box<Game>,
    turn: GameTurn,
    player: String,
    network: Option<StaticNetwork>,
    notes: TurnNotes,
}

impl SessionRecording {
    /// Records to a file from now on, or to none. Where the file cannot be opened, what was recorded before goes on.
    pub(super) fn open(&mut self, name: Option<&str>) -> Result<(), String> {
        let file = name.map(|name| RecordingFile::append(name, true)).transpose();
        let file = file.map_err(|error| format!("Record: {error:#}"))?;
        self.end_game();
        self.file = file;
        Ok(())
    }

    /// Notes a turn that a search has found, with the positions before and after it, and who has found it with which network.
    pub(super) fn propose(
        &mut self,
        [before, after]: [&Game; 2],
        turn: &GameTurn,
        (player, network): (&str, Option<StaticNetwork>),
        notes: TurnNotes,
    ) {
        if self.file.is_some() {
            let [before, after] = [before, after].map(|game| Box::new(game.clone()));
            let (turn, player) = (turn.clone(), player.to_owned());
            self.proposed = Some(Box::new(Proposal { before, after, turn, player, network, notes }));
        }
    }

    /// Records the turn that was proposed, unless it was proposed in the position that the host has set now.
    pub(super) fn position(&mut self, now: &Game) -> Result<()> {
        match self.proposed.take() {
            Some(proposed) if *proposed.before != *now => self.accept(*proposed),
            proposed => {
                self.proposed = proposed;
                Ok(())
            }
        }
    }

    fn accept(&mut self, proposed: Proposal) -> Result<()> {
        let Proposal { before, after, turn, player, network, notes } = proposed;
        self.turn_played([&before, &after], &turn, (&player, network), notes)
    }

    /// Records a turn with the positions before and after it, and who has played it with which network; the one that was
    /// proposed in its position with the notes that it has. After an error nothing more is recorded.
    pub(super) fn turn(
        &mut self,
        [before, after]: [&Game; 2],
        turn: &GameTurn,
        player: (&str, Option<StaticNetwork>),
        notes: TurnNotes,
    ) -> Result<()> {
        match self.proposed.take() {
            Some(proposed) if *proposed.before == *before && *proposed.after == *after => {
                self.accept(*proposed)
            }
            Some(proposed) if *proposed.before != *before => {
                self.accept(*proposed)?;
                self.turn_played([before, after], turn, player, notes)
            }
            _ => self.turn_played([before, after], turn, player, notes),
        }
    }

    fn turn_played(
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
            (**last).clone_from(after);
        }
        if after.state().is_over() {
            self.close();
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
            self.close();
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

    /// Ends the game that is being recorded, with the turn that was proposed.
    pub(super) fn end_game(&mut self) {
        if let Some(proposed) = self.proposed.take() {
            // There is no host to tell any more; what was written before stands.
            let _ = self.accept(*proposed);
        }
        self.close();
    }

    fn close(&mut self) {
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
    let mut tags = Tags::of_event("UMI session", &now());
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
