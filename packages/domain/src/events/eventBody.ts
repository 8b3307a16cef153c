import { EVENT_TYPES, type EventSubject, type EventTypeName } from "@social-connect/contract";
import type { NewEvent } from "./newEvents.ts";

type DataField = Exclude<keyof NewEvent, "applicationId" | "type" | "occurredAt">;

const SUBJECT = ["provider", "tenantKey", "externalSubjectId"] as const;
const RESULT = ["status", "code"] as const;

/** The fields of `data`, in their order. */
export const EVENT_DATA_FIELDS: Readonly<Record<EventSubject, readonly DataField[]>> = {
  attempt: [...SUBJECT, "attemptId", "connectionId", ...RESULT],
  connection: [...SUBJECT, "connectionId", ...RESULT],
  job: [...SUBJECT, "connectionId", "jobId", ...RESULT],
  identity: ["tenantKey", "attemptId", ...RESULT],
  test: [],
};

/** The body of an event: a `SocialConnectEvent` of the contract, unless a later release stored a type that this one does not know. */
export function eventBody(
  event: Readonly<Partial<Record<DataField, string | null>>> & { readonly type: string; readonly occurredAt: Date },
): { readonly type: string; readonly timestamp: string; readonly data: Readonly<Record<string, string | null>> } {
  const { subject } = EVENT_TYPES[event.type as EventTypeName] ?? { subject: "job" };
  const data = Object.fromEntries(EVENT_DATA_FIELDS[subject].map((field) => [field, event[field] ?? null]));
  return { type: event.type, timestamp: event.occurredAt.toISOString(), data };
}
