import type { ByProvider } from "../shared/providerKeys.ts";
import type { ProviderProfile } from "../state/providerProfile.ts";
import { providerA } from "./provider-a/oauth.ts";
import { providerB } from "./provider-b/oauth.ts";
import { providerC } from "./provider-c/oauth.ts";

export const PROVIDERS: ByProvider<ProviderProfile> = {
  "provider-a": providerA,
  "provider-b": providerB,
  "provider-c": providerC,
};
