//! Embedded nets: the network files that come with this crate, each behind a cargo feature of its own and at an
//! address that the loader accepts. `nets/README.md` describes their training and measures them.
//!
//! | constant | feature | profile |
//! |---|---|---|
//! | `DESKTOP` | `net-desktop` | [`Desktop`](crate::shape::Desktop) |
//! | `HANDHELD` | `net-handheld` | [`Handheld`](crate::shape::Handheld) |
//! | `TINY` | `net-tiny` | [`Tiny`](crate::shape::Tiny) |

#[cfg(any(feature = "net-desktop", feature = "net-handheld", feature = "net-tiny"))]
use crate::format::Aligned;

/// Network file for [`Desktop`](crate::shape::Desktop).
#[cfg(feature = "net-desktop")]
pub static DESKTOP: &[u8] = &Aligned(*include_bytes!("../nets/desktop.brw")).0;

/// Network file for [`Handheld`](crate::shape::Handheld).
#[cfg(feature = "net-handheld")]
pub static HANDHELD: &[u8] = &Aligned(*include_bytes!("../nets/handheld.brw")).0;

/// Network file for [`Tiny`](crate::shape::Tiny).
#[cfg(feature = "net-tiny")]
pub static TINY: &[u8] = &Aligned(*include_bytes!("../nets/tiny.brw")).0;

#[cfg(test)]
mod tests {
    #[cfg(feature = "net-desktop")]
    #[test]
    fn the_desktop_network_loads() {
        crate::nets::Network::<crate::shape::Desktop>::from_bytes(super::DESKTOP).unwrap();
    }

    #[cfg(feature = "net-handheld")]
    #[test]
    fn the_handheld_network_loads() {
        crate::nets::Network::<crate::shape::Handheld>::from_bytes(super::HANDHELD).unwrap();
    }

    #[cfg(feature = "net-tiny")]
    #[test]
    fn the_tiny_network_loads_and_fits_its_flash() {
        crate::nets::Network::<crate::shape::Tiny>::from_bytes(super::TINY).unwrap();
        assert!(super::TINY.len() <= 256 * 1024);
    }
}
