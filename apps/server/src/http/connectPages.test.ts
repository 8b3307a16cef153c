import type { ConnectInput } from "@social-connect/domain";
import { beforeEach, describe, expect, test } from "vitest";
import { EXPIRE_ATTEMPTS } from "../modules/retention/expireAttempts.ts";
import { ORIGIN, RETURN_URL } from "../modules/testing/builders.ts";
import { accountOf } from "../modules/testing/fakeProvider.ts";
import { application, registrations, service } from "../modules/testing/fixtures.ts";
import { runToEnd } from "../modules/testing/runToEnd.ts";
import { revokeOrphanedGrant } from "../modules/testing/tasks.ts";
import { query, server, useServer } from "./testing/testServer.ts";
import { cookiesOf, locationOf, postForm, stateOf, visit } from "./testing/visits.ts";

useServer();

const DEADLINE = 10 * 60_000;
let subjects = 0;

beforeEach(() => {
  for (const fake of Object.values(service.fakes)) {
    fake.reset();
    fake.account = accountOf(fake.provider, "1");
    fake.granted = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"];
  }
  service.enqueued.length = 0;
});

interface Session {
  readonly id: string;
  readonly launchToken: string;
  readonly scope: { tenantKey: string; externalSubjectId: string };
}

function create(externalSubjectId: string, input: Partial<ConnectInput> = {}) {
  const scope = { tenantKey: "tenant-1", externalSubjectId };
  const capabilities = ["PROFILE", "CONTENT_LIST"];
  const text = "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id launchToken } }";
  const variables = { input: { scope, provider: "PROVIDER_A", capabilities, returnUrl: RETURN_URL, ...input } };
  return query(server, application.key, text, variables);
}

async function createSession(
  input: Partial<ConnectInput> = {},
  externalSubjectId = `subject-${++subjects}`,
): Promise<Session> {
  const { data, errors } = await create(externalSubjectId, input);
  expect(errors).toEqual([]);
  return { ...data.createConnectSession, scope: { tenantKey: "tenant-1", externalSubjectId } };
}

function launch({ launchToken }: Session, headers: Record<string, string> = { origin: ORIGIN }): Promise<Response> {
  return postForm(`${server.url}/api/connect/redeem`, { launchToken }, headers);
}

/** The provider's redirect, with a code unless a test passes another query. */
function comeBack(
  launched: Response,
  search = `code=code-1&state=${stateOf(launched)}`,
  { cookie = cookiesOf(launched), provider = "provider-a" } = {},
): Promise<Response> {
  return visit(`${server.url}/api/connect/callback/${provider}?${search}`, cookie);
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
  return comeBack(await launch(session));
}

async function launchNew(): Promise<Response> {
  return launch(await createSession());
}

function exchanges(): number {
  return service.fakes.PROVIDER_A.countOf("exchangeCode");
}

describe("launching", () => {
  test("redirects to the consent page with state and an S256 challenge, and binds the attempt to the browser", async () => {
    const session = await createSession();
    const launched = await launch(session);
    expect(launched.status).toBe(303);
    const location = new URL(locationOf(launched));
    expect(location.searchParams.get("state")).toMatch(/^[0-9a-f]{64}$/);
    expect(location.searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
    expect(launched.headers.getSetCookie()[0]).toMatch(/HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/);
    expect(launched.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await resultOf(session)).toMatchObject({ status: "AUTHORIZING" });
  });

  test("accepts a token once, even among fifty concurrent posts", async () => {
    const session = await createSession();
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await launch(session)).status));
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => status === 410)).toHaveLength(49);
  });

  test.each([
    ["a foreign site", { origin: "https://evil.example" }],
    ["a page whose policy hides its origin", { origin: "null" }],
    ["nowhere", {}],
  ])("rejects a post from %s and consumes nothing", async (_, headers) => {
    const session = await createSession();
    const refused = await launch(session, headers);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("<h1>");
    expect(await resultOf(session)).toMatchObject({ status: "CREATED" });
    expect((await launch(session)).status).toBe(303);
  });

  test("shows the expiry page when the user is too late", async () => {
    const session = await createSession();
    service.clock.advance(DEADLINE);
    const late = await launch(session);
    expect(late.status).toBe(410);
    expect(await late.text()).toContain("took too long");
    expect(await resultOf(session)).toMatchObject({ status: "EXPIRED", resultCode: "DEADLINE_PASSED" });
  });

  test("shows the same page after the purge, at the launch and at the callback", async () => {
    const [unlaunched, session] = [await createSession(), await createSession()];
    const launched = await launch(session);
    service.clock.advance(DEADLINE);
    await runToEnd(service, EXPIRE_ATTEMPTS);
    for (const answer of [await launch(unlaunched), await comeBack(launched)]) {
      expect(answer.status).toBe(410);
      expect(await answer.text()).toContain("took too long");
    }
    expect(exchanges()).toBe(0);
  });

  test("a token in the URL, or a GET, launches nothing", async () => {
    const session = await createSession();
    const address = `${server.url}/api/connect/redeem?launchToken=${session.launchToken}`;
    const inAddress = await fetch(address, { method: "POST", headers: { origin: ORIGIN } });
    const byGet = await fetch(address);
    expect([inAddress.status, byGet.status]).toEqual([410, 405]);
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
    const connection = await service.prisma.connection.findFirstOrThrow({ where: { id: result.connectionId } });
    const capabilities = ["PROFILE", "CONTENT_LIST"];
    expect(connection).toMatchObject({ status: "CONNECTED", syncStatus: "PENDING", capabilities });
    expect(service.enqueued.map(({ task }) => task).sort()).toEqual(["profile", "scan"]);
  });

  test("keeps the connection and its id when the account is connected again", async () => {
    const first = await createSession({}, "again");
    await connect(first);
    const second = await createSession({ capabilities: ["PROFILE"] }, "again");
    await connect(second);
    const [one, two] = [await resultOf(first), await resultOf(second)];
    expect(two.connectionId).toBe(one.connectionId);
    expect(await service.prisma.grant.count({ where: { connectionId: one.connectionId } })).toBe(1);
    const pending = { status: "PENDING", connectionId: null, attemptId: second.id } as const;
    expect(await service.prisma.grant.count({ where: pending })).toBe(0);
  });

  test("a new consent without a refresh token keeps the stored refresh token", async () => {
    const { fakes, prisma } = service;
    const first = await createSession({}, "keeps-refresh");
    await connect(first);
    const { connectionId } = await resultOf(first);
    const before = await prisma.grant.findFirstOrThrow({ where: { connectionId } });
    fakes.PROVIDER_A.refreshToken = null;
    await connect(await createSession({}, "keeps-refresh"));
    fakes.PROVIDER_A.refreshToken = "refresh-1";
    const after = await prisma.grant.findFirstOrThrow({ where: { connectionId } });
    expect(after.refreshTokenSealed).toBe(before.refreshTokenSealed);
    expect(after.accessTokenSealed).not.toBe(before.accessTokenSealed);
  });

  test("is rejected in another browser and exchanges no code", async () => {
    const launched = await launchNew();
    for (const cookie of ["", cookiesOf(await launchNew())]) {
      const refused = await comeBack(launched, undefined, { cookie });
      expect(refused.status).toBe(403);
      expect(await refused.text()).toContain("started in another browser");
    }
    expect(exchanges()).toBe(0);
    expect((await comeBack(launched)).status).toBe(303);
  });

  test("accepts a state once", async () => {
    const launched = await launchNew();
    const answers = await Promise.all(Array.from({ length: 10 }, () => comeBack(launched)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(exchanges()).toBe(1);
  });

  test("does not accept one provider's response at another's callback", async () => {
    const session = await createSession();
    const wrongProvider = await comeBack(await launch(session), undefined, { provider: "provider-b" });
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
    const launched = await launch(session);
    const answered = await comeBack(launched, searchOf(stateOf(launched)));
    expect(answered.status).toBe(400);
    expect(await answered.text()).toContain("<h1>");
    expect(exchanges()).toBe(0);
    expect(await resultOf(session)).toMatchObject({ status: "FAILED", resultCode: "PROVIDER_ERROR" });
  });

  test.each([
    ["access_denied", { status: "DENIED", resultCode: "USER_DENIED" }],
    ["server_error", { status: "FAILED", resultCode: "PROVIDER_ERROR" }],
  ])("ends with error=%s according to the table", async (error, expected) => {
    const session = await createSession();
    const launched = await launch(session);
    const returned = await comeBack(launched, `error=${error}&state=${stateOf(launched)}`);
    expect(locationOf(returned)).toContain(`ss_status=${expected.status}`);
    expect(await resultOf(session)).toMatchObject({ ...expected, connectionId: null });
  });

  test("after the deadline ends EXPIRED with a page, and exchanges nothing", async () => {
    const launched = await launchNew();
    service.clock.advance(DEADLINE);
    const late = await comeBack(launched);
    expect(late.status).toBe(410);
    expect(await late.text()).toContain("ss_status=EXPIRED");
    expect(exchanges()).toBe(0);
  });

  test("that finishes after the deadline ends EXPIRED, and the grant is revoked", async () => {
    // An account without a connection: a grant shared with an active connection would not be revoked.
    service.fakes.PROVIDER_A.account = accountOf("PROVIDER_A", "3");
    const session = await createSession();
    const launched = await launch(session);
    service.fakes.PROVIDER_A.before.set("readAccount", async () => void service.clock.advance(DEADLINE));
    await comeBack(launched);
    expect(await resultOf(session)).toMatchObject({ status: "EXPIRED", connectionId: null });
    expect(service.enqueued.map(({ task }) => task)).toEqual(["revokeOrphanedGrant"]);
  });
});

describe("an attempt that fails after consent", () => {
  test("of an account that is not a tester ends NOT_A_TESTER and revokes the grant", async () => {
    service.fakes.PROVIDER_A.account = accountOf("PROVIDER_A", "stranger");
    const session = await createSession();
    await connect(session);
    const failed = { status: "FAILED", resultCode: "NOT_A_TESTER", creatorAction: null };
    expect(await resultOf(session)).toMatchObject(failed);
    expect(service.enqueued.map(({ task }) => task)).toEqual(["revokeOrphanedGrant"]);
  });

  test("at a provider without revocation keeps no credential and shows what the user has to do", async () => {
    service.fakes.PROVIDER_C.account = accountOf("PROVIDER_C", "stranger");
    const session = await createSession({ provider: "PROVIDER_C" });
    await comeBack(await launch(session), undefined, { provider: "provider-c" });
    const failed = { resultCode: "NOT_A_TESTER", creatorAction: "REMOVE_APP_AT_PROVIDER" };
    expect(await resultOf(session)).toMatchObject(failed);
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
    const failed = { status: "FAILED", resultCode: "ACCOUNT_MISMATCH", connectionId: null };
    expect(await resultOf(second)).toMatchObject(failed);
    const connection = await service.prisma.connection.findFirstOrThrow({ where: { id: connectionId } });
    expect(connection.providerAccountId).toBe("provider_a-account-1");
  });

  test("distinguishes a refusal by the provider and a fault of the service from an outage", async () => {
    const resultAfter = async (...failures: ("rejected" | "unavailable" | "internal")[]) => {
      service.fakes.PROVIDER_A.failNext("exchangeCode", ...failures);
      const session = await createSession();
      await connect(session);
      return resultOf(session);
    };
    expect(await resultAfter("rejected")).toMatchObject({ resultCode: "EXCHANGE_FAILED" });
    expect(await resultAfter("internal")).toMatchObject({ resultCode: "EXCHANGE_FAILED" });
    const { exchangeCode } = service.fakes.PROVIDER_A;
    service.fakes.PROVIDER_A.exchangeCode = () => Promise.reject(new TypeError("a bug"));
    expect(await resultAfter()).toMatchObject({ status: "FAILED", resultCode: "EXCHANGE_FAILED" });
    Object.assign(service.fakes.PROVIDER_A, { exchangeCode });
    const away = await resultAfter("unavailable", "unavailable", "unavailable");
    expect(away).toMatchObject({ resultCode: "PROVIDER_UNAVAILABLE" });
    expect(await resultAfter("unavailable", "unavailable")).toMatchObject({ status: "COMPLETED" });
  });

  test("notes how the provider refused, for an incident of that result", async () => {
    const { PROVIDER_A, PROVIDER_B } = registrations;
    const of = (registrationId: string, detail: string) => {
      const at = { begunAt: service.clock.current, lastSeenAt: service.clock.current, endedAt: null };
      const id = `${registrationId === PROVIDER_A ? "own" : "other"} ${detail}`;
      const cause = "CONNECT_ATTEMPTS_FAIL";
      return {
        cause,
        provider: "PROVIDER_A",
        registrationId,
        detail,
        ...at,
        id,
        key: id,
        failed: 3,
        total: 3,
      } as const;
    };
    const results = ["EXCHANGE_FAILED", "PROVIDER_ERROR"];
    const incidents = [PROVIDER_B, PROVIDER_A].flatMap((id) => results.map((detail) => of(id, detail)));
    await service.prisma.incident.createMany({ data: incidents });
    const answers = async () =>
      (await service.prisma.incident.findMany({ orderBy: { id: "asc" } })).map(({ answer }) => answer);
    service.fakes.PROVIDER_A.failNext("exchangeCode", "rejected");
    await connect(await createSession());
    expect(await answers()).toEqual([null, null, "test: rejected", null]);
    const comeBackWith = async (error: string) => {
      const launched = await launch(await createSession());
      await comeBack(launched, `error=${encodeURIComponent(error)}&state=${stateOf(launched)}`);
    };
    await comeBackWith("server_error");
    await comeBackWith("any text of a browser");
    expect(await answers()).toEqual([null, null, "test: rejected", "server_error"]);
    await service.prisma.incident.deleteMany();
  });

  test("during an outage, without a page to return to, says that the platform is away and nothing is lost", async () => {
    const launched = await launchNew();
    service.fakes.PROVIDER_A.failNext("exchangeCode", "unavailable", "unavailable", "unavailable");
    const where = { id: application.id };
    const setReturnUrls = (...returnUrls: string[]) =>
      service.prisma.application.update({ where, data: { returnUrls } });
    await setReturnUrls("https://shop.example/other");
    const page = await comeBack(launched);
    await setReturnUrls(RETURN_URL);
    expect(page.status).toBe(503);
    const text = await page.text();
    for (const part of ["<h1>The platform is not responding right now</h1>", "Nothing was lost", "in a few minutes"])
      expect(text).toContain(part);
  });

  test("that ends while its account is read returns to the application, also once its grant is revoked", async () => {
    const launched = await launchNew();
    const where = { attempt: { status: "EXCHANGING" } } as const;
    service.fakes.PROVIDER_A.account = accountOf("PROVIDER_A", "of nobody else");
    service.fakes.PROVIDER_A.before.set("readAccount", async () => {
      service.fakes.PROVIDER_A.before.clear();
      const { id, attemptId } = await service.prisma.grant.findFirstOrThrow({ where });
      const data = { status: "FAILED", resultCode: "POLICY_CHANGED" } as const;
      await service.prisma.connectAttempt.updateMany({ where: { id: attemptId ?? "" }, data });
      await revokeOrphanedGrant(service, id);
    });
    const page = await comeBack(launched);
    expect([page.status, locationOf(page)]).toEqual([303, expect.stringContaining(RETURN_URL)]);
    expect(service.fakes.PROVIDER_A.countOf("revoke")).toBe(1);
    // The queue refuses a task without a row.
    expect(service.enqueued.filter(({ task }) => task === "revokeOrphanedGrant")).toEqual([]);
  });

  test("ends POLICY_CHANGED when the policy changed during the consent", async () => {
    const session = await createSession();
    const where = { id: application.id };
    const setTenants = async (...tenantKeys: string[]) =>
      void (await service.prisma.application.update({ where, data: { tenantKeys } }));
    service.fakes.PROVIDER_A.before.set("readAccount", () => setTenants("tenant-2"));
    await connect(session);
    await setTenants("tenant-1", "tenant-2");
    expect(await resultOf(session)).toMatchObject({ status: "FAILED", resultCode: "POLICY_CHANGED" });
  });
});

test("the callback of an application that was disabled during the consent exchanges nothing and ends CANCELED", async () => {
  const session = await createSession();
  const launched = await launch(session);
  const enable = (enabled: boolean) =>
    service.prisma.application.update({ where: { id: application.id }, data: { enabled } });
  await enable(false);
  const returned = await comeBack(launched);
  await enable(true);
  expect(locationOf(returned)).toContain("ss_status=CANCELED");
  expect(exchanges()).toBe(0);
  expect(await resultOf(session)).toMatchObject({ status: "CANCELED", resultCode: "APPLICATION_DISABLED" });
});

test("launching a newer reconnect cancels the older one, and first-time attempts never cancel each other", async () => {
  const first = await createSession({}, "superseded");
  const beside = await createSession({}, "superseded");
  await launch(beside);
  await connect(first);
  expect(await resultOf(beside)).toMatchObject({ status: "AUTHORIZING" });
  const { connectionId } = await resultOf(first);
  const older = await createSession({ reconnectConnectionId: connectionId }, "superseded");
  service.clock.advance(1_000);
  const newer = await createSession({ reconnectConnectionId: connectionId }, "superseded");
  const launched = await launch(older);
  await launch(newer);
  expect(await resultOf(older)).toMatchObject({ status: "CANCELED", resultCode: "SUPERSEDED" });
  const returned = await comeBack(launched);
  expect(locationOf(returned)).toContain("ss_status=CANCELED");
});

test("forty concurrent attempts of one subject: five are created", async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => create("crowd", { provider: "PROVIDER_B", capabilities: ["PROFILE"] })),
  );
  expect(answers.filter(({ data }) => data?.createConnectSession)).toHaveLength(5);
  const refused = answers.filter(({ code }) => code === "RATE_LIMITED");
  expect(refused).toHaveLength(35);
  expect(refused[0]?.errors[0]?.extensions["retryAfterSeconds"]).toBe(600);
});

test("no page of an attempt separates the window that shows it from the page that opened it", async () => {
  const launched = await launch(await createSession());
  const pages = [
    launched,
    await launch(await createSession(), {}),
    await comeBack(launched),
    await visit(`${server.url}/api/connect/callback/provider-a`, ""),
  ];
  expect(pages.map(({ status }) => status)).toEqual([303, 403, 303, 400]);
  for (const { headers } of pages) expect(headers.get("cross-origin-opener-policy")).toBeNull();
});
