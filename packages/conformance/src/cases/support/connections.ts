import type { Connection, SubjectScope } from "../../_generated/consumerWire.ts";
import type { CaseContext } from "../../harness/context.ts";
import { Mismatch } from "../../harness/expectation.ts";
import { ALL_CAPABILITIES, attempt, type ConnectOptions } from "./attempts.ts";

export interface Connected {
  readonly scope: SubjectScope;
  readonly connectionId: string;
}

export async function connect(t: CaseContext, options: ConnectOptions = {}): Promise<Connected> {
  const { scope, result } = await attempt(t, options);
  t.equal(result.status, "COMPLETED", `the attempt completes (resultCode ${result.resultCode})`);
  if (result.connectionId === null) throw new Mismatch("a completed attempt names its connection", "an id", null);
  return { scope, connectionId: result.connectionId };
}

export function readConnection(t: CaseContext, { scope, connectionId }: Connected): Promise<Connection> {
  return t.get("connection", { scope, id: connectionId });
}

/** The row as `connections` lists it, or null when it is not listed. */
export async function listedConnection(t: CaseContext, { scope, connectionId }: Connected): Promise<Connection | null> {
  const page = await t.get("connections", { scope, first: 100 });
  return page.items.find((item) => item.id === connectionId) ?? null;
}

/** Connects, and waits for the connection's first scan and profile read. */
export async function connectAndSettle(
  t: CaseContext,
  options: ConnectOptions = {},
): Promise<Connected & { connection: Connection }> {
  const connected = await connect(t, options);
  const wanted = options.capabilities ?? ALL_CAPABILITIES;
  const connection = await t.eventually(
    "the first reads of a connection end",
    () => readConnection(t, connected),
    (row) =>
      (!wanted.includes("CONTENT_LIST") || !["PENDING", "RUNNING"].includes(row.syncStatus)) &&
      (!wanted.includes("PROFILE") || row.profile !== null),
  );
  return { ...connected, connection };
}

export function untilRow(
  t: CaseContext,
  connected: Connected,
  what: string,
  isThere: (row: Connection) => boolean,
  patienceMs?: number,
): Promise<Connection> {
  return t.eventually(what, () => readConnection(t, connected), isThere, patienceMs);
}

export function untilStatus(t: CaseContext, connected: Connected, status: string): Promise<Connection> {
  return untilRow(t, connected, `the connection becomes ${status}`, (row) => row.status === status);
}
