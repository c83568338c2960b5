//! Process groups of children: a child and all that it starts, killed together. Elsewhere than on Unix it is the child
//! alone.

use std::io;
use std::process::{Child, Command};
use std::sync::Mutex;

#[cfg(unix)]
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Groups that run, for [`kill_all`], by the number of their leader.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Process group of a child. Dropping the value kills it.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    /// First process of the group. Nobody else may wait for it: its number, which is the group's, would go to others.
    pub(super) leader: Child,
}

impl ProcessGroup {
    /// Starts a command as the leader of a new group.
    pub(super) fn spawn(command: &mut Command) -> io::Result<ProcessGroup> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Under the lock, so that `kill_all` misses no group.
        let mut running = running();
        let leader = command.spawn()?;
        running.push(leader.id());
        Ok(ProcessGroup { leader })
    }

    /// Whether the leader has ended. It is not waited for, so that the group keeps its number.
    pub(super) fn leader_has_ended(&mut self) -> bool {
        #[cfg(unix)]
        {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            !matches!(waitid(WaitId::Pid(Pid::from_child(&self.leader)), options), Ok(None))
        }
        #[cfg(not(unix))]
        !matches!(self.leader.try_wait(), Ok(None))
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let id = self.leader.id();
        // Some of it may have ended by itself.
        kill_group(id);
        let _ = self.leader.kill();
        running().retain(|&other| other != id);
        let _ = self.leader.wait();
    }
}

/// Kills the groups of all children that run, for a program that is about to exit without dropping them.
pub fn kill_all() {
    for &id in running().iter() {
        kill_group(id);
    }
}

fn running() -> std::sync::MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Kills a group whose leader has not been waited for.
#[cfg(unix)]
fn kill_group(id: u32) {
    if let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}
