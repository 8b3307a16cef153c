import type { ConnectResultCode, JobErrorCode } from "./codes.ts";
import type { SocialProvider } from "./enums.ts";

/** Limits of events; durations in seconds or days, as the names say. */
export const EVENT_LIMITS = {
  endpointsPerApplication: 2,
  /** How long an event is stored and can be sent again. */
  storedDays: 30,
  /** A receiver that has not answered by then has failed. */
  timeoutSeconds: 10,
  /** How much of an answer is read. It is discarded. */
  answerBytes: 1_024,
  /** An endpoint that failed for so long, without a success, is turned off. */
  turnOffAfterDays: 5,
  /** How long the secret before a rotation also signs. */
  previousSecretHours: 24,
  /** How far the time of a signature may be from the receiver's clock. */
  toleranceSeconds: 300,
} as const;

/** The delays before each retry of a delivery. */
export const EVENT_RETRY_DELAYS_SECONDS: readonly number[] = [
  5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
];

/** Who ended a connection. */
export const DISCONNECT_CODES = ["BY_APPLICATION", "AT_PROVIDER", "BY_OPERATOR"] as const;
/** The `code` of `connection.disconnected`. */
export type DisconnectCode = (typeof DISCONNECT_CODES)[number];

/** Why only the person's reconnect brings a connection back. */
export const RECONNECT_CODES = [
  "AUTHORIZATION_REMOVED",
  "GRANT_ENDED",
  "ACCOUNT_UNREADABLE",
  "CALLS_REFUSED",
  "CHECK_FAILED",
] as const;
/** The `code` of `connection.reconnect_required`. */
export type ReconnectCode = (typeof RECONNECT_CODES)[number];

/** What an event is about, which decides the fields of its `data`. */
export type EventSubject = "attempt" | "connection" | "job" | "identity" | "test";

/** What there is to know of a type of event. */
export interface EventType {
  /** When it is sent. */
  readonly description: string;
  /** What it is about. */
  readonly subject: EventSubject;
  /** Values of `data.status`. */
  readonly statuses: readonly string[];
  /** What `data.code` is; absent where it is always null. */
  readonly codes?: string;
}

const TYPES = {
  "connect.completed": {
    description: "A user linked an account, or linked it again.",
    subject: "attempt",
    statuses: ["COMPLETED"],
  },
  "connect.denied": {
    description: "A user refused at the provider, or granted nothing that the application reads.",
    subject: "attempt",
    statuses: ["DENIED"],
    codes: "a result code of Connect",
  },
  "connect.failed": {
    description: "A connect attempt failed.",
    subject: "attempt",
    statuses: ["FAILED"],
    codes: "a result code of Connect",
  },
  "connect.expired": {
    description: "A connect attempt was not finished within its 10 minutes.",
    subject: "attempt",
    statuses: ["EXPIRED"],
    codes: "`DEADLINE_PASSED`",
  },
  "connection.reconnect_required": {
    description: "The account can be read again only after its user has reconnected it.",
    subject: "connection",
    statuses: ["RECONNECT_REQUIRED"],
    codes:
      "why: `AUTHORIZATION_REMOVED` (the user removed the app at the provider), `GRANT_ENDED` (the provider no longer accepts the consent), `ACCOUNT_UNREADABLE`, `CALLS_REFUSED` (the provider refuses all calls for the account) or `CHECK_FAILED` (the consent could not be checked after another account was disconnected)",
  },
  "connection.suspended": {
    description: "Reading pauses: a disconnect of another account may have ended this consent too. A check follows.",
    subject: "connection",
    statuses: ["SUSPENDED"],
  },
  "connection.restored": {
    description: "The account can be read again, after a check, a reconnect or an accepted call.",
    subject: "connection",
    statuses: ["CONNECTED"],
  },
  "connection.disconnected": {
    description: "The connection has ended. It is revoked and erased.",
    subject: "connection",
    statuses: ["DISCONNECTED"],
    codes:
      "who ended it: `BY_APPLICATION`, `AT_PROVIDER` (the provider asked for the deletion of the user's data) or `BY_OPERATOR`",
  },
  "job.succeeded": {
    description: "A job that the application requested has succeeded.",
    subject: "job",
    statuses: ["SUCCEEDED"],
  },
  "job.failed": {
    description: "A job that the application requested has failed.",
    subject: "job",
    statuses: ["FAILED"],
    codes: "the error code of the job",
  },
  "receipt.revoke": {
    description: "The consent of a disconnected connection was revoked at the provider, or could not be.",
    subject: "job",
    statuses: ["SUCCEEDED", "FAILED"],
    codes: "the error code of the job; null for a success",
  },
  "receipt.erase": {
    description: "The data of a disconnected connection was erased.",
    subject: "job",
    statuses: ["SUCCEEDED", "FAILED"],
    codes: "the error code of the job; null for a success",
  },
  "identity.completed": {
    description: "A user signed in through the identity handoff. The result can be redeemed.",
    subject: "identity",
    statuses: ["COMPLETED"],
  },
  "identity.denied": {
    description: "A user refused to sign in.",
    subject: "identity",
    statuses: ["DENIED"],
  },
  "identity.failed": {
    description: "A sign-in failed.",
    subject: "identity",
    statuses: ["FAILED"],
  },
  test: { description: "An admin sent a test event. It has no data.", subject: "test", statuses: [] },
} as const satisfies Record<string, EventType>;

/** The name of a type of event. */
export type EventTypeName = keyof typeof TYPES;

/** Every type of event. A type may be added in any release, so receivers ignore types that they do not know. */
export const EVENT_TYPES: Readonly<Record<EventTypeName, EventType>> = TYPES;

/** The names of all types, in the order of the reference. */
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as readonly EventTypeName[];

/** Whose account an event is about. */
export interface EventAccount {
  /** The provider of the account. */
  readonly provider: SocialProvider;
  /** The tenant of the user. */
  readonly tenantKey: string;
  /** The application's own id of the user. */
  readonly externalSubjectId: string;
}

/** What happened. */
export interface EventResult<Status extends string = string, Code = null> {
  /** The status after the change. */
  readonly status: Status;
  /** Why, where there is a reason to name. */
  readonly code: Code;
}

/** The `data` of an event about a connect attempt. */
export interface AttemptEventData<Status extends string = string, Code = ConnectResultCode | null>
  extends EventAccount,
    EventResult<Status, Code> {
  /** The id of the attempt. */
  readonly attemptId: string;
  /** null unless the attempt has completed. */
  readonly connectionId: string | null;
}

/** The `data` of an event about a connection. */
export interface ConnectionEventData<Status extends string = string, Code = null>
  extends EventAccount,
    EventResult<Status, Code> {
  /** The id of the connection. */
  readonly connectionId: string;
}

/** The `data` of an event about a job. */
export interface JobEventData<Status extends string = string, Code = JobErrorCode | null>
  extends ConnectionEventData<Status, Code> {
  /** The id of the job. */
  readonly jobId: string;
}

/** The `data` of an event about an identity attempt, which names no provider and no user. */
export interface IdentityEventData<Status extends string = string> extends EventResult<Status> {
  /** The tenant for which the user signs in. */
  readonly tenantKey: string;
  /** The id of the attempt. */
  readonly attemptId: string;
}

interface EventDataByType {
  "connect.completed": AttemptEventData<"COMPLETED", null>;
  "connect.denied": AttemptEventData<"DENIED">;
  "connect.failed": AttemptEventData<"FAILED">;
  "connect.expired": AttemptEventData<"EXPIRED">;
  "connection.reconnect_required": ConnectionEventData<"RECONNECT_REQUIRED", ReconnectCode | null>;
  "connection.suspended": ConnectionEventData<"SUSPENDED">;
  "connection.restored": ConnectionEventData<"CONNECTED">;
  "connection.disconnected": ConnectionEventData<"DISCONNECTED", DisconnectCode>;
  "job.succeeded": JobEventData<"SUCCEEDED", null>;
  "job.failed": JobEventData<"FAILED">;
  "receipt.revoke": JobEventData<"SUCCEEDED" | "FAILED">;
  "receipt.erase": JobEventData<"SUCCEEDED" | "FAILED">;
  "identity.completed": IdentityEventData<"COMPLETED">;
  "identity.denied": IdentityEventData<"DENIED">;
  "identity.failed": IdentityEventData<"FAILED">;
  test: Readonly<Record<string, never>>;
}

/** An event as an application receives it: the JSON body of the request. */
export type SocialConnectEvent = {
  readonly [Type in EventTypeName]: {
    readonly type: Type;
    /** When the change happened: ISO 8601 in UTC, with milliseconds. */
    readonly timestamp: string;
    readonly data: EventDataByType[Type];
  };
}[EventTypeName];
