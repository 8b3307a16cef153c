import * as descriptions from "../shared/enumDescriptions.ts";
import { builder } from "./builder.ts";

export const SocialProvider = builder.enumType("SocialProvider", descriptions.SOCIAL_PROVIDER);
export const Capability = builder.enumType("Capability", descriptions.CAPABILITY);
export const ApiKeyScope = builder.enumType("ApiKeyScope", descriptions.API_KEY_SCOPE);
export const RegistrationStatus = builder.enumType("RegistrationStatus", descriptions.REGISTRATION_STATUS);
