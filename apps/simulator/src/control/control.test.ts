import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { byProvider, PROVIDER_KEYS } from "../shared/providerKeys.ts";
import { CLIENT, STARTED_AT, startTestSimulator, type TestSimulator } from "../testing/testSimulator.ts";

const CHANNELS = "/channels?part=id&mine=true";
let simulator: TestSimulator;
const deauthorizations: string[] = [];
let headers: IncomingHttpHeaders = {};
const DELETED = JSON.stringify({ url: "https://app.example/deletion?code=1", confirmation_code: "1" });
const listener = createServer((request, response) => {
  request.setEncoding("utf8");
  let body = "";
  request.on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => {
    deauthorizations.push(body);
    headers = request.headers;
    response.writeHead(200).end(request.url === "/data-deletion" ? DELETED : undefined);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const messages = {
    deauthorizationUrl: `${url}/deauthorize`,
    dataDeletionUrl: `${url}/data-deletion`,
    webhookUrl: `${url}/webhook`,
  };
  const client = { ...CLIENT, ...messages };
  simulator = await startTestSimulator({ clients: byProvider(() => [client]) });
});
beforeEach(async () => {
  await simulator.control("POST", "/reset");
  deauthorizations.length = 0;
});
afterAll(async () => {
  await simulator.close();
  listener.close();
});

/** The parts of the latest request that reported a removal. */
function signedRequest(): string[] {
  return (new URLSearchParams(deauthorizations.at(-1)).get("signed_request") ?? "").split(".");
}

describe("access", () => {
  test("rejects requests of web pages", async () => {
    const ask = (headers: Record<string, string>) =>
      simulator.call(`${simulator.simulatorUrl}/__sim/clock`, { headers });
    expect((await ask({})).status).toBe(200);
    expect((await ask({ origin: "https://example.test" })).status).toBe(403);
    expect((await ask({ "sec-fetch-site": "cross-site" })).status).toBe(403);
  });
});

describe("the clock", () => {
  test("can be advanced, set and reset, and tokens expire by it", async () => {
    const { get } = await simulator.connect("provider-a", "unicode");
    const move = (body: object) => simulator.control("POST", "/clock", body);
    expect((await simulator.control("GET", "/clock")).at("now")).toBe(STARTED_AT.toISOString());
    expect((await move({ advance: "90m" })).at("offsetMs")).toBe(5_400_000);
    expect((await get(CHANNELS)).status).toBe(401);
    expect((await move({ set: "2026-06-15T12:30:00.000Z" })).at("offsetMs")).toBe(1_800_000);
    expect((await get(CHANNELS)).status).toBe(200);
    expect((await move({ advanceMs: -1_800_000 })).at("offsetMs")).toBe(0);
    expect((await move({ offsetMs: 60_000 })).at("now")).toBe("2026-06-15T12:01:00.000Z");
  });

  test.each([{ advance: "soon" }, { advance: "1y" }, { set: "yesterday" }, {}, { advance: "1m", offsetMs: 1 }])(
    "rejects %j",
    async (body) => {
      expect((await simulator.control("POST", "/clock", body)).at("error")).toBe("bad_input");
    },
  );
});

describe("grants", () => {
  test("ending a grant invalidates all tokens of that account only", async () => {
    const ended = await simulator.connect("provider-b", "paper-cranes");
    const other = await simulator.connect("provider-b", "street-baker");
    expect((await simulator.control("POST", "/accounts/provider-b/paper-cranes/end-grant", {})).at("ended")).toBe(1);
    expect((await ended.get("/user/info/?fields=open_id")).status).toBe(401);
    expect((await simulator.refresh("provider-b", ended.refreshToken)).at("error")).toBe("invalid_grant");
    expect((await other.get("/user/info/?fields=open_id")).status).toBe(200);
    const shown = await simulator.control("GET", "/accounts/provider-b/paper-cranes");
    expect(shown.at("grants.0.ended.cause")).toBe("password-changed");
  });

  test("removing the app at provider C sends the application a signed request", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const appScopedId = (await get("/me?fields=id")).at("id");
    const removed = await simulator.control("POST", "/accounts/provider-c/tidepool-studio/remove-app");
    expect(removed.at("deauthorizations")).toEqual([{ clientId: CLIENT.clientId, status: 200 }]);
    const [signature, payload = ""] = signedRequest();
    expect(signature).toBe(createHmac("sha256", CLIENT.clientSecret).update(payload).digest("base64url"));
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toEqual({
      algorithm: "HMAC-SHA256",
      issued_at: STARTED_AT.getTime() / 1_000,
      user_id: appScopedId,
    });
    expect((await get("/me?fields=id")).at("error.error_subcode")).toBe(458);
  });

  test("a removal before the current consent keeps its grant and is still reported", async () => {
    const { get } = await simulator.connect("provider-c", "linen-and-clay");
    const at = new Date(STARTED_AT.getTime() - 60_000);
    const removed = await simulator.control("POST", "/accounts/provider-c/linen-and-clay/remove-app", { at });
    expect(removed.at("ended")).toBe(0);
    expect(removed.at("deauthorizations")).toEqual([{ clientId: CLIENT.clientId, status: 200 }]);
    const [, payload = ""] = signedRequest();
    expect(JSON.parse(Buffer.from(payload, "base64url").toString()).issued_at).toBe(at.getTime() / 1_000);
    expect((await get("/me?fields=id")).status).toBe(200);
  });

  test("removing the app at provider B sends the application a signed webhook, signed now", async () => {
    const { get } = await simulator.connect("provider-b", "paper-cranes");
    const accountId = (await simulator.control("GET", "/accounts/provider-b/paper-cranes")).at("accountId");
    const at = new Date(STARTED_AT.getTime() - 60_000);
    await simulator.control("POST", "/accounts/provider-b/paper-cranes/remove-app", { at });
    expect((await get("/user/info/?fields=open_id")).status).toBe(200);
    const removed = await simulator.control("POST", "/accounts/provider-b/paper-cranes/remove-app");
    expect(removed.at("deauthorizations")).toEqual([{ clientId: CLIENT.clientId, status: 200 }]);
    expect((await get("/user/info/?fields=open_id")).status).toBe(401);
    const [late = "", now = ""] = deauthorizations;
    const seconds = STARTED_AT.getTime() / 1_000;
    expect([late, now].map((body) => JSON.parse(body).create_time)).toEqual([seconds - 60, seconds]);
    expect(JSON.parse(now)).toEqual({
      client_key: CLIENT.clientId,
      event: "authorization.removed",
      create_time: seconds,
      user_openid: accountId,
      content: '{"reason":1}',
    });
    const signature = createHmac("sha256", CLIENT.clientSecret).update(`${seconds}.${now}`).digest("hex");
    expect(headers["tiktok-signature"]).toBe(`t=${seconds},s=${signature}`);
  });

  test("a data deletion request at provider C returns the application's response", async () => {
    const path = "/accounts/provider-c/city-swifts/request-deletion";
    const asked = await simulator.control("POST", path, { at: new Date(STARTED_AT.getTime() - 60_000) });
    expect(asked.at("requests")).toEqual([{ clientId: CLIENT.clientId, status: 200, body: DELETED }]);
    const [signature, payload = ""] = signedRequest();
    expect(signature).toBe(createHmac("sha256", CLIENT.clientSecret).update(payload).digest("base64url"));
    expect(JSON.parse(Buffer.from(payload, "base64url").toString()).issued_at).toBe(STARTED_AT.getTime() / 1_000 - 60);
    const { get } = await simulator.connect("provider-c", "city-swifts");
    await simulator.control("POST", path);
    expect((await get("/me?fields=id")).status).toBe(200);
    expect((await simulator.control("POST", "/accounts/provider-a/unicode/request-deletion")).status).toBe(404);
  });

  test("removing the app at provider A ends the grant without a notification", async () => {
    const { get } = await simulator.connect("provider-a", "unicode");
    expect((await simulator.control("POST", "/accounts/provider-a/unicode/remove-app")).at("ended")).toBe(1);
    expect((await get(CHANNELS)).status).toBe(401);
    expect(deauthorizations).toEqual([]);
  });

  test("reset-script restarts the script", async () => {
    const { post } = await simulator.connect("provider-b", "rate-limited");
    const list = async () => (await post("/video/list/?fields=id", {})).status;
    expect([await list(), await list(), await list()]).toEqual([429, 429, 200]);
    await simulator.control("POST", "/accounts/provider-b/rate-limited/reset-script");
    expect(await list()).toBe(429);
  });
});

describe("created accounts", () => {
  test("follow their script, contain their name in every post, and are not listed", async () => {
    const name = "created-0001";
    const created = await simulator.control("POST", "/accounts", { provider: "provider-b", name, script: "down" });
    expect([created.status, created.at("handle")]).toEqual([201, name]);
    const again = await simulator.control("POST", "/accounts", { provider: "provider-b", name });
    expect(again.at("accountId")).toBe(created.at("accountId"));
    const { get, post } = await simulator.connect("provider-b", name);
    expect((await get("/user/info/?fields=display_name")).at("data.user.display_name")).toContain(name);
    expect((await post("/video/list/?fields=id", {})).status).toBe(503);
    for (const { title } of await simulator.posts("provider-b", name)) expect(title).toContain(name);
    const home = await simulator.call(`${simulator.simulatorUrl}/`);
    expect(home.text).toContain("paper-cranes");
    expect(home.text).not.toContain(name);
    await simulator.control("POST", "/reset");
    expect((await simulator.control("GET", `/accounts/provider-b/${name}`)).status).toBe(404);
  });

  test("reject a script that the provider does not have", async () => {
    const input = { provider: "provider-c", name: "created-0002", script: "revoke-rejected" };
    expect((await simulator.control("POST", "/accounts", input)).status).toBe(404);
  });
});

describe("uses of a grant", () => {
  test("counts refreshes, replays of a replaced token, overlaps and revocations, and describes a token", async () => {
    const { refreshToken, accessToken, revoke } = await simulator.connect("provider-b", "paper-cranes");
    const uses = async () =>
      JSON.parse((await simulator.control("GET", "/accounts/provider-b/paper-cranes")).text).grants[0].uses;
    const delay = { kind: "delay", delayMs: 200 };
    await simulator.fault({ provider: "provider-b", endpoint: "refresh", fault: delay, count: 2 });
    await Promise.all([simulator.refresh("provider-b", refreshToken), simulator.refresh("provider-b", refreshToken)]);
    const counted = { overlappingRefreshes: 1, blindRefreshes: 1, replayedRefreshes: 0, revocations: 0 };
    expect(await uses()).toEqual({ refreshes: 2, ...counted });
    await simulator.refresh("provider-b", refreshToken);
    expect(await uses()).toMatchObject({ refreshes: 3, replayedRefreshes: 1, blindRefreshes: 2 });
    const shown = await simulator.control("POST", "/token", { token: refreshToken });
    expect([shown.at("kind"), shown.at("replaced"), shown.at("ended")]).toEqual(["refresh", true, null]);
    // One of the first two was also refused: it found the token replaced.
    expect([shown.at("received"), shown.at("refused")]).toEqual([3, 2]);
    await revoke();
    expect(await uses()).toMatchObject({ revocations: 1 });
    expect((await simulator.control("POST", "/token", { token: accessToken })).at("ended.cause")).toBe("revoked");
    expect((await simulator.control("POST", "/token", { token: "act.unknown" })).status).toBe(404);
  });
});

describe("blind refreshes", () => {
  const notAnError = [
    { kind: "lost-answer" },
    { kind: "lost-answer", isReset: true },
    { kind: "body", form: "not-json" },
    { kind: "body", form: "other-shape" },
    { kind: "body", form: "cut" },
  ];
  const errors = [
    { kind: "status", status: 503 },
    { kind: "rate-limited" },
    { kind: "refused", code: "an_unknown_code" },
    { kind: "refused", status: 200, code: "an_unknown_code" },
  ];

  test.each([
    ...notAnError.map((fault) => ({ fault, blindRefreshes: 1, refused: 0 })),
    ...errors.map((fault) => ({ fault, blindRefreshes: 0, refused: 1 })),
  ])("a token sent again after $fault: $blindRefreshes", async ({ fault, blindRefreshes, refused }) => {
    const name = `blind-${randomUUID()}`;
    await simulator.control("POST", "/accounts", { provider: "provider-b", name });
    const { refreshToken } = await simulator.connect("provider-b", name);
    await simulator.fault({ provider: "provider-b", endpoint: "refresh", account: name, fault });
    await simulator.refresh("provider-b", refreshToken).catch(() => null);
    const shown = await simulator.control("POST", "/token", { token: refreshToken });
    expect([shown.at("received"), shown.at("refused")]).toEqual([1, refused]);
    await simulator.refresh("provider-b", refreshToken);
    const account = await simulator.control("GET", `/accounts/provider-b/${name}`);
    expect(account.at("grants.0.uses.blindRefreshes")).toBe(blindRefreshes);
  });
});

describe("posts", () => {
  test("can be published, made private, deleted and restored", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const posts = "/accounts/provider-c/tidepool-studio/posts";
    const id = String((await simulator.control("POST", posts, { text: "Fresh from the press." })).at("id"));
    const newest = async () => (await get("/me/media?fields=caption&limit=1")).at("data.0.id");
    expect(await newest()).toBe(id);
    for (const visibility of ["private", "deleted"]) {
      await simulator.control("POST", `${posts}/${id}`, { visibility });
      expect(await newest()).not.toBe(id);
      expect((await get(`/${id}?fields=id`)).at("error.error_subcode")).toBe(33);
    }
    await simulator.control("POST", `${posts}/${id}`, { visibility: "public" });
    expect(await newest()).toBe(id);
  });

  test("reject unknown records and publication dates in the future", async () => {
    const unicode = "/accounts/provider-c/unicode/posts";
    expect((await simulator.control("GET", "/accounts/provider-c/unknown")).status).toBe(404);
    expect((await simulator.control("GET", "/accounts/provider-z/unicode")).status).toBe(404);
    expect((await simulator.control("POST", `${unicode}/1`, { visibility: "private" })).status).toBe(404);
    const future = { publishedAt: "2026-06-15T12:00:01.000Z" };
    expect((await simulator.control("POST", unicode, future)).status).toBe(400);
  });
});

describe("faults", () => {
  const me = "/me?fields=id";
  const UNAVAILABLE = { kind: "status", status: 502 };

  test("apply to the given number of calls, endpoint and account", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const other = await simulator.connect("provider-c", "city-swifts");
    const calls = { provider: "provider-c", endpoint: "me", account: "tidepool-studio", count: 2 } as const;
    expect((await simulator.fault({ ...calls, fault: UNAVAILABLE })).status).toBe(201);
    expect((await other.get(me)).status).toBe(200);
    expect((await get("/me/media?fields=id")).status).toBe(200);
    expect([(await get(me)).status, (await get(me)).status, (await get(me)).status]).toEqual([502, 502, 200]);
  });

  test("share one count for several endpoints", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const rule = { provider: "provider-c", endpoint: ["me", "media"], fault: UNAVAILABLE, count: 2 } as const;
    expect((await simulator.fault(rule)).status).toBe(201);
    const media = "/me/media?fields=id";
    expect([(await get(media)).status, (await get(me)).status]).toEqual([502, 502]);
    expect([(await get(media)).status, (await get(me)).status]).toEqual([200, 200]);
    expect((await simulator.fault({ ...rule, endpoint: [] })).status).toBe(400);
  });

  test.each([
    ["provider-a", "/channels?part=id&mine=true", { kind: "rate-limited" }, 429],
    ["provider-a", "/channels?part=id&mine=true", { kind: "status", status: 503 }, 503],
    ["provider-c", me, { kind: "status", status: 503 }, 503],
  ] as const)("set Retry-After at %s: %s with %j", async (provider, path, fault, status) => {
    const { get } = await simulator.connect(provider, "unicode");
    await simulator.fault({ provider, fault: { ...fault, retryAfterSeconds: 7 } });
    const response = await get(path);
    expect([response.status, response.headers.get("retry-after")]).toEqual([status, "7"]);
  });

  test("can drop the response after the call was applied", async () => {
    const { refreshToken } = await simulator.connect("provider-b", "paper-cranes");
    await simulator.fault({ provider: "provider-b", endpoint: "refresh", fault: { kind: "lost-answer" } });
    await expect(simulator.refresh("provider-b", refreshToken)).rejects.toThrow();
    expect((await simulator.refresh("provider-b", refreshToken)).at("error")).toBe("invalid_grant");
  });

  test("at the code exchange leave the code valid", async () => {
    const consent = await simulator.consent("provider-a", { account: "unicode" });
    await simulator.fault({ provider: "provider-a", endpoint: "token", fault: UNAVAILABLE });
    expect((await simulator.exchange(consent)).status).toBe(502);
    expect((await simulator.exchange(consent)).status).toBe(200);
  });

  test("at the code exchange can apply to one account", async () => {
    for (const provider of PROVIDER_KEYS) {
      const one = await simulator.consent(provider, { account: "unicode" });
      const other = await simulator.consent(provider, { account: "empty" });
      await simulator.fault({ provider, endpoint: "token", account: "unicode", fault: UNAVAILABLE, count: 1 });
      expect((await simulator.exchange(other)).status).toBe(200);
      expect((await simulator.exchange(one)).status).toBe(502);
      expect((await simulator.exchange(one)).status).toBe(200);
    }
  });

  test("can be listed and deleted", async () => {
    const added = await simulator.fault({ provider: "provider-a", fault: { kind: "delay", delayMs: 60_000 } });
    expect((await simulator.control("GET", "/faults")).at("faults.*.id")).toEqual([added.at("id")]);
    expect((await simulator.control("DELETE", `/faults/${added.at("id")}`)).status).toBe(200);
    expect((await simulator.control("DELETE", `/faults/${added.at("id")}`)).status).toBe(404);
    expect((await simulator.control("GET", "/faults")).at("faults")).toEqual([]);
  });

  test("reject an unknown field", async () => {
    const fault = { kind: "lost-answer" };
    const response = await simulator.fault({ provider: "provider-a", endpont: "token", fault });
    expect([response.status, response.at("error")]).toEqual([400, "bad_input"]);
  });
});

test("the log lists calls without tokens, codes, secrets and verifiers", async () => {
  const consent = await simulator.consent("provider-a", { account: "unicode" });
  const exchanged = await simulator.exchange(consent);
  const account = await simulator.connect("provider-c", "unicode");
  await account.get(`/me?fields=id&access_token=${account.accessToken}`);
  await simulator.refresh("provider-c", account.accessToken);
  const log = await simulator.control("GET", "/log");
  const endpoints = "authorize consent token authorize consent token exchange me refresh";
  expect(log.at("entries.*.endpoint")).toEqual(endpoints.split(" "));
  const exchanges = await simulator.control("GET", "/log?provider=provider-a&endpoint=token");
  expect(exchanges.at("entries.*.account")).toEqual(["unicode"]);
  const secrets = [
    consent.callback.searchParams.get("code"),
    consent.codeVerifier,
    exchanged.at("access_token"),
    exchanged.at("refresh_token"),
    account.accessToken,
    CLIENT.clientSecret,
    "the-state",
  ];
  for (const secret of secrets) expect(log.text).not.toContain(String(secret));
});

test("reset deletes grants unless keepGrants is set", async () => {
  const { get } = await simulator.connect("provider-a", "unicode");
  await simulator.control("POST", "/reset", { keepGrants: true });
  expect((await get(CHANNELS)).status).toBe(200);
  await simulator.control("POST", "/reset");
  expect((await get(CHANNELS)).status).toBe(401);
});
