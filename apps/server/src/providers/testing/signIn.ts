import type { CodeExchange, ProviderAdapter, ProviderTokens, StoredTokens } from "../contract.ts";
import { providerAdapter } from "../registry/registry.ts";
import { upstream } from "./recordedServer.ts";
import { NOW, recordings } from "./replay.ts";

const of = (folder: "a" | "b" | "c") => recordings(new URL(`../provider-${folder}/x`, import.meta.url).href);
export const recorded = (folder: "a" | "b" | "c", name: string) => of(folder).recorded(name);
export const said = (status: number, folder: "a" | "b" | "c", name: string) => of(folder).said(status, name);
export const a = providerAdapter("PROVIDER_A");
export const b = providerAdapter("PROVIDER_B");
export const c = providerAdapter("PROVIDER_C");
export const REDIRECT = "https://connect.example.test/api/connect/callback/provider";
export const VERIFIER = "verifier-0123456789-0123456789-0123456789-0123";

export const exchange = (
  query = "code=the%2Fcode&state=the-state",
  origin = "http://127.0.0.1:9/behind-a-proxy",
): CodeExchange => ({
  redirectUri: REDIRECT,
  callbackUrl: new URL(`${origin}?${query}`),
  state: "the-state",
  codeVerifier: VERIFIER,
});
export const stored = (overrides: Partial<StoredTokens> = {}): StoredTokens => ({
  accessToken: "stored-access-canary",
  accessTokenExpiresAt: new Date(NOW.getTime() + 60_000),
  refreshToken: "stored-refresh-canary",
  refreshTokenExpiresAt: null,
  ...overrides,
});
export const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

export function exchangeAt(adapter: ProviderAdapter, query?: string): Promise<ProviderTokens> {
  return adapter.exchangeCode(upstream.registration(adapter.provider), exchange(query));
}

export function refreshAt(adapter: ProviderAdapter, tokens = stored()): Promise<ProviderTokens> {
  return adapter.refreshTokens(upstream.registration(adapter.provider), tokens);
}
