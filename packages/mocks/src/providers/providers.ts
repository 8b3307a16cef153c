import type { SocialProvider } from "@social-connect/contract";
import type { SimulatedProvider } from "./provider.ts";
import { PROVIDER_A } from "./providerA.ts";
import { PROVIDER_B } from "./providerB.ts";
import { PROVIDER_C } from "./providerC.ts";

export const PROVIDERS: Readonly<Record<SocialProvider, SimulatedProvider>> = { PROVIDER_A, PROVIDER_B, PROVIDER_C };
