import type { ByProvider } from "../shared/providerKeys.ts";
import type { ProviderProfile } from "../state/providerProfile.ts";
import { providerA } from "./provider-a/profile.ts";
import { providerB } from "./provider-b/profile.ts";
import { providerC } from "./provider-c/profile.ts";

export const PROVIDERS: ByProvider<ProviderProfile> = {
  "provider-a": providerA,
  "provider-b": providerB,
  "provider-c": providerC,
};
