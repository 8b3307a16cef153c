import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { Caller } from "../applications/authenticate.ts";
import type { Service } from "../service.ts";
import { findServingRegistrations } from "./findRegistration.ts";

export interface Readiness {
  readonly providers: readonly { readonly provider: string; readonly available: boolean }[];
  readonly idpIdentityAvailable: boolean;
}

/**
 * Whether a Connect attempt may be started at each provider: the application's policy allows it, and a published
 * registration serves the application with a capability that the policy allows. Asks no provider. Source: service
 * description, part 2, IntegrationReadiness.
 */
export async function readReadiness(service: Service, { application }: Caller): Promise<Readiness> {
  const registrations = await findServingRegistrations(service.prisma, application.id);
  const published = registrations.filter(({ status }) => status === "PUBLISHED");
  const providers = SOCIAL_PROVIDERS.map((provider) => ({
    provider,
    available:
      application.providers.includes(provider) &&
      published.some(
        (registration) =>
          registration.provider === provider &&
          registration.capabilities.some((capability) => application.capabilities.includes(capability)),
      ),
  }));
  return { providers, idpIdentityAvailable: service.issuer !== null && application.idpIdentityEnabled };
}
