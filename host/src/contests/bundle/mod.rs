//! Bundles: source files of `core` and a program around them as one source file that `rustc -O` compiles alone, the
//! only form that contest sites accept.
//!
//! A caller lists all the files with [`core_rooms!`](crate::core_rooms); a listed file is called a room. A module
//! that a room declares must be listed too, and the other way round, or [`bundle`] fails. Tests are left out. A
//! parent folder's `mod.rs` may be left out (`search/mod.rs` where only `search/smitsimax/mod.rs` is wanted); its
//! children then stand in an empty module of its name.
//!
//! Rooms keep the paths they have in `core`, so `crate::` paths stay good. The program is one more file, which says
//! `barrow_core::` for `core`; it becomes the module `program`, and `main` is a few lines given as text.
//!
//! Without an edition `rustc` means 2015, so rooms that are bundled keep to what all editions share:
//!
//! - no `if let ... && ...` chains, no `let` in conditions;
//! - `use` paths begin with `crate`, `self`, `super`, `core` or `std`;
//! - arrays are iterated with `for`, `.iter()` or `.map()`, not by `.into_iter()`;
//! - no crates from outside: `heapless` cannot be had, `crate::list::List` can.
//!
//! Every module imports `core`, `std`, `TryFrom` and `TryInto`, as later editions do by themselves.

mod rooms;
mod strip;

pub use rooms::{BundleError, Room, bundle};

/// The source files of `core` at these paths below `core/src`, as an array of [`Room`](crate::contests::bundle::Room)s.
///
/// ```
/// let rooms = barrow::core_rooms!["rng.rs", "search/logarithm.rs"];
/// let main = "fn main() { println!(\"{}\", program::draw()); }";
/// let program = "pub fn draw() -> u64 { barrow_core::rng::Rng::new(7).next_u64() }";
/// let source = barrow::contests::bundle::bundle("An example.", &rooms, program, main).unwrap();
/// assert!(source.contains("pub mod rng {") && source.contains("crate::rng::Rng::new(7)"));
/// ```
#[macro_export]
macro_rules! core_rooms {
    ($($path:literal),* $(,)?) => {
        [$($crate::contests::bundle::Room {
            path: $path,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../core/src/", $path)),
        }),*]
    };
}
