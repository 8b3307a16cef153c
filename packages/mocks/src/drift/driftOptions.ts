import { ADMIN_KEY, APPLICATION_KEY, keyProblem } from "@social-connect/sdk-core/keyProblem";
import { serviceUrl } from "../util/serviceUrl.ts";
import { DriftCheckError } from "./boundedFetch.ts";

/** The service to check, and its keys. */
export interface DriftOptions {
  /** Base URL of the sandbox: https, or http on a loopback address. */
  readonly url: string;
  /** An application key of the sandbox, `<uuid>.<64 hex>`. It is only sent to this address, and never printed. */
  readonly key: string;
  /** A registered tenant of the application; without it, cases that require it are skipped. */
  readonly tenantKey?: string;
  /** The admin host and an API key of either scope; without them, only the consumer API is checked. */
  readonly admin?: { readonly host: string; readonly key: string };
  /** The global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
  /** Timeout of the whole check in milliseconds; two minutes by default. */
  readonly timeoutMs?: number;
  /** Aborts the check. */
  readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 120_000;
/** setTimeout treats longer delays as 1 ms. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Validates the options. Messages never repeat a value, because it may be a misplaced key. */
export function readOptions(options: DriftOptions) {
  const { key, tenantKey, admin, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  const url = serviceUrl(options.url, "url", misused);
  checkKey("key", key, APPLICATION_KEY);
  if (admin) checkKey("The admin key", admin.key, ADMIN_KEY);
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS)
    throw misused(`timeoutMs must be an integer between 1 and ${MAX_TIMEOUT_MS}.`);
  const fetch: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const adminSide = admin && { host: serviceUrl(admin.host, "The admin host", misused), key: admin.key };
  return { url, key, tenantKey, admin: adminSide, timeoutMs, signal, fetch };
}

export type DriftSettings = ReturnType<typeof readOptions>;

function checkKey(name: string, key: unknown, shape: typeof APPLICATION_KEY): void {
  const problem = keyProblem(key, shape);
  if (problem !== undefined) throw misused(`${name} ${problem}.`);
}

function misused(message: string): DriftCheckError {
  return new DriftCheckError("options", message);
}
