//! Minions as text: positions in FEN and actions in UMI.

pub mod fen;
pub mod umi;
