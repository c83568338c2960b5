//! Turns of long texts: a game of thousands of turns takes long to be read, and clients that send many of them at once would
//! leave no thread for anybody else. So few are read at a time, and the others wait without a thread.

use tokio::sync::{Semaphore, SemaphorePermit};

/// Bytes from which on a text is long.
pub(super) const LONG: usize = 4 << 10;

/// Long texts that are read at the same time.
const AT_ONCE: usize = 2;

/// Turns of long texts.
pub(super) struct LongTexts(Semaphore);

impl Default for LongTexts {
    fn default() -> LongTexts {
        LongTexts(Semaphore::new(AT_ONCE))
    }
}

impl LongTexts {
    /// Waits for the turn of a text that takes long to be read. The turn ends when it is dropped; any other text needs none.
    pub(super) async fn turn(&self, is_long: bool) -> Option<SemaphorePermit<'_>> {
        if is_long { self.0.acquire().await.ok() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn few_long_texts_are_read_at_once_and_short_ones_wait_for_none() {
        let texts = LongTexts::default();
        let now = |is_long| {
            let turn = pin!(texts.turn(is_long)).poll(&mut Context::from_waker(Waker::noop()));
            if let Poll::Ready(turn) = turn { Some(turn) } else { None }
        };
        let mut turns: Vec<_> = (0..AT_ONCE).map(|_| now(true).unwrap()).collect();
        assert!(now(true).is_none() && now(false).is_some());
        turns.pop();
        assert!(now(true).is_some());
    }
}
