import { expect, test } from "vitest";
import { Visitor } from "../../../packages/testkit/src/visitor.ts";
import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

const ORIGIN = "https://app.example.com";
const ENVIRONMENT = {
  SOCIAL_CONNECT_URL: "http://127.0.0.1:4400",
  SOCIAL_CONNECT_KEY: `11111111-2222-4333-8444-555555555555.${"ab".repeat(32)}`,
  SOCIAL_CONNECT_TENANT: "acme",
  RETURN_URL: `${ORIGIN}/return`,
  SESSION_SECRET: "a secret of at least thirty-two characters",
};
const TOKEN = "5ec2e75e".repeat(8);

const CONNECTION = {
  id: "c1",
  provider: "PROVIDER_A",
  providerAccountId: "channel-1",
  status: "CONNECTED",
  syncStatus: "READY",
  capabilities: [],
};
const POST = {
  id: "i1",
  providerContentId: "p1",
  provider: "PROVIDER_A",
  kind: "VIDEO",
  canonicalUrl: "https://videos.example/p1",
  title: "<b>Night</b> train",
  availability: "AVAILABLE",
  observedAt: "2026-03-01T12:00:00.000Z",
  metrics: [
    { name: "VIEWS", value: "12", availability: "AVAILABLE", observedAt: "2026-03-01T12:00:00.000Z" },
    { name: "SHARES", availability: "UNSUPPORTED", observedAt: "2026-03-01T12:00:00.000Z" },
  ],
};
const RESULT = {
  id: "s1",
  provider: "PROVIDER_A",
  status: "COMPLETED",
  connectionId: "c1",
  expiresAt: "2026-03-01T12:10:00.000Z",
  resultExpiresAt: "2026-03-02T12:00:00.000Z",
};

function refusal(code: string, extensions: object = {}): Response {
  const correlationId = "99999999-8888-4777-8666-555555555555";
  return Response.json({ errors: [{ message: "Refused.", extensions: { code, correlationId, ...extensions } }] });
}

/** The answer as GraphQL gives it: a field that the document selects and the test does not set is null. */
function complete(query: string, answer: object): object {
  const nulls = Object.fromEntries((query.match(/\w+/g) ?? []).map((name) => [name, null]));
  return JSON.parse(JSON.stringify(answer), (_key, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? { ...nulls, ...value } : value,
  );
}

function start(answers: Readonly<Record<string, object>> = {}) {
  const scopes: unknown[] = [];
  const inputs: unknown[] = [];
  const logged: string[] = [];
  const all: Readonly<Record<string, object>> = {
    integrationReadiness: {
      providers: ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"].map((provider) => ({ provider, available: true })),
      idpIdentityAvailable: false,
    },
    connections: { items: [CONNECTION], pageInfo: { hasNextPage: false } },
    connection: CONNECTION,
    content: {
      items: [POST],
      pageInfo: { hasNextPage: false, completeForWindow: false, incompleteReason: "SCAN_RUNNING" },
    },
    createConnectSession: {
      id: "s1",
      launchUrl: "http://127.0.0.1:4400/api/connect/redeem",
      launchToken: TOKEN,
      expiresAt: RESULT.expiresAt,
      resultExpiresAt: RESULT.resultExpiresAt,
    },
    connectSessionResult: RESULT,
    ...answers,
  };
  let nowMs = Date.parse("2026-03-01T12:00:00.000Z");
  const app = createApp(readSettings(ENVIRONMENT), {
    log: (line) => logged.push(line),
    clock: {
      now: () => nowMs,
      sleep: async (durationMs) => {
        nowMs += durationMs;
      },
    },
    fetch: async (_, init) => {
      const { query, variables } = JSON.parse(String(init?.body));
      const operation = /\{\s*(\w+)/.exec(String(query).replace(/\([^)]*\)/g, ""))?.[1] ?? "";
      scopes.push(variables.scope ?? variables.input?.scope);
      inputs.push(variables.input);
      const answer = all[operation];
      if (answer === undefined) throw new Error(`The test has no answer for ${operation}.`);
      return answer instanceof Response
        ? answer.clone()
        : Response.json({ data: { [operation]: complete(query, answer) } });
    },
  });
  const visitor = new Visitor((url, init) => app.request(url, init), ORIGIN);
  return { visitor, scopes, inputs, logged };
}

test("asks for a sign-in without a session", async () => {
  const { visitor } = start();
  expect(await visitor.get("/")).toMatchObject({ status: 303, location: "/sign-in" });
  expect((await visitor.post("/sign-in", { user: "mallory" })).status).toBe(400);
});

test("the home page shows what is linked and offers what can be", async () => {
  const { visitor } = start();
  const { text, headers } = await (await visitor.signIn()).get("/");
  expect(text).toContain('<a href="/posts/c1">channel-1</a>');
  expect(text.match(/name="provider"/g)).toHaveLength(3);
  expect(headers.get("content-security-policy")).toContain("form-action 'self'");
});

test("shows the page without actions if the readiness is unknown", async () => {
  const { visitor } = start({ integrationReadiness: refusal("FORBIDDEN") });
  const { status, text } = await (await visitor.signIn()).get("/");
  expect(status).toBe(200);
  expect(text).not.toContain('name="provider"');
});

test.each(["FORBIDDEN", "UPSTREAM_UNAVAILABLE"])(
  "shows no empty list while the accounts are unknown: %s",
  async (code) => {
    const { visitor, logged } = start({ connections: refusal(code) });
    const { status, text } = await (await visitor.signIn()).get("/");
    expect(status).toBe(200);
    expect(text).toContain("They are still linked.");
    expect(text).not.toContain("Nothing is linked yet.");
    expect(logged.join()).toContain(code);
  },
);

test("offers to reconnect an account whose grant has ended", async () => {
  const connections = {
    items: [{ ...CONNECTION, status: "RECONNECT_REQUIRED" }],
    pageInfo: { hasNextPage: false },
  };
  const { visitor, inputs } = start({ connections });
  expect((await (await visitor.signIn()).get("/")).text).toContain('name="connectionId" value="c1"');
  await visitor.post("/connect", { provider: "PROVIDER_A", connectionId: "c1" });
  expect(inputs.at(-1)).toMatchObject({ reconnectConnectionId: "c1" });
});

test("responds to the connect button with the launch page and its own policy, and keeps the token out of the cookie", async () => {
  const { visitor } = start();
  const { text, headers } = await (await visitor.signIn()).post("/connect", { provider: "PROVIDER_A" });
  expect(text).toContain(TOKEN);
  expect(headers.get("referrer-policy")).toBe("strict-origin");
  expect(headers.get("content-security-policy")).toContain("form-action http: https:");
  expect(headers.get("set-cookie")).not.toContain(TOKEN);
  expect(headers.get("set-cookie")).toMatch(/HttpOnly/);
});

test("trusts only the service's result on the return page", async () => {
  const { visitor } = start({
    connectSessionResult: { ...RESULT, status: "DENIED", connectionId: null, resultCode: "USER_DENIED" },
  });
  await (await visitor.signIn()).post("/connect", { provider: "PROVIDER_A" });
  const { text } = await visitor.get("/return?ss_session_id=s1&ss_status=COMPLETED");
  expect(text).toContain("DENIED (USER_DENIED)");
});

test("rejects a return URL of another user's attempt", async () => {
  const { visitor, scopes } = start();
  await visitor.signIn();
  scopes.length = 0;
  expect((await visitor.get("/return?ss_session_id=s1")).status).toBe(404);
  expect(scopes).toEqual([]);
  // The control: the owner of the attempt is redirected.
  await visitor.post("/connect", { provider: "PROVIDER_A" });
  expect(await visitor.get("/return?ss_session_id=s1")).toMatchObject({ status: 303, location: "/posts/c1" });
});

test("reloads the return page while the attempt is in progress", async () => {
  const { visitor } = start({ connectSessionResult: { ...RESULT, status: "EXCHANGING", connectionId: null } });
  await (await visitor.signIn()).post("/connect", { provider: "PROVIDER_A" });
  expect((await visitor.get("/return?ss_session_id=s1")).text).toContain('href="/return?ss_session_id=s1"');
});

test("posts are shown with their numbers, a missing one as missing, and text of others as text", async () => {
  const { visitor } = start();
  const { text } = await (await visitor.signIn()).get("/posts/c1");
  expect(text).toContain("views 12, shares not given");
  expect(text).toContain("&lt;b&gt;Night&lt;/b&gt; train");
  expect(text).toContain("Not all of it has been read (SCAN_RUNNING)");
});

test("takes the scope from the signed-in user, and ignores an altered cookie", async () => {
  const { visitor, scopes } = start();
  await (await visitor.signIn("ben")).get("/posts/c1");
  expect(scopes).toContainEqual({ tenantKey: "acme", externalSubjectId: "ben" });
  visitor.tamper((cookie) => cookie.replace("ben", "ada"));
  expect(await visitor.get("/")).toMatchObject({ status: 303, location: "/sign-in" });
});

test("a post from a foreign page changes nothing", async () => {
  const { visitor, scopes } = start();
  await visitor.signIn();
  scopes.length = 0;
  const { status } = await visitor.post("/connect", { provider: "PROVIDER_A" }, { origin: "https://evil.example.com" });
  expect(status).toBe(403);
  expect(scopes).toEqual([]);
});

test.each([
  [refusal("NOT_FOUND"), 404, "removed"],
  [refusal("RATE_LIMITED", { retryAfterSeconds: 90 }), 429, "90 seconds"],
  [refusal("RECONNECT_REQUIRED"), 502, "Connect it again"],
])("turns an error into a page with advice, and a log line without secrets", async (answer, expected, words) => {
  const { visitor, logged } = start({ connection: answer });
  const { status, text } = await (await visitor.signIn()).get("/posts/c1");
  expect(status).toBe(expected);
  expect(text).toContain(words);
  expect(logged).toHaveLength(1);
  expect(logged.join()).not.toContain("abab");
});
