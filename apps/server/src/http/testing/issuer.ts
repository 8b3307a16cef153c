import { type RunningSimulator, startSimulator } from "@social-connect/simulator";
import { control } from "@social-connect/testkit";
import type { TestService } from "../../modules/testing/testService.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { type AdminServer, startAdminServer } from "./adminServer.ts";

const CLIENT = { clientId: "panel", clientSecret: "panel-secret" };

export function issuerAt(url: string) {
  return { url, clientId: CLIENT.clientId, clientSecret: new Secret(CLIENT.clientSecret) };
}

export function startIssuer(...redirectUris: string[]): Promise<RunningSimulator> {
  return startSimulator({ port: 0, issuerPort: 0, clients: {}, issuerClients: [{ ...CLIENT, redirectUris }] });
}

/** A server and the issuer at which admins and users sign in to it. */
export async function startServerWithIssuer(
  service: TestService,
): Promise<{ readonly server: AdminServer; readonly simulator: RunningSimulator }> {
  // The callback URLs are known only when the server listens, so the issuer is started after it.
  const issuer = issuerAt("http://127.0.0.1:9");
  const server = await startAdminServer(service, { issuer });
  const simulator = await startIssuer(`${server.url}/panel/callback`, `${server.url}/api/identity/callback`);
  issuer.url = simulator.issuerUrl;
  return { server, simulator };
}

/** The issuer uses the machine's time plus an offset, which this sets to the service's time. */
export async function moveIssuerClock({ simulatorUrl }: RunningSimulator, { clock }: TestService): Promise<void> {
  await control(simulatorUrl, "POST", "/clock", { offsetMs: clock.current.getTime() - Date.now() });
}
