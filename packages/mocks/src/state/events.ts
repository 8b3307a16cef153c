import type { EventTypeName } from "@social-connect/contract";
import type { EndpointOffReason, NewEvent } from "@social-connect/domain";

/** Where an application's events go. Its secrets follow from the seed, so a snapshot does not contain them. */
export interface EventEndpoint {
  /** For `events.endpoint`. */
  readonly id: string;
  /** Whose events it receives. */
  readonly applicationId: string;
  /** null for a receiver in this process. */
  readonly url: string | null;
  /** Empty for all types. */
  readonly types: readonly EventTypeName[];
  /** Number of the current secret. */
  secretVersion: number;
  /** Until then, the previous secret signs too. */
  previousSecretUntil: Date | null;
  /** False once it is turned off. */
  enabled: boolean;
  /** Why it is off: GONE after a 410, FAILING after five days without a success, or BY_ADMIN. */
  turnedOffReason: EndpointOffReason | null;
  /** The first failure since the last success. */
  failingSince: Date | null;
  /** It receives nothing from before. */
  readonly createdAt: Date;
}

export interface StoredEvent extends NewEvent {
  readonly id: string;
  readonly occurredAt: Date;
}

/** The delivery of an event to one endpoint. */
export interface EventDelivery {
  /** The delivery's own id. */
  readonly id: string;
  /** The id of the event. */
  readonly eventId: string;
  /** The id of the endpoint. */
  readonly endpointId: string;
  /** WAITING until it has succeeded, or failed for good. */
  status: "WAITING" | "SUCCEEDED" | "FAILED";
  /** How often a try has ended. */
  tries: number;
  /** The next try or, while one is in progress, its timeout; scheduled tasks with another time are stale. */
  nextTryAt: Date | null;
  /** A try is in progress. */
  isSending: boolean;
  /** The receiver's HTTP status at the last try. */
  responseStatus: number | null;
  /** Why the last try failed. */
  problem: string | null;
}

/** A fault of the next tries of an application. */
export interface EventFaultRule {
  readonly applicationId: string;
  readonly effect: number | "hang" | "unreachable" | "duplicate" | "delay";
  readonly delayMs?: number;
  /** Remaining uses. */
  left: number;
}

/** A request to an endpoint. */
export interface SentEvent {
  /** The application of the endpoint. */
  readonly applicationId: string;
  /** The id of the event: `webhook-id`. */
  readonly id: string;
  /** Its type. */
  readonly type: EventTypeName;
  /** The endpoint to which it was sent. */
  readonly endpointId: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** By the mock's clock. */
  readonly at: Date;
  /** The JSON that was signed. */
  readonly body: string;
  /** The receiver's HTTP status; null until it responds, and without a response. */
  status: number | null;
}
