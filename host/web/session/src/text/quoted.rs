//! Input that an error message repeats, and error messages of one line.

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

/// Characters of a message at most.
const MESSAGE_CHARS: usize = 200;

/// A message on one line: control characters are escaped as in Rust, and three dots replace what follows the first 200
/// characters. Messages that were made of input are as long and as wild as the input is.
pub fn shortened(message: &str) -> String {
    let mut short = String::new();
    for (index, char) in message.chars().enumerate() {
        if index == MESSAGE_CHARS {
            short.push_str("...");
            break;
        }
        if char.is_control() {
            short.extend(char.escape_default());
        } else {
            short.push(char);
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line_of_200_characters() {
        assert_eq!(shortened("42 ± 3\tor\nso"), "42 ± 3\\tor\\nso");
        assert_eq!(shortened(&"é".repeat(200)), "é".repeat(200));
        assert_eq!(shortened(&"é".repeat(201)), "é".repeat(200) + "...");
    }

    #[test]
    fn long_input_is_cut_and_control_characters_are_escaped() {
        assert_eq!(quoted("dance"), "dance");
        assert_eq!(quoted("a\tb\x1b"), "a\\tb\\u{1b}");
        assert_eq!(quoted(&"x".repeat(40)), "x".repeat(40));
        assert_eq!(quoted(&"x".repeat(41)), "x".repeat(40) + "...");
    }
}
