// Encrypted channel between this phone and its table. companion/pads/encryption.py is the other end and
// explains the reasons for the design.

const KEY = 32;
const COUNTER = 8;
const UP_SIZE = 4096;
const PATIENCE = 4000;
/** Interval between keep-alive messages, in milliseconds. */
const BREATH = 3000;
/** Time without data after which the stream is reopened, in milliseconds. */
const SILENCE = 10000;

/** Another phone has the seat, or the code is no longer valid. */
class Out extends Error {}
/** The network or the table is not responding. */
class Lost extends Error {}
/** The table no longer knows this session, so a new session is needed. */
class Stale extends Error {}

/**
 * @typedef {{side: string, code: string, token: string, from: string}} Seat
 * `code` is the code from the URL, and is cleared once the seat is taken. `from` keeps the code.
 */
/** @typedef {{id: string, say: import("/page_data").PadCommand}} Word */

/** @param {Uint8Array[]} parts */
function join(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** @param {string} text base64, in the standard or the URL-safe alphabet */
function unwritten(text) {
  const usual = text.replace(/-/g, "+").replace(/_/g, "/");
  return Uint8Array.from(atob(usual), (letter) => letter.charCodeAt(0));
}

/** Draw 128 random bits, encoded in characters that are allowed in a URL. */
export function token() {
  const drawn = nacl.randomBytes(16);
  const written = btoa(String.fromCharCode(...drawn));
  return written.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {number} counter @param {number} size */
function number(counter, size) {
  const written = new Uint8Array(size);
  new DataView(written.buffer).setBigUint64(size - COUNTER, BigInt(counter));
  return written;
}

/** @param {number} milliseconds */
export const rest = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));

/** @param {string} path @param {Uint8Array} body */
async function post(path, body) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const answer = await fetch(path, { method: "POST", body, signal: stop.signal, cache: "no-store" });
    if (answer.status === 403) throw new Stale();
    if (!answer.ok) throw new Lost();
    return new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    throw error instanceof Stale ? error : new Lost();
  } finally {
    clearTimeout(late);
  }
}

/** The keys of one session, and the message counters of both ends. */
class Session {
  /** @param {Seat} seat @param {Uint8Array} own @param {Uint8Array} pad @param {Uint8Array} table */
  constructor(seat, own, pad, table) {
    const secret = unwritten(seat.code || seat.token);
    const shared = nacl.scalarMult(own, table);
    /** @param {string} way */
    const key = (way) => {
      const label = bytes(`boomboard pad 1 ${seat.side} ${way} `);
      return nacl.hash(join(label, secret, shared, pad, table)).slice(0, KEY);
    };
    this.table = table;
    this.keys = { up: key("up"), answer: key("answer"), down: key("down") };
    this.said = 0;
    this.shown = -1;
  }

  /** @param {Seat} seat */
  static async begin(seat) {
    const pair = nacl.box.keyPair();
    const way = (seat.side === "red" ? "r" : "b") + (seat.code ? "c" : "t");
    const table = await post("/join", join(bytes(way), pair.publicKey)).catch((error) => {
      throw error instanceof Stale ? new Out("out") : error;
    });
    if (table.length !== KEY) throw new Lost();
    return new Session(seat, pair.secretKey, pair.publicKey, table);
  }

  /** Encrypt the next message. @param {unknown} message */
  seal(message) {
    const text = bytes(JSON.stringify(message));
    const padded = new Uint8Array(UP_SIZE).fill(32);
    padded.set(text);
    const counter = this.said++;
    const sealed = nacl.secretbox(padded, number(counter, 24), this.keys.up);
    return { counter, body: join(this.table, number(counter, COUNTER), sealed) };
  }

  /**
   * Send a message, with retries, and return the answer.
   * @param {import("/page_data").PadMessage} message @returns {Promise<import("/page_data").PadAnswer>}
   */
  async say(message) {
    const { counter, body } = this.seal(message);
    for (let tries = 0; ; tries++) {
      try {
        const sealed = await post("/say", body);
        const opened = nacl.secretbox.open(sealed, number(counter, 24), this.keys.answer);
        if (!opened) throw new Lost();
        return JSON.parse(new TextDecoder().decode(opened));
      } catch (error) {
        if (error instanceof Stale || tries >= 5) throw error;
        await rest(200 * (tries + 1));
      }
    }
  }

  /**
   * Decrypt a view from the table. Returns null if the view is outdated or for another session.
   * @param {string} written @returns {import("/page_data").PlayerUpdate | null}
   */
  open(written) {
    const frame = unwritten(written);
    const counter = Number(new DataView(frame.buffer).getBigUint64(0));
    if (counter <= this.shown) return null;
    const opened = nacl.secretbox.open(frame.slice(COUNTER), number(counter, 24), this.keys.down);
    if (!opened) return null;
    this.shown = counter;
    return JSON.parse(new TextDecoder().decode(opened));
  }
}

/** Keeps a seat through connection losses and reloads of the phone. */
export class Channel {
  /**
   * @param {Seat} seat
   * @param {{shown: (state: import("/page_data").PlayerPage, age: number) => void, seated: (seat: Seat) => void,
   *   sent: (id: string) => void, showProblem: (what: string) => void}} told
   */
  constructor(seat, told) {
    this.seat = seat;
    this.told = told;
    /** @type {Word[]} messages whose arrival has not been confirmed */
    this.words = [];
    this.heardAt = 0;
    this.seen = 0;
    this.nudge = () => {};
  }

  /** Send a message so that it arrives exactly once, even if the connection breaks. @param {Word} word */
  say(word) {
    this.words.push(word);
    this.nudge();
  }

  /** Run forever, starting a new session whenever one breaks. */
  async run() {
    for (let tries = 0; ; tries++) {
      try {
        const session = await Session.begin(this.seat);
        const answer = await this.exchange(session, { token: this.seat.token }).catch((error) => {
          throw error instanceof Stale ? new Out("out") : error;
        });
        if (answer.seat !== "yours") throw new Out("taken");
        this.seat = { ...this.seat, code: "" };
        this.told.seated(this.seat);
        tries = 0;
        await this.keep(session);
      } catch (error) {
        if (error instanceof Out) this.told.showProblem(error.message);
        else if (!(error instanceof Lost || error instanceof Stale)) throw error;
        else if (tries > 1) this.told.showProblem("away");
      }
      await this.nudged(Math.min(4000, 250 * 2 ** tries));
    }
  }

  /** Exchange messages until the session breaks. @param {Session} session */
  async keep(session) {
    let stream = new AbortController();
    this.heardAt = 0;
    try {
      for (;;) {
        if (Date.now() - this.heardAt > SILENCE) {
          stream.abort();
          stream = new AbortController();
          await this.listen(session, stream);
        }
        const word = this.words[0];
        const answer = await this.exchange(session, word ?? {});
        if (word && answer.taken) {
          this.words.shift();
          this.told.sent(word.id);
        }
        this.told.showProblem("");
        if (answer.shows !== this.seen && Date.now() - this.heardAt > BREATH) this.heardAt = 0;
        else if (!this.words.length || (word && !answer.taken)) await this.nudged(BREATH);
      }
    } finally {
      stream.abort();
    }
  }

  /**
   * Send a message and return the answer. If it takes long, report the problem before the retries end.
   * @param {Session} session @param {import("/page_data").PadMessage} message
   */
  exchange(session, message) {
    const late = setTimeout(() => this.told.showProblem("away"), SILENCE);
    return session.say(message).finally(() => clearTimeout(late));
  }

  /**
   * Open the stream of views. The next message has to wait, because it has the next counter.
   * @param {Session} session @param {AbortController} stream
   */
  async listen(session, stream) {
    const { body } = session.seal({});
    const late = setTimeout(() => stream.abort(), PATIENCE);
    try {
      const { signal } = stream;
      const answer = await fetch("/listen", { method: "POST", body, signal, cache: "no-store" });
      if (answer.status === 403) throw new Stale();
      if (!answer.ok || !answer.body) throw new Lost();
      this.heardAt = Date.now();
      this.read(session, answer.body.getReader(), signal);
    } catch (error) {
      throw error instanceof Stale ? error : new Lost();
    } finally {
      clearTimeout(late);
    }
  }

  /**
   * Read views until the stream ends, and then have a new stream opened.
   * @param {Session} session @param {ReadableStreamDefaultReader<Uint8Array>} reader
   * @param {AbortSignal} signal
   */
  async read(session, reader, signal) {
    const text = new TextDecoder();
    try {
      for (let rest = ""; ; ) {
        const { value, done } = await reader.read();
        if (done) break;
        this.heardAt = Date.now();
        rest += text.decode(value, { stream: true });
        const events = rest.split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) if (event.startsWith("data: ")) this.take(session, event.slice(6));
      }
    } catch (_error) {
      // The stream broke, for whatever reason.
    }
    if (signal.aborted) return;
    await rest(500);
    this.heardAt = 0;
    this.nudge();
  }

  /** @param {Session} session @param {string} written */
  take(session, written) {
    const told = session.open(written);
    if (!told) return;
    this.seen = told.shows;
    this.told.shown(told.state, told.now);
  }

  /** Wait, but return as soon as there is something to send. @param {number} milliseconds */
  nudged(milliseconds) {
    return Promise.race([rest(milliseconds), new Promise((go) => (this.nudge = () => go(null)))]);
  }
}
