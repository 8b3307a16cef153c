import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expireAttempts } from "../modules/retention/expireAttempts.ts";
import type { TestApplication } from "../modules/testing/builders.ts";
import { createApplication, createRegistrations, ORIGIN, RETURN_URL } from "../modules/testing/builders.ts";
import { accountOf } from "../modules/testing/fakeProvider.ts";
import type { TestService } from "../modules/testing/testService.ts";
import { startTestService } from "../modules/testing/testService.ts";
import type { TestServer } from "./testing/testServer.ts";
import { query, startTestServer } from "./testing/testServer.ts";

let service: TestService;
let server: TestServer;
let application: TestApplication;
let subjects = 0;

beforeAll(async () => {
  service = await startTestService();
  server = await startTestServer(service);
  await createRegistrations(service);
  application = await createApplication(service);
});
afterAll(async () => {
  await server.close();
  await service.close();
});
beforeEach(() => {
  for (const [provider, fake] of Object.entries(service.fakes)) {
    fake.account = accountOf(fake.provider, "1");
    fake.granted = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"];
    fake.failures.clear();
    fake.calls.length = 0;
    expect(provider).toBe(fake.provider);
  }
  service.enqueued.length = 0;
});

interface Session {
  readonly id: string;
  readonly launchToken: string;
  readonly scope: { tenantKey: string; externalSubjectId: string };
}

async function createSession(input: Record<string, unknown> = {}, subject = `subject-${++subjects}`): Promise<Session> {
  const scope = { tenantKey: "tenant-1", externalSubjectId: subject };
  const { data, errors } = await query(
    server,
    application.key,
    "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id launchToken } }",
    {
      input: {
        scope,
        provider: "PROVIDER_A",
        capabilities: ["PROFILE", "CONTENT_LIST"],
        returnUrl: RETURN_URL,
        ...input,
      },
    },
  );
  expect(errors).toEqual([]);
  return { ...data.createConnectSession, scope };
}

function launch(launchToken: string, headers: Record<string, string> = { origin: ORIGIN }): Promise<Response> {
  return fetch(`${server.url}/api/connect/redeem`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams({ launchToken }),
  });
}

/** What a browser retains of a response. */
function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}

function stateOf(response: Response): string {
  return new URL(response.headers.get("location") ?? "").searchParams.get("state") ?? "";
}

function callback(
  parameters: Record<string, string> | string,
  cookie: string,
  provider = "provider-a",
): Promise<Response> {
  const search = typeof parameters === "string" ? parameters : new URLSearchParams(parameters).toString();
  return fetch(`${server.url}/api/connect/callback/${provider}?${search}`, { redirect: "manual", headers: { cookie } });
}

async function resultOf({ id, scope }: Session) {
  const { data } = await query(
    server,
    application.key,
    "query($scope: SubjectScope!, $id: ID!) { connectSessionResult(scope: $scope, id: $id) { status resultCode connectionId creatorAction } }",
    { scope, id },
  );
  return data.connectSessionResult;
}

async function connect(session: Session): Promise<Response> {
  const launched = await launch(session.launchToken);
  return callback({ code: "code-1", state: stateOf(launched) }, cookieOf(launched));
}

describe("launching", () => {
  test("redirects to the consent page with state and an S256 challenge, and binds the attempt to the browser", async () => {
    const session = await createSession();
    const launched = await launch(session.launchToken);
    expect(launched.status).toBe(303);
    const location = new URL(launched.headers.get("location") ?? "");
    expect(location.searchParams.get("state")).toMatch(/^[0-9a-f]{64}$/);
    expect(location.searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
    expect(launched.headers.getSetCookie()[0]).toMatch(/HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/);
    expect(launched.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await resultOf(session)).toMatchObject({ status: "AUTHORIZING" });
  });

  test("accepts a token once, even among fifty concurrent posts", async () => {
    const session = await createSession();
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await launch(session.launchToken)).status),
    );
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => status === 410)).toHaveLength(49);
  });

  test.each([
    ["a foreign site", { origin: "https://evil.example" }],
    ["a page whose policy hides its origin", { origin: "null" }],
    ["nowhere", {}],
  ])("rejects a post from %s and consumes nothing", async (_, headers) => {
    const session = await createSession();
    const refused = await launch(session.launchToken, headers);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("<h1>");
    expect(await resultOf(session)).toMatchObject({ status: "CREATED" });
    expect((await launch(session.launchToken)).status).toBe(303);
  });

  test("shows the expiry page when the user is too late", async () => {
    const session = await createSession();
    service.clock.advance(10 * 60_000);
    const late = await launch(session.launchToken);
    expect(late.status).toBe(410);
    expect(await late.text()).toContain("took too long");
    expect(await resultOf(session)).toMatchObject({ status: "EXPIRED", resultCode: "DEADLINE_PASSED" });
  });

  test("shows the same page after the purge, at the launch and at the callback", async () => {
    const [unlaunched, session] = [await createSession(), await createSession()];
    const launched = await launch(session.launchToken);
    service.clock.advance(10 * 60_000);
    await expireAttempts(service);
    const late = [
      await launch(unlaunched.launchToken),
      await callback({ code: "code-1", state: stateOf(launched) }, cookieOf(launched)),
    ];
    for (const answer of late) {
      expect(answer.status).toBe(410);
      expect(await answer.text()).toContain("took too long");
    }
    expect(service.fakes.PROVIDER_A.countOf("exchangeCode")).toBe(0);
  });

  test("a token in the URL, or a GET, launches nothing", async () => {
    const session = await createSession();
    const inAddress = await fetch(`${server.url}/api/connect/redeem?launchToken=${session.launchToken}`, {
      method: "POST",
      headers: { origin: ORIGIN },
    });
    const byGet = await fetch(`${server.url}/api/connect/redeem?launchToken=${session.launchToken}`);
    expect([inAddress.status, byGet.status]).toEqual([410, 404]);
    expect(await resultOf(session)).toMatchObject({ status: "CREATED" });
  });
});

describe("the callback", () => {
  test("links the account, reads it in the background, and returns with id and status", async () => {
    const session = await createSession();
    const done = await connect(session);
    expect(done.status).toBe(303);
    expect(done.headers.get("location")).toBe(`${RETURN_URL}&ss_session_id=${session.id}&ss_status=COMPLETED`);
    const result = await resultOf(session);
    expect(result).toMatchObject({ status: "COMPLETED", resultCode: null, creatorAction: null });
    const connection = await service.prisma.connection.findUniqueOrThrow({ where: { id: result.connectionId } });
    expect(connection).toMatchObject({
      status: "CONNECTED",
      syncStatus: "PENDING",
      capabilities: ["PROFILE", "CONTENT_LIST"],
    });
    expect(service.enqueued.map(({ task }) => task).sort()).toEqual(["profile", "scan"]);
  });

  test("keeps the connection and its id when the account is connected again", async () => {
    const first = await createSession({}, "again");
    await connect(first);
    const second = await createSession({ capabilities: ["PROFILE"] }, "again");
    await connect(second);
    const [one, two] = [await resultOf(first), await resultOf(second)];
    expect(two.connectionId).toBe(one.connectionId);
    const grants = await service.prisma.grant.findMany({ where: { connectionId: one.connectionId } });
    expect(grants).toHaveLength(1);
    expect(
      await service.prisma.grant.count({ where: { status: "PENDING", connectionId: null, attemptId: second.id } }),
    ).toBe(0);
  });

  test("a new consent without a refresh token keeps the stored refresh token", async () => {
    const { fakes, prisma } = service;
    const first = await createSession({}, "keeps-refresh");
    await connect(first);
    const { connectionId } = await resultOf(first);
    const before = await prisma.grant.findUniqueOrThrow({ where: { connectionId } });
    fakes.PROVIDER_A.refreshToken = null;
    await connect(await createSession({}, "keeps-refresh"));
    fakes.PROVIDER_A.refreshToken = "refresh-1";
    const after = await prisma.grant.findUniqueOrThrow({ where: { connectionId } });
    expect(after.refreshTokenSealed).toBe(before.refreshTokenSealed);
    expect(after.accessTokenSealed).not.toBe(before.accessTokenSealed);
  });

  test("is rejected in another browser and exchanges no code", async () => {
    const session = await createSession();
    const launched = await launch(session.launchToken);
    const other = cookieOf(await launch((await createSession()).launchToken));
    for (const cookie of ["", other]) {
      const refused = await callback({ code: "code-1", state: stateOf(launched) }, cookie);
      expect(refused.status).toBe(403);
      expect(await refused.text()).toContain("browser you started in");
    }
    expect(service.fakes.PROVIDER_A.countOf("exchangeCode")).toBe(0);
    expect((await callback({ code: "code-1", state: stateOf(launched) }, cookieOf(launched))).status).toBe(303);
  });

  test("accepts a state once", async () => {
    const session = await createSession();
    const launched = await launch(session.launchToken);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callback({ code: "code-1", state: stateOf(launched) }, cookieOf(launched))),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(service.fakes.PROVIDER_A.countOf("exchangeCode")).toBe(1);
  });

  test("does not accept one provider's response at another's callback", async () => {
    const session = await createSession();
    const launched = await launch(session.launchToken);
    const wrongProvider = await callback(
      { code: "code-1", state: stateOf(launched) },
      cookieOf(launched),
      "provider-b",
    );
    expect(wrongProvider.status).toBe(400);
    expect(service.fakes.PROVIDER_B.countOf("exchangeCode")).toBe(0);
    expect(await resultOf(session)).toMatchObject({ status: "AUTHORIZING" });
  });

  test.each([
    ["a duplicate code", (state: string) => `state=${state}&code=a&code=b`],
    ["a duplicate state", (state: string) => `state=${state}&state=${state}&code=a`],
    ["an error beside a code", (state: string) => `state=${state}&code=a&error=access_denied`],
    ["neither code nor error", (state: string) => `state=${state}`],
    ["a response from another issuer", (state: string) => `state=${state}&code=a&iss=https%3A%2F%2Fevil.example`],
    ["a code of 8 KiB", (state: string) => `state=${state}&code=${"x".repeat(8_192)}`],
  ])("ends FAILED with a page on %s, without calling the provider", async (_, searchOf) => {
    const session = await createSession();
    const launched = await launch(session.launchToken);
    const answered = await callback(searchOf(stateOf(launched)), cookieOf(launched));
    expect(answered.status).toBe(400);
    expect(await answered.text()).toContain("<h1>");
    expect(service.fakes.PROVIDER_A.countOf("exchangeCode")).toBe(0);
    expect(await resultOf(session)).toMatchObject({ status: "FAILED", resultCode: "PROVIDER_ERROR" });
  });

  test.each([
    ["access_denied", { status: "DENIED", resultCode: "USER_DENIED" }],
    ["server_error", { status: "FAILED", resultCode: "PROVIDER_ERROR" }],
  ])("ends with error=%s according to the table", async (error, expected) => {
    const session = await createSession();
    const launched = await launch(session.launchToken);
    const returned = await callback({ error, state: stateOf(launched) }, cookieOf(launched));
    expect(returned.headers.get("location")).toContain(`ss_status=${expected.status}`);
    expect(await resultOf(session)).toMatchObject({ ...expected, connectionId: null });
  });

  test("after the deadline ends EXPIRED with a page, and exchanges nothing", async () => {
    const session = await createSession();
    const launched = await launch(session.launchToken);
    service.clock.advance(10 * 60_000);
    const late = await callback({ code: "code-1", state: stateOf(launched) }, cookieOf(launched));
    expect(late.status).toBe(410);
    expect(await late.text()).toContain("ss_status=EXPIRED");
    expect(service.fakes.PROVIDER_A.countOf("exchangeCode")).toBe(0);
  });

  test("that finishes after the deadline ends EXPIRED, and the grant is revoked", async () => {
    // An account without a connection: a grant shared with an active connection would not be revoked.
    service.fakes.PROVIDER_A.account = accountOf("PROVIDER_A", "3");
    const session = await createSession();
    const launched = await launch(session.launchToken);
    service.fakes.PROVIDER_A.before.set("readAccount", async () => {
      service.clock.advance(10 * 60_000);
    });
    await callback({ code: "code-1", state: stateOf(launched) }, cookieOf(launched));
    service.fakes.PROVIDER_A.before.clear();
    expect(await resultOf(session)).toMatchObject({ status: "EXPIRED", connectionId: null });
    expect(service.enqueued.map(({ task }) => task)).toEqual(["revokeOrphanedGrant"]);
  });
});

describe("an attempt that fails after consent", () => {
  test("of an account that is not a tester ends NOT_A_TESTER and revokes the grant", async () => {
    service.fakes.PROVIDER_A.account = accountOf("PROVIDER_A", "stranger");
    const session = await createSession();
    await connect(session);
    expect(await resultOf(session)).toMatchObject({
      status: "FAILED",
      resultCode: "NOT_A_TESTER",
      creatorAction: null,
    });
    expect(service.enqueued.map(({ task }) => task)).toEqual(["revokeOrphanedGrant"]);
  });

  test("at a provider without revocation keeps no credential and shows what the user has to do", async () => {
    service.fakes.PROVIDER_C.account = accountOf("PROVIDER_C", "stranger");
    const session = await createSession({ provider: "PROVIDER_C" });
    const launched = await launch(session.launchToken);
    await callback({ code: "code-1", state: stateOf(launched) }, cookieOf(launched), "provider-c");
    expect(await resultOf(session)).toMatchObject({
      resultCode: "NOT_A_TESTER",
      creatorAction: "REMOVE_APP_AT_PROVIDER",
    });
    expect(await service.prisma.grant.count({ where: { attemptId: session.id } })).toBe(0);
  });

  test("with nothing granted is DENIED", async () => {
    service.fakes.PROVIDER_A.granted = ["CONTENT_LOOKUP"];
    const session = await createSession();
    await connect(session);
    expect(await resultOf(session)).toMatchObject({ status: "DENIED", resultCode: "NO_CAPABILITY_GRANTED" });
  });

  test("to reconnect, but with another account, leaves the connection unchanged", async () => {
    const first = await createSession({}, "mismatch");
    await connect(first);
    const { connectionId } = await resultOf(first);
    service.fakes.PROVIDER_A.account = accountOf("PROVIDER_A", "2");
    const second = await createSession({ reconnectConnectionId: connectionId }, "mismatch");
    await connect(second);
    expect(await resultOf(second)).toMatchObject({
      status: "FAILED",
      resultCode: "ACCOUNT_MISMATCH",
      connectionId: null,
    });
    const connection = await service.prisma.connection.findUniqueOrThrow({ where: { id: connectionId } });
    expect(connection.providerAccountId).toBe("provider_a-account-1");
  });

  test("distinguishes a refusal by the provider from an outage", async () => {
    service.fakes.PROVIDER_A.failNext("exchangeCode", "rejected");
    const refused = await createSession();
    await connect(refused);
    expect(await resultOf(refused)).toMatchObject({ resultCode: "EXCHANGE_FAILED" });
    service.fakes.PROVIDER_A.failNext("exchangeCode", "unavailable", "unavailable", "unavailable");
    const away = await createSession();
    await connect(away);
    expect(await resultOf(away)).toMatchObject({ resultCode: "PROVIDER_UNAVAILABLE" });
    service.fakes.PROVIDER_A.failNext("exchangeCode", "unavailable", "unavailable");
    const recovered = await createSession();
    await connect(recovered);
    expect(await resultOf(recovered)).toMatchObject({ status: "COMPLETED" });
  });

  test("ends POLICY_CHANGED when the policy changed during the consent", async () => {
    const session = await createSession();
    service.fakes.PROVIDER_A.before.set("readAccount", async () => {
      await service.prisma.application.update({ where: { id: application.id }, data: { tenantKeys: ["tenant-2"] } });
    });
    await connect(session);
    service.fakes.PROVIDER_A.before.clear();
    await service.prisma.application.update({
      where: { id: application.id },
      data: { tenantKeys: ["tenant-1", "tenant-2"] },
    });
    expect(await resultOf(session)).toMatchObject({ status: "FAILED", resultCode: "POLICY_CHANGED" });
  });
});

test("the callback of an application that was disabled during the consent exchanges nothing and ends CANCELED", async () => {
  const session = await createSession();
  const launched = await launch(session.launchToken);
  const enable = (enabled: boolean) =>
    service.prisma.application.update({ where: { id: application.id }, data: { enabled } });
  await enable(false);
  const returned = await callback({ code: "code-1", state: stateOf(launched) }, cookieOf(launched));
  await enable(true);
  expect(returned.headers.get("location")).toContain("ss_status=CANCELED");
  expect(service.fakes.PROVIDER_A.countOf("exchangeCode")).toBe(0);
  expect(await resultOf(session)).toMatchObject({ status: "CANCELED", resultCode: "APPLICATION_DISABLED" });
});

test("launching a newer reconnect cancels the older one, and first-time attempts never cancel each other", async () => {
  const first = await createSession({}, "superseded");
  const beside = await createSession({}, "superseded");
  await launch(beside.launchToken);
  await connect(first);
  expect(await resultOf(beside)).toMatchObject({ status: "AUTHORIZING" });
  const { connectionId } = await resultOf(first);
  const older = await createSession({ reconnectConnectionId: connectionId }, "superseded");
  service.clock.advance(1_000);
  const newer = await createSession({ reconnectConnectionId: connectionId }, "superseded");
  const launched = await launch(older.launchToken);
  await launch(newer.launchToken);
  expect(await resultOf(older)).toMatchObject({ status: "CANCELED", resultCode: "SUPERSEDED" });
  const returned = await callback({ code: "code-1", state: stateOf(launched) }, cookieOf(launched));
  expect(returned.headers.get("location")).toContain("ss_status=CANCELED");
});

test("forty concurrent attempts of one subject: five are created", async () => {
  const scope = { tenantKey: "tenant-1", externalSubjectId: "crowd" };
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      query(server, application.key, "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id } }", {
        input: { scope, provider: "PROVIDER_B", capabilities: ["PROFILE"], returnUrl: RETURN_URL },
      }),
    ),
  );
  expect(answers.filter(({ data }) => data?.createConnectSession)).toHaveLength(5);
  const refused = answers.filter(({ code }) => code === "RATE_LIMITED");
  expect(refused).toHaveLength(35);
  expect(refused[0]?.errors[0]?.extensions["retryAfterSeconds"]).toBe(600);
});
