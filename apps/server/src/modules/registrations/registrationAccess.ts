import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { createEgress } from "../../platform/egress.ts";
import type { RegistrationAccess } from "../../providers/contract.ts";
import { calledOrigins, providerAddresses, providerScopes } from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { observedCalls } from "./observedCalls.ts";

/** The binding of a registration's encrypted secret; a secret moved to another row does not decrypt. */
export function clientSecretBinding(registrationId: string): string {
  return `provider_registration/${registrationId}/client_secret`;
}

/** A stored registration for an adapter: secret decrypted, URLs parsed, calls limited to its own origins. */
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
    fetch: observedCalls(
      service,
      { provider: registration.provider, addresses },
      createEgress({
        allowedOrigins: calledOrigins(addresses),
        allowLoopbackHttp: service.mode === "sandbox",
      }),
    ),
    now,
  };
}
