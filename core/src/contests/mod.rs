//! Three contest games with a bot each: [`roborally`], [`kutulu`] and [`ice_and_fire`]. Each stands behind a cargo
//! feature of its name. [`lcg48`] is the generator of random numbers of the contest referees.

#[cfg(feature = "ice_and_fire")]
pub mod ice_and_fire;
#[cfg(feature = "kutulu")]
pub mod kutulu;
#[cfg(any(feature = "ice_and_fire", feature = "kutulu"))]
pub mod lcg48;
#[cfg(feature = "ice_and_fire")]
pub mod partners;
#[cfg(feature = "roborally")]
pub mod roborally;
