// Engine: whoever knows the game. Two implementations with the same messages: a worker with the engine in the page, and a
// WebSocket to `barrow serve`.

// Bytes of a message that a server takes.
const MESSAGE_BYTES = 1 << 20;

/** An error that the other side gave in words. */
export class Refusal extends Error {}

/** The end of a connection, which is tried again. */
export class Lost extends Refusal {}

class Engine {
  #next = 1;
  #waiting = new Map();

  /** Sends a request; resolves with the reply, the last one of a search. `progress` gets the replies before it. */
  ask(ask, parts = {}, progress = null) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      this.send({ id, ask, ...parts });
    });
  }

  /** Takes an answer. */
  answer(answer) {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    if (answer.error !== undefined && answer.error !== null) {
      this.#waiting.delete(answer.id);
      waiting.reject(new Refusal(answer.error));
    } else if (answer.final === false) {
      waiting.progress?.(answer);
    } else {
      this.#waiting.delete(answer.id);
      waiting.resolve(answer);
    }
  }

  /** Ends everything that waits. */
  fail(error) {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of all) waiting.reject(error);
  }
}

/** The engine in the page. */
export class WorkerEngine extends Engine {
  constructor(onstate) {
    super();
    this.onstate = onstate;
    this.start();
  }

  /** Worker of the engine. */
  makeWorker() {
    return new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  }

  /** Takes what the worker says of itself. */
  heard() {}

  start() {
    this.worker = this.makeWorker();
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => {
        this.heard(data);
        if (data.ready) resolve();
        else if (data.broken) {
          reject(new Refusal(data.broken));
          this.fail(new Refusal(data.broken));
        } else if (data.taken) this.onstate?.(data);
        else if (data.id !== undefined) this.answer(data);
      };
      this.worker.onerror = (event) => {
        event.preventDefault();
        const words = `the engine stopped: ${event.message ?? "unknown reason"}`;
        reject(new Refusal(words));
        this.fail(new Refusal(words));
      };
    });
  }

  send(message) {
    this.worker.postMessage(message);
  }

  /** Ends all searches, which then give their last answer. */
  stop() {
    return this.ask("stop");
  }

  /** Loads a larger network from a file beside the page. */
  loadNetwork(url) {
    this.worker.postMessage({ network: new URL(url, document.baseURI).href });
  }
}

/** An engine behind a WebSocket, and a game that the server keeps. */
export class SocketEngine extends Engine {
  remote = true;

  constructor(url, onstate) {
    super();
    this.url = url;
    this.onstate = onstate;
    this.start();
  }

  start() {
    this.socket = new WebSocket(this.url);
    this.ready = new Promise((resolve, reject) => {
      this.socket.onopen = () => resolve();
      this.socket.onerror = () => reject(new Lost("the server cannot be reached"));
    });
    this.socket.onmessage = ({ data }) => {
      const answer = JSON.parse(data);
      // What nobody asked for: the links of a game that was made, and positions after what others played.
      if (answer.id === null || answer.id === undefined) this.onstate?.({ pushed: answer });
      else this.answer(answer);
    };
    this.socket.onclose = () => {
      this.fail(new Lost("the connection to the server was lost"));
      this.onstate?.({ lost: true });
    };
  }

  /** Whether the server refuses pages of this address. A WebSocket that is refused does not say why. */
  async refusesPages() {
    const games = new URL("games", this.url);
    games.protocol = location.protocol;
    try {
      return (await fetch(games, { method: "OPTIONS" })).status === 403;
    } catch {
      return false;
    }
  }

  send(message) {
    // A socket that is closed says nothing of what is sent on it.
    if (this.socket.readyState !== WebSocket.OPEN) return this.fail(new Lost("there is no connection to the server"));
    const text = JSON.stringify(message);
    // It would end the connection.
    if (new Blob([text]).size > MESSAGE_BYTES) this.answer({ id: message.id, error: `the server takes ${MESSAGE_BYTES >> 20} MiB at once` });
    else this.socket.send(text);
  }

  stop() {
    return this.ask("stop");
  }

  loadNetwork() {}
}
