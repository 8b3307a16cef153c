import { type Sender, senderOf } from "./attempt.ts";
import type { CallSettings } from "./call.ts";
import { endpointOf, refuseBrowsers, requireFunction, requireFunctions, wholeNumber } from "./checks.ts";
import { type Clock, systemClock } from "./clock.ts";
import { ConfigurationError } from "./errors.ts";
import type { Hooks } from "./hooks.ts";
import type { KeyShape } from "./keyProblem.ts";
import { type KeySource, keyReader } from "./keySource.ts";
import { refuseUnknownNames } from "./names.ts";
import type { Secret } from "./secret.ts";
import { type Fetch, runtimeFetch } from "./transport.ts";

/** How a client sends requests. */
export interface RequestSettings {
  /** Sends a request; by default the global `fetch` at the time of the request. */
  readonly fetch?: Fetch | undefined;
  /** Used for delays, deadlines and pollers. The timeout of one request uses a real timer. */
  readonly clock?: Clock | undefined;
  /** Timeout of one request; 10,000 ms by default. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a failed request, if its operation allows retries; 2 by default. */
  readonly retries?: number | undefined;
  /** Allows http to hosts other than loopback. Only for closed test networks. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** A number from 0 up to 1 for the jitter of delays; `Math.random` by default. */
  readonly random?: (() => number) | undefined;
}

/** The options that both clients have. Each client describes its own key and the operations of its hooks. */
interface ClientOptions<Operation extends string> extends RequestSettings {
  readonly key: KeySource;
  readonly hooks?: Hooks<Operation> | undefined;
}

/** Validated options. */
export interface ClientSettings<Operation extends string> extends CallSettings<Operation> {
  readonly key: (operation?: string) => Promise<Secret>;
  readonly send: Sender;
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
  /** Names the option in errors, if it came from elsewhere. */
  readonly addressName?: string;
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
  kind: ClientKind<Option>,
): ClientSettings<Operation> {
  const { addressOption, addressName = addressOption, path, keyShape, otherOptions = [], client, missing } = kind;
  refuseBrowsers();
  // Callers without TypeScript may omit or mistype options.
  if (typeof options !== "object" || options === null) throw new ConfigurationError(missing);
  refuseUnknownNames("options", options, [addressOption, ...CLIENT_OPTIONS, ...otherOptions]);
  requireGlobals(["TextDecoder", "TextEncoder"]);
  const endpoint = endpointOf(options[addressOption], path, addressName, options.allowInsecureHttp ?? false);
  const key = keyReader(options.key, keyShape);
  const fetch = requireFunction(
    "fetch",
    options.fetch ?? (typeof globalThis.fetch === "function" ? runtimeFetch : undefined),
  );
  return {
    key,
    send: senderOf({ endpoint, fetch, client }),
    clock: requireFunctions("clock", options.clock ?? systemClock, ["now", "sleep"]),
    hooks: checkedHooks(options.hooks ?? {}),
    timeoutMs: wholeNumber("timeoutMs", options.timeoutMs ?? 10_000, 1),
    retries: wholeNumber("retries", options.retries ?? 2, 0),
    random: requireFunction("random", options.random ?? Math.random),
  };
}

/** jsdom in Jest has none of these, although Node has them. */
function requireGlobals(names: readonly string[]): void {
  const missing = names.filter((name) => typeof Reflect.get(globalThis, name) !== "function");
  if (missing.length === 0) return;
  throw new ConfigurationError(
    `This environment has no ${missing.join(", no ")}. In Jest, use node instead of jsdom: add \`@jest-environment node\` to the test.`,
  );
}

const HOOKS = ["onRequest", "onResponse", "onRetry"] as const satisfies readonly (keyof Hooks)[];

/** An object of the caller may have other members, but `onError` or `onresponse` was meant as a hook. */
function checkedHooks<Operation extends string>(hooks: Hooks<Operation>): Hooks<Operation> {
  requireFunctions("hooks", hooks, [], HOOKS);
  refuseUnknownNames("hooks", Object.fromEntries(Object.entries(hooks).filter(([name]) => /^on./.test(name))), HOOKS);
  return hooks;
}
