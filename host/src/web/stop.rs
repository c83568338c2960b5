//! The end of a server, for who waits for it.

use tokio::sync::watch;

/// Waits until the server stops.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error means that the server is gone already.
    let _ = stop.wait_for(|stop| *stop).await;
}
