import type { Capability, Provider, ProviderCall, ProviderFault } from "../../../packages/conformance/src/index.ts";
import type { AdminOperationName } from "../../../packages/conformance/src/wire/documents.ts";

/** The number of the step that made something: what a later step refers to it by. */
export type Ref = number;

/** A subject of one of the two tenants. */
export interface Subject {
  readonly tenant: "one" | "two" | "unregistered";
  readonly subject: string;
}

/** A duration in hours before (positive) or after (negative) the step. */
export interface Window {
  readonly fromHoursAgo: number;
  readonly toHoursAgo: number;
}

/** The id of a connection, session or job: a result of a step, or an unknown id. */
export type Target = Ref | "unknown" | "malformed";

/** The id or string of a record that a step created on each side, as an argument of an admin operation; `newest`: counted from the newest. */
export type AdminReference =
  | { readonly is: "application"; readonly of: Target }
  | { readonly is: "adminKey" | "member" | "applicationKey" | "keyApplication"; readonly newest: number }
  | { readonly is: "newestAdminKeyId" }
  | { readonly is: "registration"; readonly provider: Provider }
  | { readonly is: "accountId"; readonly provider: Provider; readonly account: string }
  | { readonly is: "registrationInput"; readonly provider: Provider; readonly capabilities: readonly Capability[] };

/** Arguments of an admin operation: literal values, and references. */
export type AdminArguments = Readonly<Record<string, unknown>>;

export function isReference(value: unknown): value is AdminReference {
  return typeof value === "object" && value !== null && "is" in value;
}

/** What a sequence can do, with its arguments. */
interface Actions {
  // Connect, at the consumer API and in the browser
  createSession: {
    app: Ref;
    who: Subject;
    provider: Provider;
    capabilities: readonly Capability[];
    returnUrl: "registered" | "other" | "unregistered" | "fragment" | "reserved" | "preview";
    reconnect?: Target | undefined;
    browser: string;
  };
  launch: {
    session: Ref;
    browser: string;
    origin: "right" | "wrong" | "opaque" | "none";
    token: "right" | "wrong" | "missing";
  };
  consent: {
    session: Ref;
    account: string;
    decision: "allow" | "deny";
    scopes: "all" | "none" | "first" | "last" | "butLast";
  };
  callback: { session: Ref; browser: string; change: "none" | "state" | "error" | "nothing" | "code" };
  result: { session: Target; app: Ref; who?: Subject | undefined };
  // Reads and jobs
  connection: { connection: Target; app: Ref; who?: Subject | undefined };
  connections: { app: Ref; who: Subject; first: number | null };
  content: { connection: Target; app: Ref; window: Window; first: number };
  contentItem: { connection: Target; app: Ref; post: Target };
  /** `continues`: the scan whose continuation cursor is passed on. */
  refresh: {
    connection: Target;
    app: Ref;
    window?: Window | undefined;
    maxItems?: number | undefined;
    post?: Target;
    continues?: Target;
  };
  lookup: { connection: Target; app: Ref; post: Ref | "foreign" | "other-host" | "http" | "long" };
  job: { connection: Target; app: Ref; job: Target };
  disconnect: { connection: Target; app: Ref; who?: Subject | undefined };
  receipts: { connection: Ref; app: Ref };
  // Identity handoff
  createIdentity: { app: Ref; tenant: Subject["tenant"]; returnUrl: "registered" | "unregistered"; browser: string };
  launchIdentity: { identity: Ref; browser: string; origin: "right" | "wrong" };
  signIn: { identity: Ref; person: string; decision: "allow" | "deny" };
  identityCallback: { identity: Ref; browser: string; change: "none" | "state" | "error" };
  redeem: { identity: Target; app: Ref; tenant: Subject["tenant"]; proof: "right" | "wrong" };
  // What concerns the whole API
  status: { app: Ref };
  readiness: { app: Ref };
  // Admin API and panel
  admin: { operation: AdminOperationName; args: AdminArguments; key: "write" | "read" | "wrong" | number };
  panel: { operation: AdminOperationName; args: AdminArguments; person: string };
  createApplication: object;
  // Providers, faults and time
  publish: { provider: Provider; account: string; hoursAgo: number };
  visibility: { post: Ref; visibility: "public" | "private" | "deleted" };
  endGrants: { provider: Provider; account: string };
  removeApp: { provider: Provider; account: string };
  requestDeletion: { account: string };
  fault: { provider: Provider; call: ProviderCall; fault: ProviderFault; account?: string | undefined; count: number };
  clearFaults: object;
  advance: { ms: number };
  advanceTo: { session: Ref; deadline: "expiresAt" | "resultExpiresAt"; offsetMs: number };
  readAll: object;
}

export type StepAction = { [Kind in keyof Actions]: { readonly do: Kind } & Readonly<Actions[Kind]> }[keyof Actions];
export type Step = { readonly n: number } & StepAction;
export type StepOf<Kind extends StepAction["do"]> = Extract<Step, { readonly do: Kind }>;
