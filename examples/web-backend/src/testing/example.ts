import { createConsumerMock } from "@social-connect/mocks";
import { SocialConnect, type SocialConnectOptions, type SocialProvider } from "@social-connect/sdk";
import { Visitor } from "../../../../packages/testkit/src/visitor.ts";
import { createApp } from "../app.ts";
import { Store } from "../core/store.ts";

export const ORIGIN = "http://127.0.0.1:4403";

/** What an application at `origin` registers with the service. */
export function registrationOf(origin: string) {
  return {
    tenantKeys: ["acme"],
    webOrigins: [origin],
    returnUrls: [`${origin}/return`],
    identityReturnUrls: [`${origin}/identity-return`],
  };
}

/** The application without a port, whose SDK sends its requests to the mock in this process. */
export function startExample({ timeoutMs = 10_000 } = {}) {
  const mock = createConsumerMock({ seed: "web-backend", application: registrationOf(ORIGIN) });
  return createExample(mock, ORIGIN, { fetch: mock.fetch, timeoutMs });
}

/** The application with a mock as its service. Waiting advances the mock's clock. */
export function createExample(
  mock: ReturnType<typeof createConsumerMock>,
  origin: string,
  client: Partial<SocialConnectOptions> = {},
) {
  const logged: string[] = [];
  const store = new Store();
  const { baseUrl, key, clock } = mock;
  const app = createApp({
    social: new SocialConnect({ baseUrl, key, clock, random: () => 0.5, retries: 0, ...client }),
    settings: {
      tenantKey: "acme",
      returnUrl: `${origin}/return`,
      identityReturnUrl: `${origin}/identity-return`,
      imageOrigins: ["http://127.0.0.1:4401"],
      sessionSecret: "a secret of at least thirty-two characters",
    },
    store,
    clock: { now: () => mock.clock.date() },
    log: (line) => logged.push(line),
  });
  const browser = (remoteAddress = "192.0.2.1") => {
    const remote = { incoming: { socket: { remoteAddress } } };
    return new Visitor((url, init) => app.request(url, init, remote), origin, "user-mara");
  };

  /** Mara starts to connect an account. Returns the id of the attempt. */
  async function begin(provider: SocialProvider = "PROVIDER_A"): Promise<string> {
    await (await browser().signIn()).post("/connect", { provider });
    return [...store.attempts.keys()].at(-1) ?? "";
  }

  /** Mara connects an account, which is not read yet. Returns the id of the connection. */
  async function link(account = "slow-trains", provider: SocialProvider = "PROVIDER_A"): Promise<string> {
    return mock.connect(await begin(provider)).complete({ account }).connectionId ?? "";
  }

  return { mock, app, store, logged, browser, begin, link };
}
