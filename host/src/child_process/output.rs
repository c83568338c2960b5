//! Output of a child, which ends with the child: processes that it has started may hold its pipe open for longer.

use std::io::{self, PipeReader, PipeWriter, Read, pipe};
use std::process::ChildStdout;

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
#[cfg(unix)]
use rustix::io::retry_on_intr;

/// Reader of what a child prints. It ends when the pipe is closed, or empty after the [`EndOfChild`] was told. Elsewhere than on
/// Unix, where one cannot look whether a pipe is empty, it ends when the pipe is closed.
#[derive(Debug)]
pub(super) struct ChildOutput {
    pipe: ChildStdout,
    #[cfg_attr(not(unix), allow(dead_code))]
    end: PipeReader,
}

/// News for the reader of a child's output that the child has ended. Dropping the value tells it, too.
#[derive(Debug)]
pub(super) struct EndOfChild(Option<PipeWriter>);

impl ChildOutput {
    /// Reader of a pipe, and what tells it of the end of the child.
    pub(super) fn new(pipe_of_child: ChildStdout) -> io::Result<(ChildOutput, EndOfChild)> {
        let (end, told) = pipe()?;
        Ok((ChildOutput { pipe: pipe_of_child, end }, EndOfChild(Some(told))))
    }

    /// Waits until there is something to read, or the end of the pipe. Returns false when the child has ended and the pipe is
    /// empty.
    #[cfg(unix)]
    fn wait(&self) -> io::Result<bool> {
        let is_ready = |fds: &mut [PollFd<'_>], time: Option<&Timespec>| -> io::Result<bool> {
            retry_on_intr(|| poll(fds, time))?;
            Ok(fds.first().is_some_and(|fd| !fd.revents().is_empty()))
        };
        let from_child = || PollFd::new(&self.pipe, PollFlags::IN);
        if is_ready(&mut [from_child(), PollFd::new(&self.end, PollFlags::IN)], None)? {
            return Ok(true);
        }
        // The last words may have come between the looks at the two pipes.
        is_ready(&mut [from_child()], Some(&Timespec::default()))
    }

    #[cfg(not(unix))]
    fn wait(&self) -> io::Result<bool> {
        Ok(true)
    }
}

impl Read for ChildOutput {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.wait()? { self.pipe.read(bytes) } else { Ok(0) }
    }
}

impl EndOfChild {
    /// Tells the reader that the child has ended.
    pub(super) fn tell(&mut self) {
        self.0 = None;
    }
}
