/**
 * Whose a fault is. The service counts only those of the provider as its outage; it tells the others from them by the
 * provider's response.
 */
export type FaultOwner = "provider" | "account" | "application" | "grant" | "limit" | "call" | "nobody";

export interface FaultField {
  /** One of these; or a whole number from `least` to `most`; or a text of at most `longest` characters; else true or false. */
  readonly oneOf?: readonly [string, ...string[]];
  readonly least?: number;
  readonly most?: number;
  readonly longest?: number;
  /** May be absent. */
  readonly isOptional?: true;
  /** For requests to the control API that omit it. */
  readonly default?: string | number | boolean;
}

interface FaultEntry {
  readonly of: FaultOwner;
  /** No script has it. */
  readonly isControlOnly?: true;
  readonly fields: Readonly<Record<string, FaultField>>;
}

const RETRY_AFTER = { least: 0, most: 86_400, isOptional: true } as const;

// #region faults
/**
 * Every fault of a provider's call. Types, requests of the simulator's control API and its README follow from this list. Its
 * entries demand a response of each simulated provider, and what the mocks make of it.
 */
export const FAULTS = {
  /** A failure of the provider's servers. */
  status: { of: "provider", fields: { status: { least: 500, most: 599 }, retryAfterSeconds: RETRY_AFTER } },
  /** The response's body is not readable. */
  body: {
    of: "provider",
    fields: { form: { oneOf: ["not-json", "cut", "huge", "stalled", "other-shape", "empty"] } },
  },
  /** The call is applied, and the connection closes before the response, or is reset. */
  "lost-answer": { of: "provider", isControlOnly: true, fields: { isReset: { isOptional: true } } },
  /** Too many calls: within the day's quota, or in a short time. The quota can have the code of a short limit. */
  "rate-limited": {
    of: "limit",
    fields: { quota: { default: false }, retryAfterSeconds: RETRY_AFTER, isShortLimitCode: { isOptional: true } },
  },
  /** The account cannot be read. Waiting changes nothing: the person must act, or their organization. */
  "account-suspended": { of: "account", fields: {} },
  "account-closed": { of: "account", fields: {} },
  "account-blocked-by-organization": { of: "account", fields: {} },
  "account-not-professional": { of: "account", fields: {} },
  /**
   * The provider refuses the application's client, for every account. With a form: it lacks a capability, or the provider
   * says only that a permission is missing, which the person granted.
   */
  "application-blocked": {
    of: "application",
    fields: { form: { oneOf: ["capability", "permission"], isOptional: true } },
  },
  /** The grant ends before the response. */
  "grant-gone": {
    of: "grant",
    fields: {
      cause: { oneOf: ["revoked", "removed-app", "password-changed", "expired"], default: "password-changed" },
    },
  },
  /** The provider does not find the list of posts. */
  "list-not-found": { of: "call", isControlOnly: true, fields: {} },
  /** The provider refuses the call with an undocumented code and message. */
  refused: {
    of: "call",
    fields: {
      status: { least: 200, most: 499, default: 400 },
      code: { longest: 64 },
      message: { longest: 1_000, default: "" },
    },
  },
  /** The call succeeds after a delay. */
  delay: { of: "nobody", fields: { delayMs: { least: 0, most: 120_000 } } },
} as const satisfies Readonly<Record<string, FaultEntry>>;
// #endregion faults

type Faults = typeof FAULTS;
export type FaultKind = keyof Faults;

type Value<F> = F extends { readonly oneOf: readonly (infer Choice)[] }
  ? Choice
  : F extends { readonly least: number }
    ? number
    : F extends { readonly longest: number }
      ? string
      : boolean;
type OptionalOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly isOptional: true } ? Name : never;
}[keyof Fields];
type ValuesOf<Fields> = { readonly [Name in Exclude<keyof Fields, OptionalOf<Fields>>]: Value<Fields[Name]> } & {
  readonly [Name in OptionalOf<Fields>]?: Value<Fields[Name]>;
};
type Flat<Value> = { readonly [Name in keyof Value]: Value[Name] };
type KindsWith<Entry> = { [Kind in FaultKind]: Faults[Kind] extends Entry ? Kind : never }[FaultKind];
type FaultsOf<Kinds extends FaultKind> = {
  [Kind in Kinds]: Flat<{ readonly kind: Kind } & ValuesOf<Faults[Kind]["fields"]>>;
}[Kinds];

/** A fault of a script or of the control API. Each provider returns it in its own error format. */
export type Fault = FaultsOf<FaultKind>;
/** What a script does to a call. */
export type ScriptFault = FaultsOf<Exclude<FaultKind, KindsWith<{ readonly isControlOnly: true }>>>;
/** Why an account cannot be read at its provider. */
export type AccountState = KindsWith<{ readonly of: "account" }>;
/** A response whose body is not readable. */
export type BrokenBody = FaultsOf<"body">["form"];

/** The fault says that the account cannot be read. */
export function isOfAccount(fault: Fault): fault is FaultsOf<AccountState> {
  return FAULTS[fault.kind].of === "account";
}
