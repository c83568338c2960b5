//! Progress bars. They draw themselves on a terminal only.

use std::fs;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two drawings of a bar whose position does not change.
const TICK: Duration = Duration::from_secs(1);

/// A bar over `count` things of the kind `what`, such as games.
pub fn bar(count: u64, what: &str) -> ProgressBar {
    styled(
        count,
        &format!("{{bar:30}} {{human_pos}}/{{human_len}} {what}, {{elapsed}}, {{eta}} to go {{msg}}"),
    )
}

/// A bar over the bytes of all files; a spinner where the length of one is not known.
pub fn bytes_bar(files: &[String]) -> ProgressBar {
    let sizes: Option<u64> = files.iter().map(|name| fs::metadata(name).ok().map(|file| file.len())).sum();
    match sizes {
        Some(bytes) => styled(bytes, "{bar:30} {percent}%, {elapsed}, {eta} to go"),
        None => ProgressBar::new_spinner(),
    }
}

fn styled(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(TICK);
    bar
}
