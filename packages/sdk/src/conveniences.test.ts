import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as core from "@social-connect/sdk-core";
import { printsOf } from "@social-connect/sdk-core/testing/canaries";
import { steppingClock } from "@social-connect/sdk-core/testing/steppingClock";
import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { CLASS_BY_CODE } from "./_generated/errors.ts";
import {
  type CallOptions,
  ConfigurationError,
  type ConnectRequest,
  type ContentItem,
  launchPage,
  metric,
  metricText,
  type RefreshRequest,
  ServiceError,
  SocialConnect,
  type WaitOptions,
} from "./index.ts";
import { BASE_URL, fakeClient, KEY, refusal } from "./testing/fakeApi.ts";
import { connection, contentPage, job, post, SESSION_WIRE, WINDOW } from "./testing/samples.ts";
import { serviceError } from "./wire/serviceErrors.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("SocialConnect.fromEnv", () => {
  it("reads the URL and the key of the environment, and takes the other options", async () => {
    vi.stubEnv("SOCIAL_CONNECT_URL", BASE_URL);
    vi.stubEnv("SOCIAL_CONNECT_KEY", KEY);
    const requests: [string, string | undefined][] = [];
    const fetch = async (url: string, init: { headers: Record<string, string> }) => {
      requests.push([url, init.headers["authorization"]]);
      return Response.json({ data: { integrationReadiness: { providers: [], idpIdentityAvailable: true } } });
    };
    await SocialConnect.fromEnv({ fetch }).readiness();
    expect(requests).toEqual([[`${BASE_URL}/graphql`, `Bearer ${KEY}`]]);
  });

  it("takes the environment that a runtime passes, and options instead of variables", () => {
    const env = { SOCIAL_CONNECT_URL: BASE_URL, SOCIAL_CONNECT_KEY: KEY, OTHER: {} };
    expect(SocialConnect.fromEnv({ env })).toBeInstanceOf(SocialConnect);
    expect(SocialConnect.fromEnv({ env: {}, baseUrl: BASE_URL, key: KEY })).toBeInstanceOf(SocialConnect);
  });

  it.each([
    [{}, "Set SOCIAL_CONNECT_URL and SOCIAL_CONNECT_KEY in the environment."],
    [{ SOCIAL_CONNECT_KEY: KEY }, "Set SOCIAL_CONNECT_URL in the environment."],
    [{ SOCIAL_CONNECT_URL: BASE_URL, SOCIAL_CONNECT_KEY: "" }, "Set SOCIAL_CONNECT_KEY in the environment."],
    [{ SOCIAL_CONNECT_URL: KEY, SOCIAL_CONNECT_KEY: BASE_URL }, /^SOCIAL_CONNECT_URL is not an absolute URL/],
    [
      { SOCIAL_CONNECT_URL: `${BASE_URL}\n`, SOCIAL_CONNECT_KEY: KEY },
      /^SOCIAL_CONNECT_URL is not an absolute URL .* no white space/,
    ],
    [
      { SOCIAL_CONNECT_URL: BASE_URL, SOCIAL_CONNECT_KEY: `"${KEY}"` },
      /^SOCIAL_CONNECT_KEY must not contain quotation marks/,
    ],
  ])("names the variable that is missing or malformed, without values: %#", (env, message) => {
    const create = () => SocialConnect.fromEnv({ env });
    expect(create).toThrow(message);
    expect(create).not.toThrow(KEY.slice(40));
  });

  it("names its option for frameworks that keep variables elsewhere, and for a denied permission", () => {
    vi.stubEnv("SOCIAL_CONNECT_URL", "");
    expect(() => SocialConnect.fromEnv()).toThrow(/pass them as `env`: import\.meta\.env of Vite/);
    const env = new Proxy<Record<string, unknown>>(
      {},
      {
        get() {
          throw new Error('NotCapable: Requires env access to "SOCIAL_CONNECT_URL"');
        },
      },
    );
    expect(() => SocialConnect.fromEnv({ env })).toThrow(
      "SOCIAL_CONNECT_URL cannot be read. Run Deno with --allow-env, or pass the variables as `env`.",
    );
  });

  it("names the option of a malformed value that is not of the environment", () => {
    const env = { SOCIAL_CONNECT_URL: BASE_URL, SOCIAL_CONNECT_KEY: KEY };
    expect(() => SocialConnect.fromEnv({ env, baseUrl: "" })).toThrow(/^baseUrl is not an absolute URL/);
    expect(() => SocialConnect.fromEnv({ env, key: "" })).toThrow(/^key is missing or empty/);
  });

  it("reads the files that *_FILE variables name, and variables before files", async () => {
    const folder = await mkdtemp(join(tmpdir(), "social-connect-sdk-"));
    const file = join(folder, "key");
    await writeFile(file, `${KEY}\n`);
    const env = { SOCIAL_CONNECT_URL: BASE_URL, SOCIAL_CONNECT_KEY_FILE: file };
    expect(SocialConnect.fromEnv({ env })).toBeInstanceOf(SocialConnect);
    expect(SocialConnect.fromEnv({ env: { ...env, SOCIAL_CONNECT_KEY: "" } })).toBeInstanceOf(SocialConnect);
    await writeFile(file, "not-a-key");
    expect(() => SocialConnect.fromEnv({ env })).toThrow(/^SOCIAL_CONNECT_KEY is not an application key/);
    expect(SocialConnect.fromEnv({ env: { ...env, SOCIAL_CONNECT_KEY: KEY } })).toBeInstanceOf(SocialConnect);
    await rm(folder, { recursive: true });
    expect(() => SocialConnect.fromEnv({ env })).toThrow("SOCIAL_CONNECT_KEY_FILE cannot be read.");
  });

  it("refuses unknown options with a suggestion", () => {
    const env = { SOCIAL_CONNECT_URL: BASE_URL, SOCIAL_CONNECT_KEY: KEY };
    expect(() => SocialConnect.fromEnv({ env, timout: 5 } as object)).toThrow("Did you mean `timeoutMs`?");
  });
});

describe("toArray", () => {
  const pages = [contentPage([post("1"), post("2")], "a"), contentPage([post("3")], "b"), contentPage([post("4")])];

  it.each([
    [1, ["1"], 1],
    [2, ["1", "2"], 1],
    [3, ["1", "2", "3"], 2],
    [10_000, ["1", "2", "3", "4"], 3],
  ])("with a limit of %i requests only the pages that it needs", async (limit, ids, requests) => {
    const { api, user } = fakeClient({ content: pages });
    const posts = await user.content("c", WINDOW).toArray({ limit });
    expectTypeOf(posts).toEqualTypeOf<ContentItem[]>();
    expect(posts.map(({ providerContentId }) => providerContentId)).toEqual(ids);
    expect(api.calls).toHaveLength(requests);
  });

  it.each([0, 10_001, 1.5, undefined, "5"])("refuses a limit of %s", async (limit) => {
    const { api, user } = fakeClient({ content: pages });
    const call = user.content("c", WINDOW).toArray({ limit: limit as number });
    await expect(call).rejects.toThrow("limit must be a whole number from 1 to 10000.");
    expect(api.calls).toHaveLength(0);
  });
});

describe("metric", () => {
  const item = post("p", {
    metrics: [
      ["VIEWS", "9007199254740993"],
      ["LIKES", null],
      ["SAVES", "7"],
      ["SHARES", "many"],
    ].map(([name, value]) => ({
      name: `${name}`,
      value: value ?? null,
      availability: "",
      reason: null,
      sourceField: null,
      observedAt: "",
    })),
  });

  it("returns the exact number, or null if it is not available", () => {
    expect(metric(item, "VIEWS")).toBe(9_007_199_254_740_993n);
    expect(["LIKES", "COMMENTS", "SHARES"].map((name) => metric(item, name))).toEqual([null, null, null]);
    expect(metric(post("p"), "VIEWS")).toBeNull();
    expect(metric(item, "SAVES")).toBe(7n);
  });

  it("has a text for JSON, which has no bigint", () => {
    expect(() => JSON.stringify({ views: metric(item, "VIEWS") })).toThrow(TypeError);
    const views = metricText(item, "VIEWS");
    expect(JSON.parse(JSON.stringify({ views }))).toEqual({ views: String(metric(item, "VIEWS")) });
    expect(metricText(item, "LIKES")).toBeNull();
  });

  it("refuses an unknown metric, with the known ones", () => {
    expect(() => metric(item, "views")).toThrow(
      "name must be one of VIEWS, LIKES, COMMENTS, SHARES. Did you mean VIEWS?",
    );
    expect(() => metric(JSON.parse("null"), "VIEWS")).toThrow(ConfigurationError);
    expect(() => metric(JSON.parse("{}"), "VIEWS")).toThrow("post must be a post with its metrics.");
  });
});

describe("recentWindow", () => {
  const at = (time: string) => fakeClient({}, { clock: steppingClock(Date.parse(time)) }).social;

  it("is the same for a scan and every later read of the day", () => {
    const window = { publishedAfter: "2026-02-02T00:00:00.000Z", publishedBefore: "2026-03-04T00:00:00.000Z" };
    for (const time of ["2026-03-03T00:00:00.000Z", "2026-03-03T12:00:00.001Z", "2026-03-03T23:59:59.999Z"]) {
      expect(at(time).recentWindow(30)).toEqual(window);
    }
    expect(at("2026-03-04T00:00:00.000Z").recentWindow(1)).toEqual({
      publishedAfter: "2026-03-04T00:00:00.000Z",
      publishedBefore: "2026-03-05T00:00:00.000Z",
    });
  });

  it.each([0, 91, 1.5])("refuses %d days", (days) => {
    expect(() => fakeClient({}).social.recentWindow(days)).toThrow("days must be a whole number from 1 to 90.");
  });
});

it("a scan knows the window that its posts are read with, also after it was resumed", async () => {
  const { api, social, user } = fakeClient({
    requestRefresh: job("SUCCEEDED", { completeForWindow: true }),
    syncJob: job("SUCCEEDED", { completeForWindow: true }),
    content: contentPage([]),
  });
  const scan = user.refresh("c", { window: { ...social.recentWindow(7), maxItems: 5 } });
  const { window, complete } = await scan.scanAll();
  expect(complete).toBe(true);
  expect(window).toEqual(social.recentWindow(7));
  if (window !== undefined) await user.content("c", window).page();
  expect(api.of("content")[0]?.body.variables).toMatchObject({ window: social.recentWindow(7) });
  const resumed = social.resume<"refresh">(JSON.parse(JSON.stringify(scan)));
  expect((await resumed.scanAll()).window).toEqual(window);
  expect(user.refresh("c").window).toBeUndefined();
  const saved = { ...scan.toJSON(), window: { publishedAfter: 5 } };
  expect(() => social.resume(saved as never)).toThrow(ConfigurationError);
});

describe("argument errors name the allowed values", () => {
  const REQUEST: ConnectRequest = { provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: "https://a.example" };
  it.each([
    [
      { provider: "PROVIDER_D" },
      "provider (YouTube, TikTok, Instagram) must be one of PROVIDER_A, PROVIDER_B, PROVIDER_C. Did you mean PROVIDER_A?",
    ],
    [
      { provider: undefined },
      "provider (YouTube, TikTok, Instagram) must be one of PROVIDER_A, PROVIDER_B, PROVIDER_C.",
    ],
    [{ capabilities: [] }, "capabilities must be an array of PROFILE, CONTENT_LIST, CONTENT_LOOKUP, CONTENT_METRICS."],
    [{ capabilities: "PROFILE" }, "capabilities must be an array of PROFILE"],
    [
      { capabilities: ["CONTENT"] },
      "Each of capabilities must be one of PROFILE, CONTENT_LIST, CONTENT_LOOKUP, CONTENT_METRICS.",
    ],
    [{ returnURL: "x" }, "Unknown property of request `returnURL`. Did you mean `returnUrl`?"],
  ])("of a connect request: %#", async (wrong, message) => {
    const { api, user } = fakeClient({});
    const call = user.connect({ ...REQUEST, ...wrong } as ConnectRequest);
    await expect(call).rejects.toThrow(message);
    await expect(call).rejects.toMatchObject({ operation: "createConnectSession", code: "MISCONFIGURED" });
    expect(api.calls).toHaveLength(0);
  });

  it("of lists, windows and refreshes", () => {
    const { user } = fakeClient({});
    const options = (value: object) => value as { pageSize: number };
    expect(() => user.content("c", WINDOW, { pageSize: 51 })).toThrow("pageSize must be a whole number from 1 to 50.");
    expect(() => user.connections({ pageSize: 101 })).toThrow("pageSize must be a whole number from 1 to 100.");
    expect(() => user.connections(options({ first: 5 }))).toThrow("Unknown option `first`. Known: signal, ");
    expect(() => user.connections(options({ pagesize: 5 }))).toThrow("Did you mean `pageSize`?");
    const window = { ...WINDOW, publishedafter: "x" };
    expect(() => user.content("c", window)).toThrow("Unknown property of window `publishedafter`. Did you mean");
    const request = { postId: "p" } as RefreshRequest;
    expect(() => user.refresh("c", request)).toThrow(
      "Unknown property of request `postId`. Known: window, continuationCursor, providerContentId.",
    );
    // From a caller without types, whose saved refresh must be resumable.
    expect(user.refresh("c", { window: null } as object).toJSON()).not.toHaveProperty("window");
  });

  it.each([null, 5, [], new AbortController().signal])("with %o in place of options", async (value) => {
    const { api, user } = fakeClient({});
    const options = value as CallOptions;
    const poller = user.job("c", "j");
    const calls = [
      poller.poll(options),
      poller.wait(options),
      user.connection("c", options),
      user.disconnect("c", options),
    ];
    for (const call of calls) await expect(call).rejects.toThrow("options must be an object.");
    expect(() => user.connections(options)).toThrow("options must be an object.");
    expect(() => launchPage(SESSION_WIRE, options as object)).toThrow("options must be an object.");
    expect(() => user.refresh("c", [] as object)).toThrow("request must be an object.");
    expect(api.calls).toHaveLength(0);
  });

  it("of a wait", async () => {
    const { api, user } = fakeClient({});
    const options = { timeoutMs: 5 } as WaitOptions<unknown>;
    await expect(user.job("c", "j").wait(options)).rejects.toThrow("Unknown option `timeoutMs`.");
    expect(api.calls).toHaveLength(0);
  });

  it("of a poller's signal, also for a poll that shares the request of another", async () => {
    const { api, user } = fakeClient({ syncJob: job("SUCCEEDED") });
    const poller = user.job("c", "j");
    const options = { signal: new AbortController() } as unknown as CallOptions;
    const first = poller.poll();
    for (const call of [poller.poll(options), poller.wait(options), poller.watch(options).next()]) {
      await expect(call).rejects.toThrow("signal must be an AbortSignal.");
    }
    expect(await first).toMatchObject({ status: "SUCCEEDED" });
    expect(api.calls).toHaveLength(1);
  });

  it("of a watch, and of a poll that shares the request of another", async () => {
    const { api, user } = fakeClient({ syncJob: job("SUCCEEDED") });
    const poller = user.job("c", "j");
    const misspelled = { deadlines: new Date() } as object;
    await expect(poller.watch(misspelled).next()).rejects.toThrow("Did you mean `deadline`?");
    const [first, second] = [poller.poll(), poller.poll(misspelled)];
    await expect(second).rejects.toThrow("Did you mean `deadline`?");
    expect(await first).toMatchObject({ status: "SUCCEEDED" });
    expect(api.calls).toHaveLength(1);
  });

  it("of a redeem", async () => {
    const { api, social } = fakeClient({});
    const request = { id: "i", tenantKey: "t", resultProof: "p", proof: "p" };
    await expect(social.redeemIdpIdentity(request)).rejects.toThrow("Unknown property of request `proof`.");
    expect(api.calls).toHaveLength(0);
  });
});

it("a poll has the timeout and the retries of its options", async () => {
  const lost = new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
  const { api, user } = fakeClient({ syncJob: [lost, job("RUNNING")] });
  await expect(user.job("c", "j").poll({ retries: 0 })).rejects.toMatchObject({ kind: "transport" });
  expect(api.calls).toHaveLength(1);
});

describe("docsUrl", () => {
  const pages = new URL("../../../docs/reference/errors/", import.meta.url);
  const fileOf = (docsUrl: string) => {
    expect(docsUrl).toMatch(/^https:\/\/.*\/docs\/reference\/errors\/[A-Z_a-z]+\.md(#[a-z-]+)?$/);
    return new URL(docsUrl.slice(docsUrl.lastIndexOf("/") + 1), pages);
  };

  it.each([...CLASS_BY_CODE.keys()])("of %s is the page of the code", (code) => {
    const { docsUrl } = serviceError({ code, message: "" });
    const file = fileOf(docsUrl);
    expect(readFileSync(fileURLToPath(file), "utf8")).toContain(`# ${code}`);
  });

  it("of any other error is the list of codes, which contains its code", async () => {
    const { social, user } = fakeClient({
      connection: new Response("<h1>", { status: 502 }),
      status: refusal("OF_TOMORROW"),
    });
    const errors: unknown[] = await Promise.all(
      [user.connection("c", { retries: 0 }), user.connection(""), social.status()].map((call) =>
        call.catch((error) => error),
      ),
    );
    for (const error of errors) {
      if (!(error instanceof core.SocialConnectError)) throw error;
      const file = fileOf(error.docsUrl);
      const list = readFileSync(fileURLToPath(file), "utf8");
      expect(file.hash).toBe("#codes-of-the-sdks");
      expect(list).toContain("## Codes of the SDKs");
      if (!(error instanceof ServiceError)) expect(list).toContain(`| \`${error.code}\` |`);
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({ docsUrl: error.docsUrl });
    }
    expect(printsOf(errors)).not.toContain(KEY);
    expect(connection("c").id).toBe("c");
  });
});
