//! Situation at a decision, and what all searches of a program begin with: the policy of playouts, the judge of their
//! ends, the shortlist and the foreseen programs of the others.

use barrow_core::contests::roborally::bot::{Evaluation, Evaluator, PlayoutPolicy, ProgramGame};
use barrow_core::contests::roborally::{CardSet, Profile, State};
use barrow_core::rng::Rng;

use super::course::Course;
use super::meter::Meter;
use super::searcher::Search;

/// The situation that a decision is made in.
#[derive(Clone, Copy)]
pub(super) struct Situation<'a> {
    /// The course.
    pub(super) course: &'a Course,
    /// State after the deal, before any program is known.
    pub(super) state: &'a State,
    /// The robot to decide for.
    pub(super) robot: usize,
    /// Its hand.
    pub(super) hand: CardSet,
}

/// The policy of a search's playouts on a course, and the judge of positions.
pub(super) fn means<'b>(
    (course, profile): (&'b Course, Profile),
    search: &Search,
    is_due: &'b dyn Fn() -> bool,
) -> (PlayoutPolicy<'b>, Evaluator<'b>) {
    let needs_solo = search.needs_solo();
    let table = course.evaluator(Evaluation::Hodgepodge(search.weights), profile, needs_solo);
    let judge = course.evaluator(search.evaluation, profile, needs_solo);
    let Search { strategy, power_down, .. } = *search;
    (PlayoutPolicy { evaluator: table, strategy, power_down, is_due }, judge)
}

impl<'a> Situation<'a> {
    /// The choice of a program as a game, with its judge; `None` if there is nothing to choose from.
    pub(super) fn game<'b>(
        &self,
        search: &Search,
        is_due: &'b dyn Fn() -> bool,
    ) -> Option<(ProgramGame<'b>, Evaluator<'b>)>
    where
        'a: 'b,
    {
        let (policy, judge) = means((self.course, self.state.profile()), search, is_due);
        let game = ProgramGame::new(policy, judge, *self.state, self.robot, self.hand, search.space)?;
        Some((game, judge))
    }

    /// The game with its shortlist and the foreseen programs; from here on the meter counts the search's own time.
    pub(super) fn begin<'b>(
        &self,
        search: &Search,
        meter: &Meter<'_>,
        is_due: &'b dyn Fn() -> bool,
        dice: &mut Rng,
    ) -> Option<(ProgramGame<'b>, Evaluator<'b>)>
    where
        'a: 'b,
    {
        let (mut game, judge) = self.game(search, is_due)?;
        game.shorten(search.focus, dice, || meter.has_time_to_try());
        game.foresee(search.foresee, dice, || meter.has_time_to_try());
        meter.begin_search();
        Some((game, judge))
    }
}
