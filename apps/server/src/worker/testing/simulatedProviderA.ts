import { bySlug, providerSlug } from "@social-connect/domain";
import { type RunningSimulator, simulatorRegistration, startSimulator } from "@social-connect/simulator";
import { moveRegistration } from "../../modules/testing/builders.ts";
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
  await moveRegistration(service, registrations[PROVIDER], { addresses, scopes }, client.clientSecret);
  return simulator;
}
