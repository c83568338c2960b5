//! Static evaluation without a net: what each side owns, earns and threatens, in hundredths of a soul, and the chance of
//! winning that follows from the sum. Whole numbers only.

use crate::hex::HexSet;
use crate::minions::tables::config::GRAVEYARDS_TO_WIN;
use crate::minions::{Attack, Game, Side, TileType, Unit, View};

/// Value of one more soul of income a turn, in hundredths of a soul: about four turns' worth.
const INCOME: i32 = 400;

/// Value of the points that win the game, in hundredths of a soul; one of them is worth its share.
const GAME: i32 = 12_000;

/// Score of a game that is won.
const WON: i32 = 1_000_000;

/// Score difference that multiplies the odds by e.
const SCALE: i32 = 4_000;

/// Chance of winning in permille for scores of 0, 1/4, 2/4, … 8 times [`SCALE`]: the logistic function.
const CHANCE: [u16; 33] = [
    500, 562, 622, 679, 731, 777, 818, 852, 881, 905, 924, 940, 953, 963, 971, 977, 982, 986, 989, 991, 993,
    995, 996, 997, 998, 998, 998, 999, 999, 999, 999, 1000, 1000,
];

/// Value of a position for the side to move, in hundredths of a soul; positive is good for it.
///
/// ```
/// use barrow_core::minions::players::heuristics::eval;
/// use barrow_core::minions::{Game, GameConfig};
/// let game = Game::new(GameConfig::default(), 1);
/// assert!((400..600).contains(&eval::win_permille(eval::score(&game))));
/// ```
pub fn score(game: &Game) -> i32 {
    let side = game.side_to_move();
    if let Some(winner) = game.state().winner() {
        return if winner == side { WON } else { -WON };
    }
    if game.state().is_drawn() {
        return 0;
    }
    let boards: i32 = (0..game.config().num_boards()).map(|board| board_score(game, board)).sum();
    boards + purse(game, side) - purse(game, side.opponent())
}

/// Value of one board for the side to move, in hundredths of a soul; 0 when there is no such board.
pub fn board_score(game: &Game, board: usize) -> i32 {
    let Some(view) = game.view(board) else { return 0 };
    let marks = view.board.marks();
    let point = GAME / i32::from(game.config().points_needed).max(1);
    let decided = match (marks.won, marks.lost || marks.resigned) {
        (true, _) => point,
        (false, true) => -point,
        (false, false) => 0,
    };
    let own = side_score(game, &view, board, view.side);
    let other = side_score(game, &view, board, view.side.opponent());
    // The side to move strikes first, so what it threatens counts twice.
    let danger = peril(&view, view.side) - 2 * peril(&view, view.side.opponent());
    decided + own - other - danger
}

/// Chance of winning, in permille, that a score stands for.
pub fn win_permille(score: i32) -> u16 {
    let quarter = SCALE / 4;
    let size = score.saturating_abs().min(8 * SCALE);
    let (place, rest) = ((size / quarter) as usize, size % quarter);
    let low = i32::from(CHANCE.get(place).copied().unwrap_or(1000));
    let high = i32::from(CHANCE.get(place + 1).copied().unwrap_or(1000));
    let chance = (low + (high - low) * rest / quarter) as u16;
    if score < 0 { 1000 - chance } else { chance }
}

/// Money and points and techs of a side.
fn purse(game: &Game, side: Side) -> i32 {
    let state = game.state();
    let souls = state.souls(side).saturating_add(state.pending(side)).min(1_000) as i32;
    let points = i32::from(state.points(side)) * GAME / i32::from(game.config().points_needed).max(1);
    let levels = state.tech(side);
    let techs = levels.acquired_bits().count_ones() * 150 + levels.unlocked_bits().count_ones() * 40;
    souls * 90 + points + techs as i32
}

fn worth(unit: &Unit) -> i32 {
    i32::from(unit.cost) * 100
}

/// Pieces, reinforcements and income of a side on one board.
fn side_score(game: &Game, view: &View<'_>, board: usize, side: Side) -> i32 {
    let placed: i32 = view.board.iter(side).map(|(_, piece)| worth(view.unit(piece))).sum();
    let waiting: i32 =
        view.board.reserves(side).map(|(unit, count)| worth(view.rules.unit(unit)) * i32::from(count)).sum();
    let graveyards = view.board.graveyards(view.map, side).len();
    let near_win = match graveyards {
        count if count >= GRAVEYARDS_TO_WIN => 3000,
        7 => 800,
        6 => 300,
        _ => 0,
    };
    placed + waiting * 8 / 10 + i32::from(game.income(board, side)) * INCOME + near_win
}

/// Threat of the enemies near a side's necromancer, in hundredths of a soul.
fn peril(view: &View<'_>, side: Side) -> i32 {
    let enemy = side.opponent();
    let Some((home, necromancer)) = view.board.iter(side).find(|&(_, piece)| view.unit(piece).necromancer)
    else {
        return 0;
    };
    let mut damage = 0;
    for (hex, piece) in view.board.iter(enemy) {
        let now = view.current(piece);
        let walk = if now.lumbering { 0 } else { now.speed };
        let each = match now.attack {
            Attack::Damage(amount) => i32::from(amount),
            Attack::Unsummon => 1,
            Attack::None | Attack::Deathtouch => 0,
        };
        if hex.distance(home) <= walk + now.range {
            damage += each * i32::from(now.num_attacks);
        }
    }
    // Free neighbours are room for attackers.
    let walls = view.board.all_pieces() | view.map.all(TileType::Water);
    let room = (HexSet::ring(home, 1) - walls).len() as i32;
    let defense = i32::from(view.current(necromancer).defense);
    let share = (damage * 100 / defense.max(1)).min(150);
    share * (4 + room)
}
