import { SocialConnectError } from "@social-connect/sdk";

/** Why the service's current data is missing: it cannot be reached, it refuses this application, or it asks to wait. */
export type Outage = "unreachable" | "refused" | "busy";

/** For reads: none of these errors says anything about the user's accounts. Undefined for every other error. */
export function outageOf(error: unknown): Outage | undefined {
  if (!SocialConnectError.is(error)) return undefined;
  switch (error.kind) {
    case "transport":
    case "timeout":
    case "protocol":
      return "unreachable";
    case "service":
      return BY_CODE[error.code];
    default:
      return undefined;
  }
}

const BY_CODE: Readonly<Record<string, Outage>> = {
  UPSTREAM_UNAVAILABLE: "unreachable",
  // An admin disabled this application, or its key was revoked.
  FORBIDDEN: "refused",
  UNAUTHENTICATED: "refused",
  RATE_LIMITED: "busy",
};

const TEXTS: Readonly<Record<Outage, string>> = {
  unreachable: "Social Connect does not answer right now.",
  refused: "Social Connect does not accept requests of this application right now.",
  busy: "Social Connect asks this application to slow down.",
};

export function explainOutage(outage: Outage): string {
  return TEXTS[outage];
}
