import { ConfigurationError } from "./errors.ts";

/** An address that a secret may be sent to: https, or http that does not leave the machine. */
function isSafeAddress(url: URL, allowInsecureHttp: boolean): boolean {
  if (url.protocol === "https:") return true;
  if (url.protocol !== "http:") return false;
  return allowInsecureHttp || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/**
 * The address that requests go to: the base address that the caller gave, with `path` added. `option` is what the caller
 * knows the address by. No message repeats the value, because a key may have been put in the wrong place.
 */
export function endpointOf(base: unknown, path: string, option: string, allowInsecureHttp: boolean): string {
  if (typeof base !== "string" || !URL.canParse(base)) {
    throw new ConfigurationError(`${option} is not an absolute URL. Use one like https://sandbox.example.com.`);
  }
  // A URL parser takes line breaks away and slashes for granted; the address would be another than the one written.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(base) || !/^[a-z]+:\/\/[^/]/i.test(base)) {
    throw new ConfigurationError(
      `${option} is not written like https://sandbox.example.com: no white space, no backslash, two slashes.`,
    );
  }
  const url = new URL(base);
  if (!isSafeAddress(url, allowInsecureHttp)) {
    throw new ConfigurationError(`${option} must use https. Plain http is for loopback addresses only.`);
  }
  if (/[?#]|^[a-z]+:\/\/[^/]*@/i.test(base)) {
    throw new ConfigurationError(`${option} must have no credentials, no query and no fragment.`);
  }
  // Proxies and servers log URLs.
  if (/[0-9a-f]{64}/i.test(url.href)) throw new ConfigurationError(`${option} must not hold a key.`);
  const folder = url.pathname.replace(/(?<!\/)\/+$/, "");
  if (folder.endsWith(path)) throw new ConfigurationError(`${option} must not end in ${path}: it is added to it.`);
  return `${url.origin}${folder}${path}`;
}

/** setTimeout treats longer delays as 1 ms. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function wholeNumber(name: string, value: number, least: number): number {
  if (!Number.isSafeInteger(value) || value < least || value > LONGEST_TIMER_MS) {
    throw new ConfigurationError(`${name} must be a whole number from ${least} to ${LONGEST_TIMER_MS}.`);
  }
  return value;
}

export function requireFunction<Known>(name: string, value: Known | undefined): Known {
  if (typeof value !== "function") {
    throw new ConfigurationError(`There is no function to use as \`${name}\`: pass one.`);
  }
  return value;
}

export function requireObject(name: string, value: unknown): void {
  if (typeof value !== "object" || value === null) throw new ConfigurationError(`${name} must be an object.`);
}

/** An object whose members of these names are functions; the optional ones may be missing. */
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

/** The error that the SDK throws in a browser. */
export const ON_A_SERVER =
  "This key belongs on a server: anyone who has the page or the app can read it. Call your own backend instead.";

/** Throws where an application's users would hold the key: in a browser, its workers, or a mobile app. */
export function refuseBrowsers(scope: RuntimeGlobals = globalThis): void {
  if (isBrowser(scope)) throw new ConfigurationError(ON_A_SERVER);
}

/** Globals that identify the runtime; each may be missing. */
export interface RuntimeGlobals {
  readonly window?: unknown;
  readonly document?: unknown;
  readonly importScripts?: unknown;
  readonly navigator?: { readonly product?: unknown; readonly userAgent?: unknown };
  readonly process?: { readonly type?: unknown; readonly versions?: { readonly node?: unknown } };
}

function isBrowser({ window, document, importScripts, navigator, process }: RuntimeGlobals): boolean {
  if (navigator?.product === "ReactNative") return true;
  // A window of a desktop application may have Node beside it.
  if (process?.type === "renderer") return true;
  if (process?.versions?.node !== undefined) return false;
  if (window !== undefined && document !== undefined) return true;
  // A worker of a browser. Those of edge platforms call themselves otherwise.
  return typeof importScripts === "function" && String(navigator?.userAgent).startsWith("Mozilla/");
}
