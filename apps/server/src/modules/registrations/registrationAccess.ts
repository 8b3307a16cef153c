import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { createEgress } from "../../platform/egress.ts";
import { SecretBoxError } from "../../platform/secretBox.ts";
import { securityLog } from "../../platform/securityLog.ts";
import type { RegistrationAccess } from "../../providers/contract.ts";
import { calledOrigins, providerAddresses, providerScopes } from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { openClientSecret } from "./clientSecret.ts";
import { observedCalls } from "./observedCalls.ts";

/**
 * A stored registration for an adapter: secret decrypted, URLs parsed, calls limited to its own origins.
 *
 * @throws SecretBoxError if the row was changed outside of the service; see `openClientSecret`
 */
export function registrationAccess(
  service: Service,
  registration: ProviderRegistration,
  now: Date,
): RegistrationAccess {
  const clientSecret = openedSecret(service, registration);
  const addresses = providerAddresses.parse(registration.addresses);
  return {
    clientId: registration.clientId,
    clientSecret,
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

function openedSecret(service: Service, registration: ProviderRegistration): string {
  try {
    return openClientSecret(service.secretBox, registration);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    const { id, provider } = registration;
    securityLog(service).record("registration.refused", { registrationId: id, provider }, id);
    throw error;
  }
}
