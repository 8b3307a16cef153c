import type { ClientSettings, Clock, Fetch, KeySource } from "@social-connect/sdk-core";
import { readClientSettings } from "@social-connect/sdk-core";
import type { Hooks } from "../_generated/hooks.ts";
import type { OperationName } from "../_generated/operations.ts";
import { CLIENT } from "../_generated/version.ts";

/** What a client is made of. */
export interface SocialConnectOptions {
  /** The base address of the mode in use: https, or http on a loopback address. `/graphql` is added to it. */
  readonly baseUrl: string;
  /** The application key, `<uuid>.<64 hex>`; a function is called before each request, so a key can be rotated. */
  readonly key: KeySource;
  /** Sends a request; by default the global `fetch` at the time of the request. */
  readonly fetch?: Fetch | undefined;
  /** Used for delays, deadlines and pollers. The timeout of one request uses a real timer. */
  readonly clock?: Clock | undefined;
  /** For logs, metrics and traces. */
  readonly hooks?: Hooks | undefined;
  /** How long one request may take; 10,000 ms by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed request may be repeated, where its operation allows that at all; 2 by default. */
  readonly retries?: number | undefined;
  /** Allows http to an address that is not loopback, for a closed test network only. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** A number from 0 up to 1 for the jitter of delays; `Math.random` by default. */
  readonly random?: (() => number) | undefined;
}

/** The name of a request in hooks and errors: its operation, or `request` for a document with several root fields. */
export type RequestName = OperationName | "request";

export type Settings = ClientSettings<RequestName>;

export function readSettings(options: SocialConnectOptions): Settings {
  return readClientSettings(options, {
    addressOption: "baseUrl",
    path: "/graphql",
    client: CLIENT,
    // Service description, part 5.
    keyShape: {
      pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.[0-9a-f]{64}$/i,
      message: "key is not an application key: a UUID, a dot and 64 hexadecimal characters.",
    },
    missing: "The client needs its options: an object with baseUrl and key.",
  });
}
