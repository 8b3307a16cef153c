import { ClientError } from "graphql-request";
import { ProtocolError, type ProtocolProblem, type SocialConnectError, shapeError } from "./errors.ts";
import { meaningOf, NOT_OURS, senderOf } from "./intermediary.ts";
import { declaredBytes, discard, isStream, NO_RESPONSE, readBytes } from "./readBytes.ts";
import { type Carried, cleanId, cleanMessage, cleanName, withSecretsOf } from "./serverText.ts";
import type { ServiceErrorDetails } from "./serviceError.ts";
import { shownUrl } from "./serviceRoot.ts";
import type { FetchResponse } from "./transport.ts";
import { cutResponse } from "./transportError.ts";
import { isObject } from "./validators.ts";

export interface ResponseContext {
  readonly operation: string;
  /** The option with the URL, named in errors about it. */
  readonly addressOption: string;
  /** Makes the error of a code. */
  readonly serviceError: (details: ServiceErrorDetails) => SocialConnectError;
  /** Whether a code belongs to the service. Such a code is accepted even if the request contained the same text. */
  readonly isKnownCode: (code: string) => boolean;
  /** Milliseconds since 1970, to compare with times in the response. */
  readonly now: () => number;
}

/** What a response of the service contained. */
export interface Answer<Data> {
  readonly data: Data;
  readonly httpStatus: number;
  readonly correlationId: string | undefined;
  readonly date: Date | undefined;
}

/** Names the request in every response. */
const CORRELATION_ID_HEADER = "x-correlation-id";

/** What graphql-request found in a body; of a list, and of what is not JSON, `data` is a list. */
interface Result {
  readonly data?: unknown;
  readonly errors?: unknown;
}

/** A response of `fetch` whose body has arrived. */
export interface Received {
  /** The part of it that graphql-request reads. */
  readonly read: Response;
  /**
   * What it contains if graphql-request rejects it: the errors if its status is not 2xx, or else what is wrong with its
   * body. Nothing else of the library's error is used, because it repeats the request and the response.
   */
  result(error: unknown): Result;
  /** Its `data`. Throws its error. */
  answer(result: Result): Answer<Record<string, unknown>>;
}

/**
 * Reads a response up to the size limit; throws for one that cannot be of the service. `carried` lists what the request
 * contained and is computed only for an error. Source: service description, parts 4 and 7.
 */
export async function receive(
  response: FetchResponse,
  context: ResponseContext,
  endpoint: string,
  carried: () => Carried,
): Promise<Received> {
  const { operation, addressOption, now } = context;
  requireResponse(response, operation);
  const { status, headers, type } = response;
  const ok = status >= 200 && status < 300;
  const problem = (kind: ProtocolProblem, message: string) => {
    const correlationId = sentId(response, carried);
    const answeredBy = correlationId === undefined ? senderOf(response, carried) : undefined;
    const sender = answeredBy === undefined ? "" : ` from ${answeredBy}`;
    const source = `HTTP ${status}${sender}${correlationId === undefined ? ` at ${shownUrl(endpoint)}` : ""}`;
    return new ProtocolError({
      problem: kind,
      message: `${message} (${source}).`,
      httpStatus: status,
      answeredBy,
      operation,
      correlationId,
      retryAfterSeconds: retryAfterSeconds(response, now),
    });
  };
  /** A status with a specific meaning is more useful than the problem with the body. */
  const statusProblem = (otherwise: ProtocolProblem) => {
    const isOfService = sentId(response, carried) !== undefined;
    const meaning = isOfService ? "The service responded with an unexpected status" : meaningOf(status, addressOption);
    if (status === 404 || status === 405) {
      return problem("WRONG_ADDRESS", `${isOfService ? "API not found" : NOT_OURS}: check ${addressOption}`);
    }
    if (status === 413) {
      return problem("BODY_TOO_LARGE", isOfService ? "The request is larger than the service accepts" : meaning);
    }
    if (!ok) return problem("UNEXPECTED_STATUS", meaning);
    if (otherwise === "ANSWER_TOO_LARGE") return problem(otherwise, "The response is too large");
    return problem(otherwise, isOfService || isJson(response) ? "The response is not JSON of the service" : meaning);
  };

  if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
    discard(response);
    throw problem(
      "REDIRECTED",
      `The URL, or the sign-in page of a network, redirected the request. Redirects are not followed: check ${addressOption}`,
    );
  }
  if (!isJson(response)) {
    discard(response);
    throw statusProblem("NOT_JSON");
  }
  const bytes = await readBytes(response, operation);
  if (bytes === undefined) throw statusProblem("ANSWER_TOO_LARGE");
  return {
    read: { ok, status, headers, text: async () => textOf(bytes) } as unknown as Response,
    result(error) {
      if (error instanceof ClientError) return error.response;
      try {
        return isObject(JSON.parse(textOf(bytes))) ? {} : { data: [] };
      } catch {
        // Some runtimes end a body normally although its stream was reset. `fetch` has an error for a body that ended early.
        if (declaredBytes(response) !== bytes.length && isCut(bytes)) {
          throw cutResponse(operation, endpoint);
        }
        return { data: [] }; // The message of JSON.parse repeats a piece of the body.
      }
    },
    answer({ data, errors }) {
      const [error] = Array.isArray(errors) ? errors : [];
      // The body takes precedence over the status: an error of the service keeps its code at any status. Gateways have
      // other errors under the same name.
      if (
        error !== undefined &&
        (ok || isObject(Object(error).extensions) || sentId(response, carried) !== undefined)
      ) {
        const known = withSecretsOf(Object(data)[operation], carried());
        throw context.serviceError(detailsOf(error, response, context, known));
      }
      // graphql-request has a list for a body that is a list.
      if (!ok || Array.isArray(data)) throw statusProblem("NOT_JSON");
      if (!isObject(data)) {
        throw problem("UNEXPECTED_SHAPE", `${NOT_OURS}: check ${addressOption}`);
      }
      return {
        data,
        httpStatus: status,
        correlationId: sentId(response, carried),
        date: httpDate(headers.get("date")),
      };
    },
  };
}

function requireResponse(response: FetchResponse, operation: string): void {
  const { status, headers, body, arrayBuffer }: Partial<FetchResponse> = Object(response);
  const hasBody = isStream(body) || typeof arrayBuffer === "function";
  if (Number.isInteger(status) && typeof headers?.get === "function" && hasBody) return;
  throw shapeError(operation, NO_RESPONSE);
}

/** The id in the header; undefined if it repeats a part of the request. */
function sentId({ headers }: FetchResponse, carried: () => Carried): string | undefined {
  const id = headers.get(CORRELATION_ID_HEADER);
  return id !== null && UUID.test(id) ? cleanId(id, UUID, carried()) : undefined;
}

/** Throws for bytes that are not UTF-8. */
function textOf(bytes: Uint8Array): string {
  decoder ??= new TextDecoder("utf-8", { fatal: true });
  return decoder.decode(bytes);
}

/** Whether a JSON object begins and does not end. */
function isCut(bytes: Uint8Array): boolean {
  const parts = new TextDecoder().decode(bytes).replace(/\\./gs, "").split('"');
  const outside = parts.filter((_, index) => index % 2 === 0).join("");
  const isOpen = parts.length % 2 === 0 || outside.split(/[[{]/).length > outside.split(/[\]}]/).length;
  return isOpen && /^\s*\{/.test(outside);
}

/** Shared by all reads: it has no state between complete bodies. */
let decoder: InstanceType<typeof TextDecoder> | undefined;

/** Only the first error is reported: every request has one root field. */
function detailsOf(
  error: unknown,
  response: FetchResponse,
  { operation, isKnownCode, now }: ResponseContext,
  carried: Carried,
): ServiceErrorDetails {
  const { message, extensions } = isObject(error) ? error : {};
  const { code, reason, correlationId, retryAfterSeconds: seconds } = isObject(extensions) ? extensions : {};
  const isTime = typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0;
  return {
    code: typeof code === "string" && isKnownCode(code) ? code : codeOf(code, carried),
    message: typeof message === "string" ? cleanMessage(message, carried) : "The service returned no message.",
    operation,
    reason: cleanName(reason, NAME, carried),
    correlationId: cleanId(correlationId, UUID, carried) ?? sentId(response, () => carried),
    retryAfterSeconds: isTime ? seconds : retryAfterSeconds(response, now),
    httpStatus: response.status,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Shorter than any key, token or proof. */
const NAME = /^[A-Za-z][\w.-]{0,38}$/;

/** An error without a code has a default code; a malformed code is not replaced. */
function codeOf(code: unknown, carried: Carried): string {
  if (typeof code !== "string" || code === "") return "UPSTREAM_UNAVAILABLE";
  return cleanName(code, NAME, carried) ?? "UNREADABLE_CODE";
}

/** The forms of a date that RFC 9110, section 5.6.7, names. Without a zone it means UTC. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [\w :-]{16,24}$/;

/** Seconds of a Retry-After. A date counts from the response's own Date, since the caller's clock may be another. */
function retryAfterSeconds({ headers }: FetchResponse, now: () => number): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const until = httpDate(value);
  if (until === undefined) return undefined;
  const sentMs = httpDate(headers.get("date"))?.getTime() ?? now();
  return Math.max(0, Math.ceil((until.getTime() - sentMs) / 1_000));
}

function httpDate(header: string | null): Date | undefined {
  const value = header?.trim() ?? "";
  if (!HTTP_DATE.test(value)) return undefined;
  const date = new Date(Date.parse(value.endsWith("GMT") ? value : `${value} GMT`));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function isJson({ headers }: FetchResponse): boolean {
  // The types that graphql-request parses.
  return /^application\/(graphql-response\+)?json\b/i.test(headers.get("content-type") ?? "");
}
