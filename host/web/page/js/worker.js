// The engine in a worker: the module, its two buffers, and searches by slices, between which messages are read.

// Time of a slice in milliseconds: how long a stop waits at most.
const SLICE_MS = 20;
// Time between two results of a search.
const REPORT_MS = 250;

// Whether other threads are to share the memory, and its pages then, as the module has them.
const THREADS = new URL(import.meta.url).searchParams.has("threads");
const FIRST_PAGES = 512;
const MOST_PAGES = 16384;
// Stack of a thread.
const STACK = 4 << 20;

let module = null;
let shared = null;
let running = null;
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const channel = new MessageChannel();
channel.port1.onmessage = () => work();

function write(bytes) {
  const address = module.input(bytes.length);
  new Uint8Array(memory().buffer, address, bytes.length).set(bytes);
}

function output() {
  // A copy: memory that is shared cannot be decoded.
  return decoder.decode(new Uint8Array(memory().buffer, module.output(), module.output_length()).slice());
}

function say(text) {
  if (text) postMessage(JSON.parse(text));
}

function memory() {
  return shared ?? module.memory;
}

async function load() {
  const url = new URL(THREADS ? "../engine-threads.wasm" : "../engine.wasm", import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  if (THREADS) shared = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true });
  const made = await WebAssembly.instantiate(await response.arrayBuffer(), THREADS ? { env: { memory: shared } } : {});
  module = made.instance.exports;
  postMessage({ ready: true, threads: THREADS ? { module: made.module, memory: shared } : null });
}

const loaded = load().catch((error) => postMessage({ broken: `the engine cannot be loaded: ${error.message}` }));

onmessage = async ({ data }) => {
  await loaded;
  if (!module) return;
  if (data.network) return takeNetwork(data.network);
  if (data.room) return postMessage({ room: module.reserve(STACK + module.__tls_size.value + 16), stack: STACK });
  if (data.ask === "stop") finish();
  // A new search replaces the one that runs.
  if (data.ask === "search" || data.ask === "review") finish();
  write(encoder.encode(JSON.stringify(data)));
  module.obey();
  const text = output();
  if (text) return say(text);
  begin(data);
};

function begin(ask) {
  const now = performance.now();
  running = { ask, began: now, reported: now, nodes: 1 };
  if (ask.together) postMessage({ help: true });
  channel.port2.postMessage(null);
}

function work() {
  if (!running) return;
  const began = performance.now();
  const more = module.step(running.nodes) !== 0;
  const now = performance.now();
  const took = now - began;
  if (took < SLICE_MS / 2) running.nodes = Math.min(running.nodes * 2, 4096);
  else if (took > SLICE_MS && running.nodes > 1) running.nodes = Math.max(1, running.nodes >> 1);
  const { ask } = running;
  if (!more || (ask.movetime && now - running.began >= ask.movetime)) return finish();
  if (ask.progress !== false && now - running.reported >= REPORT_MS) {
    running.reported = now;
    module.result(0, (now - running.began) / 1000);
    say(output());
  }
  channel.port2.postMessage(null);
}

function finish() {
  if (!running) return;
  const seconds = (performance.now() - running.began) / 1000;
  running = null;
  module.result(1, seconds);
  say(output());
}

async function takeNetwork(url) {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(String(response.status));
    write(new Uint8Array(await response.arrayBuffer()));
    module.take_network();
    const error = output();
    postMessage(error ? { taken: true, error } : { taken: true });
  } catch (error) {
    postMessage({ taken: true, error: error.message });
  }
}
