import { CLIENT_LIMITS } from "@social-connect/domain";
import type { AdminClient } from "../_generated/types.ts";
import type { ChangeStep } from "./steps.ts";

/** The addresses of a client during the simulated changes. */
interface Addresses {
  readonly origins: Set<string>;
  readonly urls: Set<string>;
  /** The number of return URLs of both kinds by origin. */
  readonly users: Map<string, number>;
}

/**
 * Orders changes of origins and return URLs so that the service accepts each one: a return URL needs its origin, an
 * origin in use stays, the last of either stays, and no list exceeds its limit. It adds first where possible, so that
 * the client works throughout. Changes that cannot be ordered are returned as `left`.
 */
export function orderAddresses(
  client: AdminClient,
  steps: readonly ChangeStep[],
): { readonly ordered: readonly ChangeStep[]; readonly left: readonly ChangeStep[] } {
  const addresses = addressesOf(client);
  const left = new Set(steps);
  const ordered: ChangeStep[] = [];
  for (let next = preferred(addresses, left); next !== undefined; next = preferred(addresses, left)) {
    ordered.push(next);
    left.delete(next);
    applyStep(addresses, next);
  }
  return { ordered, left: [...left] };
}

const PREFERENCE = ["addClientOrigin", "addClientReturnUrl", "removeClientOrigin", "removeClientReturnUrl"] as const;

function preferred(addresses: Addresses, left: ReadonlySet<ChangeStep>): ChangeStep | undefined {
  for (const operation of PREFERENCE) {
    for (const step of left) if (step.operation === operation && isPossible(addresses, step)) return step;
  }
  return undefined;
}

function isPossible({ origins, urls, users }: Addresses, step: ChangeStep): boolean {
  switch (step.operation) {
    case "addClientOrigin":
      return origins.size < CLIENT_LIMITS.webOrigins;
    case "addClientReturnUrl":
      return origins.has(originOf(step.url)) && urls.size < CLIENT_LIMITS.returnUrls;
    case "removeClientOrigin":
      return origins.size > 1 && (users.get(step.origin) ?? 0) === 0;
    case "removeClientReturnUrl":
      return urls.size > 1;
    default:
      return false;
  }
}

function applyStep({ origins, urls, users }: Addresses, step: ChangeStep): void {
  const by = step.operation.startsWith("add") ? 1 : -1;
  if ("origin" in step) change(origins, step.origin, by);
  if (!("url" in step)) return;
  change(urls, step.url, by);
  count(users, step.url, by);
}

function change(entries: Set<string>, entry: string, by: 1 | -1): void {
  if (by === 1) entries.add(entry);
  else entries.delete(entry);
}

function addressesOf({ webOrigins, returnUrls, identityReturnUrls }: AdminClient): Addresses {
  const users = new Map<string, number>();
  for (const url of [...returnUrls, ...identityReturnUrls]) count(users, url, 1);
  return { origins: new Set(webOrigins), urls: new Set(returnUrls), users };
}

function count(users: Map<string, number>, url: string, by: 1 | -1): void {
  const origin = originOf(url);
  users.set(origin, (users.get(origin) ?? 0) + by);
}

/** The origin of an address; empty for an invalid address. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}
