//! Clocks: when a search ends, and how far it has come.

use super::value::CERTAIN;

/// The clock of a search: time, nodes, or whatever else bounds the effort.
pub trait Clock {
    /// Whether the search must stop after this many nodes; read once per iteration.
    fn is_over(&mut self, nodes: u64) -> bool;

    /// Share of the whole effort that is spent after this many nodes, in 1/65,536, up to [`CERTAIN`]; `None` where the end
    /// is not known. A search that knows it narrows its choice towards the end.
    fn spent(&mut self, _nodes: u64) -> Option<i32> {
        None
    }
}

/// Clock that ends a search after this many nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeLimit(pub u64);

impl Clock for NodeLimit {
    fn is_over(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }

    fn spent(&mut self, nodes: u64) -> Option<i32> {
        share(nodes, self.0)
    }
}

/// Share of a limit that is spent, in 1/65,536, up to [`CERTAIN`]; `None` for `u64::MAX`, which stands for no limit.
pub fn share(spent: u64, limit: u64) -> Option<i32> {
    match limit {
        u64::MAX => None,
        limit if spent >= limit => Some(CERTAIN),
        limit => Some((u128::from(spent) * CERTAIN as u128 / u128::from(limit)) as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_rise_from_nothing_to_all() {
        assert_eq!(
            [0, 1, 40, 79, 80, 81].map(|nodes| share(nodes, 80)),
            [0, 819, 32_768, 64_716, 65_536, 65_536].map(Some)
        );
        assert_eq!([share(0, 0), share(u64::MAX - 2, u64::MAX - 1)], [CERTAIN, CERTAIN - 1].map(Some));
        assert_eq!([share(0, u64::MAX), NodeLimit(u64::MAX).spent(9)], [None, None]);
    }

    #[test]
    fn a_node_limit_is_over_when_all_of_it_is_spent() {
        let mut clock = NodeLimit(3);
        assert_eq!([0, 2, 3, 4].map(|nodes| clock.is_over(nodes)), [false, false, true, true]);
        assert_eq!([0, 3, 9].map(|nodes| clock.spent(nodes)), [Some(0), Some(CERTAIN), Some(CERTAIN)]);
    }
}
