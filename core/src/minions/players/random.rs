//! The random player: every action is drawn from all that are legal at that moment.

use crate::minions::{Action, BoardAction, DraftMemory, Game, GameTurn, GeneralAction, TechStatus};
use crate::rng::Rng;

use super::brain::Brain;
use super::turn_draft::TurnDraft;

/// Actions of a stage on average: after each action the stage ends with a chance of 1 in `STAGE`.
const STAGE: u32 = 12;

/// Random player: uniformly drawn legal actions of the general, then on each board of the attack phase and of the
/// spawn phase, each stage ending by chance. It never resigns, and keeps a unit wherever a reset lets it.
///
/// ```
/// use barrow_core::minions::players::{Brain, Random};
/// use barrow_core::minions::{Game, GameConfig};
/// let mut game = Game::new(GameConfig::default(), 1);
/// let turn = Random::new(7).choose(&game);
/// assert!(game.play(&turn).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A player whose choices follow from the seed and from the positions it was asked about.
    pub const fn new(seed: u64) -> Random {
        Random { rng: Rng::new(seed) }
    }

    /// A legal turn for the side to move; see [`Brain::choose`].
    pub fn choose(&mut self, game: &Game) -> GameTurn {
        let mut memory = DraftMemory::new();
        self.choose_in(game, &mut memory);
        memory.turn
    }

    /// A legal turn for the side to move, made in lent memory, in which the turn stays; see [`Brain::choose`].
    pub fn choose_in<'m>(&mut self, game: &Game, memory: &'m mut DraftMemory) -> &'m GameTurn {
        if let Some(draft) = TurnDraft::new(game, memory).filter(|_| !game.state().is_over()) {
            self.draft(draft);
        }
        &memory.turn
    }

    fn draft(&mut self, mut draft: TurnDraft<'_>) {
        self.choose_techs(&mut draft);
        for board in 0..draft.num_boards() {
            self.set_up(&mut draft, board);
            while !self.rng.chance(1, STAGE) && self.act(&mut draft, board, true) {}
            while !self.rng.chance(1, STAGE) && self.act(&mut draft, board, false) {}
        }
    }

    fn choose_techs(&mut self, draft: &mut TurnDraft<'_>) {
        while !self.rng.chance(1, STAGE) {
            let mut pick = Pick::new(&mut self.rng);
            let side = draft.game().side_to_move();
            let levels = draft.state().tech(side);
            draft.game().legal_general_actions(|action| match action {
                // Unlocking goes through marches, which a turn plays before all other steps.
                Action::General(GeneralAction::Advance { index })
                    if levels.status(index) == TechStatus::Locked => {}
                Action::General(action) => pick.offer(action),
                Action::Board(..) => {}
            });
            match pick.chosen {
                Some(action) if draft.act_general(action) => {}
                _ => return,
            }
        }
    }

    fn set_up(&mut self, draft: &mut TurnDraft<'_>, board: u8) {
        let mut pick = Pick::new(&mut self.rng);
        draft.game().legal_board_actions(usize::from(board), |action| {
            if matches!(action, BoardAction::Keep { .. }) {
                pick.offer(action);
            }
        });
        if let Some(action) = pick.chosen
            && draft.act(board, action)
        {
            draft.commit();
        }
    }

    /// Plays one action of the wanted phase. Returns false when there is none.
    fn act(&mut self, draft: &mut TurnDraft<'_>, board: u8, attack_phase: bool) -> bool {
        let mut pick = Pick::new(&mut self.rng);
        draft.game().legal_board_actions(usize::from(board), |action| {
            if action.is_attack_phase() == attack_phase {
                pick.offer(action);
            }
        });
        let played = pick.chosen.is_some_and(|action| draft.act(board, action));
        draft.commit();
        played
    }
}

impl Brain for Random {
    fn choose(&mut self, game: &Game) -> GameTurn {
        Random::choose(self, game)
    }
}

/// Reservoir sample of size one: each item offered has an equal chance to be chosen.
struct Pick<'d, T> {
    rng: &'d mut Rng,
    offered: u32,
    chosen: Option<T>,
}

impl<'d, T> Pick<'d, T> {
    fn new(rng: &'d mut Rng) -> Self {
        Pick { rng, offered: 0, chosen: None }
    }

    fn offer(&mut self, item: T) {
        self.offered += 1;
        if self.rng.chance(1, self.offered) {
            self.chosen = Some(item);
        }
    }
}
