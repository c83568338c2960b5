//! The staged search over whole turns of Minions (seeds 000 and 001): Monte-Carlo tree search in which every ply is
//! composed by stages. General and attacks come first and do not depend on each other, the split of money depends on
//! both, spawning on all three. Every stage has statistics of its candidates, to which all turns with these
//! candidates contribute, and makes a new candidate only on request.
//!
//! The composition of turns from candidates with statistics of their own is the sampling of Ontañón, "The
//! combinatorial multi-armed bandit problem and its application to real-time strategy games" (2013).

mod arena;
mod attack_families;
mod attack_stage;
mod backfitting;
mod backup;
mod candidate_usage;
mod candidates;
mod capacity;
mod card_progress;
mod card_turn;
mod compact;
mod compose;
mod deferred;
mod explored;
mod family;
mod first_turn;
mod general_stage;
mod halving;
mod kept_positions;
mod main_effect;
mod money_stage;
mod options;
mod path;
mod picks;
mod play_actions;
pub mod ports;
mod ports_by_reference;
mod recycle;
mod replay;
mod room;
mod scratch;
mod search;
mod search_error;
mod shared_tree;
mod slices;
mod spawn_stage;
mod spell_finish;
mod threading;
mod workspace;

pub use arena::{Index, Slot};
pub use candidates::{
    ActionRange, AttackCandidate, AttackIndex, BoardStages, Candidates, GeneralCandidate, GeneralIndex,
    MoneyCandidate, MoneyIndex, SpawnCandidate, SpawnIndex, StageCandidate, Stages,
};
pub use capacity::SearchCapacity;
pub use compact::resume_stripes;
pub use family::{Family, FamilySet};
pub use general_stage::{GENERAL_CHOICE_CAP, GeneralChoices, list_choices};
pub use kept_positions::KeptPosition;
pub use options::SearchOptions;
pub use picks::Picks;
pub use scratch::SearchScratch;
pub use search::{Search, SearchStatistics};
pub use search_error::{SearchError, SearchSlice};
pub use shared_tree::{Access, Line, SharedTree};
pub use slices::{MemoryUsage, SearchSlices};
pub use spawn_stage::{SPAWN_ACTION_CAP, SpawnActions, SpawnOptions, compose_spawn};
pub use workspace::Workspace;
