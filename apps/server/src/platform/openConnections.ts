import type { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { type Session, sendForCaller } from "./abandonedStatements.ts";
import { SessionClient } from "./sessionSettings.ts";
import { isSpent, watchSession } from "./spentSessions.ts";
import type { Tracing } from "./telemetry.ts";
import { tracedQuery } from "./tracedStatements.ts";

/** An unreachable server never confirms a close; nothing waits for it longer than this. */
const CLOSE_TIMEOUT_MS = 2_000;

interface ConnectionOptions {
  /** A pooler in transaction mode: statements have no names, and sessions keep the settings of the pooler. */
  readonly isPooled?: boolean;
  readonly tracing?: Tracing | null;
}

type Send = (...parameters: readonly unknown[]) => unknown;
type Release = (error?: Error | boolean) => void;

/**
 * Tracks open database connections. A pool's `end` settles before its connections are closed; a database that stops in
 * between terminates them, which is then reported as a fault (57P01) although nothing is wrong. Code that stops or drops the database waits for `closed`.
 * No pool takes a spent session back.
 */
export class OpenConnections {
  readonly #open = new Map<object, Promise<void>>();

  /** How many errors PostgreSQL has reported on these connections, by SQLSTATE. */
  readonly errors = new Map<string, number>();

  /** For a pool's option `Client`: creates tracked connections. */
  readonly Client: new () => pg.Client;

  constructor({ isPooled = false, tracing = null }: ConnectionOptions) {
    const watch = (client: pg.Client) => {
      const closed = new Promise<void>((resolve) => client.once("end", resolve));
      this.#open.set(
        client,
        closed.then(() => void this.#open.delete(client)),
      );
      // The one event that has each error, also of a statement whose caller handles it.
      const { connection } = client as unknown as { readonly connection: EventEmitter };
      connection.on("errorMessage", ({ code }: { readonly code?: string }) => this.#count(code));
    };
    this.Client = class extends (isPooled ? pg.Client : SessionClient) {
      #release: Release = () => undefined;
      /** A statement timed out in the driver. It is still in progress, and what comes next would wait for it. */
      #isHung = false;

      /** A pool sets this each time it gives the client away. With an error or `true` it closes the client. */
      get release(): Release {
        return (error) => this.#release(error || this.#isHung || isSpent(this));
      }
      set release(release: Release) {
        this.#release = release;
      }

      readonly #session: Session;

      constructor(config?: pg.ClientConfig) {
        super(config);
        const isInTransaction = () => !["I", null].includes(this.getTransactionStatus());
        const { connection } = this as unknown as { readonly connection: { readonly stream: Duplex } };
        this.#session = {
          get isInTransaction() {
            return isInTransaction();
          },
          abort: () => connection.stream.destroy(),
        };
        // The loss of a connection fails its statement, which is enough. Without a listener it would end the process, also
        // before a pool listens: a server can end a session with the packet that begins it.
        this.on("error", () => undefined);
        watch(this);
        watchSession(this);
      }

      override query(statement: unknown, ...rest: unknown[]): never {
        const send = super.query.bind(this) as Send;
        const sent = isPooled ? withoutName(statement) : statement;
        const result = sendForCaller(
          (...parameters) => tracedQuery(tracing, send, parameters[0], parameters.slice(1)),
          sent,
          rest,
          () => this.#session,
        );
        if (result instanceof Promise) {
          result.catch(({ message }: Error) => {
            this.#isHung ||= message === "Query read timeout";
          });
        }
        return result as never;
      }
    };
  }

  #count(sqlState: string | undefined): void {
    if (sqlState !== undefined) this.errors.set(sqlState, (this.errors.get(sqlState) ?? 0) + 1);
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
