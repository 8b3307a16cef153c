import * as texts from "../shared/enumTexts.ts";
import { builder } from "./builder.ts";

export const SocialProvider = builder.enumType("SocialProvider", texts.SOCIAL_PROVIDER);
export const Capability = builder.enumType("Capability", texts.CAPABILITY);
export const ApiKeyScope = builder.enumType("ApiKeyScope", texts.API_KEY_SCOPE);
export const RegistrationStatus = builder.enumType("RegistrationStatus", texts.REGISTRATION_STATUS);
