//! WebSockets: messages in, lines out, and neither waits for the other. A client that sends too fast is read more slowly, one
//! that does not read is given up, and one that has gone silent is noticed by pings.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use hashbrown::HashMap;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{sleep_until, timeout};
use tungstenite::Error as Fault;

use super::client::Client;
use super::long_texts::{LONG, LongTexts};
use super::metrics::Metrics;
use super::outbox::Outbox;
use super::rate::{Bucket, Rate};
use super::stop::stopped;

/// Time in which a line has to be taken by the client's system.
const WRITE: Duration = Duration::from_secs(20);

/// Time between two pings.
const PING: Duration = Duration::from_secs(30);

/// Time without any message, those that answer pings included, after which a client is gone.
const SILENCE: Duration = Duration::from_secs(100);

/// Handler of the messages of a WebSocket. Calls may take a while; they are made one after another.
pub(super) trait Conversation: Send + Sync + 'static {
    /// Obeys a message.
    fn receive(&self, text: &str);

    /// Whether a message may take long, so that it waits for its turn among others of that kind.
    fn takes_long(&self, text: &str) -> bool {
        text.len() >= LONG
    }

    /// Ends what was begun: the client is gone.
    fn close(&self);
}

/// Open sockets, counted by client: WebSockets, or connections.
#[derive(Default)]
pub(super) struct OpenSockets {
    of: Mutex<HashMap<Client, usize>>,
}

/// Place among the open sockets.
pub(super) struct OpenSocket {
    sockets: Arc<OpenSockets>,
    client: Client,
}

impl OpenSockets {
    /// Counts a socket, unless the client has as many as it may, or all clients together.
    pub(super) fn open(self: &Arc<Self>, client: Client, own: usize, all: usize) -> Option<OpenSocket> {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if of.values().sum::<usize>() >= all || of.get(&client).is_some_and(|&count| count >= own) {
            return None;
        }
        *of.entry(client).or_default() += 1;
        Some(OpenSocket { sockets: self.clone(), client })
    }

    /// Number of all.
    pub(super) fn count(&self) -> usize {
        self.of.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

impl Drop for OpenSocket {
    fn drop(&mut self) {
        let mut of = self.sockets.of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = of.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                of.remove(&self.client);
            }
        }
    }
}

/// End of a conversation: the code of the closing frame and a word on it.
type End = (u16, &'static str);

/// Carries a conversation until the client leaves, does not read, or the server stops.
pub(super) async fn converse(
    mut socket: WebSocket,
    conversation: Arc<dyn Conversation>,
    outbox: Arc<Outbox>,
    (rate, metrics, long_texts): (Rate, &Metrics, &LongTexts),
    mut stop: watch::Receiver<bool>,
) {
    metrics.sockets.fetch_add(1, Relaxed);
    let end = carry(&mut socket, &conversation, &outbox, (rate, metrics, long_texts), &mut stop).await;
    outbox.close();
    let _ = spawn_blocking(move || conversation.close()).await;
    if let Some((code, reason)) = end {
        let frame = CloseFrame { code, reason: reason.into() };
        let _ = timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
    }
    metrics.sockets.fetch_sub(1, Relaxed);
}

async fn carry(
    socket: &mut WebSocket,
    conversation: &Arc<dyn Conversation>,
    outbox: &Outbox,
    (rate, metrics, long_texts): (Rate, &Metrics, &LongTexts),
    stop: &mut watch::Receiver<bool>,
) -> Option<End> {
    let mut bucket = Bucket::new(rate, Instant::now());
    let (mut heard, mut pinged, mut may_read) = (Instant::now(), Instant::now(), Instant::now());
    loop {
        let too_early = Instant::now() < may_read;
        tokio::select! {
            () = stopped(stop) => return Some((close_code::AWAY, "the server stops")),
            line = outbox.next() => {
                let Some(line) = line else {
                    metrics.too_slow.fetch_add(1, Relaxed);
                    return Some((close_code::POLICY, "too much was left unread"));
                };
                let sent = socket.send(Message::Text((&*line).into()));
                if !matches!(timeout(WRITE, sent).await, Ok(Ok(()))) {
                    metrics.too_slow.fetch_add(1, Relaxed);
                    return None;
                }
            }
            () = sleep_until(may_read.into()), if too_early => {}
            message = socket.recv(), if !too_early => {
                heard = Instant::now();
                match message {
                    None | Some(Ok(Message::Close(_))) => return None,
                    Some(Err(error)) => return end_of(error),
                    Some(Ok(Message::Binary(_))) => return Some((close_code::UNSUPPORTED, "text is expected")),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Text(text))) => {
                        metrics.messages.fetch_add(1, Relaxed);
                        let conversation = conversation.clone();
                        let _turn = long_texts.turn(conversation.takes_long(text.as_str())).await;
                        if spawn_blocking(move || conversation.receive(text.as_str())).await.is_err() {
                            return Some((close_code::ERROR, "a fault of the server"));
                        }
                    }
                }
                if let Err(wait) = bucket.take(rate, heard) {
                    may_read = heard + wait;
                }
            }
            () = sleep_until((pinged + PING).into()) => {
                pinged = Instant::now();
                if pinged.duration_since(heard) > SILENCE {
                    return None;
                }
                let ping = socket.send(Message::Ping(Bytes::new()));
                if !matches!(timeout(WRITE, ping).await, Ok(Ok(()))) {
                    return None;
                }
            }
        }
    }
}

/// End of a conversation by what made a message unreadable (RFC 6455, 7.4.1); none where the connection is gone.
fn end_of(error: axum::Error) -> Option<End> {
    match error.into_inner().downcast_ref() {
        Some(Fault::Capacity(_)) => Some((close_code::SIZE, "the message is too long")),
        Some(Fault::Utf8(_)) => Some((close_code::INVALID, "text that is not UTF-8")),
        Some(Fault::Protocol(_)) => Some((close_code::PROTOCOL, "no frame of a WebSocket")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_sockets_are_counted_by_client_and_altogether() {
        let sockets = Arc::new(OpenSockets::default());
        let [a, b] = [1, 2].map(|number| Client::of([192, 0, 2, number].into()));
        let first = sockets.open(a, 2, 3);
        let second = sockets.open(a, 2, 3);
        assert!(first.is_some() && second.is_some() && sockets.open(a, 2, 3).is_none());
        let third = sockets.open(b, 2, 3);
        assert!(third.is_some() && sockets.open(b, 2, 3).is_none());
        drop(first);
        assert!(sockets.open(a, 2, 3).is_some());
        drop((second, third));
        assert!(sockets.count() == 0 && sockets.of.lock().unwrap().is_empty());
    }
}
