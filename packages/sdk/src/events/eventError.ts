import { SocialConnectError } from "@social-connect/sdk-core/errors";

/** The rule that a request violates. */
export type EventProblem =
  | "SECRET_INVALID"
  | "BODY_NOT_RAW"
  | "HEADER_MISSING"
  | "ID_INVALID"
  | "TIMESTAMP_INVALID"
  | "TIMESTAMP_TOO_OLD"
  | "TIMESTAMP_TOO_NEW"
  | "BODY_TOO_LARGE"
  | "SIGNATURE_MISMATCH"
  | "BODY_NOT_JSON"
  | "NOT_AN_EVENT";

/** None repeats a part of the request or of a secret. */
const MESSAGES: Readonly<Record<EventProblem, string>> = {
  SECRET_INVALID:
    "The secret is not one of an event endpoint. Pass it as it was shown: `whsec_` and base64, without spaces.",
  BODY_NOT_RAW: "`body` is not as it was received. Pass its text or bytes, before any middleware parses or reads it.",
  HEADER_MISSING: "`webhook-id`, `webhook-timestamp` and `webhook-signature` must each be present once.",
  ID_INVALID: "`webhook-id` must be 1 to 64 letters, digits, underscores or hyphens.",
  TIMESTAMP_INVALID: "`webhook-timestamp` must be a whole number of seconds since 1970.",
  TIMESTAMP_TOO_OLD: "The event was sent more than five minutes ago. If it was not, correct this machine's clock.",
  TIMESTAMP_TOO_NEW: "The event was sent more than five minutes in the future. Correct this machine's clock.",
  BODY_TOO_LARGE: "The body is larger than 64 KiB. The service sends no such event.",
  SIGNATURE_MISMATCH:
    "No signature fits. Check that the secret is that of the endpoint, and the body as it was received.",
  BODY_NOT_JSON: "The body is not JSON in UTF-8.",
  NOT_AN_EVENT: "The body is not an event: it needs `type`, `timestamp` and the `data` of its type.",
};

/** Problems that the receiver has to correct. The others are those of the request. */
const OF_RECEIVER: readonly EventProblem[] = ["SECRET_INVALID", "BODY_NOT_RAW"];

/**
 * A request that is not an event of the service. `kind` is `configuration` if the receiver's own code is wrong (SECRET_INVALID,
 * BODY_NOT_RAW), else `protocol`. It contains nothing of the request or of the secret.
 */
export class EventError extends SocialConnectError {
  static override readonly family: string = "EventError";
  /** The same as `code`. */
  readonly problem: EventProblem;

  constructor(problem: EventProblem) {
    super(OF_RECEIVER.includes(problem) ? "configuration" : "protocol", { code: problem, message: MESSAGES[problem] });
    this.problem = problem;
  }
}
