//! Stream that gives a write up when the other end takes nothing for long: a client that asks for files and does not read them
//! would keep its connection, and what was to be written, for ever.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Stream with a bound on the time for which a write waits.
pub(super) struct PatientStream<S> {
    stream: S,
    bound: Duration,
    /// End of the wait of the write that nobody takes.
    end: Option<Pin<Box<Sleep>>>,
}

impl<S> PatientStream<S> {
    /// Stream whose writes wait no longer than a bound.
    pub(super) fn new(stream: S, bound: Duration) -> PatientStream<S> {
        PatientStream { stream, bound, end: None }
    }

    /// Result of an attempt to write, or an error where the attempts have failed for too long.
    fn bounded<T>(&mut self, attempt: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if attempt.is_ready() {
            self.end = None;
            return attempt;
        }
        let bound = self.bound;
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(bound)));
        end.as_mut().poll(context).map(|()| {
            self.end = None;
            Err(io::ErrorKind::TimedOut.into())
        })
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PatientStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PatientStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.bounded(attempt, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.bounded(attempt, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let attempt = Pin::new(&mut self.stream).poll_flush(context);
        self.bounded(attempt, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let attempt = Pin::new(&mut self.stream).poll_shutdown(context);
        self.bounded(attempt, context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::Read as _;
    use std::net::TcpListener;

    use tokio::net::TcpStream;
    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn a_write_ends_where_nobody_reads_and_waits_for_who_does() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        runtime.block_on(async {
            let stream = TcpStream::connect(address).await.unwrap();
            let (mut reader, _) = listener.accept().unwrap();
            let mut stream = PatientStream::new(stream, Duration::from_millis(50));
            let bytes = vec![7; 1 << 16];
            let mut fill = async || {
                let mut written = 0;
                loop {
                    match poll_fn(|context| Pin::new(&mut stream).poll_write(context, &bytes)).await {
                        Ok(length) => written += length,
                        Err(error) => return (written, error.kind()),
                    }
                }
            };
            let (written, error) = fill().await;
            assert_eq!(error, io::ErrorKind::TimedOut);
            reader.read_exact(&mut vec![0; written]).unwrap();
            let (more, error) = fill().await;
            assert!(more > 0 && error == io::ErrorKind::TimedOut, "{more}");
        });
    }
}
