import type { ByProvider } from "../shared/providerKeys.ts";
import type { Provider } from "../state/createWorld.ts";
import { providerA } from "./provider-a/profile.ts";
import { providerB } from "./provider-b/profile.ts";
import { providerC } from "./provider-c/profile.ts";

export const PROVIDERS: ByProvider<Provider> = {
  "provider-a": providerA,
  "provider-b": providerB,
  "provider-c": providerC,
};
