import type { SocialProvider } from "../../packages/contract/src/index.ts";

/** What callers and browsers received, and what they requested without a response. The checks compare the service with it. */
export class Known {
  readonly sessions = new Map<string, Session>();
  readonly connections = new Map<string, Connection>();
  readonly jobs = new Map<string, Job>();
  readonly adminWrites: AdminWrite[] = [];
  readonly accounts = new Map<string, Account>();
  /** Unexpected process exits, and shutdowns that failed. */
  readonly processFailures: string[] = [];

  /** A connection that an attempt is known to have come to. */
  connectionOf({ scope, provider, account }: Session, id: string): Connection {
    const made = { id, scope, provider, account, isDisconnectSent: false, receipts: null };
    const connection = this.connections.get(id) ?? { ...made, mustRemoveApp: false, isErased: false };
    this.connections.set(id, connection);
    return connection;
  }
}

export interface Scope {
  readonly application: "demo" | "other";
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

/** An account at the simulator, opened for one journey. */
export interface Account {
  readonly name: string;
  readonly provider: SocialProvider;
  readonly accountId: string;
  /** Accounts of one person share it: at the provider a revoke may end the grants of all of them. */
  readonly person: string;
  readonly script: string | null;
  /** A person ended its grants, or removed the app: connections of it may stop working. */
  endedByPerson: boolean;
}

export interface Session {
  readonly id: string;
  readonly scope: Scope;
  readonly provider: SocialProvider;
  readonly account: string;
  /** How many days the clock had been moved on when it was made: a result is readable for one. */
  readonly day: number;
  /** Callbacks that were sent, answered or not. */
  callbacks: number;
  /** The status in the redirect to the application; null: no redirect. */
  browserSaw: string | null;
  /** A finished status and its connection as first read: neither may change. */
  finished: { readonly status: string; readonly connectionId: string | null } | null;
  /** The result says that the person has to remove the app at the provider. */
  mustRemoveApp: boolean;
  /** A check has held it to everything it should come to. */
  isChecked: boolean;
}

export interface Connection {
  readonly id: string;
  readonly scope: Scope;
  readonly provider: SocialProvider;
  readonly account: string;
  /** A disconnect was sent; only `receipts` show whether it arrived. */
  isDisconnectSent: boolean;
  receipts: { readonly revokeJobId: string; readonly eraseJobId: string } | null;
  /** The receipt reports that the grant may still exist at the provider. */
  mustRemoveApp: boolean;
  /** A check has found it erased, and its receipts right. */
  isErased: boolean;
}

interface Job {
  readonly id: string;
  readonly connectionId: string;
  isChecked: boolean;
}

/** A tenant key that was to be added; `answer` is what the caller knows of it. */
interface AdminWrite {
  readonly application: "demo" | "other";
  readonly tenantKey: string;
  readonly answer: "acknowledged" | "unknown" | "refused";
}

export const UNFINISHED: readonly string[] = ["CREATED", "AUTHORIZING", "EXCHANGING"];
