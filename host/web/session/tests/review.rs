//! Review of a game by the engine of a page.

use barrow_session::messages::{Answer, Reply, Review, TurnMark};
use barrow_session::page_engine::PageEngine;
use serde_json::json;

/// A necromancer that can be killed for the winning point.
const WON: &str = "1 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3";
const FEN: &str =
    "50|0 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL n|||||0/0/2N7/2d7/0/0/7D2/7n2/0/0 0 5";

fn answer(text: &str) -> Answer {
    serde_json::from_str(text).unwrap()
}

fn review(text: &str) -> Review {
    match answer(text).reply {
        Some(Reply::Review(review)) => *review,
        other => panic!("{other:?}"),
    }
}

/// An engine with a game in which Yellow has missed a win.
fn engine() -> PageEngine {
    let mut engine = PageEngine::new(None).unwrap();
    for message in [
        json!({ "id": 1, "ask": "load", "text": FEN, "ruleset": "spooky", "config": WON }),
        json!({ "id": 2, "ask": "play", "turn": ["action tech 1"], "value": [0.7, 0.1] }),
    ] {
        let answer = answer(&engine.obey(&message.to_string()));
        assert_eq!(answer.error, None);
    }
    engine
}

#[test]
fn a_missed_win_is_marked_and_a_better_turn_is_named() {
    let mut engine = engine();
    let ask = json!({ "id": 3, "ask": "review", "nodes": 40, "blunder": 0.1 });
    assert_eq!(engine.obey(&ask.to_string()), "");
    let mut searched = vec![0];
    while engine.step(7) {
        let so_far = review(&engine.result(false, 0.0));
        assert!(!so_far.is_final && so_far.positions == 2 && so_far.turns.len() < 2);
        searched.push(so_far.searched);
    }
    assert!(searched.is_sorted() && searched.contains(&1), "{searched:?}");
    let review = review(&engine.result(true, 0.0));
    assert!(review.is_final && review.searched == 2, "{review:?}");
    let [turn] = &review.turns[..] else { panic!("{review:?}") };
    assert_eq!((turn.turn, turn.side.as_str(), turn.mark), (1, "Yellow", Some(TurnMark::Blunder)));
    assert_eq!((turn.recorded, turn.lines.last().map(String::as_str)), (Some(0.7), Some("endturn")));
    assert!(turn.better.as_ref().is_some_and(|better| better.value.chance > turn.played.chance + 0.1));
    assert_eq!((review.yellow.blunders, review.blue.turns), (1, 0));
    // The review has ended.
    assert_eq!((engine.step(1), engine.result(true, 0.0)), (false, String::new()));
}

#[test]
fn a_review_can_be_ended_early_and_nothing_to_review_is_refused() {
    let mut engine = engine();
    assert_eq!(engine.obey(&json!({ "id": 3, "ask": "review", "nodes": 1_000_000 }).to_string()), "");
    assert!(engine.step(5));
    let early = review(&engine.result(true, 0.0));
    assert!(early.is_final && early.searched == 0 && early.turns.is_empty());
    let nothing = json!({ "id": 4, "ask": "review", "nodes": 0 });
    assert!(answer(&engine.obey(&nothing.to_string())).error.is_some());
    let mut fresh = PageEngine::new(None).unwrap();
    assert!(answer(&fresh.obey(&json!({ "id": 1, "ask": "review" }).to_string())).error.is_some());
}
