import { PROVIDER_TRAITS } from "@social-connect/domain";
import type { ProviderTraits } from "../contract.ts";

export const traits: ProviderTraits = PROVIDER_TRAITS.PROVIDER_C;
