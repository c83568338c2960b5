//! Progress bars. They draw themselves on a terminal only.

use std::fmt;
use std::fs;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::verbose;

/// Time between two drawings of a bar whose position does not change.
const TICK: Duration = Duration::from_secs(1);

/// A bar over `count` things of the kind `what`, such as games, with how many of them a second are done and the time that
/// is left.
pub fn bar(count: u64, what: &str) -> ProgressBar {
    bar_from(0, count, what)
}

/// A bar of which the first `done` things were done before; they do not count for the pace.
pub fn bar_from(done: u64, count: u64, what: &str) -> ProgressBar {
    let unit = what.split(' ').next().unwrap_or_default();
    let bar = styled(
        count,
        &format!(
            "{{bar:30}} {{human_pos}}/{{human_len}} {what}, {{pace}} {unit}/s, {{elapsed}}, {{eta}} to go {{msg}}"
        ),
    );
    bar.set_position(done);
    bar.reset_eta();
    bar
}

/// A bar over the bytes of all files; a spinner where the length of one is not known.
pub fn bytes_bar(files: &[String]) -> ProgressBar {
    let sizes: Option<u64> = files.iter().map(|name| fs::metadata(name).ok().map(|file| file.len())).sum();
    match sizes {
        Some(bytes) => styled(bytes, "{bar:30} {percent}%, {elapsed}, {eta} to go"),
        None => ProgressBar::new_spinner(),
    }
}

/// A line about work whose end is not known, such as a count, with the time that it has taken. What is found meanwhile goes
/// to its message.
pub fn spinner(what: &str) -> ProgressBar {
    styled(0, &format!("{{spinner}} {what}, {{elapsed}} {{msg}}"))
}

/// Pace in things a second, printed with three digits that mean something, or as a whole number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace(pub f64);

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.0 {
            pace if pace >= 100.0 => 0,
            pace if pace >= 10.0 => 1,
            pace if pace >= 1.0 => 2,
            _ => 3,
        };
        write!(f, "{:.digits$}", self.0)
    }
}

fn styled(length: u64, template: &str) -> ProgressBar {
    let bar = if verbose::is_on() { ProgressBar::hidden() } else { ProgressBar::new(length) };
    if let Ok(style) = ProgressStyle::with_template(template) {
        let pace = |state: &ProgressState, text: &mut dyn fmt::Write| {
            // A text on a terminal that cannot be written is left out.
            let _ = write!(text, "{}", Pace(state.per_sec()));
        };
        bar.set_style(style.with_key("pace", pace));
    }
    bar.enable_steady_tick(TICK);
    bar
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// Terminal that keeps all that is written.
    #[derive(Clone, Debug, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl Paper {
        fn put(&self, text: &str) {
            self.0.lock().unwrap().push_str(text);
        }
    }

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            120
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.put(text);
            Ok(())
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.put(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.put("\n");
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_bar_shows_games_a_second_and_the_time_that_is_left() {
        let paper = Paper::default();
        let bar = bar_from(100, 200, "games");
        bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(paper.clone())));
        bar.inc(1);
        bar.force_draw();
        let drawn = paper.0.lock().unwrap().clone();
        let last = drawn.lines().rfind(|line| line.contains("games")).unwrap();
        let (before, rest) = last.split_once(" 101/200 games, ").unwrap();
        let (pace, rest) = rest.split_once(" games/s, ").unwrap();
        assert!(!before.is_empty() && pace.parse::<f64>().unwrap() >= 0.0, "{last}");
        assert!(rest.contains(" to go"), "{last}");
    }

    #[test]
    fn a_pace_has_three_digits() {
        let texts = [0.0214, 1.426, 12.34, 345.6].map(|pace| Pace(pace).to_string());
        assert_eq!(texts, ["0.021", "1.43", "12.3", "346"]);
    }
}
