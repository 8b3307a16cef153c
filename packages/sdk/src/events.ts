/** Verifies events that the service sends. Everything exported here is public and follows semver. */
import { EVENT_LIMITS, type SocialConnectEvent } from "@social-connect/contract";
import { isObject, type SecretText } from "@social-connect/sdk-core";
import { EventError } from "./events/eventError.ts";
import { bodyAfter, type EventRequest, headerOf } from "./events/rawRequest.ts";
import { isSigned, keysOf } from "./events/signature.ts";

export type {
  AttemptEventData,
  ConnectionEventData,
  DisconnectCode,
  EventAccount,
  EventResult,
  EventTypeName,
  IdentityEventData,
  JobEventData,
  ReconnectCode,
  SocialConnectEvent,
} from "@social-connect/contract";
export type { SecretText } from "@social-connect/sdk-core";
export { EventError, type EventProblem } from "./events/eventError.ts";
export type { BodyStream, EventHeaders, EventRequest } from "./events/rawRequest.ts";

/**
 * An event and its id: the same on every delivery of the event. `type` decides the fields of `data`.
 *
 * The service may add types in any release. An event of a type that is not in `EventTypeName` is returned like the others: ignore
 * it, for example in the `default` of a `switch`.
 */
export type ReceivedEvent = SocialConnectEvent & { readonly id: string };

/** How to receive an event. */
export interface ReceiveOptions {
  /** The current time, for tests. */
  readonly now?: Date;
}

/**
 * The event of a request of the service. Throws an EventError whose `code` is the violated rule, also for an event that was sent
 * more than five minutes ago. After a rotation, pass both secrets until no event is signed with the previous one only.
 *
 * The service delivers an event at least once, in any order: remember `id`, and read what the event names.
 */
export async function receiveEvent(
  request: EventRequest,
  secret: SecretText | readonly SecretText[],
  { now = new Date() }: ReceiveOptions = {},
): Promise<ReceivedEvent> {
  const keys = await keysOf(secret);
  const id = headerOf(request, "webhook-id");
  const timestamp = headerOf(request, "webhook-timestamp");
  const signatures = headerOf(request, "webhook-signature");
  // No full stop, which separates the parts that are signed.
  if (!/^[\w-]{1,64}$/.test(id)) throw new EventError("ID_INVALID");
  requireCurrent(timestamp, now);
  const prefix = `${id}.${timestamp}.`;
  const content = await bodyAfter(prefix, request);
  if (!(await isSigned(content, signatures, keys))) throw new EventError("SIGNATURE_MISMATCH");
  return { ...eventIn(content.subarray(prefix.length)), id };
}

function requireCurrent(timestamp: string, now: Date): void {
  if (!/^[1-9]\d{0,11}$/.test(timestamp)) throw new EventError("TIMESTAMP_INVALID");
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(timestamp);
  if (ageSeconds < -EVENT_LIMITS.toleranceSeconds) throw new EventError("TIMESTAMP_TOO_NEW");
  // Also for a `now` that is no time.
  if (!(ageSeconds <= EVENT_LIMITS.toleranceSeconds)) throw new EventError("TIMESTAMP_TOO_OLD");
}

function eventIn(body: Uint8Array): SocialConnectEvent {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new EventError("BODY_NOT_JSON");
  }
  if (!isEvent(value)) throw new EventError("NOT_AN_EVENT");
  return value;
}

/** The fields of `data` are the service's: what is signed is not checked further. */
function isEvent(value: unknown): value is SocialConnectEvent {
  if (!isObject(value)) return false;
  const { type, timestamp, data } = value;
  return (
    typeof type === "string" &&
    type !== "" &&
    typeof timestamp === "string" &&
    Date.parse(timestamp) > 0 &&
    isObject(data)
  );
}
