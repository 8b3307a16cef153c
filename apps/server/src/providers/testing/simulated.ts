import { createHash } from "node:crypto";
import { CAPABILITIES, type SocialProvider } from "@social-connect/contract";
import { bySlug, countItems, providerSlug } from "@social-connect/domain";
import {
  createCatalogue,
  giveConsent,
  type RunningSimulator,
  simulatorRegistration,
  startSimulator,
} from "@social-connect/simulator";
import { beforeAll, expect } from "vitest";
import { createEgress } from "../../platform/network/egress.ts";
import type { ContentObservation, ListRequest, ProviderAdapter, RegistrationAccess } from "../contract.ts";
import { calledOrigins, providerAddresses } from "../registration.ts";
import { providerAdapter } from "../registry/registry.ts";

/** Adapters connected to the simulator over HTTP, as a user would connect them. */

const REDIRECT = "http://127.0.0.1:9/callback";
/** The client of the registrations at the simulator. */
export const SIMULATED_CLIENT = { clientId: "client", clientSecret: "secret", redirectUris: [REDIRECT] };
const VERIFIER = "a-verifier-of-the-length-that-is-asked-for-0123456789";
export const DAY = 86_400_000;
export const NOW = new Date("2026-09-01T12:00:00.000Z");

export let simulator: RunningSimulator;

export function useSimulator(): void {
  beforeAll(async () => {
    const clients = bySlug(() => [SIMULATED_CLIENT]);
    simulator = await startSimulator({ port: 0, issuerPort: 0, clients, issuerClients: [], clock: { now: () => NOW } });
    return () => simulator.close();
  });
}

export type Connected = Awaited<ReturnType<typeof connect>>;

export function access(provider: SocialProvider, timeoutMs = 10_000): RegistrationAccess {
  const { addresses, ...rest } = simulatorRegistration(
    simulator.providerUrls,
    providerSlug(provider),
    SIMULATED_CLIENT,
  );
  const parsed = providerAddresses.parse(addresses);
  return {
    ...rest,
    addresses: parsed,
    fetch: createEgress({ allowedOrigins: calledOrigins(parsed), timeoutMs }),
    now: NOW,
  };
}

/** The tokens that a person's consent with this account ends with. */
async function consent(adapter: ProviderAdapter, registration: RegistrationAccess, account: string) {
  const codeVerifier = adapter.traits.pkce ? VERIFIER : null;
  const codeChallenge = codeVerifier && createHash("sha256").update(codeVerifier).digest("base64url");
  const redirect = { redirectUri: REDIRECT, state: "state-1" };
  const request = { ...redirect, capabilities: CAPABILITIES, codeChallenge, isAccountChoice: false };
  const callbackUrl = await giveConsent(await adapter.authorizationUrl(registration, request), { account });
  return adapter.exchangeCode(registration, { ...redirect, callbackUrl, codeVerifier });
}

export async function exchange(provider: SocialProvider, account: string) {
  const registration = access(provider);
  return { registration, tokens: await consent(providerAdapter(provider), registration, account) };
}

export function connect(provider: SocialProvider, account: string) {
  return connectAt(providerAdapter(provider), access(provider), account);
}

export async function connectAt(adapter: ProviderAdapter, registration: RegistrationAccess, name: string) {
  const tokens = await consent(adapter, registration, name);
  const { accessToken, grantedCapabilities, providerAccountId } = tokens;
  const session = { registration, accessToken, providerAccountId, capabilities: grantedCapabilities ?? [] };
  const account = await adapter.readAccount(session);
  return {
    ...{ adapter, registration, tokens, account },
    session: { ...session, providerAccountId: account.providerAccountId },
  };
}

export function ordinaryAccount(provider: SocialProvider): string {
  const account = createCatalogue()
    .all(providerSlug(provider))
    .find(({ ordinary }) => ordinary);
  return account?.name ?? expect.fail(`no ordinary account at ${provider}`);
}

export const lastDays = (days: number, overrides: Partial<ListRequest> = {}): ListRequest => ({
  publishedAfter: new Date(NOW.getTime() - days * DAY),
  publishedBefore: NOW,
  cursor: null,
  maxItems: 100,
  withMetrics: true,
  ...overrides,
});

export async function walk({ adapter, session }: Connected, request: ListRequest): Promise<ContentObservation[]> {
  const items: ContentObservation[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 500; pages += 1) {
    const page = await adapter.listContent(session, { ...request, cursor });
    expect(countItems(page.items.map((item) => ({ item })))).toBeLessThanOrEqual(request.maxItems);
    items.push(...page.items);
    // Nothing was stored before.
    if (page.isListMissing) return items;
    cursor = page.nextCursor;
    if (cursor === null) {
      expect(page.incompleteReason).toBeNull();
      return items;
    }
    expect(Buffer.from(cursor, "base64url").toString()).not.toContain(session.accessToken);
  }
  return expect.fail("the listing does not end");
}
