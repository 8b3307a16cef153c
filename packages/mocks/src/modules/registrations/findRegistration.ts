import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { canStartConnect, canStartIdentity } from "@social-connect/domain";
import type { Registration } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";

export function servesApplication(registration: Registration, applicationId: string): boolean {
  return registration.allApplications || registration.applicationIds.includes(applicationId);
}

/** The registration for attempts of an application at a provider; the newest of several. */
export function findPublishedRegistration(
  world: World,
  applicationId: string,
  provider: SocialProvider,
): Registration | null {
  let found: Registration | null = null;
  for (const one of world.state.registrations.values()) {
    if (one.provider !== provider || one.status !== "PUBLISHED" || !servesApplication(one, applicationId)) continue;
    if (found === null || one.createdAt >= found.createdAt) found = one;
  }
  return found;
}

export function registrationOf(world: World, registrationId: string): Registration {
  const registration = world.state.registrations.get(registrationId);
  if (registration === undefined) throw new Error(`Unknown registration ${registrationId}.`);
  return registration;
}

/** Whether Connect at each provider and the identity handoff can start now. Source: service description, part 2. */
export function readReadiness(world: World, { application }: Caller) {
  const { previewOriginTemplate } = world.settings;
  const providers = SOCIAL_PROVIDERS.map((provider) => {
    const registration = findPublishedRegistration(world, application.id, provider);
    return { provider, available: canStartConnect(application, provider, registration, previewOriginTemplate) };
  });
  return { providers, idpIdentityAvailable: canStartIdentity(application, true) };
}
