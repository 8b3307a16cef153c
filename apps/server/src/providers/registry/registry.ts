import type { SocialProvider } from "@social-connect/contract";
import type { ProviderAdapter } from "../contract.ts";
import { providerA } from "../provider-a/adapter.ts";
import { providerB } from "../provider-b/adapter.ts";
import { providerC } from "../provider-c/adapter.ts";

/** One adapter for each provider; the only file that imports all of them. */
export const PROVIDER_ADAPTERS: Readonly<Record<SocialProvider, ProviderAdapter>> = {
  PROVIDER_A: providerA,
  PROVIDER_B: providerB,
  PROVIDER_C: providerC,
};

export function providerAdapter(provider: SocialProvider): ProviderAdapter {
  return PROVIDER_ADAPTERS[provider];
}
