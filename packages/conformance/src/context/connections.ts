import type { Connection, SubjectScope } from "../_generated/consumerWire.ts";
import { ALL_CAPABILITIES, AttemptSteps, type ConnectOptions } from "./attempts.ts";
import { Mismatch } from "./expectation.ts";

export interface Connected {
  readonly scope: SubjectScope;
  readonly connectionId: string;
}

/** Linked accounts. */
export class ConnectionSteps extends AttemptSteps {
  async connect(options: ConnectOptions = {}): Promise<Connected> {
    const { scope, result } = await this.attempt(options);
    this.equal(result.status, "COMPLETED", `the attempt completes (resultCode ${result.resultCode})`);
    if (result.connectionId === null) throw new Mismatch("a completed attempt names its connection", "an id", null);
    return { scope, connectionId: result.connectionId };
  }

  readConnection({ scope, connectionId }: Connected): Promise<Connection> {
    return this.get("connection", { scope, id: connectionId });
  }

  /** The row as `connections` lists it, or null when it is not listed. */
  async listedConnection({ scope, connectionId }: Connected): Promise<Connection | null> {
    const page = await this.get("connections", { scope, first: 100 });
    return page.items.find((item) => item.id === connectionId) ?? null;
  }

  /** Connects, and waits for the connection's first scan and profile read. */
  async connectAndSettle(options: ConnectOptions = {}): Promise<Connected & { connection: Connection }> {
    const connected = await this.connect(options);
    const wanted = options.capabilities ?? ALL_CAPABILITIES;
    const connection = await this.eventually(
      "the first reads of a connection end",
      () => this.readConnection(connected),
      (row) =>
        (!wanted.includes("CONTENT_LIST") || !["PENDING", "RUNNING"].includes(row.syncStatus)) &&
        (!wanted.includes("PROFILE") || row.profile !== null),
    );
    return { ...connected, connection };
  }

  untilRow(
    connected: Connected,
    what: string,
    isThere: (row: Connection) => boolean,
    patienceMs?: number,
  ): Promise<Connection> {
    return this.eventually(what, () => this.readConnection(connected), isThere, patienceMs);
  }

  untilStatus(connected: Connected, status: string): Promise<Connection> {
    return this.untilRow(connected, `the connection becomes ${status}`, (row) => row.status === status);
  }
}
