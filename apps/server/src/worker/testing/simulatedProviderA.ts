import { bySlug, providerSlug } from "@social-connect/domain";
import type { RunningSimulator } from "@social-connect/simulator";
import { simulatorRegistration, startSimulator } from "@social-connect/simulator";
import { clientSecretBinding } from "../../modules/registrations/registrationAccess.ts";
import type { RealTimeService } from "./realTimeService.ts";

const PROVIDER = "PROVIDER_A";

/** Starts the simulator and registers the service at its first provider. */
export async function simulateProviderA({ service, registrations }: RealTimeService): Promise<RunningSimulator> {
  const callback = `${service.connectHost}/api/connect/callback/${providerSlug(PROVIDER)}`;
  const client = { clientId: "client", clientSecret: "secret", redirectUris: [callback] };
  const simulator = await startSimulator({
    port: 0,
    issuerPort: 0,
    clients: bySlug(() => [client]),
    issuerClients: [],
  });
  const { addresses, scopes } = simulatorRegistration(simulator.providerUrls, providerSlug(PROVIDER), client);
  const id = registrations[PROVIDER];
  const clientSecretSealed = service.secretBox.seal(client.clientSecret, clientSecretBinding(id));
  await service.prisma.providerRegistration.update({ where: { id }, data: { addresses, scopes, clientSecretSealed } });
  return simulator;
}
