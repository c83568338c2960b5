// The page without a network: what it consists of is kept when it is first opened. The build writes version and files, and
// whether there is an engine for threads.
const VERSION = "@VERSION@";
// Other applications may have caches at the same origin.
const OURS = `barrow ${registration.scope} `;
const CACHE = OURS + VERSION;
const FILES = ["@FILES@"];
const THREADS = "@THREADS@" === "yes";
// What a host says so that memory can be shared. The page loads nothing from elsewhere, so nothing is lost by it.
const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(answer(event.request).then(isolated));
});

/** The response with the headers of a host that isolates its pages: from the second visit on any host is one. */
function isolated(response) {
  if (!THREADS || response.type === "opaque" || response.status === 0) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(request);
  // The large network, and the engine for threads, are kept once somebody has asked for them.
  if (response.ok && /(\.brw|-threads\.wasm)$/.test(request.url)) cache.put(request, response.clone());
  return response;
}
