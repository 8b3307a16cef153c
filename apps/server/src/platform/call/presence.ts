import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "@social-connect/domain";

/** The caller disconnected before its response. No one reads this error. */
export class CallerGoneError extends AppError {
  constructor(cause?: unknown) {
    super({ code: "UPSTREAM_UNAVAILABLE", message: "The request was aborted." }, { cause });
  }
}

/**
 * Whether someone waits for the work in progress. When the caller disconnects, its work ends with the next statement, unless it has
 * had an effect: after a commit or a call to a provider it runs to its end.
 */
export class Presence {
  /** The application or admin whose key or session was valid before; null for others, which share few database connections. */
  readonly owner: string | null;
  /** Whose turn it takes for a connection: the owner, or the network and kind of request of an unknown caller. */
  readonly turnOf: string;
  #hasLeft = false;
  #hasEffect = false;
  readonly #onLeave = new Set<() => void>();

  constructor(owner: string | null, turnOf = owner ?? "") {
    this.owner = owner;
    this.turnOf = turnOf;
  }

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Whether its work should end. */
  get isGone(): boolean {
    return this.#hasLeft && !this.#hasEffect;
  }

  /** Registers a function to run when the caller disconnects; returns how to remove it. */
  readonly whenLeft = (run: () => void): (() => void) => {
    if (this.#hasLeft) queueMicrotask(run);
    else this.#onLeave.add(run);
    return () => this.#onLeave.delete(run);
  };

  leave(): void {
    this.#hasLeft = true;
    for (const run of this.#onLeave) run();
    this.#onLeave.clear();
  }

  /** From now on the work has done something that its end would not undo. */
  beginEffect(): void {
    this.#hasEffect = true;
  }

  requirePresence(): void {
    if (this.isGone) throw new CallerGoneError();
  }
}

const waiting = new WeakMap<Duplex, Set<Presence>>();

/**
 * Observes the caller of a request. Node closes only the first response of a closed connection, so this observes the connection:
 * the other pipelined requests would never learn that their caller has left.
 */
export function presenceOf(
  { socket }: IncomingMessage,
  response: ServerResponse,
  owner: string | null,
  turnOf: string,
): Presence {
  const presence = new Presence(owner, turnOf);
  const ofSocket = waiting.get(socket) ?? watch(socket);
  ofSocket.add(presence);
  if (socket.destroyed) presence.leave();
  response.once("close", () => {
    ofSocket.delete(presence);
    if (!response.writableFinished) presence.leave();
  });
  return presence;
}

function watch(socket: Duplex): Set<Presence> {
  const ofSocket = new Set<Presence>();
  waiting.set(socket, ofSocket);
  socket.once("close", () => {
    for (const each of ofSocket) each.leave();
  });
  return ofSocket;
}
