//! Rates: a bucket of tokens for each client, which fills at a constant rate. What finds it empty is refused, or waits.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hashbrown::HashMap;

/// Clients that are remembered; when there are more, those whose bucket is full again are forgotten.
const CLIENTS: usize = 1 << 16;

/// Rate of something that a client does.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Times a second in the long run.
    pub per_second: f64,
    /// Times at once.
    pub burst: f64,
}

/// Bucket of tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    /// Full bucket.
    pub(super) fn new(rate: Rate, now: Instant) -> Bucket {
        Bucket { tokens: rate.burst, filled: now }
    }

    /// Takes a token. The error is the time after which there is one.
    pub(super) fn take(&mut self, rate: Rate, now: Instant) -> Result<(), Duration> {
        self.fill(rate, now);
        if self.tokens >= 1.0 {
            self.tokens -= 1.0;
            return Ok(());
        }
        Err(Duration::try_from_secs_f64((1.0 - self.tokens) / rate.per_second).unwrap_or(Duration::MAX))
    }

    fn fill(&mut self, rate: Rate, now: Instant) {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + passed * rate.per_second).min(rate.burst);
        self.filled = now;
    }
}

/// Buckets of all clients.
pub(super) struct Buckets<C> {
    rate: Rate,
    of: Mutex<HashMap<C, Bucket>>,
}

impl<C: Hash + Eq> Buckets<C> {
    /// Full buckets for everybody.
    pub(super) fn new(rate: Rate) -> Buckets<C> {
        Buckets { rate, of: Mutex::default() }
    }

    /// Takes a token of a client. The error is the time after which there is one.
    pub(super) fn take(&self, client: C, now: Instant) -> Result<(), Duration> {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if of.len() >= CLIENTS && !of.contains_key(&client) {
            of.retain(|_, bucket| {
                bucket.fill(self.rate, now);
                bucket.tokens < self.rate.burst
            });
            if of.len() >= CLIENTS {
                return Err(Duration::from_secs(1));
            }
        }
        of.entry(client).or_insert_with(|| Bucket::new(self.rate, now)).take(self.rate, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate { per_second: 2.0, burst: 3.0 };

    #[test]
    fn a_burst_is_followed_by_the_rate_and_clients_do_not_disturb_each_other() {
        let (buckets, start) = (Buckets::new(RATE), Instant::now());
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        for _ in 0..3 {
            assert_eq!(buckets.take("a", start), Ok(()));
        }
        assert_eq!(buckets.take("a", start), Err(Duration::from_millis(500)));
        assert_eq!(buckets.take("b", start), Ok(()));
        assert!(buckets.take("a", at(400)).is_err());
        assert_eq!([buckets.take("a", at(500)), buckets.take("a", at(1000))], [Ok(()); 2]);
        // An hour of rest is worth no more than a burst.
        assert_eq!((0..9).filter(|_| buckets.take("a", at(3_600_000)).is_ok()).count(), 3);
    }

    #[test]
    fn memory_is_bounded_and_clients_at_rest_make_room() {
        let (buckets, start) = (Buckets::new(RATE), Instant::now());
        for client in 0..CLIENTS {
            assert_eq!(buckets.take(client, start), Ok(()));
        }
        assert!(buckets.take(CLIENTS, start).is_err());
        assert_eq!(buckets.take(0, start), Ok(()));
        assert_eq!(buckets.take(CLIENTS, start + Duration::from_secs(9)), Ok(()));
        assert_eq!(buckets.of.lock().unwrap().len(), 1);
    }
}
