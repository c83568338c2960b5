// Turns of the engine in the page, without a browser: 20 tactical positions, each searched for 500 nodes with the large
// network; the program's turns are compared with them.
//
//     node turns.mjs ENGINE.wasm NETWORK.brw POSITIONS BARROW...
//
// Each BARROW is a build of the program. Ends with 1 where a turn differs, or where the module does less than LEAST of the nodes
// per second of processor time of the first build.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const NODES = 500;
// About half is usual against a build with AVX2.
const LEAST = 0.4;
const [moduleFile, networkFile, positionsFile, ...programs] = process.argv.slice(2);
const lines = readFileSync(positionsFile, "utf8").trim().split("\n");
const step = Math.floor(lines.length / 20);
const positions = Array.from({ length: 20 }, (_, index) => lines[index * step].split("\t")[3]);

const { instance } = await WebAssembly.instantiate(readFileSync(moduleFile), {});
const engine = instance.exports;
const write = (bytes) => {
  // First the room, which may move the memory.
  const address = engine.input(bytes.length);
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
};
const output = () => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.output(), engine.output_length()));

write(readFileSync(networkFile));
engine.take_network();
if (output()) throw new Error(output());

function search(text) {
  write(new TextEncoder().encode(JSON.stringify({ id: 1, ask: "search", place: { text }, nodes: NODES, candidates: 1 })));
  engine.obey();
  if (output()) throw new Error(output());
  // Processor time: a machine that does other things as well makes nothing slower.
  const began = process.cpuUsage();
  // Slices of any length lead to the same turn.
  while (engine.step(1 + Math.floor(Math.random() * 100)));
  const seconds = process.cpuUsage(began).user / 1e6;
  engine.result(1, seconds);
  const found = JSON.parse(output());
  return { turn: found.turns[0].lines.join("\n"), value: found.value, nodes: found.nodes, seconds };
}

function answers(program, nodes) {
  const queries = positions.map((position, index) => JSON.stringify({ id: String(index), position, nodes }));
  const script = 'TIMEFORMAT="user %U"; time "$0" analysis --workers 1';
  const run = spawnSync("bash", ["-c", script, program], { input: queries.join("\n") + "\n", encoding: "utf8", maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stderr);
  return { lines: run.stdout.trim().split("\n"), seconds: Number(run.stderr.match(/user ([0-9.]+)/)[1]) };
}

function native(program) {
  const whole = answers(program, NODES);
  // What the program does besides searching takes as long for a single node.
  const seconds = whole.seconds - answers(program, 1).seconds;
  const found = [];
  for (const line of whole.lines) {
    const answer = JSON.parse(line);
    if (answer.error && !answer.turn) throw new Error(line);
    found[Number(answer.id)] = { turn: answer.turn.join("\n"), value: answer.value, nodes: answer.nodes, seconds: seconds / positions.length };
  }
  return found;
}

const speed = (all) => all.reduce((sum, one) => sum + one.nodes, 0) / all.reduce((sum, one) => sum + one.seconds, 0);
// Twice, so that the module is compiled as it will be.
positions.slice(0, 4).forEach(search);
const page = positions.map(search);
console.log(`page: ${speed(page).toFixed(0)} nodes/s`);
let failed = false;
for (const [place, program] of programs.entries()) {
  const found = native(program);
  const differ = found.filter((one, index) => one.turn !== page[index].turn || one.value !== page[index].value).length;
  const share = speed(page) / speed(found);
  console.log(`${program}: ${speed(found).toFixed(0)} nodes/s, page ${(100 * share).toFixed(0)} %, ${differ} of ${found.length} turns differ`);
  failed ||= differ > 0 || (place === 0 && share < LEAST);
}
process.exit(failed ? 1 : 0);
