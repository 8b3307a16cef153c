import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isLoopbackHost } from "@social-connect/domain";
import type { IssuerFault } from "@social-connect/provider-fixtures";
import { loadOrMakeKeys } from "./idToken.ts";
import { createIssuer, type IssuerClient } from "./issuer.ts";
import { ISSUER_KEYS, ISSUER_PROFILES, type IssuerKey, mountOf } from "./profiles.ts";

function checkRedirectUris(client: IssuerClient): void {
  for (const address of [...client.redirectUris, ...(client.postLogoutRedirectUris ?? [])]) {
    const url = URL.parse(address);
    const good =
      url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname)));
    if (!good)
      throw new Error(
        `Redirect URL ${address} of issuer client ${client.clientId} must be https, or http on loopback.`,
      );
  }
}

export type Issuers = ReturnType<typeof createIssuers>;

interface IssuersSettings {
  /** The identifier of the issuer without a profile, an origin. */
  readonly issuerUrl: string;
  readonly clients: readonly IssuerClient[];
  readonly offsetMs: () => number;
  readonly privateKeys: readonly Record<string, unknown>[];
  readonly cookieKey: string;
}

/** The identifiers of the issuers that behave as well-known ones do. */
export function issuerUrlsAt(origin: string): Readonly<Record<IssuerKey, string>> {
  const entries = ISSUER_KEYS.map((key) => [key, `${origin}/issuers/${key}${ISSUER_PROFILES[key].path}`]);
  return Object.fromEntries(entries);
}

/** The issuer at the root, and one for each profile. Keys, clients and faults are the same for all. */
export function createIssuers({ issuerUrl, privateKeys, ...shared }: IssuersSettings) {
  for (const client of shared.clients) checkRedirectUris(client);
  const keys = loadOrMakeKeys(privateKeys);
  let faults: ReadonlySet<IssuerFault> = new Set();
  const common = { ...shared, keys, faults: () => faults };
  const root = createIssuer({ ...common, issuerUrl, mount: "", profile: null });
  const urls = issuerUrlsAt(issuerUrl);
  const mounts = ISSUER_KEYS.map((key) => ({ key, mount: mountOf(key) }));
  /** Created at the first request. */
  const created = new Map<IssuerKey, RequestListener>();

  return {
    listener: (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? "/";
      const found = mounts.find(({ mount }) => path === mount || path.startsWith(`${mount}/`));
      if (found === undefined) return root(request, response);
      const { key, mount } = found;
      const listener =
        created.get(key) ?? createIssuer({ ...common, issuerUrl: urls[key], mount, profile: ISSUER_PROFILES[key] });
      created.set(key, listener);
      return listener(request, response);
    },
    /** For the state file. */
    privateKeys: [keys.publishedJwk],
    faults: () => [...faults],
    setIssuerFaults: (next: readonly IssuerFault[]) => {
      faults = new Set(next);
    },
  };
}
