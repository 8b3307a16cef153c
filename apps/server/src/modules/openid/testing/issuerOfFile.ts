import { afterAll, beforeAll, beforeEach } from "vitest";
import { Secret } from "../../../platform/secrets/secret.ts";
import { createApplication, type TestApplication } from "../../testing/builders.ts";
import { startTestService, type TestService } from "../../testing/testService.ts";
import { CLIENT_SECRET, ForgingIssuer } from "./forgingIssuer.ts";

export let issuer: ForgingIssuer;
export let service: TestService;
export let application: TestApplication;

export function useIssuer(): void {
  beforeAll(async () => {
    issuer = new ForgingIssuer();
    await issuer.listen();
    const clientSecret = new Secret(CLIENT_SECRET);
    service = await startTestService({ issuer: { url: issuer.url, clientId: "service", clientSecret } });
    issuer.now = () => service.clock.current;
    application = await createApplication(service, "shop", { idpIdentityEnabled: true });
  });
  afterAll(async () => {
    await service.close();
    await issuer.close();
  });
  beforeEach(async () => {
    issuer.beHonest();
    await service.prisma.identityAttempt.deleteMany();
  });
}
