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
import { afterAll, beforeAll, expect } from "vitest";
import { createEgress } from "../../platform/network/egress.ts";
import type { ContentObservation, ListRequest, ProviderAdapter, RegistrationAccess } from "../contract.ts";
import { calledOrigins, providerAddresses } from "../registration.ts";
import { providerAdapter } from "../registry/registry.ts";

/** Adapters connected to the simulator over HTTP, as a user would connect them. */

const client = { clientId: "sim-client", clientSecret: "sim-secret", redirectUris: ["http://127.0.0.1:9/callback"] };
const REDIRECT = "http://127.0.0.1:9/callback";
const VERIFIER = "a-verifier-of-the-length-that-is-asked-for-0123456789";
export const DAY = 86_400_000;
export const NOW = new Date("2026-09-01T12:00:00.000Z");

export let simulator: RunningSimulator;

export function useSimulator(): void {
  beforeAll(async () => {
    const clients = bySlug(() => [client]);
    simulator = await startSimulator({ port: 0, issuerPort: 0, clients, issuerClients: [], clock: { now: () => NOW } });
  });
  afterAll(() => simulator.close());
}

export type Connected = Awaited<ReturnType<typeof connect>>;

function access(provider: SocialProvider, timeoutMs = 10_000): RegistrationAccess {
  const { addresses, ...rest } = simulatorRegistration(simulator.providerUrls, providerSlug(provider), client);
  const parsed = providerAddresses.parse(addresses);
  return {
    ...rest,
    addresses: parsed,
    fetch: createEgress({ allowedOrigins: calledOrigins(parsed), timeoutMs }),
    now: NOW,
  };
}

async function consent(adapter: ProviderAdapter, registration: RegistrationAccess, account: string): Promise<URL> {
  const codeChallenge = adapter.traits.pkce ? createHash("sha256").update(VERIFIER).digest("base64url") : null;
  const request = {
    redirectUri: REDIRECT,
    state: "state-1",
    capabilities: CAPABILITIES,
    codeChallenge,
    isAccountChoice: false,
  };
  return giveConsent(await adapter.authorizationUrl(registration, request), { account });
}

export async function exchange(provider: SocialProvider, account: string, timeoutMs?: number) {
  const adapter = providerAdapter(provider);
  const registration = access(provider, timeoutMs);
  const callbackUrl = await consent(adapter, registration, account);
  const codeVerifier = adapter.traits.pkce ? VERIFIER : null;
  const request = { redirectUri: REDIRECT, callbackUrl, state: "state-1", codeVerifier };
  return { adapter, registration, tokens: await adapter.exchangeCode(registration, request) };
}

export async function connect(provider: SocialProvider, account: string, timeoutMs?: number) {
  const { adapter, registration, tokens } = await exchange(provider, account, timeoutMs);
  const capabilities = tokens.grantedCapabilities ?? [];
  const first = {
    registration,
    accessToken: tokens.accessToken,
    providerAccountId: tokens.providerAccountId,
    capabilities,
  };
  const { providerAccountId } = await adapter.readAccount(first);
  return { adapter, registration, tokens, session: { ...first, providerAccountId } };
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
