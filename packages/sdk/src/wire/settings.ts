import type { Clock, Fetch, KeyShape, KeySource, Secret } from "@social-connect/sdk-core";
import {
  ConfigurationError,
  endpointOf,
  globalFetch,
  keyReader,
  refuseBrowsers,
  requireFunction,
  requireFunctions,
  systemClock,
  wholeNumber,
} from "@social-connect/sdk-core";
import type { Hooks } from "./hooks.ts";

/** What a client is made of. */
export interface SocialConnectOptions {
  /** The base address of the mode in use: https, or http on a loopback address. `/graphql` is added to it. */
  readonly baseUrl: string;
  /** The application key, `<uuid>.<64 hex>`; a function is called before each request, so a key can be rotated. */
  readonly key: KeySource;
  /** Sends a request; by default the global `fetch` at the time of the request. */
  readonly fetch?: Fetch;
  /** Used for delays, deadlines and pollers. The timeout of one request uses a real timer. */
  readonly clock?: Clock;
  /** For logs, metrics and traces. */
  readonly hooks?: Hooks;
  /** How long one request may take; 10,000 ms by default. */
  readonly timeoutMs?: number;
  /** How often a failed request may be repeated, where its operation allows that at all; 2 by default. */
  readonly retries?: number;
  /** Allows http to an address that is not loopback, for a closed test network only. */
  readonly allowInsecureHttp?: boolean;
  /** A number from 0 up to 1 for the jitter of delays; `Math.random` by default. */
  readonly random?: () => number;
}

export interface Settings {
  readonly endpoint: string;
  readonly key: (operation?: string) => Promise<Secret>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly hooks: Hooks;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly random: () => number;
}

/** Checks the options once. No message repeats a value, because a key may have been put in the wrong place. */
export function readSettings(options: SocialConnectOptions): Settings {
  refuseBrowsers();
  // Callers without TypeScript may omit or mistype options.
  if (typeof options !== "object" || options === null) {
    throw new ConfigurationError("The client needs its options: an object with baseUrl and key.");
  }
  return {
    endpoint: endpointOf(options.baseUrl, "/graphql", "baseUrl", options.allowInsecureHttp ?? false),
    key: keyReader(options.key, KEY_SHAPE),
    fetch: requireFunction("fetch", options.fetch ?? globalFetch()),
    clock: requireFunctions("clock", options.clock ?? systemClock, ["now", "sleep"]),
    hooks: requireFunctions("hooks", options.hooks ?? {}, [], ["onRequest", "onResponse", "onRetry"]),
    timeoutMs: wholeNumber("timeoutMs", options.timeoutMs ?? 10_000, 1),
    retries: wholeNumber("retries", options.retries ?? 2, 0),
    random: requireFunction("random", options.random ?? Math.random),
  };
}

/** Service description, part 5. */
const KEY_SHAPE: KeyShape = {
  pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.[0-9a-f]{64}$/i,
  message: "key is not an application key: a UUID, a dot and 64 hexadecimal characters.",
};
