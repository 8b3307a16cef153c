import { randomUUID } from "node:crypto";
import { CAPABILITIES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { bySlug, providerSlug } from "@social-connect/domain";
import { simulatorRegistration } from "@social-connect/simulator";
import { type Browser, control, launchBrowser, testClock } from "@social-connect/testkit";
import { vi } from "vitest";
import { ensurePanelBuilt } from "../../build/ensurePanelBuilt.ts";
import { type Appearance, openBrowser } from "./browserUser.ts";
import {
  addAdmin,
  issueKey,
  MovableClock,
  providerAdapter,
  SYSTEM,
  startServerWithIssuer,
  startTestService,
} from "./server.ts";

/** Generous, because a journey loads many pages. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const FIRST_ADMIN = "admin@example.test";
const PROVIDER_CLIENT = { clientId: "service-at-provider", clientSecret: "provider-client-secret" };

export type TestPanel = Awaited<ReturnType<typeof startPanel>>;

/**
 * The service with its panel and its own database, the simulator, and a browser. The clock runs and can be advanced.
 * `admin@example.test` is an admin who has not signed in yet.
 */
export async function startPanel() {
  const [panelFolder, started] = await Promise.all([
    ensurePanelBuilt(),
    startTestService({ provider: providerAdapter }),
  ]);
  const clock = new MovableClock(started.pool);
  const { server, simulator } = await startServerWithIssuer({ ...started, clock }, panelFolder, (at) =>
    bySlug((slug) => [{ ...PROVIDER_CLIENT, redirectUris: [`${at}/api/connect/callback/${slug}`] }]),
  );
  const { url, service } = server;
  await addAdmin(service, SYSTEM, FIRST_ADMIN);
  let browser: Promise<Browser> | undefined;
  return {
    url,
    simulator,
    service,
    /** Deletes the data of earlier tests. The first admin and their sessions stay; re-creates the admin if a test removed them. */
    clear: async () => {
      const { prisma } = service;
      await prisma.adminApiKey.deleteMany();
      await prisma.adminMember.deleteMany({ where: { email: { not: FIRST_ADMIN } } });
      await prisma.application.deleteMany();
      await prisma.providerRegistration.deleteMany();
      if ((await prisma.adminMember.count()) === 0) await addAdmin(service, SYSTEM, FIRST_ADMIN);
      await prisma.auditEntry.deleteMany();
      await prisma.rollup.deleteMany();
    },
    user: async (appearance?: Appearance) => {
      browser ??= launchBrowser();
      return openBrowser(await browser, url, appearance);
    },
    advance: async (byMs: number) => {
      await clock.advance(byMs);
      await control(simulator.simulatorUrl, "POST", "/clock", { advanceMs: byMs });
    },
    registration: (provider: SocialProvider) =>
      simulatorRegistration(simulator.providerUrls, providerSlug(provider), { ...PROVIDER_CLIENT, redirectUris: [] }),
    /** Creates a client with one origin and one tenant, all providers and capabilities, and no key. */
    client: async (slug: string) => {
      const at = await clock.now();
      const data = {
        id: randomUUID(),
        slug,
        displayName: `The ${slug} app`,
        webOrigins: [`https://${slug}.example`],
        returnUrls: [`https://${slug}.example/return`],
        tenantKeys: ["main"],
        providers: [...SOCIAL_PROVIDERS],
        capabilities: [...CAPABILITIES],
        createdAt: at,
        updatedAt: at,
      };
      await service.prisma.application.create({ data });
      return data;
    },
    applicationKey: async (applicationId: string) =>
      issueKey({ ...service, clock: testClock(await clock.now()) }, applicationId),
    close: async () => {
      await (await browser)?.close();
      await server.close();
      await simulator.close();
      await started.close();
    },
  };
}
