import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { securityLog } from "../../platform/log/securityLog.ts";
import { elapsedMs, inSpan, type ProviderCallRecord } from "../../platform/log/telemetry.ts";
import { createEgress, EgressError } from "../../platform/network/egress.ts";
import { SecretBoxError } from "../../platform/secrets/secretBox.ts";
import type { RegistrationAccess } from "../../providers/contract.ts";
import {
  calledOrigins,
  type ProviderAddresses,
  providerAddresses,
  providerScopes,
} from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { openClientSecret } from "./clientSecret.ts";

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
      { provider: registration.provider, registrationId: registration.id, addresses },
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

type Fetch = typeof globalThis.fetch;

/**
 * Reports each call to a provider. The correlation id stays here: providers document no header for it, and with it
 * they could recognize accounts that one request concerns.
 */
function observedCalls(
  { telemetry }: Pick<Service, "telemetry">,
  {
    addresses,
    ...of
  }: Pick<ProviderCallRecord, "provider" | "registrationId"> & { readonly addresses: ProviderAddresses },
  send: Fetch,
): Fetch {
  return async (input, init) => {
    const request = input instanceof Request ? input : null;
    const method = init?.method ?? request?.method ?? "GET";
    const endpoint = endpointOf(addresses, request?.url ?? String(input));
    const record: ProviderCallRecord = { ...of, endpoint, method, status: null, result: "error" };
    const beganAt = performance.now();
    return inSpan(telemetry, `${of.provider} ${endpoint}`, "client", async (span) => {
      try {
        const response = await send(input, init);
        record.status = response.status;
        record.result = resultOf(response);
        span?.set({ "http.response.status_code": response.status });
        return response;
      } catch (error) {
        if (error instanceof EgressError) record.result = error.failure;
        throw error;
      } finally {
        span?.set({ provider: of.provider, endpoint, "http.request.method": method, result: record.result });
        telemetry.providerCallEnded(record, elapsedMs(beganAt));
      }
    });
  };
}

/** Which address of the registration a URL belongs to. */
function endpointOf({ token, revocation, api }: ProviderAddresses, url: string): ProviderCallRecord["endpoint"] {
  const [address] = url.split("?", 1);
  // Some providers renew tokens below the address of their API.
  if (address === revocation) return "revocation";
  if (address === token) return "token";
  return address?.startsWith(`${api}/`) ? "api" : "token";
}

function resultOf({ status }: Response): ProviderCallRecord["result"] {
  if (status < 400) return "ok";
  if (status === 429) return "http_429";
  return status < 500 ? "http_4xx" : "http_5xx";
}
