import { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { Tracing } from "../log/telemetry.ts";
import { type Session, sendForCaller } from "./abandonedStatements.ts";
import { type Send, sendAndObserve } from "./sentStatement.ts";
import { SessionClient } from "./sessionSettings.ts";
import { keepsSession } from "./spentSessions.ts";
import { tracedQuery } from "./tracedStatements.ts";

/** An unreachable server never confirms a close; nothing waits for it longer than this. */
const CLOSE_TIMEOUT_MS = 2_000;

interface ConnectionOptions {
  /** A pooler in transaction mode: statements have no names, and sessions keep the settings of the pooler. */
  readonly isPooled?: boolean;
  /** A session is replaced at this age, so that reads find the primary again after a failover. */
  readonly lifetimeMs: number;
  readonly tracing?: Tracing | null;
}

type Release = (error?: Error | boolean) => void;

interface Tracked {
  readonly socket: Duplex;
  readonly isSpent: () => boolean;
}

const tracked = new WeakMap<object, Tracked>();

/** Whether a session should be replaced when its work is done: it is old, or would fail the next statement as well. */
export function isSpent(client: object): boolean {
  return tracked.get(client)?.isSpent() ?? false;
}

/** The TCP connection of a client. */
export function socketOf(client: object): Duplex | undefined {
  return tracked.get(client)?.socket;
}

/**
 * Tracks open database connections. A pool's `end` settles before its connections are closed; a database that stops in
 * between terminates them, which is then reported as a fault (57P01) although nothing is wrong. Code that stops or drops the database waits for `closed`.
 * No pool takes a spent session back.
 */
export class OpenConnections {
  readonly #open = new Map<object, Promise<void>>();

  /** How many errors PostgreSQL has reported on these connections, by SQLSTATE. */
  readonly errors = new Map<string, number>();

  /** The error that ends a session is the same object for each of its statements, and counts once. */
  readonly #counted = new WeakSet<object>();

  /** For a pool's option `Client`: creates tracked connections. */
  readonly Client: new () => pg.Client;

  constructor({ isPooled = false, lifetimeMs, tracing = null }: ConnectionOptions) {
    const watch = (client: pg.Client) => {
      const closed = new Promise<void>((resolve) => client.once("end", resolve));
      this.#open.set(
        client,
        closed.then(() => void this.#open.delete(client)),
      );
    };
    const count = (error: unknown) => this.#count(error);
    this.Client = class extends (isPooled ? pg.Client : SessionClient) {
      #release: Release = () => undefined;

      /** A pool sets this each time it gives the client away. With an error or `true` it closes the client. */
      get release(): Release {
        return (error) => this.#release(error || isSpent(this));
      }
      set release(release: Release) {
        this.#release = release;
      }

      readonly #session: Session;
      /** An error that the next statement would meet too. A statement that timed out in the driver is still in progress. */
      #hasFailed = false;

      constructor(config?: pg.ClientConfig) {
        const socket = config?.stream?.() ?? new Socket();
        super({ ...config, stream: () => socket });
        const startedAt = performance.now();
        const isInTransaction = () => !["I", null].includes(this.getTransactionStatus());
        this.#session = {
          get isInTransaction() {
            return isInTransaction();
          },
          abort: () => socket.destroy(),
        };
        const isSpent = () => this.#hasFailed || isInTransaction() || performance.now() - startedAt > lifetimeMs;
        tracked.set(this, { socket, isSpent });
        // The loss of a connection fails its statement, which is enough. Without a listener it would end the process, also
        // before a pool listens: a server can end a session with the packet that begins it.
        this.on("error", count);
        watch(this);
      }

      override connect(...parameters: readonly unknown[]): never {
        return sendAndObserve(super.connect.bind(this) as Send, parameters, count) as never;
      }

      override query(statement: unknown, ...rest: unknown[]): never {
        const query = super.query.bind(this) as Send;
        const onEnd = (error: unknown) => {
          if (error === null) return;
          count(error);
          if (!keepsSession(error)) this.#hasFailed = true;
        };
        const send: Send = (...parameters) => sendAndObserve(query, parameters, onEnd);
        return sendForCaller(
          (sent, ...others) => tracedQuery(tracing, send, sent, others),
          isPooled ? withoutName(statement) : statement,
          rest,
          () => this.#session,
        ) as never;
      }
    };
  }

  #count(error: unknown): void {
    const reported = Object(error) as { readonly code?: string; readonly severity?: string };
    const { code, severity } = reported;
    // Errors of the driver and of the network have no severity.
    if (code === undefined || severity === undefined || this.#counted.has(reported)) return;
    this.#counted.add(reported);
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }

  /** Settles when no connection is open. Call it after the pools have ended. */
  async closed(): Promise<void> {
    const tired = new AbortController();
    await Promise.race([
      Promise.all(this.#open.values()),
      setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false, signal: tired.signal }).catch(() => undefined),
    ]);
    tired.abort();
  }
}

/** Returns text, and objects with methods, unchanged. */
function withoutName(statement: unknown): unknown {
  const isConfig =
    typeof statement === "object" && statement !== null && "text" in statement && !("submit" in statement);
  return isConfig ? { ...statement, name: undefined } : statement;
}
