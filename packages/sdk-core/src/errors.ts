/** Which of the five families an error belongs to. */
export type ErrorKind = "service" | "transport" | "timeout" | "protocol" | "configuration";

/** What every error is made of. */
export interface ErrorDetails {
  /** The code of the service, or the family's own code. */
  readonly code: string;
  readonly message: string;
  readonly operation?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** Instances carry the names of their classes here, so that `is()` knows them across copies of these packages. */
const FAMILY = Symbol.for("@social-connect/sdk/error");

/**
 * The one base of everything the SDKs throw, but for the caller's own abort reason. It holds no request, no
 * response and no `cause`, because each of those could carry a key, a token or a person's data into a log.
 */
export class SocialConnectError extends Error {
  /** The name of the class, which `is()` goes by. */
  static readonly family: string = "SocialConnectError";

  /** Which of the families it belongs to. */
  readonly kind: ErrorKind;
  /** An error code of the service (which may be one this version does not know), or the family's own code. */
  readonly code: string;
  /** The operation of the API that was called, if the error belongs to one. */
  readonly operation: string | undefined;
  /** The UUID to quote when asking the service's support; only on answers of the service. */
  readonly correlationId: string | undefined;
  /** Seconds to wait before the same call can succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ErrorKind, details: ErrorDetails) {
    super(details.message);
    this.kind = kind;
    this.code = details.code;
    this.operation = details.operation;
    this.correlationId = details.correlationId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    Object.defineProperty(this, "name", { value: new.target.family, enumerable: false });
    Object.defineProperty(this, FAMILY, { value: familiesOf(new.target), enumerable: false });
  }

  /** Like `instanceof`, and also true for an error made by another copy of the package. */
  static is<T extends SocialConnectError>(
    this: { readonly family: string; readonly prototype: T },
    value: unknown,
  ): value is T {
    if (typeof value !== "object" || value === null) return false;
    const families: unknown = Reflect.get(value, FAMILY);
    // biome-ignore lint/complexity/noThisInStatic: each subclass asks for its own family.
    return Array.isArray(families) && families.includes(this.family);
  }

  /** The fields of the error, for a log line. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([["name", this.name], ["message", this.message], ...Object.entries(this)]);
  }
}

function familiesOf(leaf: { readonly family: string }): readonly string[] {
  const families: string[] = [];
  for (let current: unknown = leaf; typeof current === "function"; current = Object.getPrototypeOf(current)) {
    const family: unknown = Reflect.get(current, "family");
    if (typeof family === "string" && !families.includes(family)) families.push(family);
  }
  return families;
}

/** No answer: the connection could not be made, or broke. `code` is `TRANSPORT_FAILED`. */
export class TransportError extends SocialConnectError {
  static override readonly family: string = "TransportError";
  /** False only when the request was certainly not sent, so that a retry cannot apply it twice. */
  readonly mayHaveBeenSent: boolean;
  /** The system's name for what went wrong, for example `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly systemCode: string | undefined;

  constructor(details: Omit<ErrorDetails, "code"> & { mayHaveBeenSent: boolean; systemCode?: string | undefined }) {
    super("transport", { ...details, code: "TRANSPORT_FAILED" });
    this.mayHaveBeenSent = details.mayHaveBeenSent;
    this.systemCode = details.systemCode;
  }
}

/** No answer in time: one request took too long, or the deadline of a call or of a poller passed. `code` is `TIMED_OUT`. */
export class TimeoutError extends SocialConnectError {
  static override readonly family: string = "TimeoutError";
  /** What a poller had last seen when its deadline passed; undefined for a status that this version does not know. */
  readonly lastStatus: string | undefined;

  constructor(details: Omit<ErrorDetails, "code"> & { lastStatus?: string | undefined }) {
    super("timeout", { ...details, code: "TIMED_OUT" });
    this.lastStatus = details.lastStatus;
  }
}

/** What was wrong with an answer. */
export type ProtocolProblem =
  | "REDIRECTED"
  | "WRONG_ADDRESS"
  | "BODY_TOO_LARGE"
  | "ANSWER_TOO_LARGE"
  | "NOT_JSON"
  | "UNEXPECTED_STATUS"
  | "UNEXPECTED_SHAPE";

/** An answer that is not one of this service: a redirect, HTML, a 404 or 413, something that is not the schema. */
export class ProtocolError extends SocialConnectError {
  static override readonly family: string = "ProtocolError";
  /** The same as `code`. */
  readonly problem: ProtocolProblem;
  /** The status of the answer. */
  readonly httpStatus: number | undefined;

  constructor(details: Omit<ErrorDetails, "code"> & { problem: ProtocolProblem; httpStatus?: number | undefined }) {
    super("protocol", { ...details, code: details.problem });
    this.problem = details.problem;
    this.httpStatus = details.httpStatus;
  }
}

/** The caller's own mistake, found before anything was sent: a malformed address, key or argument. `code` is `MISCONFIGURED`. */
export class ConfigurationError extends SocialConnectError {
  static override readonly family: string = "ConfigurationError";

  constructor(message: string, operation?: string) {
    super("configuration", { code: "MISCONFIGURED", message, operation });
  }
}
