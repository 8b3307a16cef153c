import { CAPABILITIES } from "@social-connect/contract";
import { effectiveQuota, type ProviderQuota, type QuotaOverride } from "@social-connect/domain";
import { z } from "zod";

/** Validated by the domain's `addressProblem` when it was written. */
const address = z.string().min(1);

/** The endpoints of a wire profile: the only difference between the real provider, a proxy and the simulator. */
export const providerAddresses = z.object({
  /** The consent page. */
  authorization: address,
  /** Code exchange, and refresh where the profile refreshes there. */
  token: address,
  /** Revocation (RFC 7009 or the profile's own format); absent where the provider has none. */
  revocation: address.optional(),
  /** Base URL of the read API, without a trailing slash, e.g. `https://www.googleapis.com/youtube/v3`. */
  api: address,
  /**
   * The expected `iss` of a callback, where the provider sends it (RFC 9207); the authorization URL's origin when
   * absent.
   */
  issuer: address.optional(),
});
export type ProviderAddresses = z.infer<typeof providerAddresses>;

/** Scope names that each capability needs at this provider. */
export const providerScopes = z.record(z.enum(CAPABILITIES), z.array(z.string().min(1)));
export type ProviderScopes = z.infer<typeof providerScopes>;

/** The call quota of a registration's client, where it differs from the provider's default. */
export const quotaOverride = z
  .strictObject({
    units: z.number().int().positive(),
    window: z.enum(["minute", "day", "pacific-day"]),
    per: z.enum(["client", "read", "account"]),
    reserve: z.number().min(0).max(0.9),
  })
  .partial();

/** The registration's own quota; null if it has none. */
export function readQuotaOverride(stored: unknown): QuotaOverride | null {
  return stored == null ? null : quotaOverride.parse(stored);
}

/** The adapter's quota with the overrides of the registration row. */
export function readQuota(usual: ProviderQuota, stored: unknown): ProviderQuota {
  return effectiveQuota(usual, readQuotaOverride(stored));
}

/** Origins that the server calls; the browser opens the consent page. */
export function calledOrigins(addresses: ProviderAddresses): string[] {
  const called = [addresses.token, addresses.revocation, addresses.api].filter((value) => value !== undefined);
  return [...new Set(called.map((value) => new URL(value).origin))];
}
