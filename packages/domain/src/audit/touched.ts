import { type AuditChange, changesOf } from "./changes.ts";

/** What an action affects, in the order in which confirmations and results name it. */
export const TOUCHED_KINDS = [
  "connections",
  "posts",
  "suspendedConnections",
  "clients",
  "keys",
  "sessions",
  "unfinishedAttempts",
  "attempts",
  "testers",
  "keptTesters",
  "events",
  "deliveries",
] as const;
export type TouchedKind = (typeof TOUCHED_KINDS)[number];

/** How much of each kind an action affects; a kind that it cannot affect is absent. */
export type Touched = { readonly [Kind in TouchedKind]?: number };

const PART = "affected";

/** For the audit entry of the action. */
export function touchedChanges(touched: Touched): readonly AuditChange[] {
  return changesOf({ [PART]: touched }, null);
}

/** What the action of an audit entry affected. */
export function touchedOf(changes: readonly AuditChange[]): Touched {
  const counts = changes.flatMap(({ field, before }) => {
    const kind = TOUCHED_KINDS.find((one) => field === `${PART}.${one}`);
    return kind === undefined || typeof before !== "number" ? [] : [[kind, before] as const];
  });
  return Object.fromEntries(counts);
}

const NOUNS: Readonly<Record<TouchedKind, readonly [one: string, more: string]>> = {
  connections: ["connection", "connections"],
  posts: ["post", "posts"],
  suspendedConnections: [
    "other connection to the same account or of the same user, which is suspended",
    "other connections to the same account or of the same user, which are suspended",
  ],
  clients: ["client", "clients"],
  keys: ["key", "keys"],
  sessions: ["session", "sessions"],
  unfinishedAttempts: ["unfinished attempt", "unfinished attempts"],
  attempts: ["attempt to connect or sign in", "attempts to connect or sign in"],
  testers: ["tester", "testers"],
  keptTesters: ["tester entry of another person, which stays", "tester entries of other persons, which stay"],
  events: ["event", "events"],
  deliveries: ["delivery", "deliveries"],
};

/** For example “12 connections, 1 post and no keys”; null when the action can affect nothing. */
export function touchedText(touched: Touched): string | null {
  const parts = TOUCHED_KINDS.flatMap((kind) => {
    const count = touched[kind];
    if (count === undefined || (count === 0 && kind === "keptTesters")) return [];
    const [one, more] = NOUNS[kind];
    return count === 1 ? `1 ${one}` : `${count === 0 ? "no" : count.toLocaleString("en")} ${more}`;
  });
  if (parts.length < 2) return parts[0] ?? null;
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
