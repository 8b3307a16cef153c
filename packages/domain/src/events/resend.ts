import { EVENT_LIMITS } from "@social-connect/contract";
import { aboutClient } from "../audit/about.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { changesOf } from "../audit/changes.ts";
import type { Client } from "../clients/client.ts";
import { type AdminRefusal, conflict, invalidField } from "../decisions/refusal.ts";
import { addMs } from "../time/time.ts";
import { isReceiptEvent } from "./newEvents.ts";

const DAY_MS = 86_400_000;

type Owner = Pick<Client, "id" | "slug">;

/** Which events a resend sends. */
export interface Resend {
  /** Events from this time on. */
  readonly since: Date;
  /** Only what an endpoint has not accepted: failed and missing deliveries. */
  readonly failedOnly: boolean;
}

interface ResendArguments {
  readonly eventId?: string | null | undefined;
  readonly since?: Date | null | undefined;
}

/** A resend names one event, or a time. */
export function checkResendArguments({ eventId, since }: ResendArguments): AdminRefusal | null {
  if ((eventId == null) !== (since == null)) return null;
  return invalidField("since", "Name either one event or the time from which on events are sent again.");
}

/** Older events are no longer stored. */
export function checkResendSince(since: Date, now: Date): AdminRefusal | null {
  if (since.getTime() > now.getTime()) return invalidField("since", "The time must be in the past.");
  if (since.getTime() >= addMs(now, -EVENT_LIMITS.storedDays * DAY_MS).getTime()) return null;
  return invalidField("since", `Events are stored for ${EVENT_LIMITS.storedDays} days. Choose a later time.`);
}

/**
 * Whether an event may be sent to an endpoint again, or for the first time if the endpoint was off when it happened. An
 * event from before the endpoint is not its business, and a receipt whose user was forgotten cannot be sent.
 */
export function mayResend(
  event: { readonly type: string; readonly occurredAt: Date; readonly tenantKey?: string | null },
  endpoint: { readonly enabled: boolean; readonly types: readonly string[]; readonly createdAt: Date },
): boolean {
  const isForgotten = isReceiptEvent(event) && event.tenantKey === null;
  const isTaken = endpoint.types.length === 0 || endpoint.types.includes(event.type);
  return endpoint.enabled && isTaken && !isForgotten && event.occurredAt.getTime() >= endpoint.createdAt.getTime();
}

export const NO_RECEIVER = conflict(
  null,
  "No endpoint can receive the event: each is off, takes other types, or was added after it happened.",
);

export function eventsResent(client: Owner, { since, failedOnly }: Resend): AuditRecord {
  const which = failedOnly ? "the undelivered events" : "all events";
  const summary = `Sent ${which} since ${since.toISOString()} again.`;
  const before = failedOnly ? ["MISSING", "FAILED"] : ["MISSING", "FAILED", "SUCCEEDED"];
  return aboutClient(client, "Events resent", summary, resent(before));
}

/** `before` has the statuses of its deliveries that are sent again; MISSING: it had none to an endpoint. */
export function eventResent(
  client: Owner,
  event: { readonly id: string; readonly type: string },
  before: readonly string[],
): AuditRecord {
  const summary = `Sent the event ${event.id} (${event.type}) again.`;
  return aboutClient(client, "Events resent", summary, resent(before));
}

function resent(deliveries: readonly string[]) {
  return changesOf({ deliveries }, { deliveries: ["WAITING"] });
}
