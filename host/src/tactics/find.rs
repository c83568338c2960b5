//! Search for tactical positions: boards from games of the hand-written players on which the list of all attacks has one
//! idea that stands out. In tasks about necromancers and graveyards one more point decides the game, because whether to
//! take a point at once is a matter of judgement otherwise.

use anyhow::{Result, bail, ensure};
use barrow_core::hex::HexSet;
use barrow_core::minions::players::{Greedy, Random};
use barrow_core::minions::tables::config::GRAVEYARDS_TO_WIN;
use barrow_core::minions::{
    BoardAction, Builder, Game, GameConfig, GameTurn, MapLabel, Piece, Ruleset, SideArray, TileType, UndoLog,
    UnitLabel, View,
};
use barrow_core::rng::Rng;
use barrow_solver::attack::{AttackModel, AttackSolver, Equivalence, OrdinaryRoom, PlanAnswer, limits_for};
use hashbrown::HashSet;

use super::{Tactic, Task, worth_of};

/// Largest number of removals listed for a board. Boards with more are skipped.
const MAX_REMOVALS: usize = 600;

/// Smallest difference between the balance of the best trade and that of any other trade, in hundredths of a soul.
const MARGIN: i32 = 400;

/// Largest number of removals on a board for which answers are listed.
const MAX_TRADES: usize = 12;

/// Largest number of removals listed for the answer to a trade.
const MAX_ANSWERS: usize = 100;

/// Worth of a necromancer, in hundredths of a soul.
const NECROMANCER_WORTH: i32 = 5_000;

/// Largest share of attacks that solve a task, as a fraction of this many: one for a kill, all but one for a defence.
/// Where more do, any attack would.
const SHARES: usize = 4;

/// The enemies that an attack removes, with its actions.
#[derive(Clone, Debug)]
pub struct Removal {
    /// Enemies killed.
    pub killed: HexSet,
    /// Enemies unsummoned.
    pub unsummoned: HexSet,
    /// Actions of the attack.
    pub actions: Vec<BoardAction>,
}

/// Every set of enemies that an attack on a board can remove, each once. `None` when there are more than `max` sets, or
/// the solver has no proof that the list is complete.
pub fn removals(view: &View<'_>, max: usize) -> Option<Vec<Removal>> {
    let mut room = OrdinaryRoom::new();
    let model = AttackModel::new(view, &mut room).ok()?;
    if !model.is_complete() {
        return None;
    }
    let mut limits = limits_for(&model).ok()?;
    limits.clauses += 1 << 16;
    limits.store += 1 << 14;
    let mut memory = vec![0; limits.words()];
    let mut solver = AttackSolver::new(&model, &limits, &mut memory).ok()?;
    let mut found = Vec::new();
    loop {
        match solver.plan(&[], 100_000).ok()? {
            PlanAnswer::Plan(plan) => found.push(Removal {
                killed: plan.killed,
                unsummoned: plan.unsummoned,
                actions: plan.actions.to_vec(),
            }),
            PlanAnswer::NoMore => return Some(found),
            PlanAnswer::Unknown => return None,
        }
        if found.len() > max {
            return None;
        }
        solver.forbid(Equivalence::Removals).ok()?;
    }
}

/// Whether a necromancer is among those killed.
fn kills(view: &View<'_>, removal: &Removal) -> bool {
    let necromancer = |at| view.board.piece(at).is_some_and(|piece: Piece| view.unit(piece).necromancer);
    removal.killed.iter().any(necromancer)
}

/// Worth of a removal with that of the necromancer, in hundredths of a soul.
fn gain(view: &View<'_>, removal: &Removal) -> i32 {
    let necromancer = if kills(view, removal) { NECROMANCER_WORTH } else { 0 };
    worth_of(view, removal.killed, removal.unsummoned) + necromancer
}

/// Worth of the best removal on a board at the start of the enemy's turn. `None` when there are more than `max`.
fn best_answer(after: &Game, board: usize, max: usize) -> Option<i32> {
    let view = after.view(board)?;
    let answers = removals(&view, max)?;
    answers.iter().map(|answer| gain(&view, answer)).max()
}

/// Balance of every removal on a board, the best first: its worth less that of the best answer, when no piece moves or is
/// placed in between. `None` when there are too many to list.
fn trades(game: &Game, board: usize) -> Option<Vec<(i32, Removal)>> {
    let view = game.view(board)?;
    let mut all = Vec::new();
    for removal in removals(&view, MAX_TRADES)? {
        let mut after = game.clone();
        let mut rest = removal.actions.as_slice();
        while !rest.is_empty() {
            let used = after.apply_next(board as u8, rest, &mut UndoLog::off()).ok()?;
            rest = rest.get(used..)?;
        }
        after.end_turn().ok()?;
        all.push((gain(&view, &removal) - best_answer(&after, board, MAX_ANSWERS)?, removal));
    }
    all.sort_by_key(|&(left, _)| std::cmp::Reverse(left));
    Some(all)
}

/// The removal with the best balance on a board, as [`Task::Trade`] counts it, with that balance. `None` when there is
/// none, or there are too many to list.
pub(super) fn best_trade(game: &Game, board: usize) -> Option<(i32, Removal)> {
    trades(game, board)?.into_iter().next()
}

/// Balance of a whole turn on a board: the worth of its removals less that of the best answer. `None` when the turn is
/// illegal, or its answers are too many to list.
pub fn balance(game: &Game, turn: &GameTurn, board: usize) -> Option<i32> {
    let view = game.view(board)?;
    let enemy = view.side.opponent();
    let mut entered = game.clone();
    entered.enter(turn, &mut UndoLog::off()).ok()?;
    let shown = entered.view(board)?;
    let gone = view.board.pieces(enemy) - shown.board.pieces(enemy);
    // Units that wait and did not before have come back from the board.
    let back = |at| {
        let unit = view.board.piece(at).map(Piece::unit);
        unit.is_some_and(|unit| shown.board.reserve(enemy, unit) > view.board.reserve(enemy, unit))
    };
    let unsummoned: HexSet = gone.iter().filter(|&at| back(at)).collect();
    let removal = Removal { killed: gone - unsummoned, unsummoned, actions: Vec::new() };
    entered.end_turn().ok()?;
    Some(gain(&view, &removal) - best_answer(&entered, board, 20 * MAX_ANSWERS)?)
}

/// Checks that a position fits its task: some attacks solve it, not too many do, and no other trade comes close to the
/// best. The error says what does not fit.
pub fn verify(tactic: &Tactic) -> Result<()> {
    let Some(view) = tactic.game.view(tactic.board) else { bail!("there is no such board") };
    let enemy = view.side.opponent();
    if let Task::Trade(least) | Task::Souls(least) = tactic.task {
        let Some(all) = trades(&tactic.game, tactic.board) else { bail!("the trades cannot be listed") };
        let &[(best, _), (next, _), ..] = all.as_slice() else { bail!("there is no choice") };
        ensure!(best < NECROMANCER_WORTH / 2, "it is no trade");
        ensure!(best >= next + MARGIN, "another trade leaves {next}, the best {best}");
        ensure!(least == best - MARGIN + 1, "the best trade leaves {best}, not {}", least + MARGIN - 1);
        return Ok(());
    }
    let state = tactic.game.state();
    let points = state.points(if tactic.task == Task::Kill { view.side } else { enemy });
    ensure!(points + 1 >= tactic.game.config().points_needed, "the board does not decide the game");
    let Some(all) = removals(&view, MAX_REMOVALS) else { bail!("the attacks cannot be listed") };
    let held = view.board.graveyards(view.map, enemy);
    let does = |removal: &&Removal| {
        kills(&view, removal)
            || tactic.task == Task::Defend
                && (held - removal.killed - removal.unsummoned).len() < GRAVEYARDS_TO_WIN
    };
    let doing = all.iter().filter(does).count();
    ensure!(doing > 0, "no attack does it");
    let share = if tactic.task == Task::Kill { 1 } else { 3 };
    ensure!(doing * SHARES <= all.len() * share, "{doing} of {} attacks do it", all.len());
    ensure!(tactic.task == Task::Kill || held.len() >= GRAVEYARDS_TO_WIN, "the board is not in danger");
    Ok(())
}

/// Finds `count` positions for each task, half of them under each ruleset.
pub fn find(count: usize, seed: u64) -> Vec<Tactic> {
    let mut found: [[Vec<Tactic>; 3]; 2] = Default::default();
    let wanted = count.div_ceil(2);
    let mut met = HashSet::new();
    let mut rng = Rng::new(seed);
    while found.iter().flatten().any(|list| list.len() < wanted) {
        let place = rng.below(2) as usize;
        let ruleset = [Ruleset::Server, Ruleset::Spooky][place];
        let lists = &mut found[place];
        let mut fresh = [true; 3];
        for game in play(ruleset, &mut rng) {
            for board in 0..game.config().num_boards() {
                for tactic in candidates(&game, board, &mut rng) {
                    let kind = match tactic.task {
                        Task::Kill => 0,
                        Task::Defend => 1,
                        _ => 2,
                    };
                    // One of each kind from a game, and no position twice.
                    let is_new = fresh[kind]
                        && lists[kind].len() < wanted
                        && met.insert((tactic.game.state().key(), board, kind));
                    if is_new && verify(&tactic).is_ok() {
                        fresh[kind] = false;
                        lists[kind].push(tactic);
                    }
                }
            }
        }
    }
    let mut all: Vec<Tactic> = found.into_iter().flatten().flatten().collect();
    all.sort_by_key(|tactic| tactic.task.name());
    all
}

/// The positions of a game of the hand-written players after a random opening.
fn play(ruleset: Ruleset, rng: &mut Rng) -> Vec<Game> {
    let boards = 1 + rng.below(2) as usize;
    let maps: Vec<MapLabel> = (0..boards).filter_map(|_| rng.choose(&MapLabel::ALL).copied()).collect();
    let Some(config) = GameConfig::new(ruleset, &maps) else { return Vec::new() };
    let mut game = Game::new(config, rng.next_u64());
    let mut games = Vec::new();
    for ply in 0..60 {
        if game.state().is_over() {
            break;
        }
        if ply > 5 {
            games.push(game.clone());
        }
        let seed = rng.next_u64();
        let turn = if ply < 3 || rng.chance(1, 12) {
            Random::new(seed).choose(&game)
        } else {
            Greedy::new(seed).choose(&game)
        };
        if game.play(&turn).is_err() {
            break;
        }
    }
    games
}

/// Tasks that a board may fit; [`verify`] decides.
fn candidates(game: &Game, board: usize, rng: &mut Rng) -> Vec<Tactic> {
    if game.view(board).is_none_or(|view| view.board.state().is_reset()) {
        return Vec::new();
    }
    let mut list: Vec<Tactic> = decisive(game)
        .map(|game| Tactic { task: Task::Kill, board, game, solution: None })
        .into_iter()
        .collect();
    let task = best_trade(game, board).map(|(best, _)| Task::Trade(best - MARGIN + 1));
    list.extend(task.map(|task| Tactic { task, board, game: game.clone(), solution: None }));
    if rng.chance(1, 4) {
        list.extend(besieged(game, board).map(|game| Tactic {
            task: Task::Defend,
            board,
            game,
            solution: None,
        }));
    }
    list
}

/// Position with both sides a point short of victory.
pub(super) fn decisive(game: &Game) -> Option<Game> {
    let short = game.config().points_needed - 1;
    let mut builder = Builder::from_game(game.clone());
    builder.points(SideArray::new(short, short));
    builder.build().ok()
}

/// Position with enemy zombies on just as many free graveyards as win the board.
fn besieged(game: &Game, board: usize) -> Option<Game> {
    let view = game.view(board)?;
    let enemy = view.side.opponent();
    let held = view.board.graveyards(view.map, enemy).len();
    let free = view.map.all(TileType::Graveyard) - view.board.all_pieces();
    let missing = GRAVEYARDS_TO_WIN.checked_sub(held).filter(|&missing| missing <= free.len())?;
    let mut builder = Builder::from_game(decisive(game)?);
    let changed = builder.board(board)?;
    for at in free.iter().take(missing) {
        changed.set_piece(at, Some(Piece::fresh(enemy, UnitLabel::Zombie, at)));
    }
    builder.build().ok()
}
