//! Damage that readers of files meet and leave out: how much there is, and what is to be said of the first of it, so that a
//! file of nothing else costs no memory.

use crate::text::quoted::shortened;

/// Places that are told one by one.
const TOLD: usize = 20;

/// Damage of files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Damage {
    /// Words about the first places, each with the file and the place.
    told: Vec<String>,
    count: usize,
}

impl Damage {
    /// Adds a place, with its file and what is wrong there.
    pub fn push(&mut self, words: String) {
        self.count += 1;
        if self.told.len() < TOLD {
            self.told.push(words);
        }
    }

    /// Adds other damage, which comes after this.
    pub fn append(&mut self, other: Damage) {
        let rest = other.count - other.told.len();
        other.told.into_iter().for_each(|words| self.push(words));
        self.count += rest;
    }

    /// Number of damaged places.
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether nothing was damaged.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Words about the first places, 20 at most.
    pub fn told(&self) -> &[String] {
        &self.told
    }

    /// Prints a warning for each of the first places, and how many more there are.
    pub fn warn(&self) {
        for words in &self.told {
            eprintln!("barrow: warning: {}; left out", shortened(words));
        }
        if self.count > self.told.len() {
            eprintln!("barrow: warning: {} more places are damaged", self.count - self.told.len());
        }
    }
}

impl Extend<String> for Damage {
    fn extend<I: IntoIterator<Item = String>>(&mut self, all: I) {
        all.into_iter().for_each(|words| self.push(words));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_damage_is_counted_and_the_first_told() {
        let places = |from: usize, to: usize| {
            let mut damage = Damage::default();
            damage.extend((from..to).map(|place| place.to_string()));
            damage
        };
        for (first, second) in [(0, 5), (3, 4), (7, 900), (900, 7), (20, 20)] {
            let mut joined = places(0, first);
            joined.append(places(first, first + second));
            assert_eq!(joined, places(0, first + second));
            assert_eq!(joined.len(), first + second);
            assert_eq!(joined.told().len(), joined.len().min(TOLD));
            assert!(joined.told().iter().enumerate().all(|(place, words)| *words == place.to_string()));
        }
        assert!(places(0, 0).is_empty() && !places(0, 1).is_empty());
    }
}
