import { servedCapabilities } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import { ProviderError, type ProviderSession } from "../../providers/contract.ts";
import { meteredAccess } from "../quota/meteredAccess.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service, Urgency } from "../service.ts";
import { type LiveGrant, liveGrant } from "./liveGrant.ts";
import { findGrantOfConnection } from "./store.ts";

/**
 * Makes a provider call with a connection's credential. Renews an expiring credential first, and retries once with a
 * new one if the provider rejects it. Each call counts against the registration's budget; background calls leave a
 * reserve for the others. Throws ProviderError, without a call while calls to the provider are paused. The caller checks
 * whether the connection may be read.
 */
export async function withProviderSession<T>(
  service: Service,
  connection: RowKey & Pick<Connection, "registrationId" | "providerAccountId">,
  call: (session: ProviderSession) => Promise<T>,
  urgency: Urgency = "requested",
): Promise<T> {
  const { providerAccountId, registrationId } = connection;
  return service.breakers.run(registrationId, providerAccountId, () => inSession(service, connection, call, urgency));
}

async function inSession<T>(
  service: Service,
  connection: RowKey,
  call: (session: ProviderSession) => Promise<T>,
  urgency: Urgency,
): Promise<T> {
  const load = () => findGrantOfConnection(service.prisma, connection);
  const first = await liveGrant(service, load);
  try {
    return await call(sessionOf(service, first, urgency));
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "access_expired") throw error;
  }
  return call(sessionOf(service, await liveGrant(service, load, first.grant.version), urgency));
}

function sessionOf(service: Service, { grant, tokens, registration }: LiveGrant, urgency: Urgency): ProviderSession {
  const { applicationId = null, providerAccountId = null } = grant.connection ?? {};
  return {
    registration: meteredAccess(service, grant.registration, registration, {
      urgency,
      applicationId,
      providerAccountId,
    }),
    accessToken: tokens.accessToken,
    providerAccountId,
    capabilities: servedCapabilities({
      capabilities: grant.connection?.capabilities ?? [],
      offeredCapabilities: grant.registration.capabilities,
    }),
  };
}
