//! The screens of the guide are what is drawn. `BARROW_RENEW=1 cargo test -p barrow --lib guide` writes them again.

use std::fs;
use std::path::Path;

use barrow_core::minions::players::Greedy;
use barrow_core::minions::{Game, GameConfig, Side};

use super::super::play_state::PlayState;
use super::{answer, go_to, press, screen, start, state_of};

fn later() -> PlayState {
    let mut game = Game::new(GameConfig::default(), 7);
    for seed in 0..12 {
        game.play(&Greedy::new(seed).choose(&game)).unwrap();
    }
    state_of(game, Side::Yellow).0
}

/// The screens by their names.
fn screens() -> Vec<(&'static str, String)> {
    let mut state = start();
    let beginning = screen(&state, 80, 24);
    go_to(&mut state, "d2");
    press(&mut state, "<enter><right>");
    let aiming = screen(&state, 80, 24);
    press(&mut state, "<enter>t<down>");
    let techs = screen(&state, 80, 24);
    press(&mut state, "<enter><esc>");
    let effects = press(&mut state, "e");
    answer(&mut state, &effects);
    let played = screen(&state, 80, 24);
    let mut state = later();
    press(&mut state, "n");
    let wide = screen(&state, 146, 24);
    press(&mut state, ":0 ");
    let line = screen(&state, 80, 24);
    vec![
        ("beginning", beginning),
        ("aiming", aiming),
        ("techs", techs),
        ("played", played),
        ("wide", wide),
        ("line", line),
        ("small", screen(&start(), 60, 6)),
    ]
}

/// The page with these screens: each stands in the block behind the comment that names it.
fn renewed(page: &str, screens: &[(&str, String)]) -> String {
    let mut text = page.to_owned();
    for (name, screen) in screens {
        let comment = format!("<!-- screen {name} -->\n");
        let start =
            text.find(&comment).unwrap_or_else(|| panic!("the page has no screen {name}")) + comment.len();
        let end = start + text[start..].find("\n```\n").expect("the block ends") + 5;
        text.replace_range(start..end, &format!("```text\n{screen}```\n"));
    }
    text
}

#[test]
fn the_guide_shows_the_screens_that_are_drawn() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guides/terminal.md");
    let page = fs::read_to_string(&path).unwrap();
    let screens = screens();
    let renewed = renewed(&page, &screens);
    if std::env::var_os("BARROW_RENEW").is_some() {
        fs::write(&path, renewed).unwrap();
        return;
    }
    assert_eq!(page.matches("<!-- screen ").count(), screens.len());
    assert!(page == renewed, "docs/guides/terminal.md is old; BARROW_RENEW=1 writes it again:\n{renewed}");
}
