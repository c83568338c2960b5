//! Networks: files in the caller's memory, or within the library.

use core::ffi::{c_char, c_void};
use core::fmt::Write;

use crate::handle::{Body, call, mark, open, size_of_handle};
use crate::memory::Region;
use crate::message::Failure;
use crate::outputs::Output;
use crate::ports::Net;
use crate::status::{BARROW_BAD_NET, BARROW_OK, BARROW_TOO_EARLY, BarrowStatus};
use crate::texts::{bytes, text};

/// Handle of a network.
pub struct BarrowNet {
    _opaque: [u8; 0],
}

/// Body of a network handle.
pub(crate) struct NetBody {
    /// The network, once one was loaded.
    pub(crate) net: Option<Net>,
}

impl Body for NetBody {
    const MARK: u32 = mark(*b"bnet");
    type Opaque = BarrowNet;
}

impl NetBody {
    /// The network; a failure if none was loaded.
    pub(crate) fn loaded(&self) -> Result<Net, Failure> {
        self.net.ok_or(Failure(BARROW_TOO_EARLY))
    }
}

/// Bytes of memory for a network, beside its file.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_net_size() -> usize {
    size_of_handle::<NetBody>(|_| Some(()))
}

/// Opens a handle for a network, without one in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_net_open(
    memory: *mut c_void,
    size: usize,
    net: *mut *mut BarrowNet,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        open::<NetBody>(memory, size, barrow_net_size(), net, |_: &mut Region| Some(NetBody { net: None }))
    }
}

/// Loads a network from the bytes of its file, whatever its profile. They must begin at an address divisible by 64, are checked
/// once, and stay where they are: unchanged as long as the handle or a search uses the network. `BARROW_BAD_NET` for bytes at
/// another address, and for what is no network of a profile that the library knows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_net_load(
    net: *mut BarrowNet,
    file: *const u8,
    file_length: usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer, of this one for as long as the network is used.
    unsafe {
        call::<NetBody>(net, |entered| {
            let file: &'static [u8] = bytes(file, file_length, &[entered.span()])?;
            let read = Net::read(file).map_err(|error| entered.message.fail(BARROW_BAD_NET, error))?;
            entered.body.net = Some(read);
            Ok(BARROW_OK)
        })
    }
}

/// Loads a network that is within the library: `tiny`, `handheld` or `desktop`, where the library was built with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_net_load_embedded(
    net: *mut BarrowNet,
    profile: *const c_char,
    profile_length: usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<NetBody>(net, |entered| {
            let profile = text(profile, profile_length, &[entered.span()], entered.message)?;
            let file = Net::embedded(profile).ok_or_else(|| {
                entered.message.fail(BARROW_BAD_NET, "the library has no network of this name")
            })?;
            let read = Net::read(file).map_err(|error| entered.message.fail(BARROW_BAD_NET, error))?;
            entered.body.net = Some(read);
            Ok(BARROW_OK)
        })
    }
}

/// Writes the profile of the network and what its file says of its making: `tiny, ...`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_net_write(
    net: *mut BarrowNet,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<NetBody>(net, |entered| {
            let mut output = Output::new(buffer, capacity, length, &[entered.span()])?;
            let net = entered.body.loaded()?;
            // What does not fit is counted.
            let _ = write!(output, "{}, {}", net.profile_name(), net.header().provenance());
            output.finish()
        })
    }
}
