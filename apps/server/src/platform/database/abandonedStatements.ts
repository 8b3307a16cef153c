import { CallerGoneError, type Presence } from "../call/presence.ts";
import { currentTrail } from "../call/trail.ts";
import { type Send, sendAndObserve } from "./sentStatement.ts";

/** A statement that takes longer after its caller has left is ended with its connection: a new connection costs more than a shorter one. */
const GRACE_MS = 1_000;

/** Has no effect outside of a transaction. */
const READ = /^\s*(?:SELECT|BEGIN|SET|SHOW|SAVEPOINT|RELEASE|DEALLOCATE)\b/i;
/** Is sent in any case: the caller of a transaction waits for its end. */
const END = /^\s*(?:COMMIT|ROLLBACK)\b/i;

export interface Session {
  /** Whether a transaction is open. */
  readonly isInTransaction: boolean;
  /** Closes the connection; the server then ends the statement and rolls back. */
  readonly abort: () => void;
}

/**
 * Sends a statement unless its caller has left, and ends it if the caller leaves while it runs. From the first commit, or the first
 * change outside of a transaction, the caller's work runs to its end.
 */
export function sendForCaller(
  send: Send,
  statement: unknown,
  rest: readonly unknown[],
  session: () => Session,
): unknown {
  const { presence } = currentTrail();
  if (presence === undefined) return send(statement, ...rest);
  const callback = rest.at(-1);
  const refusal = refusalOf(presence, textOf(statement), session());
  if (refusal !== null) {
    if (typeof callback !== "function") return Promise.reject(refusal);
    return void process.nextTick(callback as (error: Error) => void, refusal);
  }
  return sendAndObserve(send, [statement, ...rest], abortWhenLeft(presence, session().abort));
}

function refusalOf(presence: Presence, text: string, { isInTransaction }: Session): Error | null {
  const isEnd = END.test(text);
  if (!isEnd && presence.isGone) return new CallerGoneError();
  const hasEffect = isEnd ? /^\s*C/i.test(text) : !isInTransaction && !READ.test(text);
  if (hasEffect) presence.beginEffect();
  return null;
}

function abortWhenLeft(presence: Presence, abort: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stay = presence.whenLeft(() => {
    timer = setTimeout(() => presence.isGone && abort(), GRACE_MS).unref();
  });
  return () => {
    stay();
    clearTimeout(timer);
  };
}

function textOf(statement: unknown): string {
  if (typeof statement === "string") return statement;
  const { text = "" } = (statement ?? {}) as { readonly text?: unknown };
  return typeof text === "string" ? text : "";
}
