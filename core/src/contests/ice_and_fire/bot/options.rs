//! Options of the bot: weights of its evaluation, and switches for every part of a turn (rules §11).

/// Weights of the evaluation, x1 to x7 of rules §11, in gold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Weights {
    /// x1: an active cell of the opponent that is one no longer, or a quarter of a mine.
    pub income: i32,
    /// x2: a gold's worth of units killed or cut off.
    pub units: i32,
    /// x3: a tower destroyed or cut off.
    pub tower: i32,
    /// x4: a gold per turn of own upkeep.
    pub upkeep: i32,
    /// x5: a level of the unit that moves.
    pub mover: i32,
    /// x6: what the opponent's best undefended cut counts against our cuts, in hundredths.
    pub fear: i32,
    /// x7: gold that building towers leaves in the purse.
    pub reserve: i32,
}

/// Value of headquarters in gold.
pub const HEADQUARTERS: i32 = 1_000_000;

impl Weights {
    /// The weights of rules §11.
    pub const PLAIN: Weights =
        Weights { income: 4, units: 1, tower: 10, upkeep: 5, mover: 3, fear: 100, reserve: 0 };
}

impl Default for Weights {
    fn default() -> Weights {
        Weights::PLAIN
    }
}

/// Worth of a player's possessions at the end of a playout, in hundredths of gold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Assets {
    /// A gold in the purse.
    pub gold: u8,
    /// A gold of a unit's price.
    pub unit: u16,
    /// A tower on active land.
    pub tower: u16,
    /// An active cell.
    pub cell: u16,
    /// A mine on active land.
    pub mine: u16,
    /// A gold of upkeep per turn, which is subtracted.
    pub upkeep: u16,
}

impl Assets {
    /// Gold at its face, and eight turns of income, of which units are to live for four.
    pub const PLAIN: Assets =
        Assets { gold: 100, unit: 100, tower: 1_000, cell: 800, mine: 3_200, upkeep: 400 };
}

/// How an opening is planned: a search over plans of expansion, while the players are apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Expansion {
    /// Last turn that is planned so; 0 plans none.
    pub last: u8,
    /// Steps between the lands of the players up to which they are not apart.
    pub apart: u8,
    /// Whether the cut search chooses between such a turn and others, instead of playing it at once.
    pub chosen: bool,
    /// Plans that are played out.
    pub plans: u16,
    /// Turn with which a plan ends.
    pub horizon: u8,
    /// Least number of turns of a plan.
    pub least: u8,
    /// Worth of a cell at the end of a plan, in hundredths of gold.
    pub cell: u16,
    /// Worth of a unit there.
    pub unit: u16,
    /// Worth of a gold of income there.
    pub income: u16,
    /// Seed of the plans.
    pub seed: u8,
}

impl Expansion {
    /// No planned opening, with the bounds that one has when a last turn is named.
    pub const NONE: Expansion = Expansion {
        last: 0,
        apart: 3,
        chosen: false,
        plans: 300,
        horizon: 11,
        least: 4,
        cell: 300,
        unit: 500,
        income: 300,
        seed: 0,
    };
}

/// Switches and bounds of the parts of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Weights of the evaluation.
    pub weights: Weights,
    /// Most own cuts of a line of play (phase 1).
    pub cuts: u8,
    /// Defence against the opponent's cuts in lines of play (phase 1).
    pub defend: bool,
    /// Defence by moving.
    pub defend_move: bool,
    /// Defence by towers.
    pub defend_tower: bool,
    /// Defence by training.
    pub defend_train: bool,
    /// Moves of units that the line of play left in place (phase 2).
    pub moves: bool,
    /// Moves are planned anew when a vacated cell opens a cut.
    pub replan_moves: bool,
    /// Cells on the only path of another unit to unowned cells are left free.
    pub unblock: bool,
    /// Defence after the moves (phase 3).
    pub second_pass: bool,
    /// Towers along the border (phase 4).
    pub towers: bool,
    /// Training beyond lines of play (phase 5).
    pub train: bool,
    /// Training is planned anew when a cut would take the new units.
    pub replan_train: bool,
    /// Mines (phase 6): 0 none, 1 last, 2 before towers.
    pub mines: u8,
    /// Orders of equal labels that the path search tries, 1 to 4; with 5 the turn that is searched, though no playout, has
    /// the chains from every cell by itself.
    pub orders: u8,
    /// Most nodes of the cut search; 0 plays lines of play instead (phase 1).
    pub lines: u8,
    /// Cuts that the cut search tries at each step.
    pub width: u8,
    /// Player turns of a playout of the cut search.
    pub replies: u8,
    /// Player turns by which playouts of the leading candidates are longer, in which headquarters may fall.
    pub verify: u8,
    /// Whether turns of playouts are planned with one order of chains and without planning anew, which is faster.
    pub hasty: bool,
    /// Further turns whose income may be awaited for a chain to the headquarters; 0 never saves.
    pub saving: u8,
    /// Defence of the headquarters by several actions, each of which makes the opponent's chain dearer, also where
    /// they only delay its fall.
    pub hold: bool,
    /// Evaluation of playouts.
    pub assets: Assets,
    /// Planned opening.
    pub expansion: Expansion,
    /// Number of cuts evaluated in a turn after which nothing optional is begun. A candidate of the cut search during
    /// which they run out does not count.
    pub work: u32,
}

impl Options {
    /// The bot of seed 004.
    pub const PLAIN: Options = Options {
        weights: Weights::PLAIN,
        cuts: 6,
        defend: true,
        defend_move: true,
        defend_tower: true,
        defend_train: true,
        moves: true,
        replan_moves: true,
        unblock: true,
        second_pass: true,
        towers: true,
        train: true,
        replan_train: true,
        mines: 1,
        orders: 1,
        lines: 0,
        width: 3,
        replies: 6,
        verify: 0,
        hasty: false,
        saving: 0,
        hold: false,
        assets: Assets::PLAIN,
        expansion: Expansion::NONE,
        work: 40_000,
    };

    /// The bot with those parts of rules §11.4 that make it stronger.
    pub const FULL: Options = Options {
        weights: Weights { income: 8, tower: 20, upkeep: 3, ..Weights::PLAIN },
        towers: false,
        mines: 2,
        orders: 2,
        lines: 40,
        verify: 6,
        expansion: Expansion { last: 8, apart: 7, ..Expansion::NONE },
        work: 60_000,
        ..Options::PLAIN
    };

    /// Moves and trainings only (rules §11.5 c).
    pub const GREEDY: Options = Options {
        cuts: 0,
        defend: false,
        replan_moves: false,
        second_pass: false,
        towers: false,
        replan_train: false,
        ..Options::PLAIN
    };

    /// Moves, trainings and towers (rules §11.5 d).
    pub const GREEDY_TOWERS: Options = Options { towers: true, ..Options::GREEDY };
}

impl Default for Options {
    fn default() -> Options {
        Options::PLAIN
    }
}
