import { CAPABILITIES } from "@social-connect/contract";
import { z } from "zod";
import type { ProviderQuota } from "./contract.ts";

/** Judged by `addressProblem` of the domain when it was written. */
const address = z.string().min(1);

/** Where a wire profile's endpoints are. The real provider, a proxy and the simulator differ in these alone. */
export const providerAddresses = z.object({
  /** Consent page the browser is sent to. */
  authorization: address,
  /** Code exchange, and refresh where the profile refreshes there. */
  token: address,
  /** Revocation (RFC 7009 or the profile's own form); absent where the provider has none. */
  revocation: address.optional(),
  /** Base address of the read API, without a trailing slash, e.g. `https://www.googleapis.com/youtube/v3`. */
  api: address,
  /** What `iss` in a callback must be, where the provider sends it (RFC 9207); the authorization address's origin when absent. */
  issuer: address.optional(),
});
export type ProviderAddresses = z.infer<typeof providerAddresses>;

/** Scope names that each capability needs at this provider. */
export const providerScopes = z.record(z.enum(CAPABILITIES), z.array(z.string().min(1)));
export type ProviderScopes = z.infer<typeof providerScopes>;

/** What a registration's client may call, where it was given more or less than the usual. */
export const quotaOverride = z
  .strictObject({
    units: z.number().int().positive(),
    window: z.enum(["minute", "day", "pacific-day"]),
    per: z.enum(["client", "read", "account"]),
    reserve: z.number().min(0).max(0.9),
  })
  .partial();

/** The adapter's quota with what the registration's row says instead; a row without a word changes nothing. */
export function readQuota(usual: ProviderQuota, stored: unknown): ProviderQuota {
  const override = quotaOverride.parse(stored ?? {});
  return {
    units: override.units ?? usual.units,
    window: override.window ?? usual.window,
    per: override.per ?? usual.per,
    reserve: override.reserve ?? usual.reserve,
  };
}

/** Origins that are called from here; the consent page is the browser's to open. */
export function calledOrigins(addresses: ProviderAddresses): string[] {
  const called = [addresses.token, addresses.revocation, addresses.api].filter((value) => value !== undefined);
  return [...new Set(called.map((value) => new URL(value).origin))];
}
