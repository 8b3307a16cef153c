import type { CallSettings } from "./call.ts";
import { endpointOf, refuseBrowsers, requireFunction, requireFunctions, wholeNumber } from "./checks.ts";
import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";
import { ConfigurationError } from "./errors.ts";
import type { Hooks } from "./hooks.ts";
import type { KeyShape, KeySource } from "./keySource.ts";
import { keyReader } from "./keySource.ts";
import { refuseUnknownNames } from "./names.ts";
import type { Secret } from "./secret.ts";
import type { Fetch } from "./transport.ts";
import { globalFetch } from "./transport.ts";

/** The options that both clients have. Each client documents them for its callers. */
interface ClientOptions<Operation extends string> {
  readonly key: KeySource;
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  readonly hooks?: Hooks<Operation> | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly allowInsecureHttp?: boolean | undefined;
  readonly random?: (() => number) | undefined;
}

/** Validated options. */
export interface ClientSettings<Operation extends string> extends CallSettings<Operation> {
  readonly endpoint: string;
  readonly key: (operation?: string) => Promise<Secret>;
  readonly fetch: Fetch;
  /** The library and its version, for example `sdk/1.4.0`. */
  readonly client: string;
}

/** Options of both clients. */
const CLIENT_OPTIONS = [
  "key",
  "fetch",
  "clock",
  "hooks",
  "timeoutMs",
  "retries",
  "allowInsecureHttp",
  "random",
] as const satisfies readonly (keyof ClientOptions<string>)[];

/** The differences between the clients. */
export interface ClientKind<Option extends string> {
  /** The option with the base URL. */
  readonly addressOption: Option;
  /** Appended to the base URL. */
  readonly path: string;
  readonly keyShape: KeyShape;
  /** Further options of this client. */
  readonly otherOptions?: readonly string[];
  readonly client: string;
  /** The error message for missing options. */
  readonly missing: string;
}

/** Validates the options. Error messages do not repeat values, because a key may have been passed by mistake. */
export function readClientSettings<Operation extends string, Option extends string>(
  options: ClientOptions<Operation> & { readonly [Name in Option]: string },
  { addressOption, path, keyShape, otherOptions = [], client, missing }: ClientKind<Option>,
): ClientSettings<Operation> {
  refuseBrowsers();
  // Callers without TypeScript may omit or mistype options.
  if (typeof options !== "object" || options === null) throw new ConfigurationError(missing);
  refuseUnknownNames("option", options, [addressOption, ...CLIENT_OPTIONS, ...otherOptions]);
  return {
    endpoint: endpointOf(options[addressOption], path, addressOption, options.allowInsecureHttp ?? false),
    key: keyReader(options.key, keyShape),
    client,
    fetch: requireFunction("fetch", options.fetch ?? globalFetch()),
    clock: requireFunctions("clock", options.clock ?? systemClock, ["now", "sleep"]),
    hooks: requireFunctions("hooks", options.hooks ?? {}, [], ["onRequest", "onResponse", "onRetry"]),
    timeoutMs: wholeNumber("timeoutMs", options.timeoutMs ?? 10_000, 1),
    retries: wholeNumber("retries", options.retries ?? 2, 0),
    random: requireFunction("random", options.random ?? Math.random),
  };
}
