import type { SocialProvider } from "@social-connect/contract";
import { bySlug, providerSlug } from "@social-connect/domain";
import {
  type RunningSimulator,
  type SimulatorClient,
  simulatorRegistration,
  startSimulator,
} from "@social-connect/simulator";
import type { Connection } from "../../_generated/prisma/client.ts";
import { registrationAccess } from "../../modules/registrations/registrationAccess.ts";
import { moveRegistration } from "../../modules/testing/builders.ts";
import { startInitialReads } from "../../modules/testing/calls.ts";
import { createConnection } from "../../modules/testing/connections.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { providerAdapter } from "../../providers/registry/registry.ts";
import { connectAt, SIMULATED_CLIENT } from "../../providers/testing/simulated.ts";
import type { RealTimeService } from "./realTimeService.ts";

type Real = Pick<RealTimeService<Clock>, "service" | "registrations">;

/** Starts the simulator and registers the service at its first provider. */
export async function simulateProviderA(
  real: Real,
  clientSecret = SIMULATED_CLIENT.clientSecret,
): Promise<RunningSimulator> {
  const callback = `${real.service.connectHost}/api/connect/callback/${providerSlug("PROVIDER_A")}`;
  const client = { ...SIMULATED_CLIENT, clientSecret, redirectUris: [...SIMULATED_CLIENT.redirectUris, callback] };
  const clients = bySlug(() => [client]);
  const simulator = await startSimulator({ port: 0, issuerPort: 0, clients, issuerClients: [] });
  await registerAtSimulator(real, simulator, "PROVIDER_A", client);
  return simulator;
}

/** Points a provider's registration to the simulator. */
export function registerAtSimulator(
  { service, registrations }: Real,
  { providerUrls }: RunningSimulator,
  provider: SocialProvider,
  client: SimulatorClient = SIMULATED_CLIENT,
): Promise<void> {
  const { addresses, scopes } = simulatorRegistration(providerUrls, providerSlug(provider), client);
  return moveRegistration(service, registrations[provider], { addresses, scopes }, client.clientSecret);
}

/** Links an account of the simulator, whose first reads are then due. */
export async function linkAtSimulator(
  { service, application, registrations }: Pick<RealTimeService<Clock>, keyof Real | "application">,
  provider: SocialProvider,
  account: string,
): Promise<Connection> {
  const where = { id: registrations[provider] };
  const registration = await service.prisma.providerRegistration.findUniqueOrThrow({ where });
  const access = registrationAccess(service, registration, await service.clock.now());
  const { tokens, account: linked } = await connectAt(providerAdapter(provider), access, account);
  const { providerAccountId: accountId, providerUserKey } = linked;
  const subject = { externalSubjectId: `${where.id}-${account}`, accountId, providerUserKey };
  const connection = await createConnection(service, application, registrations, { provider, tokens, ...subject });
  await startInitialReads(service, connection);
  return connection;
}
