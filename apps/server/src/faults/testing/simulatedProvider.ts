import { bySlug, providerSlug } from "@social-connect/domain";
import type { RunningSimulator } from "@social-connect/simulator";
import { simulatorRegistration, startSimulator } from "@social-connect/simulator";
import { clientSecretBinding } from "../../modules/registrations/registrationAccess.ts";
import type { RealTimeService } from "../../worker/testing/realTimeService.ts";

/** Starts the simulator, and registers the service at its PROVIDER_A. */
export async function startSimulatedProvider(real: RealTimeService): Promise<RunningSimulator> {
  const slug = providerSlug("PROVIDER_A");
  const callback = `${real.service.connectHost}/api/connect/callback/${slug}`;
  const client = { clientId: "client", clientSecret: "secret", redirectUris: [callback] };
  const simulator = await startSimulator({
    port: 0,
    issuerPort: 0,
    clients: bySlug(() => [client]),
    issuerClients: [],
  });
  const { addresses, scopes } = simulatorRegistration(simulator.providerUrls, slug, client);
  const id = real.registrations.PROVIDER_A;
  const clientSecretSealed = real.service.secretBox.seal(client.clientSecret, clientSecretBinding(id));
  const data = { addresses, scopes, clientSecretSealed };
  await real.service.prisma.providerRegistration.update({ where: { id }, data });
  return simulator;
}
