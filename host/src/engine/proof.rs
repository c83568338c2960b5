//! Exact answers about the next turn: whether an attack wins the game at once. They come from the solver and the rules, never
//! from the search.
//!
//! The solver knows no cards. Where cards could change an answer, it is [`Answer::Unknown`].

use barrow_core::hex::Hex;
use barrow_core::minions::{BoardAction, Game, GameTurn, Piece, Side, Spell, View};
use barrow_solver::attack::{AttackModel, AttackSolver, Goal, LargeRoom, PlanAnswer};
use barrow_solver::cdcl::{Capacity, Resource};

/// Conflicts that the solver may take for an answer unless it is told otherwise.
const CONFLICTS: u64 = 20_000;

/// Answer to an exact question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer<T = ()> {
    /// Yes, with what shows it.
    Yes(T),
    /// No: proved.
    No,
    /// Not decided: cards matter, the model of a board is not complete, or there is too much to list.
    Unknown,
}

impl<T> Answer<T> {
    /// Whether it is yes.
    pub fn is_yes(&self) -> bool {
        matches!(self, Answer::Yes(_))
    }

    /// Whether it is no.
    pub fn is_no(&self) -> bool {
        matches!(self, Answer::No)
    }
}

/// Prover: the solver with its memory.
pub struct Prover {
    room: Box<LargeRoom>,
    memory: Vec<u32>,
    conflicts: u64,
}

impl Default for Prover {
    fn default() -> Self {
        Prover::with_conflicts(CONFLICTS)
    }
}

impl Prover {
    /// A prover whose solver may take this many conflicts for an answer.
    pub fn with_conflicts(conflicts: u64) -> Prover {
        Prover { room: Box::default(), memory: vec![0; 1 << 14], conflicts }
    }

    /// Whether an attack of the side to move grants all these goals on a board, cards apart.
    pub fn attack(&mut self, view: &View<'_>, goals: &[Goal]) -> Answer<Vec<BoardAction>> {
        let Some((actions, granted, complete)) = self.plan(view, goals, true) else { return Answer::Unknown };
        match (granted, complete) {
            (true, _) => Answer::Yes(actions),
            (false, true) => Answer::No,
            (false, false) => Answer::Unknown,
        }
    }

    /// The best attack for goals in falling order of importance, whichever of them it grants. `None` where the solver gives
    /// up.
    pub fn best_attack(&mut self, view: &View<'_>, goals: &[Goal]) -> Option<Vec<BoardAction>> {
        self.plan(view, goals, false).map(|(actions, ..)| actions)
    }

    /// The best attack, whether it grants all goals, and whether nothing is left out of the model. With `all` an attack is not
    /// looked for where one of the goals is out of reach.
    fn plan(&mut self, view: &View<'_>, goals: &[Goal], all: bool) -> Option<(Vec<BoardAction>, bool, bool)> {
        let model = AttackModel::new(view, &mut *self.room).ok()?;
        let within_reach = |goal: &Goal| match *goal {
            Goal::Remove(at) | Goal::Kill(at) => model.targets().any(|target| target == at),
            _ => true,
        };
        if all && model.is_complete() && !goals.iter().all(within_reach) {
            return Some((Vec::new(), false, true));
        }
        let mut solver = match AttackSolver::prepare(&model, &mut self.memory) {
            Err(Capacity { what: Resource::Memory, needed, .. }) => {
                self.memory.resize(needed, 0);
                return self.plan(view, goals, all);
            }
            solver => solver.ok()?,
        };
        let PlanAnswer::Plan(plan) = solver.plan(goals, self.conflicts).ok()? else { return None };
        let granted = goals.iter().all(|&goal| solver.grants(goal));
        Some((plan.actions.to_vec(), granted, model.is_complete()))
    }

    /// Whether attacks of this turn win the game for the side to move, cards apart, with a turn that does.
    pub fn winning_attack(&mut self, game: &Game) -> Answer<GameTurn> {
        self.winning_attack_on(game, &mut |_| true)
    }

    /// Answers as [`Prover::winning_attack`] does, without a look at boards for which `asks` says no.
    pub(super) fn winning_attack_on(
        &mut self,
        game: &Game,
        asks: &mut dyn FnMut(usize) -> bool,
    ) -> Answer<GameTurn> {
        let (state, side) = (game.state(), game.side_to_move());
        let mut missing = usize::from(game.config().points_needed.saturating_sub(state.points(side)));
        let (mut turn, mut unknown) = (GameTurn::new(), 0);
        for board in 0..game.config().num_boards() {
            let Some(view) = game.view(board) else { continue };
            if view.awaits_setup() {
                turn.push(board, BoardAction::Keep { unit: None });
            }
            let Some(necromancer) = necromancer(&view, side.opponent()) else { continue };
            if missing == 0 {
                continue;
            }
            let answer =
                if asks(board) { self.attack(&view, &[Goal::Kill(necromancer)]) } else { Answer::Unknown };
            match answer {
                Answer::Yes(actions) => {
                    for action in actions {
                        if turn.push(board, action).is_none() {
                            return Answer::Unknown;
                        }
                    }
                    missing -= 1;
                }
                Answer::No => {}
                Answer::Unknown => unknown += 1,
            }
        }
        if missing > 0 {
            return if unknown < missing { Answer::No } else { Answer::Unknown };
        }
        let mut played = game.clone();
        let won = played.play(&turn).is_ok() && played.state().winner() == Some(side);
        if won { Answer::Yes(turn) } else { Answer::Unknown }
    }

    /// Whether the opponent of the side to move does not lose the game in this turn, by whatever attack. Unknown where a card
    /// might change that, or take a graveyard from the opponent.
    pub fn is_safe(&mut self, game: &Game) -> Answer {
        let side = game.side_to_move();
        if game.state().is_over() {
            return if game.state().winner() == Some(side) { Answer::No } else { Answer::Yes(()) };
        }
        match self.winning_attack(game) {
            Answer::Yes(_) => Answer::No,
            Answer::No if !cards_matter(game) => Answer::Yes(()),
            _ => Answer::Unknown,
        }
    }

    /// Whether an attack of the side to move kills the necromancer of a board.
    pub fn kills_on(&mut self, game: &Game, board: usize) -> bool {
        let Some(view) = game.view(board) else { return false };
        let necromancer = necromancer(&view, view.side.opponent());
        necromancer.is_some_and(|necromancer| self.attack(&view, &[Goal::Kill(necromancer)]).is_yes())
    }
}

/// Hex of a side's necromancer.
pub fn necromancer(view: &View<'_>, side: Side) -> Option<Hex> {
    view.board.iter(side).find(|&(_, piece): &(Hex, Piece)| view.unit(piece).necromancer).map(|(at, _)| at)
}

/// Whether a card can change what an attack removes. Cards of the spawn phase cannot, nor those that protect, that hinder
/// enemies, or that bring exhausted pieces.
pub fn changes_attacks(spell: Spell) -> bool {
    use Spell::{Cleave, Dismember, Fester, LightningBolt, Stumble, Sunder, UnholyMight, Unsummon};
    matches!(spell, Fester | Unsummon | Dismember | UnholyMight | Stumble | Cleave | Sunder | LightningBolt)
}

/// Whether a card moves enemies after the attacks, off a graveyard for one.
fn moves_enemies(spell: Spell) -> bool {
    spell == Spell::Displace
}

/// Whether the side to move has a card, or can buy one, that can change what an attack removes, or what enemies hold when the
/// turn ends.
fn cards_matter(game: &Game) -> bool {
    let (state, side) = (game.state(), game.side_to_move());
    if !game.config().rules.spells {
        return false;
    }
    let queue = state.deck(side).queue();
    // A tech point may be sold for a soul a board.
    let souls = state.souls(side).saturating_add(game.config().num_boards() as u32);
    let bought = souls / game.config().spell_price().max(1);
    let in_hand = state.boards().iter().flat_map(|board| board.hand(side));
    // What is bought comes from the queue; there is no telling what comes after it.
    bought as usize > queue.len()
        || in_hand
            .chain(state.row())
            .chain(queue)
            .any(|&spell| changes_attacks(spell) || moves_enemies(spell))
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::{Builder, Deck, GameConfig, Ruleset, SideArray};

    use super::*;

    #[test]
    fn a_sale_may_pay_for_a_card_that_nobody_knows() {
        let config = GameConfig::default().with_ruleset(Ruleset::Server);
        let (boards, price) = (config.num_boards() as u32, config.spell_price());
        let matter = |souls: u32| {
            let mut builder = Builder::from_game(Game::new(config.clone(), 0));
            builder.souls(SideArray([souls, 0])).deck(Side::Yellow, Deck::new(0));
            builder.row(&[], 0).unwrap();
            cards_matter(&builder.build().unwrap())
        };
        assert!(!matter(price - boards - 1) && matter(price - boards) && matter(price));
    }
}
