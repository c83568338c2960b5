//! Rows of features.
//!
//! A layout numbers features within three tables: the wide and the narrow one of a board, and the general's. Each
//! [`Table`] is made of [`Group`]s one behind the other, whose exact sizes stand with [`Full`] and [`Folded`], and
//! ends with the rows of later unit types ([`crate::shape::later_unit`]). Rows are relative to a perspective: `own`
//! is what belongs to that side, and for Blue the board is turned by 180 degrees
//! ([`barrow_core::hex::Hex::rotated`]), so that each side sees itself as Yellow does.

mod folded;
mod full;
mod group;
mod numbering;
mod perspective;
mod table;
#[cfg(test)]
mod tests;

pub use self::folded::Folded;
pub use self::full::Full;
pub use self::group::Group;
pub use self::numbering::{Layout, Row, board_rows, global_rows, reflected_board_rows};
pub use self::perspective::{has_reflection, seen_from};
pub use self::table::Table;
