//! Contest games as a page watches them.

use barrow_session::contests::{LiveContest, obey, watch};
use barrow_session::messages::{Ask, Contest, ContestRow, MatchAsk, Reply, Scene, WatchedGame};
use barrow_session::page_engine::PageEngine;
use serde_json::{Value, json};

fn rows() -> Vec<ContestRow> {
    match obey(&mut LiveContest::default(), &Ask::Contests) {
        Some(Ok(Reply::Contests { contests })) => contests,
        other => panic!("{other:?}"),
    }
}

fn quick(contest: Contest) -> Vec<String> {
    let bots: &[&str] = match contest {
        Contest::Roborally => &["random", "search", "random", "search"],
        Contest::Kutulu => &["random", "gather", "lamp", "one-turn"],
        Contest::IceAndFire => &["greedy", "filler"],
    };
    bots.iter().map(|&bot| bot.to_owned()).collect()
}

/// A game of quick bots to its end.
fn played(contest: Contest, seed: u64) -> (WatchedGame, Vec<Scene>) {
    let mut live = LiveContest::default();
    let ask = MatchAsk { contest, bots: quick(contest), map: None, seed };
    let game = live.begin(&ask).unwrap();
    let mut scenes = game.scenes.clone();
    for _ in 0..500 {
        let (more, is_live) = live.turn().unwrap();
        scenes.extend(more);
        if !is_live {
            assert_eq!(live.turn().unwrap(), (Vec::new(), false));
            return (game, scenes);
        }
    }
    panic!("{contest:?} does not end");
}

#[test]
fn games_between_bots_end_and_are_the_same_from_the_same_seed() {
    for contest in [Contest::Roborally, Contest::Kutulu, Contest::IceAndFire] {
        let (game, scenes) = played(contest, 5);
        assert_eq!(played(contest, 5).1, scenes, "{contest:?}");
        assert!(game.is_live && scenes.len() > 10 && game.mismatch.is_none());
        let (width, height) = (game.width as i16, game.height as i16);
        let inside = |x: i16, y: i16| (0..width).contains(&x) && (0..height).contains(&y);
        assert!(game.fixtures.iter().all(|fixture| inside(fixture.x, fixture.y)), "{contest:?}");
        for scene in &scenes {
            assert!(scene.tokens.iter().all(|token| inside(token.x, token.y)), "{contest:?} {scene:?}");
            assert_eq!(scene.standings.len(), game.players.len());
            let rows = if contest == Contest::IceAndFire { game.height } else { 0 };
            assert_eq!(scene.land.len(), rows);
        }
    }
}

#[test]
fn the_strongest_bots_play_a_turn_on_every_usual_map() {
    for row in rows() {
        let ask =
            MatchAsk { contest: row.contest, bots: Vec::new(), map: row.maps.first().cloned(), seed: 1 };
        let mut live = LiveContest::default();
        let game = live.begin(&ask).unwrap();
        assert_eq!(game.players, vec![row.bots[0].clone(); row.seats]);
        assert!(!live.turn().unwrap().0.is_empty());
    }
}

#[test]
fn what_nobody_can_play_or_watch_is_refused_in_words() {
    let mut live = LiveContest::default();
    assert!(live.turn().unwrap_err().contains("no game"));
    let asked = |bots: &[&str], map: Option<&str>| MatchAsk {
        contest: Contest::Kutulu,
        bots: bots.iter().map(|&bot| bot.to_owned()).collect(),
        map: map.map(str::to_owned),
        seed: 0,
    };
    assert!(live.begin(&asked(&["nobody"], None)).unwrap_err().contains("no such bot"));
    assert!(live.begin(&asked(&[], Some("nowhere"))).unwrap_err().contains("no such map"));
    assert!(live.begin(&asked(&["random"; 5], None)).unwrap_err().contains("at most"));
    for (text, why) in [
        ("", "no record"),
        ("nonsense", "no record"),
        ("COURSE nowhere\n", "no course"),
        ("COURSE checkmate\nROBOTS 99\n", "line 2"),
        ("SEED x\nMAP nowhere\n", "line 1"),
        ("SEED 1\nINIT 0\nT 1 P 7 IN x\n", "line 3"),
    ] {
        let error = watch(text).unwrap_err();
        assert!(error.contains(why) && !error.contains('\n'), "{text:?}: {error}");
    }
}

#[test]
fn the_engine_of_a_page_answers_by_messages() {
    let mut engine = PageEngine::new(None).unwrap();
    let mut ask =
        |message: Value| -> Value { serde_json::from_str(&engine.obey(&message.to_string())).unwrap() };
    assert_eq!(ask(json!({ "id": 1, "ask": "contests" }))["contests"][2]["contest"], "ice_and_fire");
    assert!(ask(json!({ "id": 2, "ask": "match_turn" }))["error"].is_string());
    let begun = ask(
        json!({ "id": 3, "ask": "match", "contest": "ice_and_fire", "bots": ["rush", "wall"], "seed": 4 }),
    );
    assert_eq!((&begun["reply"], &begun["players"][1]), (&json!("watched"), &json!("wall")));
    let turn = ask(json!({ "id": 4, "ask": "match_turn" }));
    assert_eq!((&turn["reply"], &turn["is_live"]), (&json!("scenes"), &json!(true)));
    // The game of Minions is still there.
    assert_eq!(ask(json!({ "id": 5, "ask": "position" }))["reply"], "position");
}
