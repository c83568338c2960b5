//! Ground of races: a board with a variant of the classic rules, or a floor of the second edition.

use anyhow::{Context, Result, bail};
use barrow_core::contests::roborally::second_edition::{Floor, FloorCourse, Rules as Edition};
use barrow_core::contests::roborally::{Board, Course as Named, Profile};

use super::board_text;
use super::course::Course;
use super::second_edition::floor::TabledFloor;

/// The ground of a race, with the tables of its players.
pub enum Ground {
    /// A board, and the variant of the classic rules.
    Board(Course, Profile),
    /// A floor of the second edition.
    Floor(TabledFloor),
}

/// The rules of a race, if they are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// A variant of the classic rules.
    Classic(Profile),
    /// An edition with decks of its own, of 2016 or 2023.
    SecondEdition(&'static Edition),
}

impl Ground {
    /// The ground of a built-in course by its name, if there is one.
    pub fn named(name: &str) -> Result<Option<Ground>> {
        if let Some(course) = Named::named(name) {
            return Ok(Some(Ground::Board(Course::new(course.board()?), course.profile())));
        }
        let floor = FloorCourse::named(name).map(FloorCourse::floor).transpose()?;
        Ok(floor.map(|floor| Ground::Floor(TabledFloor::new(floor))))
    }

    /// The ground of a board's text: a floor if it has lines that only those have. Errors name the line.
    pub fn read(text: &str) -> Result<Ground> {
        let reader = board_text::read_lines(text)?;
        Ok(if reader.is_second_edition() {
            Ground::Floor(TabledFloor::new(reader.finish_floor()?))
        } else {
            Ground::Board(Course::new(reader.finish()?), Profile::Classic)
        })
    }

    /// The ground with other rules. Boards and floors stay what they are.
    pub fn with_rules(self, rules: Rules) -> Result<Ground> {
        match (self, rules) {
            (Ground::Board(course, _), Rules::Classic(profile)) => Ok(Ground::Board(course, profile)),
            (Ground::Floor(course), Rules::SecondEdition(edition)) => {
                Ok(Ground::Floor(TabledFloor::by(edition, course.floor)))
            }
            (Ground::Board(..), Rules::SecondEdition(edition)) => {
                bail!("the rules of {} need a floor with an antenna", edition.year)
            }
            (Ground::Floor(_), Rules::Classic(_)) => {
                bail!("a floor with an antenna has the rules of 2016 or 2023")
            }
        }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        match self {
            Ground::Board(course, _) => &course.board,
            Ground::Floor(floor) => floor.floor.board(),
        }
    }

    /// The floor of the second edition, if it is one.
    pub fn floor(&self) -> Option<&Floor> {
        match self {
            Ground::Board(..) => None,
            Ground::Floor(floor) => Some(&floor.floor),
        }
    }

    /// The classic course.
    pub fn course(&self) -> Result<&Course> {
        match self {
            Ground::Board(course, _) => Ok(course),
            Ground::Floor(_) => None.context("that is for the classic rules alone"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts_say_what_the_ground_is() {
        let is_floor = |ground: &Ground| ground.floor().is_some();
        let ground = |name| Ground::named(name).expect("sound").expect("a course");
        assert!(is_floor(&ground("vault")) && !is_floor(&ground("twister")));
        assert!(Ground::named("moon").expect("nothing").is_none());
        for name in ["river", "rallyrobo-1v1"] {
            let text = match ground(name).floor() {
                Some(floor) => board_text::write_floor(floor),
                None => board_text::write(ground(name).board()),
            };
            assert_eq!(is_floor(&Ground::read(&text).expect("its own text")), name == "river");
        }
        for edition in [&Edition::OF_2016, &Edition::OF_2023] {
            let laid = ground("vault").with_rules(Rules::SecondEdition(edition)).expect("a floor");
            assert!(matches!(laid, Ground::Floor(course) if course.rules == edition));
        }
        assert!(ground("vault").with_rules(Rules::Classic(Profile::Classic)).is_err());
        assert!(ground("twister").with_rules(Rules::SecondEdition(&Edition::OF_2016)).is_err());
        assert!(ground("twister").course().is_ok() && ground("vault").course().is_err());
    }
}
