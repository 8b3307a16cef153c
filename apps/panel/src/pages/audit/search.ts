import type { AuditEntriesQueryVariables } from "../../_generated/audit.ts";

/** The filters of the audit log, as its URL has them. */
export interface AuditSearch {
  /** Id of an admin key. */
  readonly key?: string;
  /** Slug of a client. */
  readonly client?: string;
  readonly action?: string;
  /** An email address, or System. */
  readonly actor?: string;
  /** The type of the changed object. */
  readonly type?: string;
  /** The id of the changed object. */
  readonly target?: string;
  /** The first day, in UTC. */
  readonly from?: string;
  /** The last day, in UTC. */
  readonly to?: string;
}

const DAY_MS = 86_400_000;
/** The latest time that the service accepts. */
const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** The filters in the URL; empty ones and invalid days are ignored. */
export function auditSearch(given: Readonly<Record<string, unknown>>): AuditSearch {
  const { key, client, action, actor, type, target } = given;
  const texts = Object.entries({
    key,
    client,
    action,
    actor,
    type,
    target,
    from: day(given, "from"),
    to: day(given, "to"),
  })
    // The router parses numeric values as numbers.
    .map(([name, value]) => [name, String(value ?? "").trim()]);
  return Object.fromEntries(texts.filter(([, value]) => value !== ""));
}

function day(given: Readonly<Record<string, unknown>>, name: "from" | "to"): string | null {
  const text = String(given[name] ?? "").trim();
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) return null;
  // A day that does not exist is parsed as one of the next month.
  return new Date(text).toISOString().startsWith(text) ? text : null;
}

export type AuditFilter = Omit<AuditEntriesQueryVariables, "first" | "after">;

/** The service's filter: days are from midnight to midnight, in UTC. */
export function filterOf({ key, client, action, actor, type, target, from, to }: AuditSearch): AuditFilter {
  return {
    apiKeyId: key ?? null,
    clientSlug: client ?? null,
    action: action ?? null,
    actor: actor ?? null,
    targetType: type ?? null,
    targetId: target ?? null,
    from: from === undefined ? null : new Date(from).toISOString(),
    to: to === undefined ? null : new Date(Math.min(Date.parse(to) + DAY_MS, LATEST_MS)).toISOString(),
  };
}
