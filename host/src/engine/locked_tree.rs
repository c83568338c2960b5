//! The search tree that threads share: its stripes, each behind a lock.

use std::ops::{Deref, DerefMut};

use barrow_core::minions::turn_search::{Access, SharedTree};

use super::threads::{self, Mutex, MutexGuard};

/// Something in cache lines of its own: processors fetch lines of 64 bytes by pairs.
#[repr(align(128))]
struct Apart<T>(T);

/// A stripe of the search tree behind a lock, which other threads look at while one works with the stripe: so both are apart.
pub(super) struct LockedStripe<'m>(Apart<Mutex<Apart<SharedTree<'m>>>>);

impl<'m> LockedStripe<'m> {
    pub(super) fn new(stripe: SharedTree<'m>) -> LockedStripe<'m> {
        LockedStripe(Apart(Mutex::new(Apart(stripe))))
    }

    /// The stripe, which no thread uses any more.
    pub(super) fn into_inner(self) -> SharedTree<'m> {
        threads::into_inner(self.0.0).0
    }
}

/// A locked stripe.
pub(super) struct StripeGuard<'a, 'm>(MutexGuard<'a, Apart<SharedTree<'m>>>);

impl<'m> Deref for StripeGuard<'_, 'm> {
    type Target = SharedTree<'m>;

    fn deref(&self) -> &SharedTree<'m> {
        &self.0.0
    }
}

impl<'m> DerefMut for StripeGuard<'_, 'm> {
    fn deref_mut(&mut self) -> &mut SharedTree<'m> {
        &mut self.0.0
    }
}

/// The stripes of a search tree, at the places of their numbers, as many as a power of two.
#[derive(Clone, Copy)]
pub(super) struct LockedTree<'a, 'm>(&'a [LockedStripe<'m>]);

impl<'a, 'm> LockedTree<'a, 'm> {
    /// The tree of these stripes, as many as a power of two.
    pub(super) fn new(stripes: &'a [LockedStripe<'m>]) -> LockedTree<'a, 'm> {
        LockedTree(stripes)
    }

    /// Locks the stripe of a node for this thread. A thread that panicked leaves the tree sound: at worst some edges keep a
    /// virtual loss.
    fn guard(&self, node: u32) -> StripeGuard<'_, 'm> {
        let Apart(mutex) = &self.0[node as usize & (self.0.len() - 1)].0;
        StripeGuard(threads::lock(mutex))
    }

    /// Locks the stripe of the root.
    pub(super) fn root(&self) -> StripeGuard<'_, 'm> {
        let root = self.guard(0).root();
        self.guard(root)
    }
}

impl<'m> Access<'m> for LockedTree<'_, 'm> {
    fn stripes(&self) -> u32 {
        self.0.len() as u32
    }

    fn lock(&mut self, node: u32) -> impl DerefMut<Target = SharedTree<'m>> {
        self.guard(node)
    }
}
