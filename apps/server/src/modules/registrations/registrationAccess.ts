import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { createEgress } from "../../platform/egress.ts";
import type { RegistrationAccess } from "../../providers/contract.ts";
import { calledOrigins, providerAddresses, providerScopes } from "../../providers/registration.ts";
import type { Service } from "../service.ts";

/** What the additional data of a registration's sealed secret says; a secret moved to another row does not open. */
export function clientSecretBinding(registrationId: string): string {
  return `provider_registration/${registrationId}/client_secret`;
}

/** A stored registration as an adapter sees it: secret opened, addresses parsed, calls out limited to its own origins. */
export function registrationAccess(
  service: Service,
  registration: ProviderRegistration,
  now: Date,
): RegistrationAccess {
  const addresses = providerAddresses.parse(registration.addresses);

  return {
    clientId: registration.clientId,
    clientSecret: service.secretBox.open(registration.clientSecretSealed, clientSecretBinding(registration.id)),
    addresses,
    scopes: providerScopes.parse(registration.scopes),
    fetch: createEgress({
      allowedOrigins: calledOrigins(addresses),
      allowLoopbackHttp: service.mode === "sandbox",
    }),
    now,
  };
}
