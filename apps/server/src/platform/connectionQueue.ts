import { AppError } from "@social-connect/domain";
import { CallerGoneError, type Presence } from "./presence.ts";

/** More would wait longer than their callers do. */
const MOST_WAITING = 100;

type Enter = (error: Error | null) => void;

interface Waiting {
  readonly enter: Enter;
  readonly timer: NodeJS.Timeout;
  readonly stay: () => void;
}

/**
 * Lets some requests at a time take a connection. More wait in a short queue, which a request leaves with its caller; beyond it
 * they are refused.
 */
export class ConnectionQueue {
  readonly #timeoutMs: number;
  readonly #onRefused: () => void;
  readonly #waiting = new Set<Waiting>();
  #free: number;

  constructor(places: number, timeoutMs: number, onRefused: () => void) {
    this.#free = places;
    this.#timeoutMs = timeoutMs;
    this.#onRefused = onRefused;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** `enter` is called once, without an error when the request may take a connection; `exit` then gives its place back. */
  enter(presence: Presence, enter: Enter): void {
    if (presence.isGone) return void process.nextTick(enter, new CallerGoneError());
    if (this.#free > 0) {
      this.#free -= 1;
      return void enter(null);
    }
    if (this.#waiting.size >= MOST_WAITING) return void this.#refuse(enter);
    const settle = (run: () => void) => {
      if (!this.#waiting.delete(waiting)) return;
      this.#stop(waiting);
      run();
    };
    const waiting: Waiting = {
      enter,
      timer: setTimeout(() => settle(() => this.#refuse(enter)), this.#timeoutMs).unref(),
      stay: presence.whenLeft(() => presence.isGone && settle(() => enter(new CallerGoneError()))),
    };
    this.#waiting.add(waiting);
  }

  exit(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    this.#stop(next);
    next.enter(null);
  }

  #stop({ timer, stay }: Waiting): void {
    clearTimeout(timer);
    stay();
  }

  #refuse(enter: Enter): void {
    this.#onRefused();
    const message = "The service is busy. Try again later.";
    process.nextTick(enter, new AppError({ code: "UPSTREAM_UNAVAILABLE", message, retryAfterSeconds: 1 }));
  }
}
