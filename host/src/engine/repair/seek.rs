//! Search for drafts that reach an aim, guided by what refutes others: attacks of search and solver are carried on by
//! [descents](super::descent), the best are checked, and what refutes one says which attacks are tried next and what the rest are worth.

use std::collections::VecDeque;

use barrow_core::minions::{BoardAction, Game};
use barrow_core::rng::Rng;
use barrow_solver::attack::Goal;
use hashbrown::HashSet;

use super::aim::{Aim, Check};
use super::descent::{leaves, stray};
use super::draft::{Draft, attack_part};
use super::effort::Effort;
use crate::engine::proof::Prover;

/// Drafts that are looked for at most, to choose among.
const WANTED: usize = 3;

/// Requests for more drafts when one is known.
const MORE: u64 = 30;

/// Goals of a random attack at most.
const RANDOM_GOALS: u32 = 5;

/// Means of a search for drafts.
pub(super) struct Means<'a> {
    /// The solver.
    pub prover: &'a mut Prover,
    /// Effort that it may take.
    pub effort: &'a mut Effort,
    /// Random choices.
    pub rng: &'a mut Rng,
}

/// Search for drafts on one board.
struct Seeker<'a, 'm, A> {
    start: Draft,
    aim: &'a mut A,
    means: &'a mut Means<'m>,
    /// Attacks to begin with, and goals of attacks.
    attacks: VecDeque<Vec<BoardAction>>,
    goals: VecDeque<Vec<Goal>>,
    /// Attacks that were carried on.
    known: Vec<Vec<BoardAction>>,
    /// Drafts that are not yet checked, with their scores, and the keys of all that were.
    pool: Vec<(i32, Draft)>,
    met: HashSet<u64>,
    found: Vec<Draft>,
}

/// Looks for drafts on a board of a position in the middle of a turn that reach the aim. `known` are lists of actions on the board to
/// begin with.
pub(super) fn seek<A: Aim>(
    game: &Game,
    board: usize,
    known: &[Vec<BoardAction>],
    aim: &mut A,
    means: &mut Means<'_>,
) -> Vec<Draft> {
    let start = Draft::new(game.clone(), board);
    let goals = start.view().map_or_else(Vec::new, |view| aim.attacks(&view));
    let mut seeker = Seeker {
        start,
        aim,
        means,
        attacks: attacks_of(known).into(),
        goals: goals.into(),
        known: Vec::new(),
        pool: Vec::new(),
        met: HashSet::new(),
        found: Vec::new(),
    };
    for actions in known {
        let mut draft = seeker.start.clone();
        draft.play(actions);
        seeker.add(draft);
    }
    let mut last = 0;
    while seeker.found.len() < WANTED && !seeker.means.effort.is_over() {
        let before = seeker.found.len();
        seeker.step();
        if before == 0 && !seeker.found.is_empty() {
            last = seeker.means.effort.requests().saturating_sub(MORE);
        }
        if !seeker.found.is_empty() && seeker.means.effort.requests() <= last {
            break;
        }
    }
    seeker.found
}

/// The attacks that lists of actions begin with, each once.
fn attacks_of(lists: &[Vec<BoardAction>]) -> Vec<Vec<BoardAction>> {
    let mut all: Vec<Vec<BoardAction>> = vec![Vec::new()];
    for actions in lists {
        let attack = attack_part(actions);
        if all.iter().all(|known| known != attack) {
            all.push(attack.to_vec());
        }
    }
    // To do nothing comes last: it is the least likely to be enough.
    all.rotate_left(1);
    all
}

impl<A: Aim> Seeker<'_, '_, A> {
    /// Adds a draft to those to be checked.
    fn add(&mut self, draft: Draft) {
        let score = draft.view().map_or(i32::MAX, |view| self.aim.score(&view));
        self.add_scored(score, draft);
    }

    /// Adds a draft with its score to those to be checked, unless it is hopeless or known.
    fn add_scored(&mut self, score: i32, draft: Draft) {
        if score < A::HOPELESS && self.met.insert(draft.game.state().key()) {
            self.pool.push((score, draft));
        }
    }

    /// Carries one more attack on and checks what looks good; without one, checks the best of the rest.
    fn step(&mut self) {
        let attack = self.next_attack();
        let checks = if attack.is_some() { 1 } else { 2 };
        if let Some(attack) = &attack {
            self.carry_on(attack);
        }
        for _ in 0..checks {
            let Some(place) = (0..self.pool.len()).min_by_key(|&place| self.pool[place].0) else { return };
            if attack.is_some() && self.pool[place].0 > A::GOOD {
                return;
            }
            let (_, draft) = self.pool.swap_remove(place);
            match self.aim.check(self.means.prover, &draft, self.means.effort) {
                Check::Reached => {
                    let draft = if A::IS_FRUGAL { self.shortened(draft) } else { draft };
                    self.found.push(draft);
                }
                Check::Refuted => self.learn(),
                Check::Unknown => {}
            }
        }
    }

    /// The next attack: a known one, one for goals, or a random one where nothing else is left.
    fn next_attack(&mut self) -> Option<Vec<BoardAction>> {
        if let Some(attack) = self.attacks.pop_front() {
            return Some(attack);
        }
        let view = self.start.view()?;
        let goals = match self.goals.pop_front() {
            Some(goals) => goals,
            None if self.pool.is_empty() => {
                let mut goals = self.aim.wishes(&view);
                self.means.rng.shuffle(&mut goals);
                goals.truncate(1 + self.means.rng.below(RANDOM_GOALS) as usize);
                goals
            }
            None => return None,
        };
        self.means.effort.request();
        Some(self.means.prover.best_attack(&view, &goals).unwrap_or_default())
    }

    /// Adds drafts that carry an attack on. One that comes again goes on with random walks.
    fn carry_on(&mut self, attack: &[BoardAction]) {
        let comes_again = self.known.iter().any(|known| known == attack);
        let mut base = self.start.clone();
        base.play(attack);
        if comes_again {
            for _ in 0..=self.means.rng.below(2) {
                stray(&mut base, self.aim, self.means.rng);
            }
        } else {
            self.known.push(attack.to_vec());
        }
        for (score, draft) in leaves(&base, self.aim, self.means.effort) {
            self.add_scored(score, draft);
        }
    }

    /// Takes in what refuted a draft.
    fn learn(&mut self) {
        self.goals.extend(self.aim.lessons());
        for (score, draft) in &mut self.pool {
            if !self.means.effort.estimate() {
                break;
            }
            *score = draft.view().map_or(i32::MAX, |view| self.aim.score(&view));
        }
    }

    /// The draft without units that it does not need.
    fn shortened(&mut self, found: Draft) -> Draft {
        let mut best = found;
        let mut place = best.actions.len();
        while place > 0 {
            place -= 1;
            if !matches!(best.actions.get(place), Some(BoardAction::Spawn { .. } | BoardAction::Buy { .. })) {
                continue;
            }
            let mut actions = best.actions.clone();
            actions.remove(place);
            let mut shorter = self.start.clone();
            shorter.play(&actions);
            if self.aim.check(self.means.prover, &shorter, self.means.effort) == Check::Reached {
                best = shorter;
            }
        }
        best
    }
}
