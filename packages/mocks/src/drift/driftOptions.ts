import { isLoopbackHost, parseAdminKey, parseApplicationKey } from "@social-connect/domain";
import { DriftCheckError } from "./driftCheckError.ts";

/** Which service is held against the mocks, and with what keys. */
export interface DriftOptions {
  /** Base address of the sandbox: https, or http on a loopback address. */
  readonly url: string;
  /** An application key of the sandbox, `<uuid>.<64 hex>`. It is sent to that address alone, and never shown. */
  readonly key: string;
  /** A tenant that is registered for the application; without one, the cases that need it are not judged. */
  readonly tenantKey?: string;
  /** The admin side, and a key of either scope for it; without them only the consumer API is judged. */
  readonly admin?: { readonly host: string; readonly key: string };
  /** How requests are sent; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
  /** For the whole check, in milliseconds; two minutes by default. */
  readonly timeoutMs?: number;
  /** Ends the check early. */
  readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 120_000;
/** setTimeout treats longer delays as 1 ms. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The options, looked at once. No message repeats a value: a key may have been put in the wrong place. */
export function readOptions(options: DriftOptions) {
  const { key, tenantKey, admin, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  const url = addressOf("url", options.url);
  if (typeof key !== "string" || parseApplicationKey(`Bearer ${key}`) === null)
    throw misused("key is not an application key: a UUID, a dot and 64 hexadecimal characters.");
  if (admin && (typeof admin.key !== "string" || parseAdminKey(`Bearer ${admin.key}`) === null))
    throw misused("The admin key is none: scadm_, a UUID, a dot and 64 lower-case hexadecimal characters.");
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_TIMEOUT_MS)
    throw misused(`timeoutMs is a whole number from 1 to ${LONGEST_TIMEOUT_MS}.`);
  const fetch: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const adminSide = admin && { host: addressOf("The admin host", admin.host), key: admin.key };
  return { url, key, tenantKey, admin: adminSide, timeoutMs, signal, fetch };
}

export type DriftSettings = ReturnType<typeof readOptions>;

/** An address that a key may be sent to. */
function addressOf(name: string, text: string): string {
  if (!URL.canParse(text)) throw misused(`${name} is not an absolute address, like https://sandbox.example.com.`);
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(text);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopbackHost(hostname)))
    throw misused(`${name} is not https; plain http is for loopback addresses only.`);
  if (`${username}${password}${search}${hash}` !== "")
    throw misused(`${name} has credentials, a query or a fragment in it.`);
  if (/[0-9a-f]{64}/i.test(text)) throw misused(`${name} has a key in it.`);
  return origin + pathname.replace(/(?<!\/)\/+$/, "");
}

function misused(message: string): DriftCheckError {
  return new DriftCheckError("options", message);
}
