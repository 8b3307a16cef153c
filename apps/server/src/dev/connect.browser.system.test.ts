import { SocialConnect } from "@social-connect/sdk";
import {
  type Browser,
  type BrowserContext,
  launchBrowser,
  type Page,
  type Request,
  sampled,
} from "@social-connect/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DevFile } from "../../../../packages/testkit/src/harness/devFile.ts";
import { call, type DevPlace, makeDevPlace } from "../../../../packages/testkit/src/harness/devPlace.ts";
import { type ShownProvider, type Visitor, visitorOf } from "../../../../packages/testkit/src/harness/visitor.ts";

/** A page with the given HTML, shown at `address`, without headers. */
async function servePage(context: BrowserContext, address: string, body: string): Promise<Page> {
  const page = await context.newPage();
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(address);
  return page;
}

/** The example's launch page as HTML, before its form is submitted; needs a browser without scripts. */
async function catchLaunchPage(visitor: Visitor, provider: ShownProvider): Promise<string> {
  await visitor.connectButton(provider).click();
  await visitor.page.getByRole("button", { name: "Continue" }).waitFor();
  return visitor.page.content();
}

/** Records what a browser reveals, in all tabs. */
function watchTraffic(context: BrowserContext) {
  /** Requested and redirected URLs. */
  const addresses: string[] = [];
  /** Every `Referer` that was sent. */
  const referrers: string[] = [];
  /** The headers of every response, including redirects. */
  const answers: { readonly url: URL; readonly headers: Readonly<Record<string, string>> }[] = [];
  let launchToken = "";
  let code = "";
  const finished: Promise<void>[] = [];
  context.on("request", (request) => {
    const url = new URL(request.url());
    addresses.push(url.href);
    if (url.pathname === "/api/connect/redeem") {
      launchToken = new URLSearchParams(request.postData() ?? "").get("launchToken") ?? "";
    }
    code = url.searchParams.get("code") ?? code;
  });
  /** Playwright never resolves the headers of a request that the browser gave up, so they are read once its answer is complete. */
  const readHeaders = async (request: Request) => {
    // The headers that were sent, including headers that the page did not set.
    const { referer } = await request.allHeaders();
    if (referer) referrers.push(referer);
    const headers = (await (await request.response())?.allHeaders()) ?? {};
    answers.push({ url: new URL(request.url()), headers });
    const { location } = headers;
    if (location !== undefined) addresses.push(new URL(location, request.url()).href);
  };
  context.on("requestfinished", (request) => finished.push(readHeaders(request)));
  context.on("requestfailed", (request) => {
    const { referer } = request.headers();
    if (referer) referrers.push(referer);
  });
  return {
    addresses,
    referrers,
    answers,
    /** The launch token in the form and the code in the callback. */
    secrets: async () => {
      await Promise.all(finished);
      return { launchToken, code };
    },
  };
}

/**
 * The user's path from sign-in to receipts, in a real browser against everything that `social-connect dev` starts:
 * server, worker, simulator and example application.
 */
let place: DevPlace;
let dev: DevFile;
let browser: Browser;

beforeAll(async () => {
  place = await makeDevPlace();
  [{ dev }, browser] = await Promise.all([place.start("--clock"), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await place[Symbol.asyncDispose]();
});

/** A separate browser context without shared cookies. */
async function newBrowser(options: Parameters<Browser["newContext"]>[0] = {}): Promise<BrowserContext> {
  return browser.newContext(options);
}

async function visitor(context?: BrowserContext): Promise<Visitor> {
  return visitorOf(await (context ?? (await newBrowser())).newPage(), dev);
}

/** The application's program, for Mara. */
function mara() {
  const { baseUrl, key, tenantKeys } = dev.consumer;
  const scope = { tenantKey: tenantKeys[0] ?? "", externalSubjectId: "user-mara" };
  return new SocialConnect({ baseUrl, key }).forSubject(scope);
}

const MARA = "Mara Lindqvist";
const JONAS = "Jonas Okafor";
const YUKI = "Yuki Tanaka";

describe("the complete flow", () => {
  const flows: readonly (readonly [ShownProvider, string, string, string])[] = [
    ["YouTube", "harbor-workshop", "Harbor Workshop", "The provider has ended the consent."],
    ["TikTok", "street-baker", "Street Baker", "The provider has ended the consent."],
    [
      "Instagram",
      "tidepool-studio",
      "Tidepool Studio",
      "This provider offers no way to give a consent back from here.",
    ],
  ];
  test.concurrent.each(sampled(flows, 2, 3))(
    "at %s: connect, see posts with metrics, look one up, refresh, disconnect, read both receipts",
    async (provider, account, name, revoked) => {
      const person = await visitor();
      const { page } = person;
      await person.signIn(MARA);
      const connectionId = await person.connect(provider, account);
      await page.getByRole("heading", { name }).waitFor();
      await person.refresh(30);
      expect(await page.locator(".post").count()).toBeGreaterThanOrEqual(20);
      expect(await page.locator(".metrics .known").count()).toBeGreaterThanOrEqual(40);

      // A program with the application's key reads the same connection.
      const answer = await readContent(connectionId, "user-mara");
      expect(answer).toMatchObject({
        data: { content: { items: expect.any(Array), pageInfo: { completeForWindow: true } } },
      });

      await page.locator(".post-link").first().click();
      await page.getByText("Numbers, as the provider gives them").waitFor();
      const address = await page.getByRole("link", { name: "Open at the provider" }).getAttribute("href");
      const found = await mara()
        .lookup(connectionId, address ?? "")
        .wait();
      expect(page.url().split("/posts/")[1]).toBe(encodeURIComponent(found.resultProviderContentId ?? ""));
      const [again] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith("/refresh")),
        page.getByRole("button", { name: "Read the numbers again" }).click(),
      ]);
      expect(again.status()).toBe(303);

      await page.getByRole("link", { name: "Account" }).last().click();
      await page.getByRole("link", { name: "Disconnect" }).click();
      await page.getByRole("button", { name: "Disconnect and erase" }).click();
      await page.getByRole("heading", { name: "is disconnected" }).waitFor();
      await page.getByText(revoked).waitFor();
      await page.getByText("Posts, numbers and profile are deleted.").waitFor();
      expect(await readContent(connectionId, "user-mara")).toMatchObject({
        errors: [{ extensions: { code: "NOT_FOUND" } }],
      });
    },
  );

  test("in two tabs that finish in the opposite order", async () => {
    const context = await newBrowser();
    const [first, second] = [await visitor(context), await visitor(context)];
    await first.signIn(YUKI);
    await first.goToConsent("TikTok");
    await second.goToConsent("TikTok");
    const bound = (await context.cookies(dev.connectHost)).filter(({ name }) => name.startsWith("social-connect-"));
    expect(bound).toHaveLength(2);
    await second.decide("Allow", "desert-runner");
    await second.page.getByRole("heading", { name: "desert runner" }).waitFor();
    await first.decide("Allow", "paper-cranes");
    await first.page.getByRole("heading", { name: "paper cranes" }).waitFor();
    await first.page.goto(dev.exampleUrl);
    await first.page.getByText("2 accounts linked.").waitFor();
  });
});

const secondAccounts: readonly (readonly [ShownProvider, string, string, readonly [string, string, string | null]])[] =
  [
    ["YouTube", "harbor-workshop", "kitchen-atlas", ["prompt", "consent select_account", "consent select_account"]],
    ["TikTok", "street-baker", "paper-cranes", ["disable_auto_auth", "1", "1"]],
    ["Instagram", "tidepool-studio", "linen-and-clay", ["force_reauth", "true", null]],
  ];
test.each(sampled(secondAccounts, 0, 3))(
  "a user links two accounts of %s without signing out there, and the return URL has no fragment",
  async (provider, first, second, [parameter, asked, askedAtFirst]) => {
    const person = await visitor();
    await person.signIn(YUKI);
    const ids: string[] = [];
    for (const [account, value] of [
      [first, askedAtFirst],
      [second, asked],
    ] as const) {
      await person.goToConsent(provider);
      expect(new URL(person.page.url()).searchParams.get(parameter)).toBe(value);
      await person.decide("Allow", account);
      await person.page.waitForURL(/\/accounts\/[0-9a-f-]{36}/);
      expect(new URL(person.page.url()).hash).toBe("");
      ids.push(new URL(person.page.url()).pathname);
    }
    expect(new Set(ids).size).toBe(2);
    expect((await person.history()).filter((address) => address.endsWith("#_"))).toEqual([]);
  },
);

test("a user who declines sees that nothing was linked, and nothing is", async () => {
  const person = await visitor();
  await person.signIn(JONAS);
  await person.goToConsent("TikTok");
  await person.decide("Deny");
  await person.page.getByRole("heading", { name: "Nothing was linked" }).waitFor();
  await person.page.getByText("You chose not to give access.").waitFor();
  await person.page.goto(dev.exampleUrl);
  await person.connectButton("TikTok").waitFor();
  expect(await person.card("TikTok").getByRole("listitem").count()).toBe(0);
});

test("the provider's redirect opened in another browser is rejected and still works in the first one", async () => {
  const person = await visitor();
  await person.signIn(JONAS);
  await person.goToConsent("YouTube");
  const address = await person.answerOf("night-trains");

  const stranger = await visitor();
  const refused = await stranger.page.goto(address);
  expect(refused?.status()).toBe(403);
  await stranger.page.getByRole("heading", { name: "This was started in another browser" }).waitFor();

  await person.page.goto(address);
  await person.page.waitForURL(/\/accounts\//);
  await person.page.getByRole("heading", { name: "Night Trains" }).waitFor();
});

test("a launch form is accepted once, and only from the application's own pages", async () => {
  const context = await newBrowser({ javaScriptEnabled: false });
  const person = await visitor(context);
  await person.signIn(JONAS);
  const form = await catchLaunchPage(person, "Instagram");

  const foreign = dev.exampleUrl.replace("127.0.0.1", "localhost");
  const from = async (address: string, html = form) => {
    const page = await servePage(context, address, html);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/api/connect/redeem")),
      page.getByRole("button", { name: "Continue" }).click(),
    ]);
    return { page, status: answer.status() };
  };
  const elsewhere = await from(`${foreign}/copy`);
  expect(elsewhere.status).toBe(403);
  await elsewhere.page.getByText("which the application has not registered").waitFor();
  const secretive = await from(`${dev.exampleUrl}/copy`, form.replace("strict-origin", "no-referrer"));
  expect(secretive.status).toBe(403);
  await secretive.page.getByText("did not say which site the request came from").waitFor();

  const own = await from(`${dev.exampleUrl}/copy`);
  expect(own.status).toBe(303);
  await own.page.getByRole("heading", { name: "to read your account?" }).waitFor();
  const again = await from(`${dev.exampleUrl}/copy`);
  expect(again.status).toBe(410);
  await again.page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
});

describe("what remains in the browser", () => {
  test("is one HttpOnly, host-only cookie per attempt, and no secret in a URL, a referrer or the history", async () => {
    const context = await newBrowser();
    const person = await visitor(context);
    const traffic = watchTraffic(context);
    await person.signIn(MARA);
    await person.goToConsent("YouTube");
    const cookies = (await context.cookies(dev.connectHost)).filter(({ name }) => name.startsWith("social-connect-"));
    expect(cookies).toEqual([
      expect.objectContaining({
        // Plain http on loopback: elsewhere the name starts with __Host- and the cookie is Secure.
        name: expect.stringMatching(/^social-connect-connect-[0-9a-f-]{36}$/),
        domain: "127.0.0.1",
        path: "/",
        httpOnly: true,
        secure: false,
        sameSite: "Lax",
      }),
    ]);
    expect(await person.page.evaluate("document.cookie")).toBe("");
    await person.decide("Allow", "kitchen-atlas");
    await person.page.waitForURL(/\/accounts\//);
    const { launchToken, code } = await traffic.secrets();
    const secrets = { launchToken, cookie: cookies[0]?.value ?? "", key: dev.consumer.key.split(".")[1] ?? "" };
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret, name).toMatch(/^[A-Za-z0-9_-]{32,}$/);
      expect(
        traffic.addresses.filter((address) => address.includes(secret)),
        name,
      ).toEqual([]);
      expect(
        traffic.referrers.filter((address) => address.includes(secret)),
        name,
      ).toEqual([]);
    }
    // The code has to be in the callback's URL and appears in no later one.
    const withCode = traffic.addresses.filter((address) => decodeURIComponent(address).includes(code));
    expect(new Set(withCode.map((address) => new URL(address).pathname))).toEqual(
      new Set(["/api/connect/callback/provider-a"]),
    );
    // The launch page sends its origin, which the service requires, and no page sends more.
    expect(traffic.referrers).toContain(`${dev.exampleUrl}/`);
    for (const referrer of traffic.referrers) expect(new URL(referrer).search).toBe("");
    const redirects = traffic.answers.filter(({ url }) => url.origin === dev.connectHost);
    expect(redirects.map(({ url }) => url.pathname)).toEqual([
      "/api/connect/redeem",
      "/api/connect/callback/provider-a",
    ]);
    for (const { headers } of redirects)
      expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    const history = await person.history();
    expect(history.at(-1)).toMatch(/\/accounts\//);
    for (const secret of [...Object.values(secrets), code]) expect(history.join("\n")).not.toContain(secret);
  });

  test("no page of the service can be framed, cached or scripted", async () => {
    const context = await newBrowser();
    const person = await visitor(context);
    const answer = await person.page.goto(`${dev.connectHost}/api/connect/callback/provider-a?state=unknown&code=x`);
    expect(answer?.headers()).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
    });
    await context.route("**/harmless", (route) => route.fulfill({ contentType: "text/html", body: "<p>Harmless" }));
    const framed = [`${answer?.url()}`, `${dev.exampleUrl}/harmless`];
    const frames = framed.map((address) => `<iframe src="${address}"></iframe>`).join("");
    const framing = await servePage(context, `${dev.exampleUrl}/framing`, frames);
    const shown = framing.frames().slice(1);
    await expect.poll(() => shown.map((frame) => frame.url())).toEqual(["chrome-error://chromewebdata/", framed[1]]);
  });
});

test("the identity handoff redirects through the issuer's sign-in to the application and is redeemed once", async () => {
  const context = await newBrowser();
  const { tenantKeys, identityReturnUrl, key } = dev.consumer;
  const input = `{ tenantKey: "${tenantKeys[0]}", returnUrl: "${identityReturnUrl}" }`;
  const session = "id launchUrl launchToken resultProof";
  const started = await call(dev, key, `mutation { s: createIdpIdentitySession(input: ${input}) { ${session} } }`);
  const { s } = (started as { data: { s: Record<"id" | "launchUrl" | "launchToken" | "resultProof", string> } }).data;
  const redeem = () => {
    const names = `id: "${s.id}", tenantKey: "${tenantKeys[0]}", resultProof: "${s.resultProof}"`;
    return call(dev, key, `mutation { redeemIdpIdentityResult(${names}) { status issuer email emailVerified } }`);
  };
  const form = `<form method="post" action="${s.launchUrl}"><input name="launchToken" value="${s.launchToken}"><button>Go`;
  const page = await servePage(context, `${dev.exampleUrl}/launch`, form);
  await page.getByRole("button", { name: "Go" }).click();
  await page.getByRole("heading", { name: "Sign in to" }).waitFor();
  expect(await redeem()).toMatchObject({ data: { redeemIdpIdentityResult: { status: "PENDING", email: null } } });
  await page.locator('input[name="person"][value="ada"]').check();
  // This handoff was not started by the example, which therefore does not finish it; only the redirect's target matters.
  const returned = page.waitForRequest((request) => request.url().startsWith(identityReturnUrl));
  await page.getByRole("button", { name: "Continue" }).click();
  const address = new URL((await returned).url());
  expect([...address.searchParams]).toEqual([
    ["ss_session_id", s.id],
    ["ss_status", "COMPLETED"],
  ]);
  expect(await redeem()).toMatchObject({
    data: {
      redeemIdpIdentityResult: { status: "COMPLETED", issuer: dev.issuerUrl, email: expect.stringMatching(/^ada@/) },
    },
  });
  expect(await redeem()).toMatchObject({ errors: [{ extensions: { code: "NOT_FOUND" } }] });
});

test("the example signs a user in through the issuer, and rejects the return address in another browser", async () => {
  const { page } = await visitor();
  await page.goto(dev.exampleUrl);
  await page.getByRole("button", { name: "Sign in with a company account" }).click();
  await page.getByRole("heading", { name: "Sign in to" }).waitFor();
  await page.locator('input[name="person"][value="ada"]').check();
  const returned = page.waitForRequest((request) => request.url().startsWith(dev.consumer.identityReturnUrl));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: /^Hello, / }).waitFor();
  const other = await (await newBrowser()).newPage();
  const answer = await other.goto((await returned).url());
  expect(answer?.status()).toBe(404);
  await other.getByRole("heading", { name: "No sign-in to finish" }).waitFor();
});

// Last, because time does not move backwards.
test("a user who returns after ten minutes sees that, at the service and at the application", async () => {
  const person = await visitor();
  await person.signIn(YUKI);
  await person.goToConsent("Instagram");
  await place.moveClock(10 * 60_000);
  await person.decide("Allow", "city-swifts");
  await person.page.getByRole("heading", { name: "That took too long" }).waitFor();
  await person.page.getByRole("link", { name: /^Back to / }).click();
  await person.page.getByRole("heading", { name: "The account was not linked" }).waitFor();
  await person.page.getByText("The ten minutes for this try have passed.").waitFor();
});

async function readContent(connectionId: string, externalSubjectId: string): Promise<unknown> {
  const now = Date.now();
  const [from, to] = [now - 7 * 86_400_000, now - 3_600_000].map((moment) => new Date(moment).toISOString());
  const scope = `scope: { tenantKey: "${dev.consumer.tenantKeys[0]}", externalSubjectId: "${externalSubjectId}" }`;
  const window = `window: { publishedAfter: "${from}", publishedBefore: "${to}", first: 10 }`;
  const fields = "items { providerContentId metrics { name value } } pageInfo { completeForWindow }";
  return call(dev, dev.consumer.key, `{ content(${scope}, connectionId: "${connectionId}", ${window}) { ${fields} } }`);
}
