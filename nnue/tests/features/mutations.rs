//! Single changes of a position, one for every field that an editor can set.
//!
//! More than 500 lines: the list of these changes is one table, and as long as the list of fields.

// Every mutation has the same form: an option, though some always succeed.
#![allow(clippy::unnecessary_wraps)]

use barrow_core::hex::Hex;
use barrow_core::minions::tables::ruleset::{IncomeFormula, ResetChoice, Rules, TieWinner};
use barrow_core::minions::{
    Board, BoardState, Budget, Builder, Deck, Game, GameConfig, MapLabel, Marks, Modifier, Modifiers,
    Movable, Piece, Ruleset, Side, SideArray, Spell, Tech, TechLevels, TechStatus, Techline, UnitLabel,
};
use barrow_core::rng::Rng;

/// Visibility of a change in the rows of the small layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Folds {
    /// Every such change alters the rows.
    Nothing,
    /// Some such changes alter the rows.
    Some,
    /// No such change alters the rows.
    All,
    /// No such change alters even the rows of the full layout, because no rule depends on it.
    Unseen,
}

pub(crate) struct Mutation {
    pub(crate) name: &'static str,
    pub(crate) folds: Folds,
    change: Change,
}

enum Change {
    Board(fn(&mut Board, &mut Rng) -> Option<()>),
    General(fn(&mut Builder, &Game, &mut Rng) -> Option<()>),
    Config(fn(&mut GameConfig, &mut Rng) -> Option<()>),
}

impl Mutation {
    /// The changed position, if the change is possible and the result valid.
    pub(crate) fn apply(&self, game: &Game, dice: &mut Rng) -> Option<Game> {
        let mut builder = Builder::from_game(game.clone());
        match self.change {
            Change::Board(change) => {
                let index = dice.below(game.config().num_boards() as u32) as usize;
                change(builder.board(index)?, dice)?;
            }
            Change::General(change) => change(&mut builder, game, dice)?,
            Change::Config(change) => {
                let mut config = game.config().clone();
                change(&mut config, dice)?;
                builder = moved(game, config)?;
            }
        }
        builder.build().ok()
    }
}

/// The same position of a game with other constants.
fn moved(game: &Game, config: GameConfig) -> Option<Builder> {
    let state = game.state();
    let mut builder = Builder::new(config, 0);
    builder.turn(game.side_to_move(), state.turn()).winner(state.winner()).drawn(state.is_drawn());
    builder.souls(SideArray(Side::ALL.map(|side| state.souls(side))));
    builder.points(SideArray(Side::ALL.map(|side| state.points(side))));
    let tech = SideArray(Side::ALL.map(|side| state.tech(side)));
    builder.tech(tech, SideArray(Side::ALL.map(|side| state.tech_at_start(side))));
    builder.budget(state.budget());
    let taken =
        (0..state.row().len()).filter(|&card| state.is_taken(card)).fold(0, |bits, card| bits | 1 << card);
    builder.row(state.row(), taken)?;
    for side in Side::ALL {
        builder.deck(side, state.deck(side).clone());
    }
    for (index, board) in state.boards().iter().enumerate() {
        builder.board(index)?.clone_from(board);
    }
    Some(builder)
}

fn occupied(board: &Board, dice: &mut Rng) -> Option<(Hex, Piece)> {
    let pieces: Vec<(Hex, Piece)> = board.iter_all().collect();
    dice.choose(&pieces).copied()
}

fn edit(
    board: &mut Board,
    dice: &mut Rng,
    change: impl Fn(Piece, Hex, &mut Rng) -> Option<Piece>,
) -> Option<()> {
    let (hex, piece) = occupied(board, dice)?;
    let changed = change(piece, hex, dice)?;
    board.set_piece(hex, Some(changed));
    Some(())
}

fn hex(dice: &mut Rng) -> Hex {
    Hex::new(dice.below(100) as u8).unwrap()
}

fn side(dice: &mut Rng) -> Side {
    if dice.chance(1, 2) { Side::Yellow } else { Side::Blue }
}

fn unit(dice: &mut Rng) -> UnitLabel {
    *dice.choose(&UnitLabel::ALL).unwrap()
}

fn spell(dice: &mut Rng) -> Spell {
    *dice.choose(&Spell::ALL).unwrap()
}

/// The same piece as another one, or another owner's.
fn like(piece: Piece, side: Side, unit: UnitLabel) -> Piece {
    Piece::created(side, unit)
        .with_damage(piece.damage())
        .with_modifiers(piece.modifiers())
        .with_record(piece.steps(), piece.attacks(), piece.moved(), piece.exhausted())
        .with_history(piece.origin(), piece.first_attacked(), piece.attacked_several())
}

fn recorded(piece: Piece, steps: u8, attacks: u8, moved: bool, exhausted: bool) -> Piece {
    piece.with_record(steps, attacks, moved, exhausted).with_history(
        piece.origin(),
        piece.first_attacked(),
        piece.attacked_several(),
    )
}

fn list(modifiers: &[(Modifier, u8)]) -> Option<Modifiers> {
    modifiers.iter().try_fold(Modifiers::EMPTY, |all, &(kind, counter)| all.with(kind, counter))
}

fn marked(board: &mut Board, change: impl FnOnce(&mut Marks)) -> Option<()> {
    let mut marks = board.marks();
    change(&mut marks);
    board.set_marks(marks);
    Some(())
}

/// A number near the old one, so that neighbours meet, or any number.
fn other(old: u32, most: u32, dice: &mut Rng) -> u32 {
    match dice.below(3) {
        0 => old.saturating_add(1).min(most),
        1 => old.saturating_sub(1),
        _ => (dice.next_u64() % (u64::from(most) + 1)) as u32,
    }
}

fn souls(
    builder: &mut Builder,
    game: &Game,
    dice: &mut Rng,
    change: impl Fn(u32, &mut Rng) -> u32,
) -> Option<()> {
    let mut souls = SideArray(Side::ALL.map(|side| game.state().souls(side)));
    let side = side(dice);
    souls[side] = change(souls[side], dice);
    builder.souls(souls);
    Some(())
}

fn levels(
    builder: &mut Builder,
    game: &Game,
    dice: &mut Rng,
    change: impl Fn(&mut TechLevels, &mut TechLevels, u8, TechStatus),
) -> Option<()> {
    let state = game.state();
    let mut now = SideArray(Side::ALL.map(|side| state.tech(side)));
    let mut start = SideArray(Side::ALL.map(|side| state.tech_at_start(side)));
    let side = side(dice);
    let place = dice.below(game.config().techline.len() as u32) as u8;
    let status = *dice.choose(&[TechStatus::Locked, TechStatus::Unlocked, TechStatus::Acquired])?;
    change(&mut now[side], &mut start[side], place, status);
    builder.tech(now, start);
    Some(())
}

fn budget(builder: &mut Builder, game: &Game, change: impl FnOnce(&mut Budget)) -> Option<()> {
    let mut budget = game.state().budget();
    change(&mut budget);
    builder.budget(budget);
    Some(())
}

/// The row as pairs of spell and whether it is taken.
fn row(
    builder: &mut Builder,
    game: &Game,
    change: impl FnOnce(&mut Vec<(Spell, bool)>) -> Option<()>,
) -> Option<()> {
    let state = game.state();
    let mut row: Vec<(Spell, bool)> =
        state.row().iter().enumerate().map(|(card, &spell)| (spell, state.is_taken(card))).collect();
    change(&mut row)?;
    let taken =
        row.iter().enumerate().filter(|(_, (_, taken))| *taken).fold(0, |bits, (at, _)| bits | 1 << at);
    let row: Vec<Spell> = row.into_iter().map(|(spell, _)| spell).collect();
    builder.row(&row, taken).map(|_| ())
}

fn deck(
    builder: &mut Builder,
    game: &Game,
    dice: &mut Rng,
    change: impl FnOnce(&mut Vec<Spell>, &mut [u8; 27], &mut u64, &mut Rng) -> Option<()>,
) -> Option<()> {
    let side = side(dice);
    let old = game.state().deck(side);
    let (mut queue, mut left, mut rng) = (old.queue().to_vec(), *old.left(), old.rng());
    change(&mut queue, &mut left, &mut rng, dice)?;
    builder.deck(side, Deck::with(&queue, left, rng)?);
    Some(())
}

fn techs(config: &mut GameConfig, change: impl FnOnce(&mut Vec<Tech>) -> Option<()>) -> Option<()> {
    let mut techs = config.techline.techs().to_vec();
    change(&mut techs)?;
    config.techline = Techline::new(&techs)?;
    Some(())
}

/// Turns one of the switches that have two settings.
fn switch(rules: &mut Rules, which: u32) {
    let flip = |switch: &mut bool| *switch = !*switch;
    match which {
        0 => {
            rules.unit_table = match rules.unit_table {
                Ruleset::Server => Ruleset::Spooky,
                Ruleset::Spooky => Ruleset::Server,
            };
        }
        1 => {
            rules.income_formula = match rules.income_formula {
                IncomeFormula::ExtraSouls => IncomeFormula::FlatTwo,
                IncomeFormula::FlatTwo => IncomeFormula::ExtraSouls,
            };
        }
        2 => flip(&mut rules.buy_same_turn),
        3 => flip(&mut rules.buy_in_no_spawn_states),
        4 => flip(&mut rules.auto_march),
        5 => flip(&mut rules.acquire_unlocked_only),
        6 => flip(&mut rules.copycat_immediate),
        7 => flip(&mut rules.thaumaturgy),
        8 => flip(&mut rules.metamagic),
        9 => flip(&mut rules.spells),
        10 => {
            rules.game_tie_winner = match rules.game_tie_winner {
                TieWinner::HigherBoard => TieWinner::Mover,
                TieWinner::Mover => TieWinner::HigherBoard,
            };
        }
        11 => flip(&mut rules.turn_passes_after_win),
        12 => flip(&mut rules.split_moves),
        13 => flip(&mut rules.open_chain_moves),
        14 => flip(&mut rules.spawn_terrain_all),
        15 => flip(&mut rules.chain_spawn),
        16 => flip(&mut rules.special_tiles),
        17 => flip(&mut rules.kill_beats_graveyard),
        18 => flip(&mut rules.resign_drops_actions),
        _ => {
            rules.reset_choice = match rules.reset_choice {
                ResetChoice::Optional => ResetChoice::Mandatory,
                ResetChoice::Mandatory => ResetChoice::Optional,
            };
        }
    }
}

const fn board(name: &'static str, folds: Folds, change: fn(&mut Board, &mut Rng) -> Option<()>) -> Mutation {
    Mutation { name, folds, change: Change::Board(change) }
}

const fn general(
    name: &'static str,
    folds: Folds,
    change: fn(&mut Builder, &Game, &mut Rng) -> Option<()>,
) -> Mutation {
    Mutation { name, folds, change: Change::General(change) }
}

const fn config(
    name: &'static str,
    folds: Folds,
    change: fn(&mut GameConfig, &mut Rng) -> Option<()>,
) -> Mutation {
    Mutation { name, folds, change: Change::Config(change) }
}

pub(crate) const MUTATIONS: &[Mutation] = &[
    board("another piece", Folds::Nothing, |board, dice| {
        let at = hex(dice);
        board.set_piece(at, Some(Piece::fresh(side(dice), unit(dice), at)));
        Some(())
    }),
    board("a piece less", Folds::Nothing, |board, dice| {
        let (at, _) = occupied(board, dice)?;
        board.set_piece(at, None);
        Some(())
    }),
    board("a piece elsewhere", Folds::Nothing, |board, dice| {
        let (from, piece) = occupied(board, dice)?;
        let to = hex(dice);
        board.piece(to).is_none().then_some(())?;
        board.set_piece(from, None);
        board.set_piece(to, Some(piece));
        Some(())
    }),
    board("another type", Folds::Nothing, |board, dice| {
        edit(board, dice, |piece, _, dice| Some(like(piece, piece.side(), unit(dice))))
    }),
    board("another owner", Folds::Nothing, |board, dice| {
        edit(board, dice, |piece, _, _| Some(like(piece, piece.side().opponent(), piece.unit())))
    }),
    board("damage", Folds::Some, |board, dice| {
        edit(board, dice, |piece, _, dice| {
            let most = if dice.chance(1, 4) { 65_535 } else { 8 };
            Some(piece.with_damage(other(u32::from(piece.damage()), most, dice) as u16))
        })
    }),
    board("the first damage", Folds::Nothing, |board, dice| {
        edit(board, dice, |piece, _, dice| {
            (piece.damage() == 0).then(|| piece.with_damage(1 + dice.below(9) as u16))
        })
    }),
    board("steps", Folds::Some, |board, dice| {
        edit(board, dice, |piece, _, dice| {
            let steps = dice.below(4) as u8;
            Some(recorded(piece, steps, piece.attacks(), piece.moved(), piece.exhausted()))
        })
    }),
    board("whether moved", Folds::Some, |board, dice| {
        edit(board, dice, |piece, _, _| {
            Some(recorded(piece, piece.steps(), piece.attacks(), !piece.moved(), piece.exhausted()))
        })
    }),
    board("attacks", Folds::Some, |board, dice| {
        edit(board, dice, |piece, _, dice| {
            let attacks = other(u32::from(piece.attacks()), 255, dice) as u8;
            Some(recorded(piece, piece.steps(), attacks, piece.moved(), piece.exhausted()))
        })
    }),
    board("exhaustion", Folds::Nothing, |board, dice| {
        edit(board, dice, |piece, _, _| {
            Some(recorded(piece, piece.steps(), piece.attacks(), piece.moved(), !piece.exhausted()))
        })
    }),
    board("origin", Folds::All, |board, dice| {
        edit(board, dice, |piece, _, dice| {
            let origin = dice.chance(3, 4).then(|| hex(dice));
            Some(piece.with_history(origin, piece.first_attacked(), piece.attacked_several()))
        })
    }),
    board("first target", Folds::All, |board, dice| {
        edit(board, dice, |piece, _, dice| {
            let target = dice.chance(3, 4).then(|| hex(dice));
            Some(piece.with_history(piece.origin(), target, piece.attacked_several()))
        })
    }),
    board("several targets", Folds::All, |board, dice| {
        edit(board, dice, |piece, _, _| {
            Some(piece.with_history(piece.origin(), piece.first_attacked(), !piece.attacked_several()))
        })
    }),
    board("one more modifier", Folds::Some, |board, dice| {
        edit(board, dice, |piece, _, dice| {
            let kind = *dice.choose(&Modifier::ALL)?;
            Some(piece.with_modifiers(piece.modifiers().with(kind, 1 + dice.below(2) as u8)?))
        })
    }),
    board("a first Shielded", Folds::Nothing, |board, dice| {
        edit(board, dice, |piece, _, _| {
            let first = piece.modifiers().is_empty();
            first.then(|| piece.with_modifiers(piece.modifiers().with(Modifier::Shielded, 2).unwrap()))
        })
    }),
    board("a first Frozen", Folds::Nothing, |board, dice| {
        edit(board, dice, |piece, _, _| {
            let first = piece.modifiers().is_empty();
            first.then(|| piece.with_modifiers(piece.modifiers().with(Modifier::Frozen, 1).unwrap()))
        })
    }),
    board("no modifiers", Folds::Nothing, |board, dice| {
        edit(board, dice, |piece, _, _| {
            let effective = piece.modifiers().iter().any(|(kind, _)| kind != Modifier::NecroPick);
            effective.then(|| piece.with_modifiers(Modifiers::EMPTY))
        })
    }),
    board("order of modifiers", Folds::All, |board, dice| {
        edit(board, dice, |piece, _, dice| {
            let mut modifiers: Vec<_> = piece.modifiers().iter().collect();
            dice.shuffle(&mut modifiers);
            Some(piece.with_modifiers(list(&modifiers)?))
        })
    }),
    board("a copy of a modifier", Folds::All, |board, dice| {
        edit(board, dice, |piece, _, dice| {
            let mut modifiers: Vec<_> = piece.modifiers().iter().collect();
            let copy = *dice.choose(&modifiers)?;
            modifiers.insert(dice.below(modifiers.len() as u32 + 1) as usize, copy);
            Some(piece.with_modifiers(list(&modifiers)?))
        })
    }),
    board("counter of a modifier", Folds::All, |board, dice| {
        edit(board, dice, |piece, _, dice| {
            let mut modifiers: Vec<_> = piece.modifiers().iter().collect();
            let place = dice.below(modifiers.len() as u32) as usize;
            let (_, counter) = modifiers.get_mut(place)?;
            *counter = 3 - *counter;
            Some(piece.with_modifiers(list(&modifiers)?))
        })
    }),
    board("reinforcements", Folds::Some, |board, dice| {
        let side = side(dice);
        let waiting: Vec<_> = board.reserves(side).collect();
        let (unit, count) = *dice.choose(&waiting)?;
        let count = other(u32::from(count), 255, dice);
        board.set_reserve(side, unit, count as u8);
        Some(())
    }),
    board("a first reinforcement", Folds::Nothing, |board, dice| {
        let (side, unit) = (side(dice), unit(dice));
        (board.reserve(side, unit) == 0).then(|| board.set_reserve(side, unit, 1))
    }),
    board("a card more", Folds::Some, |board, dice| board.push_card(side(dice), spell(dice))),
    board("a card less", Folds::Some, |board, dice| {
        let side = side(dice);
        let place = dice.below(board.hand(side).len() as u32);
        board.remove_card(side, place as usize).map(|_| ())
    }),
    board("order of a hand", Folds::Unseen, |board, dice| {
        let side = side(dice);
        let first = board.remove_card(side, 0)?;
        board.push_card(side, first)
    }),
    board("pending souls", Folds::Some, |board, dice| {
        let side = side(dice);
        board.set_pending(side, other(u32::from(board.pending(side)), 65_535, dice) as u16);
        Some(())
    }),
    board("mana", Folds::Some, |board, dice| {
        let mana = match dice.below(3) {
            0 => board.mana().saturating_add(1),
            1 => board.mana().saturating_sub(1),
            _ => dice.next_u64() as i16,
        };
        board.set_mana(mana);
        Some(())
    }),
    board("a tile", Folds::Nothing, |board, dice| {
        let kind = *dice.choose(&Movable::ALL)?;
        let to = dice.chance(3, 4).then(|| hex(dice));
        board.set_movable(kind, to);
        Some(())
    }),
    board("two tiles exchanged", Folds::All, |board, _| {
        let (one, other) = (board.movable(Movable::Water), board.movable(Movable::Whirlwind));
        board.set_movable(Movable::Water, other);
        board.set_movable(Movable::Whirlwind, one);
        Some(())
    }),
    board("a free unit", Folds::Nothing, |board, dice| {
        let side = side(dice);
        board.set_free(side, 1 - board.free(side).min(1));
        Some(())
    }),
    board("a candidate", Folds::All, |board, dice| {
        board.add_candidate(side(dice), unit(dice));
        Some(())
    }),
    board("no candidates", Folds::All, |board, dice| {
        board.clear_candidates(side(dice));
        Some(())
    }),
    board("state", Folds::Nothing, |board, dice| {
        use BoardState::{FirstTurn, Normal, Reset1, Reset2};
        board.set_state(*dice.choose(&[FirstTurn, Normal, Reset1, Reset2])?);
        Some(())
    }),
    board("spawn phase", Folds::Nothing, |board, _| marked(board, |marks| marks.spawn_phase ^= true)),
    board("won", Folds::Nothing, |board, _| marked(board, |marks| marks.won ^= true)),
    board("lost", Folds::Nothing, |board, _| marked(board, |marks| marks.lost ^= true)),
    board("resigned", Folds::Nothing, |board, _| marked(board, |marks| marks.resigned ^= true)),
    board("tile used", Folds::Nothing, |board, _| marked(board, |marks| marks.tile_used ^= true)),
    board("set up", Folds::Nothing, |board, _| marked(board, |marks| marks.set_up ^= true)),
    board("picks", Folds::Nothing, |board, dice| marked(board, |marks| marks.picks = dice.below(3) as u8)),
    general("side to move", Folds::All, |builder, game, _| {
        builder.turn(game.side_to_move().opponent(), game.state().turn());
        Some(())
    }),
    general("turn", Folds::Some, |builder, game, dice| {
        let turn = game.state().turn();
        let two_later = dice.chance(1, 2).then_some(turn + 2);
        builder.turn(game.side_to_move(), two_later.unwrap_or_else(|| other(turn, u32::MAX, dice)));
        Some(())
    }),
    general("winner", Folds::Nothing, |builder, game, dice| {
        let winner = [None, Some(Side::Yellow), Some(Side::Blue)];
        builder.winner(
            winner
                .into_iter()
                .cycle()
                .skip(dice.below(3) as usize)
                .take(3)
                .find(|&w| w != game.state().winner())?,
        );
        Some(())
    }),
    general("drawn", Folds::Nothing, |builder, game, _| {
        builder.drawn(!game.state().is_drawn());
        Some(())
    }),
    general("souls", Folds::Some, |builder, game, dice| {
        souls(builder, game, dice, |souls, dice| other(souls, 1_000_000, dice))
    }),
    general("few souls", Folds::Nothing, |builder, game, dice| {
        let few = Side::ALL.into_iter().all(|side| game.state().souls(side) < 8);
        few.then(|| souls(builder, game, dice, |souls, _| souls + 1))?
    }),
    general("points", Folds::Some, |builder, game, dice| {
        let mut points = SideArray(Side::ALL.map(|side| game.state().points(side)));
        let side = side(dice);
        points[side] = other(u32::from(points[side]), 255, dice) as u8;
        builder.points(points);
        Some(())
    }),
    general("tech level", Folds::Nothing, |builder, game, dice| {
        levels(builder, game, dice, |now, _, place, status| now.set(place, status))
    }),
    general("tech level at the start of the turn", Folds::All, |builder, game, dice| {
        levels(builder, game, dice, |_, start, place, status| start.set(place, status))
    }),
    general("tech level then and now", Folds::Some, |builder, game, dice| {
        levels(builder, game, dice, |now, start, place, status| {
            now.set(place, status);
            start.set(place, status);
        })
    }),
    general("tech points", Folds::Some, |builder, game, dice| {
        let points = dice.below(12) as u8;
        budget(builder, game, |budget| {
            budget.bought = budget.bought.max(points);
            budget.tech_points = points;
        })
    }),
    general("bought", Folds::All, |builder, game, dice| {
        let bought = other(u32::from(game.state().budget().bought), 255, dice);
        budget(builder, game, |budget| budget.bought = bought as u8)
    }),
    general("sold", Folds::All, |builder, game, _| budget(builder, game, |budget| budget.sold ^= true)),
    general("a card more in the row", Folds::Some, |builder, game, dice| {
        row(builder, game, |row| {
            row.push((spell(dice), false));
            Some(())
        })
    }),
    general("a card less in the row", Folds::Some, |builder, game, dice| {
        row(builder, game, |row| {
            let place = dice.below(row.len() as u32) as usize;
            (place < row.len()).then(|| row.remove(place)).map(|_| ())
        })
    }),
    general("a card taken", Folds::Some, |builder, game, dice| {
        row(builder, game, |row| {
            let place = dice.below(row.len() as u32) as usize;
            let (_, taken) = row.get_mut(place)?;
            *taken = !*taken;
            Some(())
        })
    }),
    general("order of the row", Folds::Unseen, |builder, game, dice| {
        row(builder, game, |row| {
            dice.shuffle(row);
            Some(())
        })
    }),
    general("a card in a queue", Folds::All, |builder, game, dice| {
        deck(builder, game, dice, |queue, _, _, dice| {
            let place = dice.below(queue.len() as u32) as usize;
            *queue.get_mut(place)? = spell(dice);
            Some(())
        })
    }),
    general("order of a queue", Folds::All, |builder, game, dice| {
        deck(builder, game, dice, |queue, _, _, dice| {
            dice.shuffle(queue);
            Some(())
        })
    }),
    general("length of a queue", Folds::All, |builder, game, dice| {
        deck(builder, game, dice, |queue, _, _, _| queue.pop().map(|_| ()))
    }),
    general("undealt copies", Folds::All, |builder, game, dice| {
        deck(builder, game, dice, |_, left, _, dice| {
            let spell = spell(dice);
            left[spell.index()] = dice.below(u32::from(spell.copies()) + 1) as u8;
            Some(())
        })
    }),
    general("state of a deck's generator", Folds::Unseen, |builder, game, dice| {
        deck(builder, game, dice, |_, _, rng, dice| {
            *rng = dice.next_u64();
            Some(())
        })
    }),
    config("map", Folds::Nothing, |config, dice| {
        let mut maps = config.maps().to_vec();
        let place = dice.below(maps.len() as u32) as usize;
        *maps.get_mut(place)? = *dice.choose(&MapLabel::ALL)?;
        let old = config.clone();
        *config = GameConfig::new(old.ruleset, &maps)?;
        (config.rules, config.techline) = (old.rules, old.techline);
        (config.points_needed, config.extra_souls) = (old.points_needed, old.extra_souls);
        Some(())
    }),
    config("preset", Folds::Nothing, |config, _| {
        config.ruleset = match config.ruleset {
            Ruleset::Server => Ruleset::Spooky,
            Ruleset::Spooky => Ruleset::Server,
        };
        Some(())
    }),
    config("a switch", Folds::All, |config, dice| {
        switch(&mut config.rules, dice.below(20));
        Some(())
    }),
    config("starting reinforcement", Folds::All, |config, dice| {
        config.rules.start_reserve = unit(dice);
        Some(())
    }),
    config("turn limit", Folds::All, |config, dice| {
        config.rules.draw_after_turns = dice.chance(3, 4).then(|| dice.next_u64() as u16);
        Some(())
    }),
    config("order of the line", Folds::Some, |config, dice| {
        let (one, other) = (dice.below(25) as usize, dice.below(25) as usize);
        techs(config, |techs| (one.max(other) < techs.len()).then(|| techs.swap(one, other)))
    }),
    config("another tech", Folds::Some, |config, dice| {
        let (place, unit) = (dice.below(25) as usize, unit(dice));
        techs(config, |techs| {
            *techs.get_mut(place)? = Tech::UnitTech(unit);
            Some(())
        })
    }),
    config("a tech twice", Folds::Some, |config, dice| {
        let (place, copy) = (dice.below(25) as usize, dice.below(25) as usize);
        techs(config, |techs| {
            *techs.get_mut(place)? = *techs.get(copy)?;
            Some(())
        })
    }),
    config("length of the line", Folds::All, |config, _| techs(config, |techs| techs.pop().map(|_| ()))),
    config("points needed", Folds::Nothing, |config, dice| {
        config.points_needed = other(u32::from(config.points_needed), 255, dice).max(1) as u8;
        Some(())
    }),
    config("extra souls", Folds::All, |config, dice| {
        let side = side(dice);
        config.extra_souls[side] = other(u32::from(config.extra_souls[side]), 65_535, dice) as u16;
        Some(())
    }),
];
