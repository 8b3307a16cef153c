import type { EventEmitter } from "node:events";
import { performance } from "node:perf_hooks";
import type pg from "pg";

interface Reported {
  readonly code?: string;
  readonly severity?: string;
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** Where a session is: the server reports these two settings at the start of a session and whenever they change. */
const READ_ONLY_SETTINGS: ReadonlySet<string> = new Set(["in_hot_standby", "default_transaction_read_only"]);

/** A session that accepts no changes is replaced this often, so that reads find the primary again after a failover. */
const READ_ONLY_MS = 1_000;

/**
 * SQLSTATEs that concern only the statement: its values, a constraint, a conflict with another transaction, a timeout. With any other
 * the fault may be the session's, for example 25006 (read-only after a failover), 26000 (its prepared statements are missing), 0A000 (a cached
 * plan no longer fits), 42501 or 42P01 (settings and privileges of its start), XX000. A new session takes a few milliseconds.
 */
const STATEMENT_ERROR = /^(?:2[123]|40(?!003)|44|P0|55P03$|57014$)/;

/** Whether a session that reported this error can be used again. */
export function keepsSession(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = "", severity } = error as Reported;
  return severity === "ERROR" && STATEMENT_ERROR.test(code);
}

const spent = new WeakMap<object, () => boolean>();

/** Whether a session should be replaced when its work is done: it would fail the next statement as well. */
export function isSpent(client: object): boolean {
  return spent.get(client)?.() ?? false;
}

export function watchSession(client: pg.Client): void {
  const { connection } = client as unknown as { readonly connection: EventEmitter };
  const readOnly = new Set<string>();
  const startedAt = performance.now();
  let hasFailed = false;
  // Before the driver's own listener, which passes the error to the caller.
  connection.on("errorMessage", (error: unknown) => {
    if (!keepsSession(error)) hasFailed = true;
  });
  connection.on("parameterStatus", ({ parameterName, parameterValue }: ParameterStatus) => {
    if (!READ_ONLY_SETTINGS.has(parameterName)) return;
    if (parameterValue === "on") readOnly.add(parameterName);
    else readOnly.delete(parameterName);
  });
  const isInTransaction = () => !["I", null].includes(client.getTransactionStatus());
  spent.set(client, () => {
    if (hasFailed || isInTransaction()) return true;
    return readOnly.size > 0 && performance.now() - startedAt > READ_ONLY_MS;
  });
}
