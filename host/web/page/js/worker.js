// The engine in a worker: the module, its two buffers, and searches by slices, between which messages are read.

// Time of a slice in milliseconds: how long a stop waits at most.
const SLICE_MS = 20;
// Time between two results of a search.
const REPORT_MS = 250;

let module = null;
let running = null;
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const channel = new MessageChannel();
channel.port1.onmessage = () => work();

function write(bytes) {
  const address = module.input(bytes.length);
  new Uint8Array(module.memory.buffer, address, bytes.length).set(bytes);
}

function output() {
  return decoder.decode(new Uint8Array(module.memory.buffer, module.output(), module.output_length()));
}

function say(text) {
  if (text) postMessage(JSON.parse(text));
}

async function load() {
  const url = new URL("../engine.wasm", import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), {});
  module = instance.exports;
  postMessage({ ready: true });
}

const loaded = load().catch((error) => postMessage({ broken: `the engine cannot be loaded: ${error.message}` }));

onmessage = async ({ data }) => {
  await loaded;
  if (!module) return;
  if (data.network) return takeNetwork(data.network);
  if (data.ask === "stop") finish();
  // A new search replaces the one that runs.
  if (data.ask === "search") finish();
  write(encoder.encode(JSON.stringify(data)));
  module.obey();
  const text = output();
  if (text) return say(text);
  begin(data);
};

function begin(ask) {
  const now = performance.now();
  running = { ask, began: now, reported: now, nodes: 1 };
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
