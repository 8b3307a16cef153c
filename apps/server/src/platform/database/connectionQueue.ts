import { AppError } from "@social-connect/domain";
import { CallerGoneError, type Presence } from "../call/presence.ts";

/** The most waiting requests of one owner: more would wait longer than their callers do. */
const MOST_WAITING = 100;

type Enter = (error: Error | null) => void;

/** Starts a waiting request. */
type Start = () => void;

/**
 * Lets some requests at a time take a connection. More of an owner's requests wait in its own short queue, which a request leaves
 * with its caller; beyond it they are refused. Owners with waiting requests take turns. The owner of unknown callers is their network.
 */
export class ConnectionQueue {
  readonly #timeoutMs: number;
  readonly #onRefused: () => void;
  /** By whose turn a request takes, in the order of the turns. */
  readonly #waiting = new Map<string, Set<Start>>();
  #free: number;

  constructor(places: number, timeoutMs: number, onRefused: () => void) {
    this.#free = places;
    this.#timeoutMs = timeoutMs;
    this.#onRefused = onRefused;
  }

  /** `enter` is called once, without an error when the request may take a connection; `exit` then gives its place back. */
  enter(presence: Presence, enter: Enter): void {
    if (presence.isGone) return void process.nextTick(enter, new CallerGoneError());
    if (this.#free > 0) {
      this.#free -= 1;
      return void enter(null);
    }
    const { turnOf: owner } = presence;
    const queue = this.#waiting.get(owner) ?? new Set();
    if (queue.size >= MOST_WAITING) return void this.#refuse(enter);
    const settle = (run: () => void) => {
      if (!queue.delete(start)) return;
      if (queue.size === 0) this.#waiting.delete(owner);
      clearTimeout(timer);
      stay();
      run();
    };
    const start = () => settle(() => enter(null));
    const timer = setTimeout(() => settle(() => this.#refuse(enter)), this.#timeoutMs).unref();
    const stay = presence.whenLeft(() => presence.isGone && settle(() => enter(new CallerGoneError())));
    queue.add(start);
    this.#waiting.set(owner, queue);
  }

  exit(): void {
    const [turn] = this.#waiting;
    if (turn === undefined) {
      this.#free += 1;
      return;
    }
    const [owner, queue] = turn;
    const [start] = queue;
    // The owner's next turn is the last.
    this.#waiting.delete(owner);
    this.#waiting.set(owner, queue);
    start?.();
  }

  #refuse(enter: Enter): void {
    this.#onRefused();
    const message = "The service is busy. Try again later.";
    process.nextTick(enter, new AppError({ code: "UPSTREAM_UNAVAILABLE", message, retryAfterSeconds: 1 }));
  }
}
