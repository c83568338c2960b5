//! Files with several recorded games, one of which is to be drawn.

use anyhow::{Result, ensure};

/// Text of the game with a number, from 1, among those of a file; each begins with a line whose first word is one of `heads`. Its
/// lines keep their numbers. Without a number it is the first, and if there are more, standard error says so.
pub fn chosen(name: &str, text: &str, heads: &[&str], number: Option<u32>) -> Result<String> {
    let is_head = |line: &&str| line.split_whitespace().next().is_some_and(|word| heads.contains(&word));
    let is_remark = |line: &&str| line.trim().is_empty() || line.starts_with("//");
    // Such a line in a file of another kind begins no game.
    let is_recorded = text.lines().find(|line| !is_remark(line)).is_some_and(|line| is_head(&line));
    let count = if is_recorded { text.lines().filter(is_head).count() } else { 1 };
    let wanted = number.map_or(1, |number| number as usize);
    ensure!((1..=count).contains(&wanted), "there is no game {wanted}, only {count}");
    if count == 1 {
        return Ok(text.to_owned());
    }
    if number.is_none() {
        eprintln!("barrow: {name}: the first of {count} games; --number N chooses another");
    }
    let mut of_game = String::new();
    let mut game = 0;
    for line in text.lines() {
        game += usize::from(is_head(&line));
        if game > wanted {
            break;
        }
        if game == wanted {
            of_game.push_str(line);
        }
        of_game.push('\n');
    }
    Ok(of_game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_chosen_by_its_number_and_keeps_its_lines() {
        let text = "// two\nSEED 1\nTURN 1\n// b\nSEED 2\nTURN 5\nTURN 6\n";
        let chosen = |text: &str, number| chosen("file", text, &["SEED"], number);
        assert_eq!(chosen(text, None).unwrap(), "\nSEED 1\nTURN 1\n// b\n");
        assert_eq!(chosen(text, Some(1)).unwrap(), chosen(text, None).unwrap());
        assert_eq!(chosen(text, Some(2)).unwrap(), "\n\n\n\nSEED 2\nTURN 5\nTURN 6\n");
        assert_eq!(chosen(text, Some(3)).unwrap_err().to_string(), "there is no game 3, only 2");
        let scenario = "SCENARIO a\nSEED 1\nSCENARIO b\nSEED 2\n";
        assert_eq!(chosen(scenario, None).unwrap(), scenario);
        assert!(chosen(scenario, Some(2)).is_err());
    }
}
