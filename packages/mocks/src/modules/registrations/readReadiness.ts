import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { canStartConnect, canStartIdentity } from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { findPublishedRegistration } from "./findRegistration.ts";

/** Whether Connect at each provider and the identity handoff can start now. Source: service description, part 2. */
export function readReadiness(world: World, { application }: Caller) {
  const { previewOriginTemplate } = world.settings;
  const providers = SOCIAL_PROVIDERS.map((provider) => {
    const registration = findPublishedRegistration(world, application.id, provider);
    return { provider, available: canStartConnect(application, provider, registration, previewOriginTemplate) };
  });
  return { providers, idpIdentityAvailable: canStartIdentity(application, true) };
}
