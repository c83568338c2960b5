// Several workers that search one position: each grows a tree of its own with a seed of its own, and what they found is
// joined at the root. So nothing has to be shared between them, and any static host serves the page.

import { SocketEngine, WorkerEngine } from "./engine.js";

// Workers beside the first one at most; each takes memory for a network and a tree.
const MOST = 3;

/** Key of a turn: its lines in any order, as one position can be reached in several. */
const keyOf = (turn) => [...turn.lines].sort().join("\n");

/** Joins analyses of one position: visits add up, values are weighed by them. */
export function joined(first, others) {
  const turns = new Map();
  for (const analysis of [first, ...others]) {
    for (const turn of analysis.turns) {
      const known = turns.get(keyOf(turn));
      if (!known) turns.set(keyOf(turn), { ...turn });
      else {
        const visits = known.visits + turn.visits;
        known.value = (known.value * known.visits + turn.value * turn.visits) / visits;
        known.expected_error = (known.expected_error * known.visits + turn.expected_error * turn.visits) / visits;
        known.visits = visits;
        known.wins ||= turn.wins;
      }
    }
  }
  // A turn that was visited little is not trusted: its value less a part of its doubt.
  const bound = (turn) => (turn.wins ? 2 : turn.value - 0.5 / Math.sqrt(turn.visits + 1));
  const sorted = [...turns.values()].sort((a, b) => bound(b) - bound(a));
  const best = sorted[0];
  const nodes = [first, ...others].reduce((sum, analysis) => sum + analysis.nodes, 0);
  return best ? { ...first, nodes, turns: sorted, value: best.value, expected_error: best.expected_error } : first;
}

/** The engine in the page with helpers for long searches. */
export class PoolEngine extends WorkerEngine {
  #helpers = null;

  /** Helpers are made when a long search first asks for them. */
  helpers() {
    const count = Math.min(MOST, (navigator.hardwareConcurrency ?? 1) - 1);
    this.#helpers ??= Array.from({ length: Math.max(0, count) }, () => new WorkerEngine());
    return this.#helpers;
  }

  /** A search of so many milliseconds on all workers. */
  async searchTogether(parts, progress) {
    const helpers = this.helpers();
    if (helpers.length === 0) return this.ask("search", parts, progress);
    const { text } = await this.ask("export", { form: "link" });
    // The lines that were entered are no part of the position that is searched.
    const position = text.split("\n").slice(0, 4).join("\n");
    this.searching = true;
    const searches = helpers.map(async (helper, index) => {
      await helper.ready;
      if (!this.searching) return null;
      return helper.ask("search", { ...parts, seed: (parts.seed ?? 0) + 1000 + index, place: { text: position }, progress: false });
    });
    try {
      const first = await this.ask("search", parts, progress);
      this.searching = false;
      for (const helper of helpers) helper.stop().catch(() => {});
      const others = await Promise.allSettled(searches);
      return joined(first, others.map((other) => other.value).filter((other) => other?.turns.length));
    } finally {
      this.searching = false;
    }
  }

  loadNetwork(url) {
    super.loadNetwork(url);
    for (const helper of this.#helpers ?? []) helper.loadNetwork(url);
  }
}

/** The engine in the page where memory can be shared: threads grow one tree. */
export class ThreadEngine extends PoolEngine {
  threads = [];

  makeWorker() {
    if (this.alone) return super.makeWorker();
    return new Worker(new URL("worker.js?threads", import.meta.url), { type: "module" });
  }

  heard(data) {
    if (data.threads) {
      this.parts = data.threads;
      const count = Math.min(MOST, navigator.hardwareConcurrency - 1);
      for (let index = 1; index <= count; index += 1) this.worker.postMessage({ room: true });
    } else if (data.room) {
      const thread = new Worker(new URL("thread.js", import.meta.url), { type: "module" });
      const index = this.threads.push(thread);
      thread.postMessage({ ...this.parts, room: data.room, stack: data.stack, index });
      thread.onerror = () => this.threads.splice(this.threads.indexOf(thread), 1);
      thread.onmessage = ({ data: said }) => {
        this.helped = (this.helped ?? 0) + said.helped;
        document.documentElement.dataset.helped = this.helped;
      };
    } else if (data.help) for (const thread of this.threads) thread.postMessage({ help: true });
  }

  start() {
    super.start();
    // Where threads cannot be had after all, workers with memories of their own can.
    this.ready = this.ready.catch((error) => {
      if (this.alone) throw error;
      this.alone = true;
      this.start();
      return this.ready;
    });
  }

  searchTogether(parts, progress) {
    if (this.alone || this.threads.length === 0) return super.searchTogether(parts, progress);
    return this.ask("search", { ...parts, together: true }, progress);
  }

  loadNetwork(url) {
    this.worker.postMessage({ network: new URL(url, document.baseURI).href });
  }
}

/**
 * The engine that the address of the page asks for: `?server=ADDRESS`, or what the server wrote into the page. An address at
 * another host is none: whoever follows a link does not want to send games to a stranger.
 */
export function engineOfPage(onstate) {
  const asked = new URLSearchParams(location.search).get("server");
  const written = document.querySelector('meta[name="barrow-server"]')?.content;
  const url = [asked, written].filter((address) => address && URL.canParse(address, location.href)).map((address) => new URL(address, location.href)).find(({ host }) => host === location.host);
  if (!url) return globalThis.crossOriginIsolated && navigator.hardwareConcurrency > 1 ? new ThreadEngine(onstate) : new PoolEngine(onstate);
  url.protocol = location.protocol.replace("http", "ws");
  return new SocketEngine(url.href, onstate);
}
