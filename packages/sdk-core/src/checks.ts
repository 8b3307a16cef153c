import { ConfigurationError } from "./errors.ts";
import { isLoopback, ownPathProblem } from "./serviceRoot.ts";

/** Whether secrets may be sent to a URL: https, or http on loopback. */
function isSafeAddress(url: URL, allowInsecureHttp: boolean): boolean {
  if (url.protocol === "https:") return true;
  if (url.protocol !== "http:") return false;
  return allowInsecureHttp || isLoopback(url.hostname);
}

/**
 * Appends `path` to the base URL of the option `option`. Error messages do not repeat a value that may be, or contain, a key
 * that was passed by mistake.
 */
export function endpointOf(base: unknown, path: string, option: string, allowInsecureHttp: boolean): string {
  // A parser takes the host of `localhost:4400` for a scheme, removes line breaks and adds slashes: the result could be a different URL.
  if (
    typeof base !== "string" ||
    !URL.canParse(base) ||
    !/^[a-z]+:\/\/[^/]/i.test(base) ||
    /[\s\\\p{Cc}\p{Cf}]|["'`]$/u.test(base)
  ) {
    throw new ConfigurationError(
      `${option} is not an absolute URL like https://sandbox.example.com: no white space, quotation marks or backslashes.`,
    );
  }
  const url = new URL(base);
  if (!isSafeAddress(url, allowInsecureHttp)) {
    throw new ConfigurationError(`${option} must use https. Plain http is for loopback addresses only.`);
  }
  // Proxies and servers log URLs.
  if (/[0-9a-f]{64}/i.test(url.href)) throw new ConfigurationError(`${option} must not contain a key.`);
  // Its origin has no credentials.
  const problem = ownPathProblem(url);
  if (problem !== undefined) throw new ConfigurationError(`${option} ${problem}.`);
  if (/[?#]|^[a-z]+:\/\/[^/]*@/i.test(base)) {
    throw new ConfigurationError(`${option} must have no credentials, no query and no fragment.`);
  }
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}${path}`;
}

/** setTimeout treats longer delays as 1 ms. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function wholeNumber(
  name: string,
  value: number,
  least: number,
  operation?: string,
  most: number = LONGEST_TIMER_MS,
): number {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new ConfigurationError(`${name} must be a whole number from ${least} to ${most}.`, operation);
  }
  return value;
}

export function requireFunction<Known>(name: string, value: Known | undefined): Known {
  if (typeof value !== "function") {
    throw new ConfigurationError(`${name} must be a function.`);
  }
  return value;
}

/** An AbortController is often passed in place of its signal. */
export function requireSignal(signal: AbortSignal | undefined, operation: string): void {
  if (!signal || typeof signal.throwIfAborted === "function") return;
  throw new ConfigurationError("signal must be an AbortSignal.", operation);
}

/** An array is an object to JavaScript, and never what is meant. */
export function requireObject(name: string, value: unknown): object {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ConfigurationError(`${name} must be an object.`);
  return value;
}

/** Requires an object with these functions; optional ones may be missing. */
export function requireFunctions<Known extends object>(
  name: string,
  value: Known,
  needed: readonly (keyof Known & string)[],
  optional: readonly (keyof Known & string)[] = [],
): Known {
  requireObject(name, value);
  const given = [...needed, ...optional.filter((member) => value[member] !== undefined)];
  const wrong = given.find((member) => typeof value[member] !== "function");
  if (wrong !== undefined) throw new ConfigurationError(`${name}.${wrong} must be a function.`);
  return value;
}

const ON_A_SERVER = "This key belongs on a server. Call your own backend from pages and apps.";

/** Throws where users could read the key: in a browser, its workers, or a mobile app. */
export function refuseBrowsers(scope: RuntimeGlobals = globalThis): void {
  if (isBrowser(scope)) throw new ConfigurationError(ON_A_SERVER);
}

/** Globals that identify the runtime; each may be missing. */
export interface RuntimeGlobals {
  readonly document?: object;
  readonly importScripts?: unknown;
  readonly navigator?: { readonly product?: unknown; readonly userAgent?: unknown };
  readonly process?: { readonly versions?: unknown; readonly type?: unknown };
}

const SERVER_AGENT = /^(Node\.js|Deno|Bun|Cloudflare-Workers)\b/;
/** Electron's processes without a page; no other program has a type. */
const SERVER_TYPE = /^(browser|utility|undefined)$/;
/** Only a browser's own document; a simulated one is written in JavaScript. */
const OWN_DOCUMENT = /^function \w*Document\(\)/;

/** Pages may have Node's globals, or copies of them, and tests a document, so several globals decide together. */
function isBrowser({ document, importScripts, navigator, process }: RuntimeGlobals): boolean {
  const agent = String(navigator?.userAgent);
  if (navigator?.product === "ReactNative" || !SERVER_TYPE.test(String(process?.type))) return true;
  if (SERVER_AGENT.test(agent)) return false;
  // A web worker. Workers of edge platforms have a different user agent.
  if (typeof importScripts === "function" && /^Mozilla/.test(agent)) return true;
  const isNode = {}.toString.call(process) === "[object process]";
  return document !== undefined && (!isNode || OWN_DOCUMENT.test(String(document.constructor)));
}
