import { GraphQLClient } from "graphql-request";
import { SocialConnectError } from "./errors.ts";
import type { RequestEvent } from "./hooks.ts";
import { bodyFaultOf, networkFaultOf } from "./networkFault.ts";
import { repeatsSecret } from "./repeatsSecret.ts";
import { type Answer, type Received, type ResponseContext, receive } from "./response.ts";
import type { Secret } from "./secret.ts";
import { carriedBy } from "./serverText.ts";
import type { Fetch } from "./transport.ts";
import { transportError } from "./transportError.ts";
import { withinLimits } from "./withinLimits.ts";

/** One request of a call. */
export interface Attempt extends ResponseContext {
  readonly query: string;
  /** The query with its variables, as JSON: the same for every request of a call. */
  readonly body: string;
  /** Returns the key for this request; absent for an operation without authentication. */
  readonly key: ((operation: string) => Promise<Secret>) | undefined;
  /** The same for every request of a call. */
  readonly idempotencyKey: string | undefined;
  readonly timeoutMs: number;
  /** Passed on to `fetch`. */
  readonly request: RequestEvent;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends one request and returns the answer with its `data`. Throws one of the SDK's errors, the abort reason, or the error
 * of `fetch` if it is not of the network, such as the control flow of a framework. The timeout covers reading the key,
 * sending the request and reading the complete response.
 */
export type Sender = (attempt: Attempt) => Promise<Answer<Record<string, unknown>>>;

/** What the requests of one client have in common. */
interface Service {
  readonly endpoint: string;
  readonly fetch: Fetch;
  /** The library and its version. */
  readonly client: string;
}

/** Names the library, so that the operator knows which versions are in use. */
const CLIENT_HEADER = "x-social-connect-client";

/** By it the service recognizes a request that a layer below `fetch` repeated. */
const IDEMPOTENCY_KEY_HEADER = "x-social-connect-idempotency-key";

/**
 * Sends attempts through one client of graphql-request, which writes each request and parses each response. The key is
 * added below it, in `fetch`, because its errors contain the request.
 */
// Destructured, because the fetch of Cloudflare Workers fails when it is called as a method.
export function senderOf({ endpoint, fetch, client }: Service): Sender {
  /** The `fetch` of each attempt, by the attempt's signal, which graphql-request passes on. */
  const fetches = new WeakMap<object, typeof globalThis.fetch>();
  const graphql = new GraphQLClient(endpoint, {
    errorPolicy: "all",
    excludeOperationName: true,
    headers: { accept: "application/json", [CLIENT_HEADER]: client },
    // Our `variables` are the body, which is written once for all attempts of a call.
    jsonSerializer: { parse: JSON.parse, stringify: ({ variables }) => variables.body },
    fetch: async (url, init) => (fetches.get(init?.signal as AbortSignal) as typeof globalThis.fetch)(url, init),
  });
  return (attempt) => {
    const { operation, query, body, key: readKey, idempotencyKey, request } = attempt;
    let missing = "`key` returned no key";
    let received: Received | undefined;
    const send = async (signal: AbortSignal) => {
      fetches.set(signal, async (_url, sent = {}) => {
        const key = (await readKey?.(operation))?.reveal();
        // The caller may have aborted while the key was fetched.
        signal.throwIfAborted();
        const headers = Object.fromEntries(sent.headers as Headers);
        if (idempotencyKey !== undefined) headers[IDEMPOTENCY_KEY_HEADER] = idempotencyKey;
        if (key !== undefined) headers.authorization = `Bearer ${key}`;
        const carried = () => carriedBy(body, key);
        let faultOf = networkFaultOf;
        missing = "No response";
        try {
          const response = await fetch(endpoint, {
            method: "POST",
            headers,
            redirect: "manual",
            // Some worker runtimes reject requests with `cache`; their `Request` has no such property.
            ...(typeof Request === "function" && "cache" in Request.prototype && { cache: "no-store" }),
            body: String(sent.body),
            signal,
            request,
          });
          faultOf = bodyFaultOf;
          missing = "No complete response";
          received = await receive(response, attempt, endpoint, carried);
          return received.read;
        } catch (error) {
          if (SocialConnectError.is(error)) throw error;
          const fault = faultOf(error, endpoint, carried);
          if (fault !== undefined) throw transportError(operation, fault, endpoint);
          throw repeatsSecret(error, carried().secrets)
            ? transportError(operation, { problem: "FETCH_FAILED" }, endpoint)
            : error;
        }
      });
      const result = await graphql.rawRequest({ query, variables: { body }, signal }).catch((error: unknown) => {
        // Without a response, it is the error of `fetch`.
        if (received === undefined) throw error;
        return received.result(error);
      });
      return (received as Received).answer(result);
    };
    return withinLimits(attempt, send, () => missing);
  };
}
