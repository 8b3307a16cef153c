import { ClientError, GraphQLClient } from "graphql-request";
import { checkConnection, reportConnected } from "../connection/connection.ts";
import { isUnattended } from "../session/presence.ts";
import { endSession, readSession, refreshSession } from "../session/session.ts";
import type { Document, VariablesOf } from "./document.ts";
import { Failure, type FailureCode } from "./failure.ts";
import { type Success, type TypedResult, unwrap } from "./result.ts";

interface WireError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly correlationId?: string;
    readonly reason?: string;
    readonly field?: string;
  };
}

const ENDPOINT = "/panel/graphql";
/** The service may accept a request and never respond. */
const TIMEOUT_MS = 30_000;
const NOT_REACHED = {
  connected: "The request got no response. Try again.",
  unreachable: "The service cannot be reached.",
  offline: "You are offline.",
} as const;
const NOT_SENT = "You are offline. The change was not sent. Try again when you are connected.";
/** Without a response, the panel cannot know whether the change was applied. */
const LOST = "No response. The change may have been applied. Check before you retry.";
const UNFINISHED = "The request failed. The change may have been applied. Check before you retry.";

/** Sends one operation in the browser's session; throws a `Failure`. */
export async function request<Data, Variables>(
  document: Document<Data, Variables>,
  ...[variables]: VariablesOf<Variables>
): Promise<Data> {
  const token = readSession()?.csrfToken ?? null;
  try {
    return await send<Data>(document.toString(), variables, token);
  } catch (error) {
    // A confirmation in another tab replaced the session's token. The operation did not run, so it can be retried.
    const isStale = error instanceof Failure && error.code === "FORBIDDEN" && error.reason === null;
    const fresh = isStale ? ((await refreshSession())?.csrfToken ?? null) : null;
    if (fresh === null || fresh === token) throw error;
    return send<Data>(document.toString(), variables, fresh);
  }
}

/** Sends a change whose result is a union; returns its success and throws its error as a `Failure`. */
export async function requestChange<Result extends TypedResult, Variables>(
  document: Document<{ readonly result: Result }, Variables>,
  ...variables: VariablesOf<Variables>
): Promise<Success<Result>> {
  return unwrap((await request(document, ...variables)).result);
}

async function send<Data>(query: string, variables: unknown, csrfToken: string | null): Promise<Data> {
  const wasOffline = !navigator.onLine;
  const isChange = query.trimStart().startsWith("mutation");
  // 0: no response arrived.
  let status = 0;
  const client = new GraphQLClient(new URL(ENDPOINT, location.origin).href, {
    errorPolicy: "all",
    excludeOperationName: true,
    fetch: async (_url, init) => {
      const response = await post(String(init?.body), csrfToken);
      status = response.status;
      return response;
    },
  });
  const response = await client.rawRequest<Data>(query, Object(variables ?? {})).catch(answerIn);
  const [error] = (response.errors ?? []) as readonly WireError[];
  const isEmpty = response.data === undefined && error === undefined;
  if (status === 0 || (isEmpty && GATEWAY_ERRORS.includes(status))) {
    throw await describeLoss(isChange, wasOffline);
  }
  reportConnected();
  if (error !== undefined) throw describe(error, isChange);
  if (response.data == null) {
    if (status === 413) {
      throw new Failure({ code: "BAD_USER_INPUT", message: "The request is too large." });
    }
    throw new Failure({ code: "UPSTREAM_UNAVAILABLE", message: isChange ? LOST : "The service did not respond." });
  }
  return response.data;
}

/** Sends a body in the browser's session, which the service does not extend for an unattended page. */
function post(body: string, csrfToken: string | null): Promise<Response> {
  return fetch(ENDPOINT, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(csrfToken === null ? {} : { "x-csrf-token": csrfToken }),
      ...(isUnattended() ? { "x-unattended": "1" } : {}),
    },
    body,
    credentials: "same-origin",
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** The response in an error of graphql-request, which has one for each status but 2xx. Nothing else of it is used. */
function answerIn(error: unknown): { readonly data?: undefined; readonly errors?: unknown } {
  return error instanceof ClientError ? { errors: error.response.errors } : {};
}

async function describeLoss(isChange: boolean, wasOffline: boolean): Promise<Failure> {
  const connection = await checkConnection();
  if (connection === "offline" && (wasOffline || !isChange)) {
    return new Failure({ code: "OFFLINE", message: isChange ? NOT_SENT : NOT_REACHED.offline });
  }
  return new Failure({ code: "UNREACHABLE", message: isChange ? LOST : NOT_REACHED[connection] });
}

/** Responses of a proxy whose service does not respond. */
const GATEWAY_ERRORS: readonly number[] = [502, 503, 504];

const CODES: readonly FailureCode[] = ["UNAUTHENTICATED", "FORBIDDEN", "BAD_USER_INPUT", "NOT_FOUND", "CONFLICT"];

/** Replace messages of the service that are meant for developers. */
const MESSAGES: Partial<Record<FailureCode, string>> = {
  UNAUTHENTICATED: "You are signed out. Sign in to continue.",
  FORBIDDEN: "The service rejected the request. Reload the page and try again.",
  UPSTREAM_UNAVAILABLE: "The request failed. Try again later.",
};

function describe({ message, extensions }: WireError, isChange: boolean): Failure {
  const code = CODES.find((known) => known === extensions?.code) ?? "UPSTREAM_UNAVAILABLE";
  if (code === "UNAUTHENTICATED") endSession();
  const text = isChange && code === "UPSTREAM_UNAVAILABLE" ? UNFINISHED : (MESSAGES[code] ?? message);
  return new Failure({ ...extensions, code, message: text });
}
