import type { SocialProvider } from "../../packages/contract/src/index.ts";

/**
 * What callers and browsers received, and what they requested without a response. The checks compare the service with
 * it.
 */
export interface Facts {
  readonly sessions: Map<string, SessionFact>;
  readonly connections: Map<string, ConnectionFact>;
  readonly jobs: Map<string, JobFact>;
  readonly adminWrites: AdminWriteFact[];
  readonly accounts: Map<string, AccountFact>;
  readonly identities: Map<string, IdentityFact>;
  /** Unexpected process exits, and shutdowns that failed. */
  readonly processFailures: string[];
}

export interface Scope {
  readonly application: "demo" | "other";
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

/** An account at the simulator, opened for one journey. */
export interface AccountFact {
  readonly name: string;
  readonly provider: SocialProvider;
  readonly accountId: string;
  /** Accounts of one person share it: at the provider a revoke may end the grants of all of them. */
  readonly person: string;
  readonly script: string | null;
  /** A person ended its grants, or removed the app: connections of it may stop working. */
  endedByPerson: boolean;
}

export interface SessionFact {
  readonly id: string;
  readonly scope: Scope;
  readonly provider: SocialProvider;
  readonly account: string;
  /** How many days the clock had been moved on when it was made: a result is readable for one. */
  readonly day: number;
  /** Whether the browser came to post the launch token. */
  isLaunched: boolean;
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

export interface ConnectionFact {
  readonly id: string;
  readonly scope: Scope;
  readonly provider: SocialProvider;
  readonly account: string;
  /** A disconnect was sent; only `receipts` show whether it arrived. */
  isDisconnectSent: boolean;
  receipts: Receipts | null;
  /** The receipt reports that the grant may still exist at the provider. */
  mustRemoveApp: boolean;
  /** A check has found it erased, and its receipts right. */
  isErased: boolean;
}

export interface Receipts {
  readonly revokeJobId: string;
  readonly eraseJobId: string;
}

export interface JobFact {
  readonly id: string;
  readonly connectionId: string;
  readonly scope: Scope;
  isChecked: boolean;
}

/** A tenant key that was to be added; `answer` is what the caller knows of it. */
export interface AdminWriteFact {
  readonly application: "demo" | "other";
  readonly tenantKey: string;
  readonly answer: "acknowledged" | "unknown" | "refused";
}

export interface IdentityFact {
  readonly id: string;
  readonly application: "demo" | "other";
  /** Redeems that were answered with a finished status. */
  redeemed: number;
}

export function noFacts(): Facts {
  return {
    sessions: new Map(),
    connections: new Map(),
    jobs: new Map(),
    adminWrites: [],
    accounts: new Map(),
    identities: new Map(),
    processFailures: [],
  };
}

export const UNFINISHED: readonly string[] = ["CREATED", "AUTHORIZING", "EXCHANGING"];

export function wireScope({ tenantKey, externalSubjectId }: Scope) {
  return { tenantKey, externalSubjectId };
}

/** Notes a connection that an attempt is known to have come to. */
export function knowConnection(facts: Facts, session: SessionFact, id: string): ConnectionFact {
  const known = facts.connections.get(id);
  if (known !== undefined) return known;
  const { scope, provider, account } = session;
  const connection: ConnectionFact = {
    id,
    scope,
    provider,
    account,
    isDisconnectSent: false,
    receipts: null,
    mustRemoveApp: false,
    isErased: false,
  };
  facts.connections.set(id, connection);
  return connection;
}
