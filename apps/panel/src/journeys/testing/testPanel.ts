import { randomUUID } from "node:crypto";
import { CAPABILITIES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { providerSlug } from "@social-connect/domain";
import {
  PROVIDER_KEYS,
  type RunningSimulator,
  type SimulatorClients,
  type SimulatorRegistration,
  simulatorRegistration,
  startSimulator,
} from "@social-connect/simulator";
import { type Browser, control, launchBrowser, TestClock } from "@social-connect/testkit";
import { vi } from "vitest";
import { ensurePanelBuilt } from "../../build/ensurePanelBuilt.ts";
import { type Appearance, BrowserUser } from "./browserUser.ts";
import {
  type AdminServer,
  addAdmin,
  issueKey,
  MovableClock,
  providerAdapter,
  Secret,
  SYSTEM,
  startAdminServer,
  startTestService,
  type TestServiceOn,
} from "./server.ts";

/** Generous, because a journey loads many pages. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const FIRST_ADMIN = "admin@example.test";
const ISSUER_CLIENT = { clientId: "panel", clientSecret: "panel-secret" };
const PROVIDER_CLIENT = { clientId: "service-at-provider", clientSecret: "provider-client-secret" };

type MovingService = TestServiceOn<MovableClock>;

/**
 * The service with its panel and its own database, the simulator, and a browser. The clock runs and can be advanced.
 * `admin@example.test` is an admin who has not signed in yet.
 */
export class TestPanel {
  readonly url: string;
  readonly simulator: RunningSimulator;
  readonly service: MovingService;
  readonly #clock: MovableClock;
  #browser: Promise<Browser> | undefined;
  readonly #server: AdminServer<MovingService>;

  private constructor(
    server: AdminServer<MovingService>,
    service: MovingService,
    parts: { simulator: RunningSimulator; clock: MovableClock },
  ) {
    this.#server = server;
    this.url = server.url;
    this.service = service;
    this.simulator = parts.simulator;
    this.#clock = parts.clock;
  }

  static async start(): Promise<TestPanel> {
    const [panelFolder, service] = await Promise.all([
      ensurePanelBuilt(),
      startTestService({ provider: providerAdapter }),
    ]);
    const clock = new MovableClock(service.pool);
    // The callback URLs are only known once the server listens, so the issuer and the providers start after it.
    const issuer = { url: "http://127.0.0.1:9", clientId: "panel", clientSecret: new Secret("panel-secret") };
    const server = await startAdminServer({ ...service, clock }, { issuer }, panelFolder);
    const simulator = await startSimulator({
      port: 0,
      issuerPort: 0,
      clients: clientsAt(server.url),
      issuerClients: [{ ...ISSUER_CLIENT, redirectUris: [`${server.url}/panel/callback`] }],
    });
    issuer.url = simulator.issuerUrl;
    await addAdmin(server.service, SYSTEM, FIRST_ADMIN);
    return new TestPanel(server, { ...server.service, close: service.close }, { simulator, clock });
  }

  /** Deletes the data of earlier tests. The first admin and their sessions stay; re-creates the admin if a test removed them. */
  async clear(): Promise<void> {
    const { prisma } = this.service;
    await prisma.adminApiKey.deleteMany();
    await prisma.adminMember.deleteMany({ where: { email: { not: FIRST_ADMIN } } });
    await prisma.application.deleteMany();
    await prisma.providerRegistration.deleteMany();
    if ((await prisma.adminMember.count()) === 0) await addAdmin(this.service, SYSTEM, FIRST_ADMIN);
    await prisma.auditEntry.deleteMany();
    await prisma.rollup.deleteMany();
  }

  async user(appearance?: Appearance): Promise<BrowserUser> {
    this.#browser ??= launchBrowser();
    return BrowserUser.at(await this.#browser, this.url, appearance);
  }

  async advance(byMs: number): Promise<void> {
    await this.#clock.advance(byMs);
    await control(this.simulator.simulatorUrl, "POST", "/clock", { advanceMs: byMs });
  }

  registration(provider: SocialProvider): SimulatorRegistration {
    const client = { ...PROVIDER_CLIENT, redirectUris: [] };
    return simulatorRegistration(this.simulator.providerUrls, providerSlug(provider), client);
  }

  /** Creates a client with one origin and one tenant, all providers and capabilities, and no key. */
  async client(slug: string): Promise<{ readonly id: string; readonly slug: string; readonly displayName: string }> {
    const at = await this.#clock.now();
    const displayName = `The ${slug} app`;
    const { id } = await this.service.prisma.application.create({
      data: {
        id: randomUUID(),
        slug,
        displayName,
        webOrigins: [`https://${slug}.example`],
        returnUrls: [`https://${slug}.example/return`],
        tenantKeys: ["main"],
        providers: [...SOCIAL_PROVIDERS],
        capabilities: [...CAPABILITIES],
        createdAt: at,
        updatedAt: at,
      },
    });
    return { id, slug, displayName };
  }

  async applicationKey(applicationId: string): Promise<string> {
    return issueKey({ ...this.service, clock: new TestClock(await this.#clock.now()) }, applicationId);
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close();
    await this.#server.close();
    await this.simulator.close();
    await this.service.close();
  }
}

function clientsAt(url: string): SimulatorClients {
  const entry = (provider: string) => ({
    ...PROVIDER_CLIENT,
    redirectUris: [`${url}/api/connect/callback/${provider}`],
  });
  return Object.fromEntries(PROVIDER_KEYS.map((provider) => [provider, [entry(provider)]]));
}
