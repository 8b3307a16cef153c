import { SocialConnectError } from "./errors.ts";
import type { RequestEvent } from "./hooks.ts";
import { bodyFaultOf, networkFaultOf } from "./networkFault.ts";
import { repeatsSecret } from "./repeatsSecret.ts";
import { type Answer, type ResponseContext, readResponse } from "./response.ts";
import type { Secret } from "./secret.ts";
import { carriedBy } from "./serverText.ts";
import type { Fetch, FetchInit } from "./transport.ts";
import { transportError } from "./transportError.ts";
import { withinLimits } from "./withinLimits.ts";

export interface Attempt extends ResponseContext {
  readonly endpoint: string;
  readonly fetch: Fetch;
  /** The key, or a function that returns it for this request; absent for an operation without authentication. */
  readonly key: Secret | ((operation: string) => Promise<Secret>) | undefined;
  /** The library and its version. */
  readonly client: string;
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
export function sendOnce(attempt: Attempt, body: string): Promise<Answer<Record<string, unknown>>> {
  // Destructured, because the fetch of Cloudflare Workers fails when it is called as a method.
  const { operation, endpoint, fetch, request } = attempt;
  let missing = "`key` returned no key";
  const send = async (signal: AbortSignal) => {
    const key = (typeof attempt.key === "function" ? await attempt.key(operation) : attempt.key)?.reveal();
    // The caller may have aborted while the key was fetched.
    signal.throwIfAborted();
    const carried = () => carriedBy(body, key);
    let faultOf = networkFaultOf;
    missing = "No response";
    try {
      const response = await fetch(endpoint, { ...requestWith(key, attempt), body, signal, request });
      faultOf = bodyFaultOf;
      missing = "No complete response";
      return await readResponse(response, attempt, carried);
    } catch (error) {
      if (SocialConnectError.is(error)) throw error;
      const fault = faultOf(error, endpoint, carried);
      if (fault !== undefined) throw transportError(operation, fault, endpoint);
      throw repeatsSecret(error, carried().secrets)
        ? transportError(operation, { problem: "FETCH_FAILED" }, endpoint)
        : error;
    }
  };
  return withinLimits(attempt, send, () => missing);
}

/** Names the library, so that the operator knows which versions are in use. */
const CLIENT_HEADER = "x-social-connect-client";

/** By it the service recognizes a request that a layer below `fetch` repeated. */
const IDEMPOTENCY_KEY_HEADER = "x-social-connect-idempotency-key";

function requestWith(
  key: string | undefined,
  { client, idempotencyKey }: Pick<Attempt, "client" | "idempotencyKey">,
): Omit<FetchInit, "body" | "signal" | "request"> {
  return {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      [CLIENT_HEADER]: client,
      ...(idempotencyKey !== undefined && { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    redirect: "manual",
    ...(knowsCache() ? { cache: "no-store" } : {}),
  };
}

/** Some worker runtimes reject requests with `cache`; their `Request` has no such property. */
function knowsCache(): boolean {
  return typeof Request === "function" && "cache" in Request.prototype;
}
