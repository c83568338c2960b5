//! Review of a whole game: every position is searched, and every turn is measured by how much win chance it gave away
//! against the best turn that the search knew.
//!
//! The value of the turn that was played is that of the position after it, searched as long as the one before: as the
//! programs that review games of chess do it. A turn is marked where the loss is at least a threshold and at least twice
//! its standard error, so that noise of short searches marks nothing. Who searches the positions, and in which order, is not
//! said here.

use crate::search::Found;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameTurn, Side};
use barrow_core::search::value::CERTAIN;

use crate::analysis::turn_lines;
use crate::messages::{BetterTurnReview, Review, ReviewedValue, SideReview, TurnMark, TurnReview};
use crate::notation::{AnnotatedGame, Chance};
use crate::optimism::Optimism;
use crate::text::narrate::Narration;

/// Value of a position or of a turn for a side, with its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchedValue {
    /// Win chance, 0 to 1.
    pub chance: f64,
    /// Standard error of the win chance.
    pub error: f64,
}

/// Turn that would have been better.
#[derive(Clone, Debug)]
pub struct BetterTurn {
    /// The turn.
    pub turn: GameTurn,
    /// Its value for the side that plays it.
    pub value: SearchedValue,
    /// Its visits in the search.
    pub visits: u64,
}

/// Knowledge of a search about a position: the value for the side to move, and the best turn unless the game is over.
#[derive(Clone, Debug)]
pub struct Searched {
    /// Value.
    pub value: SearchedValue,
    /// Best turn.
    pub best: Option<BetterTurn>,
}

/// Turn of a game as the review sees it.
#[derive(Clone, Debug)]
pub struct ReviewedTurn {
    /// Side that played the turn.
    pub side: Side,
    /// Position before the turn.
    pub before: Game,
    /// Turn that was played.
    pub played: GameTurn,
    /// Value of the best turn that the search knows, for the side.
    pub best: SearchedValue,
    /// Value of the turn that was played, for the side.
    pub value: SearchedValue,
    /// Win chance given away, 0 to 1.
    pub loss: f64,
    /// Standard error of the loss.
    pub loss_error: f64,
    /// Mark, if the turn gave much away.
    pub mark: Option<TurnMark>,
    /// Best turn that the search knows, where the turn played has a mark.
    pub better: Option<BetterTurn>,
    /// Win chance that the game itself has for the turn.
    pub recorded: Option<f64>,
}

/// Turn of a game with the places of the positions before and after it.
#[derive(Clone, Debug)]
struct PlayedTurn {
    turn: GameTurn,
    before: usize,
    after: usize,
    recorded: Option<f64>,
}

/// Game under review: its positions, and what is known of them.
#[derive(Clone, Debug)]
pub struct GameUnderReview {
    positions: Vec<Game>,
    turns: Vec<PlayedTurn>,
    searched: Vec<Option<Searched>>,
    blunder: f64,
}

impl TurnMark {
    /// Name of the mark.
    pub fn name(self) -> &'static str {
        match self {
            TurnMark::Mistake => "mistake",
            TurnMark::Blunder => "blunder",
        }
    }

    /// Sign of the mark, as books on chess have it.
    pub fn sign(self) -> &'static str {
        match self {
            TurnMark::Mistake => "?",
            TurnMark::Blunder => "??",
        }
    }
}

impl SearchedValue {
    /// The value for the other side.
    fn flipped(self) -> SearchedValue {
        SearchedValue { chance: 1.0 - self.chance, ..self }
    }

    /// Win chance of Yellow, where this is the value for a side.
    pub fn for_yellow(self, side: Side) -> f64 {
        if side == Side::Yellow { self.chance } else { 1.0 - self.chance }
    }

    fn rounded(self) -> ReviewedValue {
        ReviewedValue { chance: rounded(self.chance), error: rounded(self.error) }
    }
}

impl Searched {
    /// Knowledge of a position whose game is over, without a search; nothing where it goes on.
    pub fn of_end(game: &Game) -> Option<Searched> {
        let state = game.state();
        let chance = state.winner().map_or(0.5, |winner| f64::from(u8::from(winner == game.side_to_move())));
        state.is_over().then_some(Searched { value: SearchedValue { chance, error: 0.0 }, best: None })
    }

    /// Knowledge of a position by the first of the turns that a search has found; even where it has found none.
    fn by_search(game: &Game, found: &Found) -> Searched {
        let optimism = Optimism::of(game, found.statistics.nodes);
        let best = found.turns.first().map(|(turn, line)| {
            let (certain, visits) = (f64::from(CERTAIN), line.stats.visits());
            let error = f64::from(line.stats.deviation()) / certain / f64::from(visits.max(1)).sqrt();
            let claim = f64::from(line.stats.mean()) / certain;
            let value = SearchedValue { chance: optimism.without(claim), error };
            BetterTurn { turn: turn.clone(), value, visits: visits.into() }
        });
        let value = best.as_ref().map_or(SearchedValue { chance: 0.5, error: 0.5 }, |best| best.value);
        Searched { value, best }
    }
}

impl GameUnderReview {
    /// A game of which nothing is searched yet. Fails where a turn of it is not legal.
    pub fn of(game: &AnnotatedGame, blunder: f64) -> anyhow::Result<GameUnderReview> {
        let mut walk = game.walk();
        let (mut positions, mut turns) = (Vec::new(), Vec::new());
        while let Some((before, turn, annotated)) = walk.next_turn()? {
            if positions.is_empty() || annotated.position.is_some() {
                positions.push(before);
            }
            let recorded = annotated.notes.value.map(|value| value.chance.get());
            let before = positions.len() - 1;
            turns.push(PlayedTurn { turn, before, after: before + 1, recorded });
            positions.push(walk.game().clone());
        }
        if positions.is_empty() {
            positions.push(game.start.clone());
        }
        Ok(GameUnderReview::new(positions, turns, blunder))
    }

    /// Positions that follow from one another by turns, of which there is one less.
    pub fn of_line(positions: Vec<Game>, turns: Vec<GameTurn>, blunder: f64) -> GameUnderReview {
        let played = |(before, turn)| PlayedTurn { turn, before, after: before + 1, recorded: None };
        GameUnderReview::new(positions, (0..).zip(turns).map(played).collect(), blunder)
    }

    fn new(positions: Vec<Game>, turns: Vec<PlayedTurn>, blunder: f64) -> GameUnderReview {
        let searched = positions.iter().map(Searched::of_end).collect();
        GameUnderReview { positions, turns, searched, blunder }
    }

    /// The first position that is not searched yet, with its place.
    pub fn next(&self) -> Option<(usize, &Game)> {
        let place = self.searched.iter().position(Option::is_none)?;
        Some((place, &self.positions[place]))
    }

    /// Takes what is known of the position of a place.
    pub fn set(&mut self, place: usize, searched: Searched) {
        if let Some(known) = self.searched.get_mut(place) {
            *known = Some(searched);
        }
    }

    /// Takes what a search of the position of a place has found.
    pub fn set_by_search(&mut self, place: usize, found: &Found) {
        if let Some(position) = self.positions.get(place) {
            self.set(place, Searched::by_search(position, found));
        }
    }

    /// Turns whose positions before and after are known.
    pub fn turns(&self) -> Vec<ReviewedTurn> {
        self.turns.iter().filter_map(|turn| self.judged(turn)).collect()
    }

    /// Compares a turn that was played with the best one.
    fn judged(&self, played: &PlayedTurn) -> Option<ReviewedTurn> {
        let (before, after) = (&self.positions[played.before], &self.positions[played.after]);
        let search = self.searched[played.before].as_ref()?;
        let (side, value) = (before.side_to_move(), self.searched[played.after].as_ref()?.value);
        let value = if after.side_to_move() == side { value } else { value.flipped() };
        let best = search.value;
        let is_best = search.best.as_ref().is_some_and(|best| {
            let mut other = before.clone();
            other.play(&best.turn).is_ok() && other == *after
        });
        let loss = if is_best { 0.0 } else { (best.chance - value.chance).max(0.0) };
        let loss_error = best.error.hypot(value.error);
        let mark = match loss {
            _ if loss < 2.0 * loss_error || loss <= 0.0 => None,
            _ if loss >= self.blunder => Some(TurnMark::Blunder),
            _ if loss >= self.blunder / 2.0 => Some(TurnMark::Mistake),
            _ => None,
        };
        Some(ReviewedTurn {
            side,
            before: before.clone(),
            played: played.turn.clone(),
            best,
            value,
            loss,
            loss_error,
            mark,
            better: search.best.clone().filter(|_| mark.is_some()),
            recorded: played.recorded,
        })
    }

    /// The review so far as a message.
    pub fn message(&self, is_final: bool) -> Review {
        let turns = self.turns();
        Review {
            is_final,
            positions: self.positions.len(),
            searched: self.searched.iter().flatten().count(),
            blunder: self.blunder,
            turns: (1..).zip(&turns).map(|(number, turn)| turn_review(number, turn)).collect(),
            yellow: side_review(&turns, Side::Yellow),
            blue: side_review(&turns, Side::Blue),
        }
    }
}

/// A reviewed turn of a number as a message.
pub fn turn_review(number: usize, turn: &ReviewedTurn) -> TurnReview {
    TurnReview {
        turn: number,
        side: turn.side.name().to_owned(),
        fen: fen::Display(&turn.before).to_string(),
        yellow: rounded(turn.best.for_yellow(turn.side)),
        best: turn.best.rounded(),
        played: turn.value.rounded(),
        recorded: turn.recorded,
        loss: rounded(turn.loss),
        loss_error: rounded(turn.loss_error),
        mark: turn.mark,
        lines: turn_lines(&turn.before, &turn.played),
        better: turn.better.as_ref().map(|better| BetterTurnReview {
            value: better.value.rounded(),
            visits: better.visits,
            lines: turn_lines(&turn.before, &better.turn),
            summary: Narration::new(&turn.before, &better.turn).summary(),
        }),
    }
}

/// Totals of a side.
pub fn side_review(turns: &[ReviewedTurn], side: Side) -> SideReview {
    let own: Vec<&ReviewedTurn> = turns.iter().filter(|turn| turn.side == side).collect();
    let count = |mark| own.iter().filter(|turn| turn.mark == Some(mark)).count();
    let loss: f64 = own.iter().map(|turn| turn.loss).sum();
    SideReview {
        turns: own.len(),
        mistakes: count(TurnMark::Mistake),
        blunders: count(TurnMark::Blunder),
        mean_loss: rounded(loss / f64::from(own.len().max(1) as u32)),
    }
}

/// A chance to four decimals.
fn rounded(chance: f64) -> f64 {
    Chance::new(chance).get()
}
