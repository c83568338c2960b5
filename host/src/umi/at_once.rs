//! Turns for a host that translates all lines of a turn before it carries any of them out, as the web server does
//! (UMI §7.1, §17). A move through a hex that an attack of the same turn frees finds no path there, and the rest of the
//! turn is lost. So every move is made possible on the board at the start of the turn: in another order, with another
//! end of the path, or by leaving it out.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{Action, BoardAction, Game, GameTurn, UndoLog, UnitLabel, View};

/// The turn with each board rearranged so that every move is possible on the board at the start of the turn. It has no
/// action that the turn does not have, but for the ends of moves and placements, and it is legal if the turn is.
pub(super) fn at_once(game: &Game, turn: &GameTurn) -> GameTurn {
    let GameTurn { num_spells_bought, sell, marches, ref tech_spells, ref board_spells, .. } = *turn;
    let mut rearranged = GameTurn {
        num_spells_bought,
        sell,
        marches,
        tech_spells: tech_spells.clone(),
        board_spells: board_spells.clone(),
        ..GameTurn::new()
    };
    let mut replay = game.clone();
    for action in turn.general_actions(game.state().budget()) {
        // An illegal turn stays one, and the caller's to refuse.
        let _ = replay.apply(Action::General(action), &mut UndoLog::off());
    }
    for (index, board) in (0..).zip(0..game.config().num_boards()) {
        let Some(start) = game.view(board) else { continue };
        let arranger = Arranger::new(start, &mut replay, index, turn.board(board));
        for action in arranger.arrange(turn.board(board)) {
            // No longer than the turn's own list, which had room.
            let _ = rearranged.push(board, action);
        }
    }
    debug_assert!(is_possible_at_once(game, &rearranged), "{rearranged:?}");
    rearranged
}

/// Whether each line of the turn names the right pieces, and each move has a path, on the board at the start of the
/// turn. Who attacks is also known by where it has moved to.
pub(super) fn is_possible_at_once(game: &Game, turn: &GameTurn) -> bool {
    (0..game.config().num_boards()).all(|board| {
        let Some(start) = game.view(board) else { return true };
        let own = start.board.pieces(start.side);
        let (mut left, mut moved_to) = (HexSet::EMPTY, HexSet::EMPTY);
        turn.board(board).iter().all(|action| match *action {
            BoardAction::Move { from, to, .. } => {
                let possible = reach(&start, from).contains(to) && left.insert(from);
                moved_to.insert(to);
                possible
            }
            BoardAction::Attack { from, to } => {
                start.enemy(to).is_ok() && (moved_to.contains(from) || (own - left).contains(from))
            }
            BoardAction::Blink { at } => (own - moved_to).contains(at) && left.insert(at),
            BoardAction::Keep { unit } => unit.is_some(),
            BoardAction::Buy { .. } | BoardAction::Spawn { .. } | BoardAction::Resign => true,
            _ => false,
        })
    })
}

/// Hexes to which the piece has a path at the start of the turn, occupied by friends or not.
fn reach(start: &View<'_>, from: Hex) -> HexSet {
    let walks = start.friend(from).map_or(HexSet::EMPTY, |piece| start.walks(from, piece));
    (walks - start.board.pieces(start.side.opponent())).without(from)
}

/// Step of the attack phase. Pieces go by the hex where they stand when the turn begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Move { piece: Hex, to: Hex },
    Attack { piece: Hex, target: Hex },
    Blink { piece: Hex },
}

/// The steps of a board's attack phase, one move for each piece that moves.
fn steps(actions: &[BoardAction]) -> Vec<Step> {
    let mut steps = Vec::new();
    // Pieces that are not where the turn found them: their hexes now and then.
    let mut origins = BTreeMap::new();
    let mut rest = actions;
    while let Some(first) = rest.first() {
        let joined = rest.iter().take_while(|action| action.is_joined()).count();
        let (group, after) = rest.split_at(rest.len().min(joined + 1));
        rest = after;
        let moves = group.iter().filter_map(|action| match action {
            BoardAction::Move { from, to, .. } => Some((*from, *to)),
            BoardAction::Walk { path, .. } => Some((path.from(), path.to())),
            _ => None,
        });
        let movers: Vec<(Hex, Hex)> =
            moves.map(|(from, to)| (origins.remove(&from).unwrap_or(from), to)).collect();
        for (piece, to) in movers {
            origins.insert(to, piece);
            let earlier = steps.iter_mut().find_map(|step| match step {
                Step::Move { piece: mover, to } if *mover == piece => Some(to),
                _ => None,
            });
            match earlier {
                Some(end) => *end = to,
                None => steps.push(Step::Move { piece, to }),
            }
        }
        match *first {
            BoardAction::Attack { from, to } => {
                steps.push(Step::Attack { piece: *origins.get(&from).unwrap_or(&from), target: to });
            }
            BoardAction::Blink { at } => {
                let piece = origins.remove(&at).unwrap_or(at);
                // Who does nothing but go away need not walk before.
                if !steps
                    .iter()
                    .any(|step| matches!(step, Step::Attack { piece: other, .. } if *other == piece))
                {
                    steps.retain(|step| !matches!(step, Step::Move { piece: other, .. } if *other == piece));
                }
                steps.push(Step::Blink { piece });
            }
            _ => {}
        }
    }
    steps.retain(|step| !matches!(step, Step::Move { piece, to } if piece == to));
    steps
}

/// Arranger of one board's turn: replays what is possible on a copy of the game and keeps what was legal.
struct Arranger<'a> {
    start: View<'a>,
    replay: &'a mut Game,
    board: u8,
    /// Steps still to be done, in the order of the turn.
    pending: Vec<Step>,
    /// Hexes of the pieces that have moved.
    moved: BTreeMap<Hex, Hex>,
    /// Hexes on which the turn places units.
    placements: HexSet,
    done: Vec<BoardAction>,
}

impl<'a> Arranger<'a> {
    fn new(start: View<'a>, replay: &'a mut Game, board: u8, actions: &[BoardAction]) -> Arranger<'a> {
        let placements = actions.iter().filter_map(|action| match action {
            BoardAction::Spawn { at, .. } => Some(*at),
            _ => None,
        });
        Arranger {
            start,
            replay,
            board,
            pending: steps(actions),
            moved: BTreeMap::new(),
            placements: placements.collect(),
            done: Vec::new(),
        }
    }

    fn arrange(mut self, actions: &[BoardAction]) -> Vec<BoardAction> {
        for action in actions {
            if matches!(action, BoardAction::Keep { unit: Some(_) }) {
                self.play(&[*action]);
            }
        }
        while !self.pending.is_empty() {
            let advanced = (0..self.pending.len()).any(|place| self.try_step(place));
            if !advanced {
                self.give_way();
            }
        }
        self.place_units(actions);
        if actions.contains(&BoardAction::Resign) {
            self.play(&[BoardAction::Resign]);
        }
        self.done
    }

    /// Plays an action, or a group of joined ones, if it is legal.
    fn play(&mut self, actions: &[BoardAction]) -> bool {
        let legal = self.replay.apply_next(self.board, actions, &mut UndoLog::off()).is_ok();
        if legal {
            self.done.extend_from_slice(actions);
        }
        legal
    }

    fn view(&self) -> View<'_> {
        self.replay.view(usize::from(self.board)).unwrap_or(self.start)
    }

    fn has_path(&self, piece: Hex, to: Hex) -> bool {
        reach(&self.start, piece).contains(to)
    }

    /// Whether a pending step of the piece fits.
    fn awaits(&self, fits: impl Fn(&Step) -> bool) -> bool {
        self.pending.iter().any(fits)
    }

    /// Does a pending step, or the simultaneous move that it belongs to, if that is possible now.
    fn try_step(&mut self, place: usize) -> bool {
        let step = self.pending[place];
        let done = match step {
            Step::Move { piece, to } => {
                if !self.has_path(piece, to) {
                    return false;
                }
                if !self.walk(piece, to) {
                    return self.try_cycle(piece);
                }
                true
            }
            Step::Attack { piece, target } => {
                if self.awaits(|step| matches!(step, Step::Move { piece: mover, .. } if *mover == piece)) {
                    return false;
                }
                let from = *self.moved.get(&piece).unwrap_or(&piece);
                self.play(&[BoardAction::Attack { from, to: target }])
            }
            // Attackers are known to the host by where they went; of those who blink that is not certain.
            Step::Blink { piece } => {
                let busy = self.awaits(|step| match step {
                    Step::Move { piece: other, .. } | Step::Attack { piece: other, .. } => *other == piece,
                    Step::Blink { .. } => false,
                });
                !busy && !self.moved.contains_key(&piece) && self.play(&[BoardAction::Blink { at: piece }])
            }
        };
        if done {
            self.pending.remove(place);
        }
        done
    }

    fn walk(&mut self, piece: Hex, to: Hex) -> bool {
        let walked = self.play(&[BoardAction::walk(piece, to)]);
        if walked {
            self.moved.insert(piece, to);
        }
        walked
    }

    /// Moves this piece and those that want each other's hexes in a ring with it, in one simultaneous move.
    fn try_cycle(&mut self, first: Hex) -> bool {
        let next = |at: Hex| {
            self.pending.iter().find_map(|step| match *step {
                Step::Move { piece, to } if piece == at && self.has_path(piece, to) => Some(to),
                _ => None,
            })
        };
        let mut movers: Vec<(Hex, Hex)> = Vec::new();
        let mut at = first;
        while let Some(to) = next(at).filter(|_| !movers.iter().any(|(piece, _)| *piece == at)) {
            movers.push((at, to));
            at = to;
        }
        if at != first || movers.len() < 2 {
            return false;
        }
        let last = movers.len() - 1;
        let joined =
            |(place, &(from, to)): (usize, &(Hex, Hex))| BoardAction::Move { from, to, joined: place < last };
        let group: Vec<BoardAction> = movers.iter().enumerate().map(joined).collect();
        let moved = self.play(&group);
        if moved {
            self.pending.retain(|step| {
                !matches!(step, Step::Move { piece, .. } if movers.iter().any(|(mover, _)| mover == piece))
            });
            self.moved.extend(movers);
        }
        moved
    }

    /// Gives up a step, when none is possible: a move without a path first, then any move, then what is left. Who cannot
    /// move where the turn says goes where it can do most of the same, or stays.
    fn give_way(&mut self) {
        let hopeless = |step: &Step| matches!(*step, Step::Move { piece, to } if !self.has_path(piece, to));
        let is_move = |step: &Step| matches!(step, Step::Move { .. });
        let place = self.pending.iter().position(hopeless);
        let place = place.or_else(|| self.pending.iter().position(is_move)).unwrap_or(0);
        if let Step::Move { piece, to } = self.pending.remove(place)
            && let Some(end) = self.other_end(piece, to)
        {
            self.walk(piece, end);
        }
    }

    /// Another hex for a move: the most of the piece's attacks are possible from there, then it is nearest to the hex
    /// wanted. `None` where staying is as good. Necromancers do not go where nobody sent them.
    fn other_end(&self, piece: Hex, to: Hex) -> Option<Hex> {
        let view = self.view();
        let mover = view.friend(piece).ok()?;
        if view.unit(mover).necromancer {
            return None;
        }
        let now = view.ready_to_attack(mover).ok();
        let attacks = |from: Hex| {
            let Some(now) = now.filter(|now| from == piece || !now.lumbering) else { return 0 };
            let within = |step: &&Step| match **step {
                Step::Attack { piece: attacker, target } if attacker == piece => {
                    let flies = view.enemy(target).map(|enemy| view.unit(enemy).flying);
                    flies.is_ok_and(|flies| {
                        from.distance(target) <= if flies { now.range_flying } else { now.range }
                    })
                }
                _ => false,
            };
            self.pending.iter().filter(within).count()
        };
        let wanted: HexSet = self
            .pending
            .iter()
            .filter_map(|step| match step {
                Step::Move { to, .. } => Some(*to),
                _ => None,
            })
            .collect();
        let free = reach(&self.start, piece) - view.board.all_pieces() - wanted - self.placements;
        let worth = |from: Hex| (attacks(from), Reverse(from.distance(to)));
        let best = free.into_iter().max_by_key(|&hex| (worth(hex), Reverse(hex)))?;
        (worth(best) > worth(piece)).then_some(best)
    }

    /// Buys and places units. One that cannot be placed where the turn says is placed nearby, or not bought at all.
    fn place_units(&mut self, actions: &[BoardAction]) {
        let mut bought: Vec<UnitLabel> = Vec::new();
        for action in actions {
            if let BoardAction::Buy { unit } = *action
                && self.replay.apply_next(self.board, &[*action], &mut UndoLog::off()).is_ok()
            {
                bought.push(unit);
            }
        }
        let (mut placed, mut unplaced) = (Vec::new(), Vec::new());
        for action in actions {
            let BoardAction::Spawn { unit, at } = *action else { continue };
            self.placements.remove(at);
            let free = self.view().spawn_hexes(unit);
            let elsewhere = (free - self.placements).into_iter().min_by_key(|hex| (hex.distance(at), *hex));
            let end = if free.contains(at) { Some(at) } else { elsewhere };
            let spawn = end.map(|at| BoardAction::Spawn { unit, at });
            let is_placed = spawn.is_some_and(|spawn| {
                self.replay.apply_next(self.board, &[spawn], &mut UndoLog::off()).is_ok()
            });
            if is_placed {
                placed.extend(spawn);
            } else {
                unplaced.push(unit);
            }
        }
        let view = self.view();
        for (index, unit) in unplaced.iter().enumerate() {
            // None is left where a unit was to be placed that has not blinked: what was bought is placed.
            let dropped = unplaced[..index].iter().filter(|other| *other == unit).count();
            let left = usize::from(view.board.reserve(view.side, *unit)) > dropped;
            if let Some(place) = bought.iter().position(|other| left && other == unit) {
                bought.remove(place);
            }
        }
        self.done.extend(bought.into_iter().map(|unit| BoardAction::Buy { unit }));
        self.done.extend(placed);
    }
}
