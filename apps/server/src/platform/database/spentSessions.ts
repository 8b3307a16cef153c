interface Reported {
  readonly code?: string;
  readonly severity?: string;
}

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
