import type { Capability, ConnectionStatus, ErrorCode, SocialProvider } from "@social-connect/contract";
import { type ApplicationPolicy, checkPolicy } from "../applications/policy.ts";
import { type Refusal, refuse } from "../decisions/refusal.ts";
import type { CallRefusals } from "../refusals/callRefusals.ts";
import { hasPassed } from "../time/time.ts";

/** The facts that a CONNECTED connection is re-checked against, each as stored now. */
export interface RecheckFacts {
  readonly connection: {
    readonly tenantKey: string;
    readonly provider: SocialProvider;
    readonly capabilities: readonly Capability[];
  };
  /** The stored credential; null without one. */
  readonly grant: {
    readonly active: boolean;
    /** When the refresh token expires, or the access token without one; null if it does not expire. */
    readonly refreshExpiresAt: Date | null;
  } | null;
  /** The provider's registration; null without one. */
  readonly registration: {
    readonly status: "DRAFT" | "PUBLISHED" | "PAUSED" | "DISABLED";
    /** It is offered to this application. */
    readonly servesApplication: boolean;
  } | null;
  readonly application: ApplicationPolicy;
}

/**
 * Rule 1 of part 3 of the service description: what reading a CONNECTED connection fails with, or null.
 *
 * If several apply, the first of this order is returned, from what only operators can change to what the user can resolve:
 * FORBIDDEN (policy), CAPABILITY_UNAVAILABLE (the registration does not serve the application), AUTHORIZATION_SUSPENDED
 * (registration paused), RECONNECT_REQUIRED (grant). A user is only asked to reconnect if that can work.
 */
export function recheckConnection(facts: RecheckFacts, now: Date): ErrorCode | null {
  const policy = checkPolicy(facts.application, facts.connection);
  if (policy !== null) return policy.code;
  const { registration, grant } = facts;
  if (registration === null || !registration.servesApplication) return "CAPABILITY_UNAVAILABLE";
  if (registration.status === "PAUSED") return "AUTHORIZATION_SUSPENDED";
  if (registration.status !== "PUBLISHED") return "CAPABILITY_UNAVAILABLE";
  if (!grant?.active || (grant.refreshExpiresAt !== null && hasPassed(grant.refreshExpiresAt, now)))
    return "RECONNECT_REQUIRED";
  return null;
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  AUTHORIZATION_SUSPENDED: "Access to the account is suspended.",
  RECONNECT_REQUIRED: "The user must connect the account again.",
  CAPABILITY_UNAVAILABLE: "The connection does not offer this capability.",
  FORBIDDEN: "The application's policy no longer allows this connection.",
};

export function recheckViolation(code: ErrorCode): Refusal {
  return refuse(code, MESSAGES[code] ?? "The connection cannot be read.");
}

/** Capabilities of which an operation needs at least one. */
export const NEEDED_CAPABILITIES = {
  content: ["CONTENT_LIST"],
  contentItem: ["CONTENT_LIST", "CONTENT_LOOKUP"],
  refreshScan: ["CONTENT_LIST"],
  refreshMetrics: ["CONTENT_METRICS"],
  contentLookup: ["CONTENT_LOOKUP"],
} as const satisfies Record<string, readonly Capability[]>;

export interface ServedFrom {
  /** Granted at the latest consent. */
  readonly capabilities: readonly Capability[];
  /** Served by the provider registration that the connection belongs to. */
  readonly offeredCapabilities: readonly Capability[];
  /** Calls that the provider refuses. A lasting refusal ends its capability; requested calls are still attempted. */
  readonly refusals?: CallRefusals;
}

/**
 * The capabilities that operations and reads may use: granted, and served by the registration. Ignores the application's
 * policy, because a connection with a capability that it does not allow fails the whole re-check (part 3, rule 1).
 */
export function servedCapabilities({ capabilities, offeredCapabilities }: ServedFrom): Capability[] {
  return capabilities.filter((capability) => offeredCapabilities.includes(capability));
}

/**
 * Whether `content`, `contentItem`, `requestRefresh` and `requestContentLookup` may use a connection found in the caller's
 * scope. One of the `needed` capabilities must be granted and served; `recheckCode` is the result of `recheckConnection`
 * (ignored unless CONNECTED). For these operations a disconnected connection does not exist, although it is still listed.
 */
export function checkContentAccess(
  connection: { readonly status: ConnectionStatus } & ServedFrom,
  needed: readonly Capability[],
  recheckCode: ErrorCode | null,
): Refusal | null {
  switch (connection.status) {
    case "DISCONNECTED":
    case "DELETING":
      return refuse("NOT_FOUND", "Not found.");
    case "SUSPENDED":
      return recheckViolation("AUTHORIZATION_SUSPENDED");
    case "RECONNECT_REQUIRED":
      return recheckViolation("RECONNECT_REQUIRED");
    case "CONNECTED":
      if (recheckCode !== null) return recheckViolation(recheckCode);
  }
  const granted = needed.filter((capability) => connection.capabilities.includes(capability));
  const names = needed.join(" or ");
  if (granted.length === 0) return refuse("CAPABILITY_UNAVAILABLE", `The connection was not granted ${names}.`);
  if (granted.some((capability) => connection.offeredCapabilities.includes(capability))) return null;
  return refuse("CAPABILITY_UNAVAILABLE", `The provider registration does not serve ${names}.`);
}
