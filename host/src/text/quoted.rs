//! Input that an error message repeats.

/// Characters of the input that are repeated at most.
const MAX_CHARS: usize = 40;

/// The input as it stands in an error message of one line: control characters and everything beyond ASCII are escaped
/// as in Rust, and three dots replace what follows the first 40 characters.
pub fn quoted(input: &str) -> String {
    let mut short: String = input.chars().take(MAX_CHARS).flat_map(char::escape_default).collect();
    if input.chars().nth(MAX_CHARS).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_input_is_cut_and_control_characters_are_escaped() {
        assert_eq!(quoted("dance"), "dance");
        assert_eq!(quoted("a\tb\x1b"), "a\\tb\\u{1b}");
        assert_eq!(quoted(&"x".repeat(40)), "x".repeat(40));
        assert_eq!(quoted(&"x".repeat(41)), "x".repeat(40) + "...");
    }
}
