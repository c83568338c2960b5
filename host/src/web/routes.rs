//! Routes: what each path answers, and what holds for all of them. A link to a game is never part of a path, so it is in no log
//! and in no `Referer`.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Extension, Router};
use barrow_session::messages::Refusal;
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::analysis_socket::AnalysisConversation;
use super::client::Client;
use super::game_socket::{GameConversation, create_game};
use super::link::Link;
use super::long_texts::LONG;
use super::metrics::Gauges;
use super::outbox::Outbox;
use super::shared::Shared;
use super::sockets::{Conversation, converse};
use crate::version;

/// Time in which the body of a request has to arrive.
const BODY: Duration = Duration::from_secs(10);

/// Address of the other end of a connection.
#[derive(Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// Policy of what the page may load and who may show it: nothing but the server's own files, and nobody.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// Headers of every response. Isolation from other origins is what lets the page share memory between its threads.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Routes of a server, below its prefix.
pub(super) fn router(shared: &Arc<Shared>) -> Router {
    let prefix = &shared.settings.prefix;
    let at = |path: &str| format!("{prefix}{path}");
    let mut router = Router::new()
        .route(&at("/"), get(page))
        .route(&at("/{*path}"), get(file))
        .route(&at("/health"), get(health))
        .route(&at("/metrics"), get(metrics))
        .route(&at("/api/about"), get(about))
        .route(&at("/api/games"), get(game_text).post(new_game))
        .route(&at("/api/game"), any(game_socket))
        .route(&at("/api/analysis"), any(analysis_socket));
    if !prefix.is_empty() {
        let page = at("/");
        let to_page = move || async move { (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, page)]) };
        router = router.route(prefix, get(to_page));
    }
    let router = router
        .fallback(|| async { refusal(StatusCode::NOT_FOUND, "there is nothing here") })
        .method_not_allowed_fallback(|| async {
            refusal(StatusCode::METHOD_NOT_ALLOWED, "the method is none of this path's")
        });
    router.layer(from_fn_with_state(shared.clone(), guard)).with_state(shared.clone())
}

/// Answer to a request that is refused: a line of words.
fn refusal(status: StatusCode, words: &str) -> Response {
    (status, format!("{words}\n")).into_response()
}

/// Answer to a request that comes too early.
fn too_many(wait: Duration) -> Response {
    let mut response = refusal(StatusCode::TOO_MANY_REQUESTS, "too many requests");
    let seconds = HeaderValue::from(wait.as_secs().saturating_add(1).min(3600));
    response.headers_mut().insert(header::RETRY_AFTER, seconds);
    response
}

/// Layer around all requests: rates, origins, headers, figures, and a line for the log that names no path.
async fn guard(
    State(shared): State<Arc<Shared>>,
    Extension(Peer(peer)): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let client = Client::of_request(peer, request.headers(), shared.settings.behind_proxy);
    request.extensions_mut().insert(client);
    let only_reads = matches!(method, Method::GET | Method::HEAD);
    let is_upgrade = request.headers().contains_key(header::UPGRADE);
    let mut response = if let Err(wait) = shared.requests.take(client, started) {
        shared.metrics.refused.fetch_add(1, Relaxed);
        too_many(wait)
    } else if (!only_reads || is_upgrade) && !shared.settings.origins.allow(request.headers()) {
        shared.metrics.refused.fetch_add(1, Relaxed);
        refusal(StatusCode::FORBIDDEN, "the origin of the page is not allowed")
    } else {
        next.run(request).await
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    let (status, time) = (response.status(), started.elapsed());
    shared.metrics.count_response(status.as_u16(), time);
    tracing::debug!("{method} {} in {} us", status.as_u16(), time.as_micros());
    response
}

async fn page(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    asset(&shared, "", &headers)
}

async fn file(State(shared): State<Arc<Shared>>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    asset(&shared, &path, &headers)
}

/// File of the page. The browser asks each time whether it has changed, and is mostly told that it has not.
fn asset(shared: &Shared, path: &str, headers: &HeaderMap) -> Response {
    let Some(asset) = shared.assets.get(path) else {
        return refusal(StatusCode::NOT_FOUND, "there is no such file");
    };
    let known = headers.get(header::IF_NONE_MATCH).and_then(|tag| tag.to_str().ok());
    let common = [(header::ETAG, &*asset.tag), (header::CACHE_CONTROL, "no-cache")];
    if known.is_some_and(|known| known.split(',').any(|tag| is_tag(tag.trim(), &asset.tag))) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    (common, [(header::CONTENT_TYPE, asset.media_type)], asset.bytes.clone()).into_response()
}

/// Whether a tag that a browser knows is that of a file. A proxy that compresses what it passes on has made it weak (RFC 9110,
/// 13.1.2: that counts for nothing here), and `*` is any.
fn is_tag(known: &str, tag: &str) -> bool {
    known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
}

async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let stopping = *shared.stop.borrow();
    let store = blocking(move || shared.store.last_change()).await;
    if stopping || store.is_none() {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, if stopping { "stopping" } else { "no store" });
    }
    (StatusCode::OK, "ok\n").into_response()
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let counted = shared.clone();
    let stored_games = blocking(move || counted.store.count()).await.unwrap_or(0);
    let (waiting, running) = shared.searches.load();
    let gauges = Gauges { waiting, running, live_games: shared.live.count(), stored_games };
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, shared.metrics.text(&gauges)).into_response()
}

/// Answer to a page that asks whether a server is behind it.
async fn about(State(shared): State<Arc<Shared>>) -> Response {
    let searches = shared.settings.searches;
    let about = json!({
        "program": "barrow",
        "version": version::NUMBER,
        "threads": searches.threads,
        "longest_ms": shared.settings.longest.as_millis() as u64,
    });
    json_response(StatusCode::OK, &about)
}

fn json_response(status: StatusCode, value: &serde_json::Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// Link behind the name of the scheme, which may be in capitals or not.
fn bearer(words: &str) -> Option<&str> {
    let (scheme, link) = words.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| link.trim())
}

/// Game of the link in the header `Authorization: Bearer LINK`, as text.
async fn game_text(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let words = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let Some(link) = words.and_then(|words| Link::parse(bearer(words)?)) else {
        return refusal(StatusCode::UNAUTHORIZED, "the header Authorization: Bearer LINK names the game");
    };
    match blocking(move || shared.store.find(link)).await {
        Some(Some((game, _))) => {
            let kind =
                [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
            (kind, game.text.record).into_response()
        }
        Some(None) => refusal(StatusCode::NOT_FOUND, "there is no such game"),
        None => refusal(StatusCode::SERVICE_UNAVAILABLE, "no store"),
    }
}

/// New game from a text: a position in FEN or an annotated game; from none, a game from the start.
async fn new_game(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<Client>,
    body: Body,
) -> Response {
    let body = match timeout(BODY, to_bytes(body, shared.settings.caps.body)).await {
        Err(_) => return refusal(StatusCode::REQUEST_TIMEOUT, "the body took too long"),
        Ok(Err(error)) if is_length_error(&error) => {
            return refusal(StatusCode::PAYLOAD_TOO_LARGE, "the body is too long");
        }
        Ok(Err(_)) => return refusal(StatusCode::BAD_REQUEST, "the body cannot be read"),
        Ok(Ok(body)) => body,
    };
    let Ok(text) = String::from_utf8(body.into()) else {
        return refusal(StatusCode::BAD_REQUEST, "the body is no text");
    };
    if let Err(wait) = shared.may_create(client) {
        shared.metrics.refused.fetch_add(1, Relaxed);
        return too_many(wait);
    }
    let reading = shared.clone();
    let _turn = reading.long_texts.turn(text.len() >= LONG).await;
    match blocking(move || create_game(&shared, &text)).await {
        Some(Ok(link)) => {
            let links = json!({ "play": link.to_string(), "watch": link.to_watch().to_string() });
            json_response(StatusCode::CREATED, &links)
        }
        Some(Err(Refusal(words))) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &words),
        None => refusal(StatusCode::SERVICE_UNAVAILABLE, "no store"),
    }
}

/// Whether reading a body ended because of its length.
fn is_length_error(error: &axum::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.to_string().contains("length limit") {
            return true;
        }
        cause = error.source();
    }
    false
}

async fn game_socket(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<Client>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let inner = shared.clone();
    socket(&shared, client, upgrade, move |outbox| Arc::new(GameConversation::new(inner, client, outbox)))
}

async fn analysis_socket(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<Client>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let inner = shared.clone();
    socket(&shared, client, upgrade, move |outbox| Arc::new(AnalysisConversation::new(inner, client, outbox)))
}

/// Opens a WebSocket for a conversation.
fn socket(
    shared: &Arc<Shared>,
    client: Client,
    upgrade: WebSocketUpgrade,
    conversation: impl FnOnce(Arc<Outbox>) -> Arc<dyn Conversation> + Send + 'static,
) -> Response {
    let caps = shared.settings.caps;
    let Some(counted) = shared.sockets.open(client, caps.sockets, caps.all_sockets) else {
        shared.metrics.refused.fetch_add(1, Relaxed);
        return too_many(Duration::from_secs(10));
    };
    let shared = shared.clone();
    upgrade.max_message_size(caps.body).max_frame_size(caps.body).on_upgrade(move |socket| async move {
        let outbox = Arc::new(Outbox::default());
        let conversation = conversation(outbox.clone());
        converse(
            socket,
            conversation,
            outbox,
            (caps.messages, &shared.metrics, &shared.long_texts),
            shared.stop.clone(),
        )
        .await;
        drop(counted);
    })
}

/// Result of work that may wait for the disk; nothing after an error, which is logged.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> anyhow::Result<T> + Send + 'static) -> Option<T> {
    let result = spawn_blocking(work).await.map_err(anyhow::Error::from).flatten();
    result.inspect_err(|error| tracing::error!("{error:#}")).ok()
}
