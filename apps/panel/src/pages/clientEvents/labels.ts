import { DELIVERY_PROBLEMS } from "@social-connect/domain";
import type { EventDeliveryStatus } from "../../_generated/clientEvents.ts";
import type { Status } from "../../ui/StatusBadge.tsx";

export function deliveryState(status: EventDeliveryStatus, tries: number): Status {
  if (status === "SUCCEEDED") return { label: "Delivered", tone: "good" };
  if (status === "FAILED") return { label: "Failed", tone: "bad" };
  return tries === 0 ? { label: "Waiting", tone: "idle" } : { label: "Retrying", tone: "waiting" };
}

/** Why a try failed, for people. */
export function describeProblem(problem: string, responseStatus: number | null): string {
  if (problem === "STATUS" && responseStatus !== null) return `The receiver answered with HTTP ${responseStatus}.`;
  return (DELIVERY_PROBLEMS as Readonly<Record<string, string>>)[problem] ?? "Unknown problem.";
}
