import { createHash } from "node:crypto";
import { CAPABILITIES, type SocialProvider } from "@social-connect/contract";
import { giveConsent } from "@social-connect/simulator";
import type { Connection } from "../../_generated/prisma/client.ts";
import { registrationAccess } from "../../modules/registrations/registrationAccess.ts";
import type { TestApplication } from "../../modules/testing/builders.ts";
import { startInitialReads } from "../../modules/testing/calls.ts";
import { createConnection } from "../../modules/testing/connections.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { providerAdapter } from "../../providers/registry/registry.ts";
import type { RealTimeService } from "./realTimeService.ts";

const VERIFIER = "a-verifier-of-the-length-that-is-asked-for-0123456789";

/** The client of the registrations at the simulator. */
export const SIMULATED_CLIENT = {
  clientId: "client",
  clientSecret: "secret",
  redirectUris: ["http://127.0.0.1:9/callback"],
};

/** Links an account of the simulator, whose first reads are then due. */
export async function linkAtSimulator(
  { service }: Pick<RealTimeService<Clock>, "service">,
  application: TestApplication,
  registrations: Readonly<Record<SocialProvider, string>>,
  { provider, account }: { readonly provider: SocialProvider; readonly account: string },
): Promise<Connection> {
  const adapter = providerAdapter(provider);
  const where = { id: registrations[provider] };
  const registration = await service.prisma.providerRegistration.findUniqueOrThrow({ where });
  const access = registrationAccess(service, registration, await service.clock.now());
  const codeVerifier = adapter.traits.pkce ? VERIFIER : null;
  const codeChallenge = codeVerifier && createHash("sha256").update(codeVerifier).digest("base64url");
  const request = {
    redirectUri: SIMULATED_CLIENT.redirectUris[0] as string,
    state: "state-1",
    capabilities: CAPABILITIES,
    codeChallenge,
    isAccountChoice: false,
  };
  const callbackUrl = await giveConsent(await adapter.authorizationUrl(access, request), { account });
  const tokens = await adapter.exchangeCode(access, { ...request, callbackUrl, codeVerifier });
  const { accessToken, providerAccountId } = tokens;
  const session = { registration: access, accessToken, providerAccountId, capabilities: CAPABILITIES };
  const { providerAccountId: accountId, providerUserKey } = await adapter.readAccount(session);
  const subject = { externalSubjectId: `${where.id}-${account}`, accountId, providerUserKey };
  const connection = await createConnection(service, application, registrations, { provider, tokens, ...subject });
  await startInitialReads(service, connection);
  return connection;
}
