//! Turn search with the attack planner of `barrow-solver` and the fallback policies: the turns that it lists, several
//! threads on one shared tree, and little memory.

mod card_turn;
mod extremes;
mod first_turn;
mod least_memory;
mod shared_tree;
mod small_memory;
mod turns;
