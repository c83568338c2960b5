// The engine in the page on shared memory, without a browser: several threads grow one tree of a tactical position; then as many
// nodes are searched by one thread. The turns must be legal, every thread must have helped, and all must end at once.
//
//     node threads.mjs ENGINE-THREADS.wasm NETWORK.brw POSITIONS [THREADS]

import { readFileSync } from "node:fs";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

const STACK = 4 << 20;

async function thread() {
  const { module, memory, room, index } = workerData;
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
  exports.__stack_pointer.value = room + STACK;
  exports.__wasm_init_tls(room + STACK);
  parentPort.on("message", () => parentPort.postMessage({ helped: exports.help(index) }));
  parentPort.postMessage({ ready: true });
}

async function lead() {
  const [moduleFile, networkFile, positionsFile, count = "1"] = process.argv.slice(2);
  const memory = new WebAssembly.Memory({ initial: 512, maximum: 16384, shared: true });
  const { instance, module } = await WebAssembly.instantiate(readFileSync(moduleFile), { env: { memory } });
  const engine = instance.exports;
  const write = (bytes) => {
    const address = engine.input(bytes.length);
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
  };
  const output = () => new TextDecoder().decode(new Uint8Array(memory.buffer, engine.output(), engine.output_length()).slice());
  const ask = (message) => {
    write(new TextEncoder().encode(JSON.stringify({ id: 1, ...message })));
    engine.obey();
    return output();
  };
  write(readFileSync(networkFile));
  engine.take_network();
  if (output()) throw new Error(output());
  const said = (worker) => new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  const workers = [];
  for (let index = 1; index <= Number(count); index += 1) {
    const room = engine.reserve(STACK + engine.__tls_size.value + 16);
    const worker = new Worker(new URL(import.meta.url), { workerData: { module, memory, room, index } });
    await said(worker);
    workers.push(worker);
  }
  const lines = readFileSync(positionsFile, "utf8").trim().split("\n");
  const position = lines[Math.floor(lines.length / 2)].split("\t")[3];
  const search = async (together, milliseconds) => {
    const begun = ask({ ask: "search", place: { text: position }, together, candidates: 3 });
    if (begun) throw new Error(begun);
    const helping = together ? workers.map(said) : [];
    if (together) for (const worker of workers) worker.postMessage("help");
    const start = process.hrtime.bigint();
    const passed = () => Number(process.hrtime.bigint() - start) / 1e6;
    const before = process.cpuUsage();
    while (passed() < milliseconds) engine.step(16);
    engine.result(1, passed() / 1000);
    const found = JSON.parse(output());
    const ended = passed();
    const helped = (await Promise.all(helping)).map((message) => message.helped);
    const late = passed() - ended;
    const user = process.cpuUsage(before).user / 1e6;
    const legal = JSON.parse(ask({ ask: "load", text: position })) && JSON.parse(ask({ ask: "play", turn: found.turns[0].lines }));
    if (legal.error) throw new Error(legal.error);
    return { nodes: found.nodes, helped, late, user };
  };
  await search(false, 1000);
  const alone = await search(false, 3000);
  const together = await search(true, 3000);
  const again = await search(true, 1000);
  console.log(`one thread: ${alone.nodes} nodes in 3 s, ${(alone.nodes / alone.user).toFixed(0)} for a second of processor time`);
  console.log(`with ${workers.length} more: ${together.nodes} nodes in 3 s, ${(together.nodes / together.user).toFixed(0)} for a second of processor time; they searched ${together.helped.join(", ")} and ended ${together.late.toFixed(1)} ms after the first`);
  for (const worker of workers) await worker.terminate();
  if (![...together.helped, ...again.helped].every((nodes) => nodes > 0)) throw new Error("a thread has not helped");
}

await (isMainThread ? lead() : thread());
