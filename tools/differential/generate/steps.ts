import type { Capability, Provider, ProviderCall, ProviderFault } from "../../../packages/conformance/src/index.ts";
import type { AdminOperationName } from "../../../packages/conformance/src/wire/documents.ts";

/** The number of the step that made something: what a later step refers to it by. Removing other steps changes nothing. */
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

export interface Fault {
  readonly provider: Provider;
  readonly call: ProviderCall;
  readonly fault: ProviderFault;
  readonly account?: string;
  readonly count: number;
}

/** The id or string of a record that a step created on each side, as an argument of an admin operation. */
export type AdminReference =
  | { readonly is: "application" | "adminKey" | "adminKeyId" | "member" | "applicationKeyId"; readonly of: Target }
  | { readonly is: "registration"; readonly provider: Provider }
  | { readonly is: "accountId"; readonly provider: Provider; readonly account: string }
  | { readonly is: "registrationInput"; readonly provider: Provider; readonly capabilities: readonly Capability[] };

/** Of an admin operation: literal values, and references. */
export type AdminArguments = Readonly<Record<string, unknown>>;

export function isReference(value: unknown): value is AdminReference {
  return typeof value === "object" && value !== null && "is" in value;
}

export type StepAction =
  // Connect, at the consumer API and in the browser
  | {
      readonly do: "createSession";
      readonly app: Ref;
      readonly who: Subject;
      readonly provider: Provider;
      readonly capabilities: readonly Capability[];
      readonly returnUrl: "registered" | "other" | "unregistered" | "fragment" | "reserved" | "preview";
      readonly reconnect?: Target;
    }
  | {
      readonly do: "launch";
      readonly session: Ref;
      readonly browser: string;
      readonly origin: "right" | "wrong" | "opaque" | "none";
      readonly token: "right" | "wrong" | "missing";
    }
  | {
      readonly do: "consent";
      readonly session: Ref;
      readonly account: string;
      readonly decision: "allow" | "deny";
      readonly scopes: "all" | "none" | "first" | "last" | "butLast";
    }
  | {
      readonly do: "callback";
      readonly session: Ref;
      readonly browser: string;
      readonly change: "none" | "state" | "error" | "nothing" | "code";
    }
  | { readonly do: "result"; readonly session: Target; readonly app: Ref; readonly who?: Subject }
  // Reads and jobs
  | { readonly do: "connection"; readonly connection: Target; readonly app: Ref; readonly who?: Subject }
  | { readonly do: "connections"; readonly app: Ref; readonly who: Subject; readonly first: number | null }
  | {
      readonly do: "content";
      readonly connection: Target;
      readonly app: Ref;
      readonly window: Window;
      readonly first: number;
    }
  | { readonly do: "contentItem"; readonly connection: Target; readonly app: Ref; readonly post: Target }
  | {
      readonly do: "refresh";
      readonly connection: Target;
      readonly app: Ref;
      readonly window?: Window;
      readonly maxItems?: number;
      readonly post?: Target;
      /** The scan whose continuation cursor is passed on. */
      readonly continues?: Target;
    }
  | {
      readonly do: "lookup";
      readonly connection: Target;
      readonly app: Ref;
      readonly post: Ref | "foreign" | "other-host" | "http" | "long";
    }
  | { readonly do: "job"; readonly connection: Target; readonly app: Ref; readonly job: Target }
  | { readonly do: "disconnect"; readonly connection: Target; readonly app: Ref; readonly who?: Subject }
  | { readonly do: "receipts"; readonly connection: Ref; readonly app: Ref }
  // Identity handoff
  | {
      readonly do: "createIdentity";
      readonly app: Ref;
      readonly tenant: Subject["tenant"];
      readonly returnUrl: "registered" | "unregistered";
    }
  | {
      readonly do: "launchIdentity";
      readonly identity: Ref;
      readonly browser: string;
      readonly origin: "right" | "wrong";
    }
  | {
      readonly do: "signIn";
      readonly identity: Ref;
      readonly person: string;
      readonly decision: "allow" | "deny";
    }
  | {
      readonly do: "identityCallback";
      readonly identity: Ref;
      readonly browser: string;
      readonly change: "none" | "state" | "error";
    }
  | {
      readonly do: "redeem";
      readonly identity: Target;
      readonly app: Ref;
      readonly tenant: Subject["tenant"];
      readonly proof: "right" | "wrong";
    }
  // What concerns the whole API
  | { readonly do: "status" | "readiness"; readonly app: Ref }
  | {
      readonly do: "request";
      readonly app: Ref;
      readonly variant: RequestVariant;
    }
  // Admin API and panel
  | {
      readonly do: "admin";
      readonly operation: AdminOperationName;
      readonly args: AdminArguments;
      readonly key: "write" | "read" | "wrong" | Ref;
    }
  | {
      readonly do: "panel";
      readonly operation: AdminOperationName;
      readonly args: AdminArguments;
      readonly person: string;
    }
  | { readonly do: "adminRequest"; readonly variant: AdminRequestVariant }
  | { readonly do: "createApplication" }
  // Providers, faults and time
  | {
      readonly do: "publish";
      readonly provider: Provider;
      readonly account: string;
      readonly hoursAgo: number;
    }
  | {
      readonly do: "visibility";
      readonly post: Ref;
      readonly visibility: "public" | "private" | "deleted";
    }
  | { readonly do: "endGrants" | "removeApp"; readonly provider: Provider; readonly account: string }
  | { readonly do: "requestDeletion"; readonly account: string }
  | ({ readonly do: "fault" } & Fault)
  | { readonly do: "clearFaults" }
  | { readonly do: "advance"; readonly ms: number }
  | {
      readonly do: "advanceTo";
      readonly session: Ref;
      readonly deadline: "expiresAt" | "resultExpiresAt";
      readonly offsetMs: number;
    }
  | { readonly do: "readAll" };

export const REQUEST_VARIANTS = [
  "no-key",
  "malformed-key",
  "unknown-key",
  "wrong-secret",
  "get",
  "not-json",
  "batch",
  "two-operations",
  "no-operation",
  "subscription",
  "introspection",
  "unknown-field",
  "unknown-argument",
  "missing-variable",
  "nine-aliases",
  "eight-aliases",
  "too-deep",
  "too-costly",
  "fragment-cycle",
  "other-media-type",
  "too-large",
  "named-operation-missing",
  "schema-text",
] as const;
export type RequestVariant = (typeof REQUEST_VARIANTS)[number];

export const ADMIN_REQUEST_VARIANTS = [
  "no-key",
  "cookie",
  "two-mutations",
  "two-mutations-second-fails",
  "skipped-panel-field",
  "introspection",
  "persisted-query",
  "get",
  "batch",
  "unknown-field",
  "mixed-classes",
] as const;
export type AdminRequestVariant = (typeof ADMIN_REQUEST_VARIANTS)[number];

export type Step = { readonly n: number } & StepAction;
export type StepOf<Kind extends StepAction["do"]> = Extract<Step, { readonly do: Kind }>;
