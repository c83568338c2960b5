//! Search for hard tactical positions, of the kinds of `host/data/hard-tactics.fen`. Positions come from games of a hasty
//! search with points, pieces or cards changed, or from boards with few pieces. Positions in which a card is the only way are
//! all kept; of the others those that a search of a few hundred nodes fails at, if a turn is known that does it. Whether a turn
//! does is a matter of rules and solver alone ([`crate::engine::proof`], [`crate::engine::forced`]).

use std::time::Duration;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::players::Random;
use barrow_core::minions::tables::config::GRAVEYARDS_TO_WIN;
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{
    Builder, Game, GameConfig, GameTurn, MapLabel, Piece, Ruleset, Side, SideArray, TechLevels, TileType,
    UnitLabel,
};
use barrow_core::rng::Rng;
use barrow_solver::attack::Goal;
use hashbrown::HashSet;

use super::cards::with_harmless_cards;
use super::find::decisive;
use super::{Tactic, Task, cards, repair};
use crate::engine::forced::{graveyards_of_enemy, retakes_graveyards};
use crate::engine::proof::{Prover, necromancer};
use crate::engine::{Engine, Limits};

/// Nodes of a turn of the games that positions are taken from.
const HASTY: u64 = 12;

/// Nodes of the search that has to fail.
const FEW: u64 = 400;

/// Nodes of the search that looks for a turn that does it.
const MANY: u64 = 2_000;

/// Turns that are tried and repaired.
const TRIES: usize = 60;

/// Times that enemies come or go.
const STEPS: usize = 12;

/// Positions of one game that are looked at.
const OF_A_GAME: usize = 4;

/// Seed of these searches; `bench` has another one.
const SEED: u64 = 77;

/// Occupations of graveyards that are tried in a position.
const SIEGES: usize = 6;

/// Friends that are tried beside the enemy necromancer.
const FRIENDS: usize = 10;

/// Memory of these searches in MiB.
const HASH_MIB: usize = 64;

/// Finder of hard positions, with what it needs again and again.
pub struct Finder {
    rng: Rng,
    prover: Prover,
    engine: Engine,
    /// By task how many positions were looked at, of these how many the few nodes failed at, and how many are kept.
    pub counts: [[usize; 3]; Task::HARD.len()],
}

impl Finder {
    /// A finder with this seed.
    pub fn new(seed: u64) -> Finder {
        let options = SearchOptions { seed: SEED, ..SearchOptions::default() };
        let mut engine = Engine::new(HASH_MIB, options);
        // Hard is what the search itself fails at.
        engine.set_verifies(false);
        Finder { rng: Rng::new(seed), prover: Prover::default(), engine, counts: Default::default() }
    }

    /// Finds up to `count` positions for a task, until `tries` games were looked at.
    pub fn find(&mut self, task: Task, count: usize, tries: usize) -> Vec<Tactic> {
        let (mut found, mut met) = (Vec::new(), HashSet::new());
        for _ in 0..tries {
            if found.len() >= count {
                break;
            }
            for game in self.sources(task) {
                let Some(tactic) = self.hard(task, &game) else { continue };
                if met.insert(tactic.game.state().key()) {
                    found.push(tactic);
                    // One of a game, so that no two are alike.
                    break;
                }
            }
        }
        found
    }

    /// Positions to look at: those of a game, or a board with few pieces.
    fn sources(&mut self, task: Task) -> Vec<Game> {
        let server = match task {
            Task::Card | Task::Retake => true,
            Task::Mate => return self.few_pieces().into_iter().collect(),
            _ => self.rng.chance(1, 4),
        };
        let boards = match task {
            Task::Split => 2 + self.rng.below(2) as usize,
            _ if server => 1 + self.rng.below(2) as usize,
            _ => 1 + self.rng.below(3) as usize,
        };
        let mut games = self.play(if server { Ruleset::Server } else { Ruleset::Spooky }, boards);
        self.rng.shuffle(&mut games);
        games.truncate(OF_A_GAME);
        games
    }

    /// The positions of a game of the hasty search after a random opening.
    fn play(&mut self, ruleset: Ruleset, boards: usize) -> Vec<Game> {
        let maps: &[MapLabel] = match ruleset {
            Ruleset::Server => &MapLabel::ALL,
            Ruleset::Spooky => &SPOOKY_MAPS,
        };
        let maps: Vec<MapLabel> = (0..boards).filter_map(|_| self.rng.choose(maps).copied()).collect();
        let Some(config) = GameConfig::new(ruleset, &maps) else { return Vec::new() };
        // Points enough for a game to go on.
        let mut game = Game::new(config.with_points(2 + boards as u8), self.rng.next_u64());
        let mut games = Vec::new();
        self.engine.clear();
        for ply in 0..40 {
            if game.state().is_over() {
                break;
            }
            if ply > 5 {
                games.push(game.clone());
            }
            let turn = if ply < 2 || self.rng.chance(1, 12) {
                Random::new(self.rng.next_u64()).choose(&game)
            } else {
                self.engine.search(&game, &Limits::new(Duration::MAX, HASTY)).candidates.swap_remove(0).turn
            };
            if game.play(&turn).is_err() {
                break;
            }
        }
        games
    }

    /// A position made of this one that fits the task, if few nodes do not solve it and a turn is known that does.
    fn hard(&mut self, task: Task, game: &Game) -> Option<Tactic> {
        let place = Task::HARD.iter().position(|&other| other == task)?;
        let tactic = match task {
            Task::Escape | Task::Split => self.threatened(task, game)?,
            Task::Siege => self.graveyards_in_reach(game)?,
            Task::Mate => Tactic { task, board: 0, game: game.clone(), solution: None },
            Task::Card => self.kill_by_card(game)?,
            Task::Retake => (0..SIEGES).find_map(|_| self.graveyards_by_card(game))?,
            _ => return None,
        };
        let steps = if matches!(task, Task::Escape | Task::Split | Task::Siege) { STEPS } else { 1 };
        let found = self.at_the_edge(tactic, steps, place)?;
        self.counts[place][2] += 1;
        Some(found)
    }

    /// Looks for a position that few nodes do not solve although it can be solved: enemies come where it is too easy, and go
    /// where no solution is known.
    fn at_the_edge(&mut self, mut tactic: Tactic, steps: usize, place: usize) -> Option<Tactic> {
        let mut known: Vec<GameTurn> = tactic.solution.take().into_iter().collect();
        for step in 1..=steps {
            let grade = self.grade(&tactic, &mut known, place);
            let adds = match grade {
                Grade::Right(solution) => {
                    tactic.solution = Some(self.shortened(&tactic, *solution));
                    return Some(tactic);
                }
                Grade::Unfit => return None,
                Grade::Idle | Grade::Easy => true,
                Grade::Lost => false,
            };
            if step < steps {
                tactic.game = self.with_other_enemies(&tactic, adds)?;
            }
        }
        None
    }

    /// How hard a position is. `known` are turns that solved one much like it.
    fn grade(&mut self, tactic: &Tactic, known: &mut Vec<GameTurn>, place: usize) -> Grade {
        let (game, pass) = (&tactic.game, GameTurn::new());
        if !self.prover.winning_attack(game).is_no() {
            return Grade::Unfit;
        }
        if tactic.is_solved_with(&mut self.prover, &pass) || !self.is_threatened(tactic) {
            return Grade::Idle;
        }
        self.counts[place][0] += 1;
        if matches!(tactic.task, Task::Card | Task::Retake) {
            return known.pop().map_or(Grade::Unfit, |turn| Grade::Right(Box::new(turn)));
        }
        let mut turns = self.turns(game, FEW);
        let mut solved = |turn: &GameTurn| tactic.is_solved_with(&mut self.prover, turn);
        if turns.first().is_none_or(&mut solved) {
            known.extend(turns);
            known.retain(&mut solved);
            return Grade::Easy;
        }
        self.counts[place][1] += 1;
        turns.extend_from_slice(known);
        if let Some(place) = turns.iter().position(&mut solved) {
            return Grade::Right(Box::new(turns.swap_remove(place)));
        }
        if matches!(tactic.task, Task::Escape | Task::Split | Task::Siege)
            && let Some(turn) = repair::repaired(tactic, &mut self.prover, &mut self.rng, TRIES)
        {
            return Grade::Right(Box::new(turn));
        }
        let turns = self.turns(game, MANY);
        let found = turns.into_iter().find(|turn| tactic.is_solved_with(&mut self.prover, turn));
        found.map_or(Grade::Lost, |turn| Grade::Right(Box::new(turn)))
    }

    /// Whether the threat that the task speaks of is there: a kill after a pass, on one board or on several.
    fn is_threatened(&mut self, tactic: &Tactic) -> bool {
        if !matches!(tactic.task, Task::Escape | Task::Split) {
            return true;
        }
        let mut passed = tactic.game.clone();
        if passed.play(&GameTurn::new()).is_err() || passed.state().is_over() {
            return false;
        }
        let boards = 0..passed.config().num_boards();
        let threats = boards.filter(|&board| self.prover.kills_on(&passed, board)).count();
        if tactic.task == Task::Split { threats > 1 } else { threats == 1 }
    }

    /// The position with one more enemy, or one fewer, near what the task is about.
    fn with_other_enemies(&mut self, tactic: &Tactic, adds: bool) -> Option<Game> {
        let boards = tactic.game.config().num_boards();
        let board =
            if tactic.task == Task::Split { self.rng.below(boards as u32) as usize } else { tactic.board };
        let view = tactic.game.view(board)?;
        let enemy = view.side.opponent();
        let middle = match tactic.task {
            Task::Siege => {
                self.rng.choose(&view.map.all(TileType::Graveyard).iter().collect::<Vec<Hex>>()).copied()
            }
            _ => necromancer(&view, view.side),
        }?;
        let near = HexSet::ball(middle, 4);
        let minion = |&(_, piece): &(Hex, Piece)| !view.unit(piece).necromancer;
        let mut builder = Builder::from_game(tactic.game.clone());
        if !adds {
            let there: Vec<Hex> = view
                .board
                .iter(enemy)
                .filter(minion)
                .map(|(at, _)| at)
                .filter(|&at| near.contains(at))
                .collect();
            let Some(&at) = self.rng.choose(&there) else { return Some(tactic.game.clone()) };
            builder.board(board)?.set_piece(at, None);
            return builder.build().ok();
        }
        let all = tactic.game.state().boards().iter().flat_map(|board| board.iter(enemy));
        let types: Vec<UnitLabel> = all.filter(minion).map(|(_, piece)| piece.unit()).collect();
        let unit = self.rng.choose(&types).copied().unwrap_or(UnitLabel::Zombie);
        let free = (near & view.board.walkable(view.map, view.rules.unit(unit))) - view.board.all_pieces();
        let at = *self.rng.choose(&free.iter().collect::<Vec<Hex>>())?;
        builder.board(board)?.set_piece(at, Some(Piece::fresh(enemy, unit, at)));
        builder.build().ok()
    }

    /// The turn without actions that are not needed to solve the task.
    fn shortened(&mut self, tactic: &Tactic, mut turn: GameTurn) -> GameTurn {
        for board in 0..turn.board_actions.len() {
            let mut shorter = turn.clone();
            shorter.board_actions[board].clear();
            if tactic.is_solved_with(&mut self.prover, &shorter) {
                turn = shorter;
            }
            let mut place = turn.board(board).len();
            while place > 0 {
                place -= 1;
                let mut shorter = turn.clone();
                shorter.board_actions[board].remove(place);
                if tactic.is_solved_with(&mut self.prover, &shorter) {
                    turn = shorter;
                }
            }
        }
        let mut shorter = turn.clone();
        (shorter.marches, shorter.num_spells_bought) = (0, 0);
        shorter.tech_spells.clear();
        shorter.board_spells.clear();
        if tactic.is_solved_with(&mut self.prover, &shorter) { shorter } else { turn }
    }

    /// The turns that a search considers, the best first.
    fn turns(&mut self, game: &Game, nodes: u64) -> Vec<GameTurn> {
        self.engine.clear();
        let found = self.engine.search(game, &Limits::new(Duration::MAX, nodes));
        found.candidates.into_iter().map(|candidate| candidate.turn).collect()
    }

    /// A position of a game with both sides a point short, on boards in no need of a setup.
    fn threatened(&mut self, task: Task, game: &Game) -> Option<Tactic> {
        let game = with_harmless_cards(decisive(game)?, &mut self.rng)?;
        let board = self.rng.below(game.config().num_boards() as u32) as usize;
        let ready = |board| game.view(board).is_some_and(|view| !view.awaits_setup());
        (0..game.config().num_boards()).all(ready).then_some(Tactic { task, board, game, solution: None })
    }

    /// A position with own pieces on so many graveyards that one or two more win the board.
    fn graveyards_in_reach(&mut self, game: &Game) -> Option<Tactic> {
        let game = with_harmless_cards(decisive(game)?, &mut self.rng)?;
        let board = self.rng.below(game.config().num_boards() as u32) as usize;
        let view = game.view(board)?;
        if view.awaits_setup() {
            return None;
        }
        let (side, yards) = (view.side, view.map.all(TileType::Graveyard));
        let units: Vec<UnitLabel> =
            UnitLabel::ALL.into_iter().filter(|unit| unit.tech_number() > 0).collect();
        let minions = |side: Side| {
            let own =
                view.board.iter(side).filter(|&(_, piece): &(Hex, Piece)| !view.unit(piece).necromancer);
            own.map(|(at, _)| at).collect::<Vec<Hex>>()
        };
        // Half of the enemies go, and those on the graveyards: few are left that could take one back.
        let mut builder = Builder::from_game(game.clone());
        for at in minions(side.opponent()) {
            if yards.contains(at) || self.rng.chance(1, 2) {
                builder.board(board)?.set_piece(at, None);
            }
        }
        let mut free: Vec<Hex> = (yards - builder.board(board)?.all_pieces()).iter().collect();
        self.rng.shuffle(&mut free);
        let held = yards.len() - free.len();
        let missing = (GRAVEYARDS_TO_WIN - 1 - self.rng.below(2) as usize).checked_sub(held)?;
        if missing >= free.len() {
            return None;
        }
        for &at in free.iter().take(missing) {
            let unit = *self.rng.choose(&units)?;
            builder.board(board)?.set_piece(at, Some(Piece::fresh(side, unit, at)));
        }
        Some(Tactic { task: Task::Siege, board, game: builder.build().ok()?, solution: None })
    }

    /// A position in which a card of the row, given to the right board and cast at the right time, kills and wins. Friends
    /// join the attack until little is missing.
    fn kill_by_card(&mut self, game: &Game) -> Option<Tactic> {
        let mut game = decisive(game)?;
        let (board, side) = (self.rng.below(game.config().num_boards() as u32) as usize, game.side_to_move());
        let necromancer = necromancer(&game.view(board)?, side.opponent())?;
        let won = |after: &Game| after.state().winner() == Some(side);
        let near: Vec<Hex> = HexSet::ball(necromancer, 4).iter().collect();
        let units: Vec<UnitLabel> =
            UnitLabel::ALL.into_iter().filter(|unit| unit.tech_number() > 0).collect();
        for _ in 0..FRIENDS {
            let victims = game.view(board)?.board.pieces(side.opponent()).without(necromancer)
                & HexSet::ball(necromancer, 3);
            let kill = cards::Want { board, necromancer: Some(necromancer), victims };
            if let Some((found, turn)) = cards::by_card(&game, &kill, &mut self.prover, &mut self.rng, won) {
                return Some(Tactic { task: Task::Card, board, game: found, solution: Some(turn) });
            }
            let (at, unit) = (*self.rng.choose(&near)?, *self.rng.choose(&units)?);
            let view = game.view(board)?;
            let fits = view.board.walkable(view.map, view.rules.unit(unit)).contains(at);
            let owner = match view.board.piece(at) {
                None => side,
                // A minion of the enemy becomes a tougher one: such are hard to remove without a card.
                Some(piece) if piece.side() != side && at != necromancer => side.opponent(),
                Some(_) => continue,
            };
            if !fits {
                continue;
            }
            let mut builder = Builder::from_game(game.clone());
            builder.board(board)?.set_piece(at, Some(Piece::fresh(owner, unit, at)));
            let joined = builder.build().ok()?;
            if self.prover.attack(&joined.view(board)?, &[Goal::Kill(necromancer)]).is_no() {
                game = joined;
            }
        }
        None
    }

    /// A position in which the opponent holds eight graveyards, of which only a card takes one.
    fn graveyards_by_card(&mut self, game: &Game) -> Option<Tactic> {
        let game = decisive(game)?;
        let board = self.rng.below(game.config().num_boards() as u32) as usize;
        let view = game.view(board)?;
        let (enemy, held) = (view.side.opponent(), graveyards_of_enemy(&view));
        let free = view.map.all(TileType::Graveyard) - view.board.all_pieces();
        let missing = GRAVEYARDS_TO_WIN.checked_sub(held.len()).filter(|&missing| missing <= free.len())?;
        let mut free: Vec<Hex> = free.iter().collect();
        self.rng.shuffle(&mut free);
        let units: Vec<UnitLabel> =
            UnitLabel::ALL.into_iter().filter(|unit| unit.tech_number() > 0).collect();
        let mut builder = Builder::from_game(game);
        for &at in free.iter().take(missing) {
            let unit = *self.rng.choose(&units)?;
            builder.board(board)?.set_piece(at, Some(Piece::fresh(enemy, unit, at)));
        }
        let game = builder.build().ok()?;
        if !retakes_graveyards(&mut self.prover, &game, board).is_no() {
            return None;
        }
        let kept = |after: &Game| !after.state().is_over();
        let victims = graveyards_of_enemy(&game.view(board)?);
        let want = cards::Want { board, necromancer: None, victims };
        let (game, turn) = cards::by_card(&game, &want, &mut self.prover, &mut self.rng, kept)?;
        Some(Tactic { task: Task::Retake, board, game, solution: Some(turn) })
    }

    /// A board on which the opponent has a necromancer with at most two minions and no souls.
    fn few_pieces(&mut self) -> Option<Game> {
        let map = *self.rng.choose(&SPOOKY_MAPS)?;
        let config = GameConfig::new(Ruleset::Spooky, &[map])?.with_points(1);
        let side = if self.rng.chance(1, 2) { Side::Yellow } else { Side::Blue };
        let mut builder = Builder::new(config.clone(), self.rng.next_u64());
        builder.turn(side, 20 + u32::from(side == Side::Blue));
        let mut owned = TechLevels::default();
        for _ in 0..6 {
            let index = self.rng.below(20) as u8;
            (0..2).for_each(|_| owned.set(index, owned.status(index).next()));
        }
        let mut souls = SideArray::new(0, 0);
        souls[side] = self.rng.below(9);
        let mut techs = SideArray::new(TechLevels::default(), TechLevels::default());
        techs[side] = owned;
        builder.souls(souls).tech(techs, techs);
        let middle = Hex::all().nth(self.rng.below(100) as usize)?;
        let free = |builder: &mut Builder, at: Hex, unit: UnitLabel| {
            let board = builder.board(0)?;
            let fits = board.walkable(config.map(0), config.rules.unit(unit)).contains(at);
            (fits && board.piece(at).is_none()).then_some(())
        };
        free(&mut builder, middle, UnitLabel::Necromancer)?;
        let necromancer = Piece::fresh(side.opponent(), UnitLabel::Necromancer, middle);
        builder.board(0)?.set_piece(middle, Some(necromancer));
        let units: Vec<UnitLabel> = UnitLabel::ALL
            .into_iter()
            .filter(|unit| unit.tech_number() > 0 || *unit == UnitLabel::Zombie)
            .collect();
        let (guards, attackers) = (self.rng.below(3), 3 + self.rng.below(6));
        for index in 0..guards + attackers {
            let owner = if index < guards { side.opponent() } else { side };
            let radius = if index < guards { 2 } else { 4 };
            let near: Vec<Hex> = HexSet::ball(middle, radius).iter().collect();
            let (at, unit) = (*self.rng.choose(&near)?, *self.rng.choose(&units)?);
            if free(&mut builder, at, unit).is_some() {
                builder.board(0)?.set_piece(at, Some(Piece::fresh(owner, unit, at)));
            }
        }
        let far: Vec<Hex> = Hex::all().filter(|&at| at.distance(middle) > 5).collect();
        let home = *self.rng.choose(&far)?;
        free(&mut builder, home, UnitLabel::Necromancer)?;
        builder.board(0)?.set_piece(home, Some(Piece::fresh(side, UnitLabel::Necromancer, home)));
        builder.build().ok()
    }
}

/// How hard a position is.
enum Grade {
    /// A position that cannot be made to fit.
    Unfit,
    /// A position in which nothing has to be done yet.
    Idle,
    /// A position that few nodes solve.
    Easy,
    /// A position that few nodes do not solve, but this turn does.
    Right(Box<GameTurn>),
    /// A position that no known turn solves.
    Lost,
}

/// Maps of Spooky's rules.
const SPOOKY_MAPS: [MapLabel; 3] = [MapLabel::AllLand, MapLabel::BlackenedShores, MapLabel::MidnightLake];
