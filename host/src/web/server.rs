//! A server from its start to its end: connections, searches, the watch over the store, and a stop in good order.

use std::io::Write as _;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::{interval, sleep, timeout};

use super::client::Client;
use super::patient_stream::PatientStream;
use super::repeated_fault::RepeatedFault;
use super::routes::{Peer, router};
use super::settings::ServerSettings;
use super::shared::Shared;
use super::sockets::OpenSocket;
use super::stop::stopped;
use super::store::now;
use crate::interrupt;

/// Threads that read and answer, as many as there are cores within these bounds. What may wait for the disk has threads of
/// its own.
const THREADS: (usize, usize) = (2, 8);

/// Threads for what may wait for the disk.
const DISK_THREADS: usize = 16;

/// Time in which the head of a request has to arrive, and after which an idle connection is closed.
const HEAD: Duration = Duration::from_secs(15);

/// Time in which something of a response has to be taken by the client's system.
const WRITE: Duration = Duration::from_secs(20);

/// Bytes of the head of a request.
const HEAD_BYTES: usize = 32 << 10;

/// Time between two looks for an interrupt, and for what other servers have changed in the store.
const LOOK: Duration = Duration::from_millis(100);

/// Time between two writes of the journal into the file of the store.
const FLUSH: Duration = Duration::from_secs(1);

/// Time that connections are given to end when the server stops.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Time between two looks for games that nobody has touched for long.
const TIDY: Duration = Duration::from_hours(1);

/// Serves until an interrupt comes. Says on standard output where, once it can be reached.
pub fn serve(settings: ServerSettings) -> Result<()> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(
            available_parallelism().map_or(THREADS.0, |cores| cores.get().clamp(THREADS.0, THREADS.1)),
        )
        .max_blocking_threads(DISK_THREADS)
        .enable_io()
        .enable_time()
        .build()
        .context("threads of the server")?;
    let (stop, stopped) = watch::channel(false);
    let address = settings.address;
    let listener = runtime.block_on(TcpListener::bind(address)).with_context(|| address.to_string())?;
    let address = listener.local_addr().context("address of the server")?;
    let prefix = settings.prefix.clone();
    let shared = Arc::new(Shared::open(settings, stopped)?);
    let searches = shared.settings.searches;
    std::thread::scope(|scope| {
        for _ in 0..searches.workers.max(1) {
            scope.spawn(|| shared.searches.work(&searches));
        }
        let mut output = std::io::stdout();
        // Whoever started the server may not be interested.
        let _ = writeln!(output, "listening on http://{address}{prefix}/").and_then(|()| output.flush());
        runtime.block_on(run(&shared, listener, &stop));
        shared.searches.close();
    });
    runtime.shutdown_timeout(LAST_WORDS);
    shared.store.flush()
}

/// Accepts connections until an interrupt comes, then waits for their end.
async fn run(shared: &Arc<Shared>, listener: TcpListener, stop: &watch::Sender<bool>) {
    let connections = Arc::new(Semaphore::new(shared.settings.caps.connections));
    let app = router(shared);
    let watching = tokio::spawn(watch_store(shared.clone()));
    let tidying = tokio::spawn(tidy(shared.clone()));
    let flushing = tokio::spawn(flush(shared.clone()));
    let (mut looks, mut fault) = (interval(LOOK), RepeatedFault::default());
    loop {
        tokio::select! {
            _ = looks.tick() => if interrupt::requested() { break },
            accepted = accept(&listener, &connections, &mut fault) => if let Some((stream, permit)) = accepted
                && let Some((peer, place)) = place(shared, &stream)
            {
                let connection = serve_connection(stream, peer, app.clone(), shared.stop.clone());
                tokio::spawn(async move {
                    connection.await;
                    drop((permit, place));
                });
            },
        }
    }
    tracing::info!("stopping");
    drop(listener);
    watching.abort();
    tidying.abort();
    flushing.abort();
    stop.send_replace(true);
    shared.searches.close();
    let all = u32::try_from(shared.settings.caps.connections).unwrap_or(u32::MAX);
    let ended = async {
        let _ = connections.acquire_many(all).await;
        // A WebSocket outlives its connection, and ends its searches first.
        while shared.sockets.count() > 0 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    let _ = timeout(LAST_WORDS, ended).await;
}

/// Next connection, once there may be another one.
async fn accept(
    listener: &TcpListener,
    connections: &Arc<Semaphore>,
    fault: &mut RepeatedFault,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let permit = connections.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, permit)),
        Err(error) => {
            fault.warn(&format!("no connection: {error}"));
            // Most often there are too many open files, and there will be fewer.
            sleep(LOOK).await;
            None
        }
    }
}

/// Other end of a connection, and a place among its connections; nothing where it has as many as it may. Behind a proxy all
/// connections are the proxy's.
fn place(shared: &Shared, stream: &TcpStream) -> Option<(IpAddr, OpenSocket)> {
    let peer = stream.peer_addr().ok()?.ip();
    let own = if shared.settings.behind_proxy { usize::MAX } else { shared.settings.caps.own_connections };
    let place = shared.connections.open(Client::of(peer), own, usize::MAX);
    if place.is_none() {
        shared.metrics.refused.fetch_add(1, Relaxed);
    }
    Some((peer, place?))
}

/// Answers the requests of a connection.
async fn serve_connection(stream: TcpStream, peer: IpAddr, app: Router, mut stop: watch::Receiver<bool>) {
    // Answers are small and should not wait for each other.
    let _ = stream.set_nodelay(true);
    let app = TowerToHyperService::new(app);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        app.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_BYTES)
        // Who ends what it sends with its request still reads the answer.
        .half_close(true)
        .serve_connection(TokioIo::new(PatientStream::new(stream, WRITE)), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stopped(&mut stop) => connection.as_mut().graceful_shutdown(),
    }
    let _ = timeout(LAST_WORDS, connection).await;
}

/// Tells those who watch a game what another server has changed in it.
async fn watch_store(shared: Arc<Shared>) {
    let (mut looks, mut fault) = (interval(LOOK), RepeatedFault::default());
    loop {
        looks.tick().await;
        let looking = shared.clone();
        if let Ok(Err(error)) = spawn_blocking(move || looking.live.catch_up()).await {
            fault.warn(&format!("{error:#}"));
        }
    }
}

/// Keeps the journal of the store short, so that no change has to.
async fn flush(shared: Arc<Shared>) {
    let (mut looks, mut fault) = (interval(FLUSH), RepeatedFault::default());
    loop {
        looks.tick().await;
        let flushed = shared.clone();
        if let Ok(Err(error)) = spawn_blocking(move || flushed.store.flush()).await {
            fault.warn(&format!("{error:#}"));
        }
    }
}

/// Removes games that nobody has touched for long.
async fn tidy(shared: Arc<Shared>) {
    let mut looks = interval(TIDY);
    loop {
        looks.tick().await;
        let tidied = shared.clone();
        let removed = spawn_blocking(move || {
            tidied.store.remove_untouched(now().saturating_sub(tidied.settings.keep.as_secs()))
        });
        match removed.await {
            Ok(Ok(0)) | Err(_) => {}
            Ok(Ok(games)) => tracing::info!("{games} games removed that nobody had touched for long"),
            Ok(Err(error)) => tracing::error!("{error:#}"),
        }
    }
}
