//! Processor affinity of the threads of a search. A search of some ten milliseconds is over before Linux has moved a thread that
//! was started on a busy processor, as was seen in a virtual machine with another one free (docs/search-history.md, "Threads"). So the threads
//! that assist a search start on other processors than the first one's, and go where they like after that.

#[cfg(target_os = "linux")]
pub(super) use linux::{Affinity, Away};

#[cfg(target_os = "linux")]
mod linux {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// Processors that a thread may run on.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Affinity(CpuSet);

    impl Affinity {
        /// Lets the calling thread run on these processors. Where the system does not allow it, all stays as it is.
        pub(in super::super) fn apply(&self) {
            let _ = sched_setaffinity(None, &self.0);
        }
    }

    /// While this lives the calling thread is on other processors than before, and so are the threads that it starts, which
    /// inherit its affinity; then it goes back. It takes some 0.1 ms.
    pub(in super::super) struct Away {
        allowed: Affinity,
        home: Affinity,
    }

    impl Away {
        /// Moves the calling thread away; `None` where there is one processor only, or the system does not say.
        pub(in super::super) fn from_here() -> Option<Away> {
            let allowed = sched_getaffinity(None).ok().filter(|allowed| allowed.count() > 1)?;
            let here = Some(sched_getcpu()).filter(|&here| here < CpuSet::MAX_CPU && allowed.is_set(here))?;
            let (mut others, mut home) = (allowed, CpuSet::new());
            others.unset(here);
            home.set(here);
            Affinity(others).apply();
            Some(Away { allowed: Affinity(allowed), home: Affinity(home) })
        }

        /// The affinity that a thread started meanwhile is to apply to itself.
        pub(in super::super) fn allowed(&self) -> Affinity {
            self.allowed
        }
    }

    impl Drop for Away {
        fn drop(&mut self) {
            self.home.apply();
            self.allowed.apply();
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn threads_start_elsewhere_and_nobody_is_bound_afterwards() {
            let now = || sched_getaffinity(None).unwrap();
            let before = now();
            let away = Away::from_here();
            assert_eq!(away.is_some(), before.count() > 1);
            let others = now();
            assert_eq!(others.count(), (before.count() - 1).max(1));
            let allowed = away.as_ref().map(Away::allowed);
            let assist = move || {
                let at_first = now();
                allowed.inspect(Affinity::apply);
                (at_first, now())
            };
            let (at_first, freed) = std::thread::spawn(assist).join().unwrap();
            assert!(at_first == others && freed == before);
            drop(away);
            assert!(now() == before);
        }
    }
}

/// Processors that a thread may run on: elsewhere than on Linux the system chooses them.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy)]
pub(super) enum Affinity {}

#[cfg(not(target_os = "linux"))]
impl Affinity {
    /// There is none to apply.
    pub(super) fn apply(&self) {
        match *self {}
    }
}

/// A thread that was moved to other processors than before: elsewhere than on Linux there is none.
#[cfg(not(target_os = "linux"))]
pub(super) enum Away {}

#[cfg(not(target_os = "linux"))]
impl Away {
    /// Nothing: threads start where the system places them.
    pub(super) fn from_here() -> Option<Away> {
        None
    }

    /// There is no affinity.
    pub(super) fn allowed(&self) -> Affinity {
        match *self {}
    }
}
