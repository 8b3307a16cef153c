import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { canStartConnect, canStartIdentity } from "@social-connect/domain";
import type { Caller } from "../applications/authenticate.ts";
import type { Service } from "../service.ts";
import { findServingRegistrations } from "./findRegistration.ts";

export interface Readiness {
  readonly providers: readonly { readonly provider: string; readonly available: boolean }[];
  readonly idpIdentityAvailable: boolean;
}

/**
 * Whether an attempt could start now at each provider, with the registration that it would use, and whether the identity
 * handoff could. Asks no provider. Source: service description, part 2, IntegrationReadiness.
 */
export async function readReadiness(service: Service, { application }: Caller): Promise<Readiness> {
  const registrations = await findServingRegistrations(service.prisma, application.id);
  const providers = SOCIAL_PROVIDERS.map((provider) => {
    const registration = registrations.find((one) => one.provider === provider && one.status === "PUBLISHED") ?? null;
    return {
      provider,
      available: canStartConnect(application, provider, registration, service.previewOriginTemplate),
    };
  });
  return { providers, idpIdentityAvailable: canStartIdentity(application, service.issuer !== null) };
}
