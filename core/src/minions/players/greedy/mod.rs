//! Greedy: the baseline player, which plays for the gains of the present turn.
//!
//! Each turn Greedy chooses techs by what they counter, kills enemy necromancers where a bounded search finds a way,
//! makes the best captures, walks to graveyards and forward, keeps its necromancers out of danger, and places all the
//! units its money buys. Of the opponent's reply it considers only which hexes enemies can hit.
//!
//! Other players are measured against Greedy, so its play is frozen: no change may alter a turn, and a test compares
//! the signature of a thousand games. The mechanisms in `appraisal` are shared, but the weights are Greedy's own; what
//! may improve belongs to `heuristics`, which Greedy does not use.

mod attack_effect;
mod captures;
mod moves;
mod necromancer_kill;
mod spawn;
mod spells;
mod techs;
mod weights;

use crate::minions::{BoardAction, DraftMemory, Game, GameTurn, GeneralAction, Side, Spell, UnitLabel, View};
use crate::rng::Rng;

use self::weights::FROZEN;
use crate::minions::players::appraisal::distance::Ways;
use crate::minions::players::appraisal::threat::ThreatCosts;
use crate::minions::players::appraisal::weights::Weights;
use crate::minions::players::brain::Brain;
use crate::minions::players::turn_draft::TurnDraft;

/// Distance fields that a player keeps where none are lent to it.
const OWN_WAYS: usize = 2;

/// Baseline player. The turn it chooses is a function of its seed and of the position.
///
/// ```
/// use barrow_core::minions::players::Greedy;
/// use barrow_core::minions::{Game, GameConfig};
/// let mut game = Game::new(GameConfig::default(), 1);
/// let turn = Greedy::new(7).choose(&game);
/// assert_eq!(turn, Greedy::new(7).choose(&game));
/// assert!(game.play(&turn).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Greedy {
    seed: u64,
    /// Enemies that a necromancer kill removes at most to open the way.
    blockers: u8,
    /// Weights by which it judges units, hexes and techs.
    weights: &'static Weights,
}

impl Greedy {
    /// A player; the seed decides between moves of almost equal worth.
    pub const fn new(seed: u64) -> Greedy {
        Greedy { seed, blockers: necromancer_kill::BLOCKERS, weights: &FROZEN }
    }

    /// A player with other weights, that kills a necromancer only where no enemy has to be removed from the way first. It
    /// takes half the time of [`Greedy::new`].
    pub(in crate::minions::players) const fn with_weights(seed: u64, weights: &'static Weights) -> Greedy {
        Greedy { seed, blockers: 0, weights }
    }

    /// Greedy without removing enemies from a necromancer's way, for the test that it is frozen.
    #[cfg(test)]
    pub(super) const fn hasty(seed: u64) -> Greedy {
        Greedy::with_weights(seed, &FROZEN)
    }

    /// A legal turn for the side to move; see [`Brain::choose`].
    pub fn choose(&mut self, game: &Game) -> GameTurn {
        let mut memory = DraftMemory::new();
        self.choose_in(game, &mut memory);
        memory.turn
    }

    /// A legal turn for the side to move, made in lent memory, in which the turn stays; see [`Brain::choose`].
    pub fn choose_in<'m>(&mut self, game: &Game, memory: &'m mut DraftMemory) -> &'m GameTurn {
        self.choose_after(game, None, memory, &mut Ways(&mut [const { None }; OWN_WAYS]))
    }

    /// A legal turn that begins with given techs and extra spells, as far as they are legal, instead of its own choice, which
    /// is `None`. See [`Greedy::choose_in`].
    pub(super) fn choose_after<'m>(
        &mut self,
        game: &Game,
        techs: Option<&[GeneralAction]>,
        memory: &'m mut DraftMemory,
        ways: &mut Ways<'_>,
    ) -> &'m GameTurn {
        if let Some(draft) = TurnDraft::new(game, memory).filter(|_| !game.state().is_over()) {
            self.draft(game, techs, draft, ways);
        }
        &memory.turn
    }

    fn draft(
        &mut self,
        game: &Game,
        techs: Option<&[GeneralAction]>,
        mut draft: TurnDraft<'_>,
        ways: &mut Ways<'_>,
    ) {
        let mut rng = self.rng(game);
        let caution = self.weights.caution(game);
        techs::play_techs(&mut draft, techs, self.weights);
        // One for all steps: a small stack holds few of them.
        let costs = &mut ThreatCosts::new(self.weights, caution);
        for board in 0..draft.num_boards() {
            keep_dearest(&mut draft, board);
            let known = !necromancer_kill::kill_necromancer(&mut draft, board, self.blockers)
                && captures::make_captures(&mut draft, board, caution, costs);
            moves::move_all(&mut draft, board, caution, (costs, known), ways, &mut rng);
            spells::cast_spells(&mut draft, board, caution, costs);
        }
        reinforce_all(&mut draft, caution, (costs, ways));
    }

    /// Spells and discards of the baseline on a board after its attack, zombies raised included, as a turn with these
    /// actions alone, made in lent memory.
    pub(super) fn spells<'m>(game: &Game, board: u8, memory: &'m mut DraftMemory) -> &'m GameTurn {
        if let Some(mut draft) = TurnDraft::new(game, memory) {
            let caution = FROZEN.caution(game);
            let costs = &mut ThreatCosts::new(&FROZEN, caution);
            spells::cast_spells(&mut draft, board, caution, costs);
            let ways = &mut Ways(&mut [const { None }; OWN_WAYS]);
            spawn::raise_zombies(&mut draft, board, caution, (costs, ways));
        }
        &memory.turn
    }

    /// Whether [`Greedy::spells`] may cast or discard anything on this board. The answer costs a look at the hand, the
    /// spells a copy of the game.
    pub(super) fn may_cast(view: &View<'_>) -> bool {
        spells::has_spells(view) || view.board.hand(view.side).contains(&Spell::RaiseZombie)
    }

    /// Generator for this position, seeded from the turn and the money, so that it does not depend on position keys.
    fn rng(&self, game: &Game) -> Rng {
        let state = game.state();
        let money = Side::ALL.map(|side| u64::from(state.souls(side)));
        let [yellow, blue] = money;
        Rng::new(self.seed ^ Rng::new(u64::from(state.turn()) << 40 | yellow << 20 | blue).next_u64())
    }
}

impl Brain for Greedy {
    fn choose(&mut self, game: &Game) -> GameTurn {
        Greedy::choose(self, game)
    }
}

/// Keeps the dearest unit after a reset of the board.
fn keep_dearest(draft: &mut TurnDraft<'_>, board: u8) {
    let Some(view) = draft.view(board) else { return };
    let price = |unit: &UnitLabel| (view.rules.unit(*unit).cost, *unit);
    let unit = if view.rules.reset_choice == crate::minions::tables::ruleset::ResetChoice::Mandatory {
        if !view.board.state().is_reset() {
            return;
        }
        view.board.reserves(view.side).map(|(unit, _)| unit).max_by_key(price)
    } else {
        let dearest = view.board.candidates(view.side).max_by_key(price);
        if dearest.is_none() {
            return;
        }
        dearest
    };
    draft.act(board, BoardAction::Keep { unit });
    draft.commit();
}

/// Spends the money: an equal share for every board that can place units; the rest of a share goes to the next board.
fn reinforce_all(draft: &mut TurnDraft<'_>, caution: i32, (costs, ways): (&mut ThreatCosts, &mut Ways<'_>)) {
    let side = draft.game().side_to_move();
    let can_place = |view: &View<'_>| view.board.state().allows_spawn() && !view.board.marks().won;
    let boards = draft.num_boards();
    let mut open_boards =
        (0..boards).filter(|&board| draft.view(board).as_ref().is_some_and(can_place)).count() as u32;
    for board in 0..boards {
        let souls = draft.state().souls(side);
        if draft.view(board).as_ref().is_some_and(can_place) {
            let share = souls / open_boards.max(1);
            spawn::reinforce(draft, board, share, caution, (costs, ways));
            open_boards = open_boards.saturating_sub(1);
        } else if !draft.is_won(board) {
            spawn::reinforce(draft, board, 0, caution, (costs, ways));
        }
    }
}
