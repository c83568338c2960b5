//! Replay of RoboRally's data files against the rules (rules §13): scenarios, recorded games of both profiles, vectors
//! of action numbers, and boards, which are compared with the built-in ones.

mod numbering;
mod scenario;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally::COURSES;
use barrow_core::contests::roborally::second_edition::COURSES as FLOOR_COURSES;

use barrow_session::contests::roborally::findings::{Findings, lines};
use barrow_session::contests::roborally::record;
pub use barrow_session::contests::roborally::record::state_after;

use super::board_text;
use super::second_edition::floor_record;
use crate::replay::Tally;

/// Comparisons of one file, counted in the tally of all files.
struct FileFindings<'t> {
    name: &'t str,
    tally: &'t mut Tally,
}

impl Findings for FileFindings<'_> {
    fn count(&mut self, line: usize, difference: Option<String>) {
        self.tally.count(difference.map(|difference| format!("{}:{line}: {difference}", self.name)));
    }
}

/// Replays the text of a file of this name, whose first word tells what it holds.
pub fn text(name: &str, text: &str, tally: &mut Tally) -> Result<()> {
    let first = lines(text).next().context("an empty file")?;
    let mut findings = FileFindings { name, tally };
    match first.words[0] {
        "SCENARIO" => scenario::replay(text, &mut findings),
        "COURSE" | "BOARD" => record::replay(text, &mut findings),
        "HAND" => numbering::replay(text, &mut findings),
        floor_record::FIRST => floor_record::replay(text, &mut findings),
        "size" => compare_board(text, &mut findings),
        word => bail!("line {}: no file of RoboRally begins with {word}", first.number),
    }
}

/// Compares a board file with the built-in courses, whatever its name is. A board that is none of them cannot be replayed.
fn compare_board(text: &str, findings: &mut dyn Findings) -> Result<()> {
    let reader = board_text::read_lines(text)?;
    let is_built_in = if reader.is_second_edition() {
        let board = board_text::write_floor(&reader.finish_floor()?);
        FLOOR_COURSES
            .iter()
            .filter_map(|course| course.floor().ok())
            .any(|floor| board_text::write_floor(&floor) == board)
    } else {
        let board = board_text::write(&reader.finish()?);
        let boards = COURSES.iter().filter_map(|course| course.board().ok());
        boards.map(|course| board_text::write(&course)).any(|course| course == board)
    };
    ensure!(
        is_built_in,
        "a board that is none of the built-in courses, and no recorded race: there is nothing to replay; \
         `barrow roborally show` draws it"
    );
    findings.count(1, None);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::contests::roborally::player_spec::PlayerSpec;
    use barrow_core::contests::roborally::second_edition::{FloorCourse, Race, Rules};

    use crate::contests::roborally::second_edition::floor::TabledFloor;
    use crate::contests::roborally::second_edition::floor_player::RacePlayer;
    use crate::contests::roborally::second_edition::floor_player_spec::RacePlayerSpec;
    use crate::contests::roborally::second_edition::floor_race;
    use crate::contests::roborally::second_edition::floor_record::{RaceRecord, race_after};

    #[test]
    fn a_recorded_race_replays_without_a_mismatch() {
        for rules in [&Rules::OF_2016, &Rules::OF_2023] {
            replays_without_a_mismatch(rules);
        }
    }

    fn replays_without_a_mismatch(rules: &'static Rules) {
        let name = "grand-tour";
        let floor = FloorCourse::named(name).expect("a course").floor().expect("sound");
        let course = TabledFloor::by(rules, floor);
        let mut text = String::new();
        let mut last = None;
        for seed in 0..2 {
            let specs = ["odds:playouts=60,focus=16,foresee=8", "best", "random"];
            let players = specs.iter().map(|spec| spec.parse::<PlayerSpec>().expect("a player"));
            let players = players.map(|spec| RacePlayerSpec::try_from(&spec).expect("of this edition"));
            let mut players: Vec<RacePlayer> = players.map(RacePlayer::new).collect();
            let mut record = RaceRecord::new(name, rules, &specs.map(str::to_owned));
            let race = floor_race::run(&course, &mut players, (seed, 60), Some(&mut record), &mut |_| ());
            last.get_or_insert(race.expect("a race"));
            text.push_str(record.text());
        }
        let mut tally = crate::replay::Tally::default();
        super::text("record", &text, &mut tally).expect("a record");
        assert!(tally.steps > 100 && tally.mismatches == 0, "{} of {}", tally.mismatches, tally.steps);
        let (_, end) = race_after(&text, u16::MAX - 1).expect("a record");
        assert_eq!(Some(end.positions()), last.as_ref().map(Race::positions));
        assert_eq!(race_after(&text, 2).expect("a record").1.positions().turn(), 2);
        let wrong = text.replacen("\n1 ", "\n1 9", 1);
        let mut tally = crate::replay::Tally::default();
        super::text("record", &wrong, &mut tally).expect("a record");
        assert_eq!(tally.mismatches, 1);
    }
}
