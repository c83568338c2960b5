//! Recognition of the Minions web server by the first lines that it sends (UMI §7.1, §17).

use barrow_core::minions::{GameConfig, Tech};

/// Number of techs in the web server's configuration, which are all there are.
const TECHS: u8 = 25;

/// Recognition of the web server: its configuration names all techs, and in the first position that it sends, that of
/// the game's first round, every reinforcement list holds a zombie. Spooky's start has an initiate there instead.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Recognition {
    /// Nothing points to the web server.
    #[default]
    Unlikely,
    /// The configuration may be the web server's; the next position decides.
    Possible,
    /// The first position was the web server's.
    Certain,
}

impl Recognition {
    pub(super) fn by_config(config: &GameConfig) -> Recognition {
        let names =
            |number| Tech::with_number(number).is_some_and(|tech| config.techline.position(tech).is_some());
        if (1..=TECHS).all(names) { Recognition::Possible } else { Recognition::Unlikely }
    }

    /// Recognition after this position, a line without the words before it.
    pub(super) fn by_position(self, line: &str) -> Recognition {
        match self {
            Recognition::Possible if is_first_round(line) => Recognition::Certain,
            Recognition::Possible => Recognition::Unlikely,
            _ => self,
        }
    }

    /// Recognition when another game begins: the server may have another game or have gone.
    pub(super) fn again(self) -> Recognition {
        if self == Recognition::Certain { Recognition::Possible } else { self }
    }
}

/// Whether a line in Spooky's form is a position of the first round in which each reinforcement list holds a zombie.
fn is_first_round(line: &str) -> bool {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [_, _, _, boards @ .., _, turn] = &*words else { return false };
    let has_zombies = |board: &&str| {
        let fields: Vec<&str> = board.split('|').collect();
        matches!(*fields, [_, yellow, blue, ..] if yellow.contains(['Z', 'z']) && blue.contains(['Z', 'z']))
    };
    matches!(*turn, "1" | "2") && !boards.is_empty() && boards.iter().all(has_zombies)
}
