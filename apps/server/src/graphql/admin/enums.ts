import { ADMIN_KEY_SCOPES, CAPABILITIES, REGISTRATION_STATUSES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { builder } from "./builder.ts";

export const SocialProvider = builder.enumType("SocialProvider", { values: SOCIAL_PROVIDERS });
export const Capability = builder.enumType("Capability", { values: CAPABILITIES });
export const ApiKeyScope = builder.enumType("ApiKeyScope", { values: ADMIN_KEY_SCOPES });
export const RegistrationStatus = builder.enumType("RegistrationStatus", { values: REGISTRATION_STATUSES });
