import { errorPageOf } from "./docs.ts";
import type { TransportProblem } from "./faults.ts";

/** The families of errors. */
export type ErrorKind = "service" | "transport" | "timeout" | "protocol" | "configuration";

/** The fields of every error. */
export interface ErrorDetails {
  /** The code of the service, or the family's own code. */
  readonly code: string;
  readonly message: string;
  readonly operation?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** Holds the class names of an instance, so that `is()` works across copies of these packages. */
const FAMILY = Symbol.for("@social-connect/sdk/error");

/**
 * The base class of all errors that the SDKs throw, except the caller's own abort reason and errors of `fetch` that are not
 * of the network. It contains no request, response or `cause`, because each of them could put a key, a token or personal
 * data into a log.
 */
export class SocialConnectError extends Error {
  /** The name of the class, used by `is()`. */
  static readonly family: string = "SocialConnectError";

  /** The family of the error. */
  readonly kind: ErrorKind;
  /** An error code of the service (which may be one this version does not know), or the family's own code. */
  readonly code: string;
  /** The called operation of the API, if any. */
  readonly operation: string | undefined;
  /** Identifies the request in a support case; only for responses of the service. */
  readonly correlationId: string | undefined;
  /** Seconds to wait before the same call can succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** The page that explains the code and what to do. */
  readonly docsUrl: string;

  constructor(kind: ErrorKind, details: ErrorDetails) {
    super(details.message);
    this.kind = kind;
    this.code = details.code;
    this.operation = details.operation;
    this.correlationId = details.correlationId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    // Each code with its own class has its own page.
    this.docsUrl = errorPageOf(details.code, kind === "service" && new.target.family !== "ServiceError");
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
    // biome-ignore lint/complexity/noThisInStatic: each subclass checks its own family.
    return Array.isArray(families) && families.includes(this.family);
  }

  /** `instanceof` as `is()`, because an application can load a package as an ES module and as CommonJS. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore-start lint/complexity/noThisInStatic: a subclass of the caller has no family.
    if (Object.hasOwn(this, "family")) return this.is(value);
    return Function.prototype[Symbol.hasInstance].call(this, value);
    // biome-ignore-end lint/complexity/noThisInStatic: see above.
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

/** No complete response: the connection failed or was lost. `code` is `TRANSPORT_FAILED`. */
export class TransportError extends SocialConnectError {
  static override readonly family: string = "TransportError";
  /** Which part of the request failed; `UNKNOWN` if the runtime does not report it. */
  readonly problem: TransportProblem;
  /** False only if the request was certainly not sent, so that a retry cannot apply it twice. */
  readonly mayHaveBeenSent: boolean;
  /** The system's error code, for example `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly systemCode: string | undefined;
  /** The HTTP status with which a proxy refused to open the connection, for example 407. */
  readonly proxyStatus: number | undefined;

  constructor(
    details: Omit<ErrorDetails, "code"> & {
      mayHaveBeenSent: boolean;
      problem?: TransportProblem | undefined;
      systemCode?: string | undefined;
      proxyStatus?: number | undefined;
    },
  ) {
    super("transport", { ...details, code: "TRANSPORT_FAILED" });
    this.problem = details.problem ?? "UNKNOWN";
    this.mayHaveBeenSent = details.mayHaveBeenSent;
    this.systemCode = details.systemCode;
    this.proxyStatus = details.proxyStatus;
  }
}

/** A request timed out, or the deadline of a call or of a poller passed. `code` is `TIMED_OUT`. */
export class TimeoutError extends SocialConnectError {
  static override readonly family: string = "TimeoutError";
  /** The last status that a poller received before its deadline; undefined for an unknown status. */
  readonly lastStatus: string | undefined;

  constructor(details: Omit<ErrorDetails, "code"> & { lastStatus?: string | undefined }) {
    super("timeout", { ...details, code: "TIMED_OUT" });
    this.lastStatus = details.lastStatus;
  }
}

/** The problem with a response. */
export type ProtocolProblem =
  | "REDIRECTED"
  | "WRONG_ADDRESS"
  | "BODY_TOO_LARGE"
  | "ANSWER_TOO_LARGE"
  | "NOT_JSON"
  | "UNEXPECTED_STATUS"
  | "UNEXPECTED_SHAPE";

/** A response that is not from this service: a redirect, HTML, a 404 or 413, or data that does not match the schema. */
export class ProtocolError extends SocialConnectError {
  static override readonly family: string = "ProtocolError";
  /** The same as `code`. */
  readonly problem: ProtocolProblem;
  /** The HTTP status of the response. */
  readonly httpStatus: number | undefined;
  /** The program that answered instead of the service, as its `Server` or `Via` header names it. */
  readonly answeredBy: string | undefined;

  constructor(
    details: Omit<ErrorDetails, "code"> & {
      problem: ProtocolProblem;
      httpStatus?: number | undefined;
      answeredBy?: string | undefined;
    },
  ) {
    super("protocol", { ...details, code: details.problem });
    this.problem = details.problem;
    this.httpStatus = details.httpStatus;
    this.answeredBy = details.answeredBy;
  }
}

/** The error for a response that does not match the schema. */
export function shapeError(
  operation: string,
  message = "The response does not match the schema.",
  correlationId?: string,
): ProtocolError {
  return new ProtocolError({ problem: "UNEXPECTED_SHAPE", message, operation, correlationId });
}

/** An invalid URL, key or argument, detected before a request is sent. `code` is `MISCONFIGURED`. */
export class ConfigurationError extends SocialConnectError {
  static override readonly family: string = "ConfigurationError";

  constructor(message: string, operation?: string) {
    super("configuration", { code: "MISCONFIGURED", message, operation });
  }
}
