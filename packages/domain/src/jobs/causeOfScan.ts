import type { Capability, ConnectionStatus, JobErrorCode } from "@social-connect/contract";
import type { CausePatch, ConnectionCause } from "../connections/connectionCause.ts";
import type { ProviderFault } from "./retry.ts";

/** How a read ended. */
interface ReadEnd {
  readonly outcome: "succeeded" | "failed" | "interrupted";
  readonly errorCode?: JobErrorCode;
  readonly fault?: ProviderFault;
}

/** What the end of a scan, or its wait, stores. Another status than CONNECTED has its own cause. */
export function causeOfScan(
  connection: {
    readonly status: ConnectionStatus;
    readonly capabilities: readonly Capability[];
    readonly cause?: string | null;
  },
  result: ReadEnd,
  isRegistrationRefused: boolean,
  now: Date,
): CausePatch {
  const cause = isRegistrationRefused ? "REGISTRATION_REFUSED" : foundCause(connection.capabilities, result);
  if (connection.status !== "CONNECTED" || cause === undefined || cause === (connection.cause ?? null)) return {};
  return { cause, causeSince: cause === null ? null : now };
}

/** undefined: nothing is known beyond what is stored. */
function foundCause(
  capabilities: readonly Capability[],
  { outcome, errorCode, fault }: ReadEnd,
): ConnectionCause | null | undefined {
  switch (outcome) {
    case "succeeded":
      return null;
    case "interrupted":
      return fault && causeOfFault(fault);
    case "failed":
      if (errorCode === "AUTHORIZATION_SUSPENDED") return "REGISTRATION_PAUSED";
      if (errorCode !== "CAPABILITY_UNAVAILABLE") return undefined;
      return capabilities.includes("CONTENT_LIST") ? "NOT_ALLOWED" : "PERMISSION_MISSING";
  }
}

function causeOfFault({ kind, quotaWindow }: Pick<ProviderFault, "kind" | "quotaWindow">): ConnectionCause | undefined {
  if (quotaWindow !== undefined) return "QUOTA";
  switch (kind) {
    case "grant_gone":
      return undefined;
    case "scope_missing":
      return "PERMISSION_MISSING";
    case "account_unreadable":
      return "ACCOUNT_UNREADABLE";
    case "rejected":
      return "CALLS_REFUSED";
    case "application_refused":
      return "REGISTRATION_REFUSED";
    case "rate_limited":
      return "RATE_LIMITED";
    case "internal":
      return "SERVICE_FAULT";
    case "access_expired":
    case "unavailable":
      return "PROVIDER_UNAVAILABLE";
  }
}
