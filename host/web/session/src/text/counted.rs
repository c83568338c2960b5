//! Numbers of things in words: one has no plural.

use std::fmt::Display;

/// A number and the name of what is counted, in the plural where there is not exactly one.
pub fn counted(number: impl Display, one: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {one}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2, 11].map(|n| counted(n, "game")), ["0 games", "1 game", "2 games", "11 games"]);
    }
}
