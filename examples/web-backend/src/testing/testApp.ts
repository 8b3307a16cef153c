import type { createConsumerMock } from "@social-connect/mocks";
import { SocialConnect, type SocialConnectOptions, type SocialProvider } from "@social-connect/sdk";
import { createApp } from "../app.ts";
import { Scans } from "../core/scans.ts";
import { RecordingStore } from "./recordingStore.ts";
import { TestBrowser } from "./testBrowser.ts";

type Mock = ReturnType<typeof createConsumerMock>;

export interface TestAppOptions {
  readonly mock: Mock;
  readonly origin: string;
  readonly client?: Partial<SocialConnectOptions>;
}

/** What an application at `origin` registers with the service. */
export function registrationOf(origin: string) {
  return {
    tenantKeys: ["acme"],
    webOrigins: [origin],
    returnUrls: [`${origin}/return`],
    identityReturnUrls: [`${origin}/identity-return`],
  };
}

/** The application with a mock as its service. Waiting advances the mock's clock. */
export function createTestApp({ mock, origin, client = {} }: TestAppOptions) {
  const logged: string[] = [];
  const store = new RecordingStore();
  const scans = new Scans();
  const app = createApp({
    social: new SocialConnect({
      baseUrl: mock.baseUrl,
      key: mock.key,
      clock: mock.clock,
      random: () => 0.5,
      retries: 0,
      ...client,
    }),
    settings: {
      tenantKey: "acme",
      returnUrl: `${origin}/return`,
      identityReturnUrl: `${origin}/identity-return`,
      imageOrigins: ["http://127.0.0.1:4401"],
      sessionSecret: "a secret of at least thirty-two characters",
    },
    store,
    scans,
    clock: { now: () => mock.clock.date() },
    log: (line) => logged.push(line),
  });
  const browser = (address?: string) => new TestBrowser(app, origin, address);

  /** Mara starts to connect an account. Returns the id of the attempt. */
  async function begin(provider: SocialProvider = "PROVIDER_A"): Promise<string> {
    await (await browser().signIn()).post("/connect", { provider });
    return store.lastAttempt;
  }

  /** Mara connects an account, which is not read yet. Returns the id of the connection. */
  async function link(account = "slow-trains", provider: SocialProvider = "PROVIDER_A"): Promise<string> {
    return mock.connect(await begin(provider)).complete({ account }).connectionId ?? "";
  }

  return { mock, app, store, scans, logged, browser, begin, link };
}
