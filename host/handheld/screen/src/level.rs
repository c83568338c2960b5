//! Levels: how much the engine searches for a turn. Nodes and not time, so that equal games have equal turns.

/// Level of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Name.
    pub name: &'static str,
    /// Description of what the engine does.
    pub about: &'static str,
    /// Slices of a search for one turn; 0 plays without a search.
    pub slices: u16,
}

/// Machine that the game runs on, with what it can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Name of the machine, on the title.
    pub name: &'static str,
    /// Levels, the weakest first.
    pub levels: &'static [Level],
    /// Number of the level of a game for which none is chosen.
    pub default_level: u8,
    /// Boards of a game at most, 1..=8.
    pub max_boards: u8,
    /// Nodes of a slice of work, after which the buttons are looked at again.
    pub nodes_per_slice: u16,
}

impl Machine {
    /// The level with this number, or the default one.
    pub fn level(&self, number: u8) -> Level {
        let level = self.levels.get(usize::from(number)).or(self.levels.get(usize::from(self.default_level)));
        level.copied().unwrap_or(Level { name: "easy", about: "plays by simple rules", slices: 0 })
    }
}
