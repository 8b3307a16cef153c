import { type RunningSimulator, type SimulatorClients, startSimulator } from "@social-connect/simulator";
import { control } from "@social-connect/testkit";
import type { Service } from "../../modules/service.ts";
import type { TestService } from "../../modules/testing/testService.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { startAdminServer } from "./adminServer.ts";

const CLIENT = { clientId: "panel", clientSecret: "panel-secret" };

export function issuerAt(url: string) {
  return { url, clientId: CLIENT.clientId, clientSecret: new Secret(CLIENT.clientSecret) };
}

export function startIssuer(redirectUris: string[], clients: SimulatorClients = {}): Promise<RunningSimulator> {
  return startSimulator({ port: 0, issuerPort: 0, clients, issuerClients: [{ ...CLIENT, redirectUris }] });
}

/** A server, the issuer at which admins and users sign in to it, and providers. */
export async function startServerWithIssuer<Served extends Service = TestService>(
  service: Served,
  panelFolder?: string,
  clientsAt: (url: string) => SimulatorClients = () => ({}),
) {
  // The callback URLs are known only when the server listens, so the issuer is started after it.
  const issuer = issuerAt("http://127.0.0.1:9");
  const server = await startAdminServer(service, { issuer }, panelFolder);
  const { url } = server;
  const simulator = await startIssuer([`${url}/panel/callback`, `${url}/api/identity/callback`], clientsAt(url));
  issuer.url = simulator.issuerUrl;
  return { server, simulator };
}

/** The issuer uses the machine's time plus an offset, which this sets to the service's time. */
export async function moveIssuerClock({ simulatorUrl }: RunningSimulator, { clock }: TestService): Promise<void> {
  await control(simulatorUrl, "POST", "/clock", { offsetMs: clock.current.getTime() - Date.now() });
}
