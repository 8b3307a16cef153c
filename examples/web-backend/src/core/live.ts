import { createHash } from "node:crypto";

/** What a page shows, reduced to a version: it changes when the page should. */
export interface LiveState {
  readonly version: string;
  /** Whether a change is expected soon. */
  readonly isBusy: boolean;
}

export interface Timer {
  /** Resolves after `durationMs`, or rejects as soon as the signal is aborted. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

export interface LiveLimits {
  readonly streams: number;
  readonly streamsPerUser: number;
}

const LIMITS: LiveLimits = { streams: 200, streamsPerUser: 6 };
const BUSY_INTERVAL_MS = 2_000;
const QUIET_INTERVAL_MS = 15_000;
/** After this the browser opens a new stream, which checks the session again. */
const LIFETIME_MS = 10 * 60_000;
const RECONNECT_MS = 2_000;

/**
 * Streams of server-sent events. A stream reads the state of its page at an interval and sends an event when the version
 * changed, and a heartbeat otherwise. The id of an event is the version, so a browser that reconnects with Last-Event-ID,
 * to this process or another, gets an event exactly if it missed a change.
 */
export class LiveStreams {
  readonly #timer: Timer;
  readonly #limits: LiveLimits;
  readonly #stopper = new AbortController();
  readonly #userIds: string[] = [];

  constructor(timer: Timer, limits: LiveLimits = LIMITS) {
    this.#timer = timer;
    this.#limits = limits;
  }

  /** The number of open streams. */
  get count(): number {
    return this.#userIds.length;
  }

  /** Undefined when too many streams are open. `since` is the version that the browser shows. */
  open(userId: string, since: string, read: () => Promise<LiveState>): ReadableStream<Uint8Array> | undefined {
    const ofUser = this.#userIds.filter((id) => id === userId).length;
    if (this.count >= this.#limits.streams || ofUser >= this.#limits.streamsPerUser) return undefined;
    this.#userIds.push(userId);
    const closer = new AbortController();
    const signal = AbortSignal.any([closer.signal, this.#stopper.signal]);
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        void this.#follow(since, read, send, signal).finally(() => {
          this.#userIds.splice(this.#userIds.indexOf(userId), 1);
          if (!closer.signal.aborted) controller.close();
        });
      },
      cancel: () => closer.abort(),
    });
  }

  /** Ends all streams, so that the process can exit. */
  stop(): void {
    this.#stopper.abort();
  }

  async #follow(
    since: string,
    read: () => Promise<LiveState>,
    send: (text: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    let shown = since;
    let leftMs = LIFETIME_MS;
    try {
      send(`retry: ${RECONNECT_MS}\n\n`);
      while (leftMs > 0) {
        const { version, isBusy } = await read();
        signal.throwIfAborted();
        send(version === shown ? ": heartbeat\n\n" : `id: ${version}\nevent: changed\ndata: ${version}\n\n`);
        shown = version;
        const intervalMs = isBusy ? BUSY_INTERVAL_MS : QUIET_INTERVAL_MS;
        await this.#timer.sleep(intervalMs, signal);
        leftMs -= intervalMs;
      }
    } catch {
      // The browser left, the process ends, or the state cannot be read: the browser reconnects if it is still there.
    }
  }
}

export function versionOf(state: unknown): string {
  return createHash("sha256").update(JSON.stringify(state)).digest("base64url").slice(0, 22);
}
