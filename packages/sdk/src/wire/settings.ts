import {
  APPLICATION_KEY,
  type ClientSettings,
  type KeySource,
  type RequestSettings,
  readClientSettings,
} from "@social-connect/sdk-core";
import type { Hooks } from "../_generated/hooks.ts";
import type { OperationName } from "../_generated/operations.ts";
import { CLIENT } from "../_generated/version.ts";

/** Options of `SocialConnect`. */
export interface SocialConnectOptions extends RequestSettings {
  /** The base URL of the mode in use: https, or http on a loopback address. `/graphql` is appended. */
  readonly baseUrl: string;
  /** The application key, `<uuid>.<64 hex>`; a function is called before each request, to replace keys at run time. */
  readonly key: KeySource;
  /** For logs, metrics and traces. */
  readonly hooks?: Hooks | undefined;
}

/** The name of a request in hooks and errors: its operation, or `request` for a document with several root fields. */
export type RequestName = OperationName | "request";

export type Settings = ClientSettings<RequestName>;

/** `names` are of the options, as errors mention them. */
export function readSettings(options: SocialConnectOptions, names = { baseUrl: "baseUrl", key: "key" }): Settings {
  return readClientSettings(options, {
    addressOption: "baseUrl",
    addressName: names.baseUrl,
    path: "/graphql",
    client: CLIENT,
    // Service description, part 5.
    keyShape: { ...APPLICATION_KEY, name: names.key },
    missing: "The client needs its options: an object with baseUrl and key.",
  });
}
