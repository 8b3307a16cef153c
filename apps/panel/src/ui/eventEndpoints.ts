import type { EventEndpointFragment, EventEndpointOffReason } from "../_generated/clientEvents.ts";
import type { Status } from "./StatusBadge.tsx";

export const OFF_REASONS: Readonly<Record<EventEndpointOffReason, string>> = {
  GONE: "The receiver answered 410 Gone.",
  FAILING: "No delivery succeeded for five days.",
  BY_ADMIN: "An admin turned it off.",
};

export function endpointState({
  enabled,
  failingSince,
  lastSucceededAt,
}: Pick<EventEndpointFragment, "enabled" | "failingSince" | "lastSucceededAt">): Status {
  if (!enabled) return { label: "Off", tone: failingSince === null ? "idle" : "bad" };
  if (failingSince !== null) return { label: "Failing", tone: "bad" };
  return lastSucceededAt === null ? { label: "On, not used yet", tone: "idle" } : { label: "On", tone: "good" };
}

/** The host of an endpoint, which names it in lists. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
