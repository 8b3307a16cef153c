import { expect, test } from "vitest";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { SCENARIO_NAMES, type ScenarioName } from "../scenarios/scenarios.ts";
import { type Answer, ask, CONNECT, connectInput } from "../testing/post.ts";
import { askAdmin, whatIsSeen } from "../testing/readEverything.ts";
import { ASSUMPTIONS } from "./assumptions.ts";

/** A mock in a scenario, with or without strict mode. */
async function loaded<Name extends ScenarioName>(strict: boolean, name: Name) {
  const mock = createConsumerMock({ strict });
  return { mock, facts: await mock.load(name) };
}

/** Values of one kind that a scenario shows, e.g. all of its resultCodes. */
async function shown(strict: boolean, name: ScenarioName, kind: string): Promise<string[]> {
  const { mock, facts } = await loaded(strict, name);
  const seen = await whatIsSeen(mock, facts);
  return [...new Set(seen.filter((value) => value.startsWith(`${kind}.`)))].map((value) => value.split(".")[1] ?? "");
}

async function expectOnlyUnspecified(name: ScenarioName, kind: string, ...named: string[]): Promise<void> {
  const [usually, strictly] = [await shown(false, name, kind), await shown(true, name, kind)];
  expect(usually.filter((value) => !named.includes(value)).length, name).toBeGreaterThan(0);
  expect(usually).not.toContain("UNSPECIFIED");
  expect(strictly, name).toContain("UNSPECIFIED");
  expect(strictly.filter((value) => value !== "UNSPECIFIED" && !named.includes(value))).toEqual([]);
}

async function sixthAttempt(strict: boolean): Promise<Answer> {
  const { mock } = await loaded(strict, "rate-limited");
  return ask(mock, CONNECT, connectInput(mock));
}

async function returned(strict: boolean): Promise<string> {
  const { mock, facts } = await loaded(strict, "connect-under-way");
  const { created } = facts;
  const [origin = ""] = mock.application.webOrigins;
  const launched = await mock.fetch(created.launchUrl, {
    method: "POST",
    redirect: "manual",
    headers: { origin, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ launchToken: created.launchToken }),
  });
  const cookie = launched.headers.get("set-cookie")?.split(";")[0] ?? "";
  const consent = new URL(launched.headers.get("location") ?? "");
  const callback = new URL(consent.searchParams.get("redirect_uri") ?? "");
  callback.searchParams.set("error", "access_denied");
  callback.searchParams.set("state", consent.searchParams.get("state") ?? "");
  callback.searchParams.set("iss", consent.href.replace(/\/authorize.*/, ""));
  const back = await mock.fetch(callback, { redirect: "manual", headers: { cookie } });
  return back.headers.get("location") ?? "";
}

async function jobKinds(strict: boolean): Promise<string[]> {
  const { mock } = await loaded(strict, "connected");
  await mock.clock.advance("3d");
  return [...new Set(mock.jobs().map(({ kind }) => kind))].sort();
}

async function busyClient(strict: boolean): Promise<string[]> {
  const { mock, facts } = await loaded(strict, "clients-to-change");
  const { busyId } = facts;
  return askAdmin(mock, `mutation { setClientDisplayName(id: "${busyId}", displayName: "Anew") { id } }`);
}

async function attemptsShow(strict: boolean): Promise<string[]> {
  const { mock, facts } = await loaded(strict, "connect-ended");
  return whatIsSeen(mock, facts, ["connectSessionResult"]);
}

const METRICS = `query Read($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) { items { metrics { sourceField value } } }
}`;

async function sourceFields(strict: boolean): Promise<unknown[]> {
  const mock = createConsumerMock({ strict });
  const { connectionId, window } = await mock.load("connected-with-content");
  const { data } = await ask(mock, METRICS, { scope: mock.scope, connectionId, window: { ...window, first: 50 } });
  const page = data?.["content"] as { items: { metrics: { sourceField: unknown; value: unknown }[] }[] } | undefined;
  const given = (page?.items ?? []).flatMap(({ metrics }) => metrics).filter(({ value }) => value !== null);
  expect(given.length).toBeGreaterThan(0);
  return given.map(({ sourceField }) => sourceField);
}

/** The number of different attempts that a call and its repetition return. */
async function attemptsOfRepetition(strict: boolean): Promise<number> {
  const mock = createConsumerMock({ strict });
  const variables = connectInput(mock);
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${mock.key}`,
    "x-social-connect-idempotency-key": "11111111-2222-4333-8444-555555555555",
  };
  const ids = new Set<string>();
  for (let count = 0; count < 2; count += 1) {
    const body = JSON.stringify({ query: CONNECT, variables });
    const response = await mock.fetch(`${mock.baseUrl}/graphql`, { method: "POST", headers, body });
    const { data } = (await response.json()) as Answer<{ createConnectSession: { id: string } }>;
    ids.add(data?.createConnectSession.id ?? "");
  }
  return ids.size;
}

/** The behavior of each assumption that strict mode disables, with and without strict mode. */
const SHOWN: Readonly<Record<string, () => Promise<void>>> = {
  "return-parameters": async () => {
    expect(await returned(false)).toMatch(
      /^https:\/\/app\.example\.test\/connected\?ss_session_id=.*&ss_status=DENIED$/,
    );
    expect(await returned(true)).toBe("https://app.example.test/connected");
  },
  "result-codes": () => expectOnlyUnspecified("connect-ended", "resultCode"),
  "creator-action-of-attempts": async () => {
    expect(await attemptsShow(false)).toContain("ConnectCreatorAction.REMOVE_APP_AT_PROVIDER");
    expect(await attemptsShow(true)).not.toContain("ConnectCreatorAction.REMOVE_APP_AT_PROVIDER");
  },
  "job-error-codes": () => expectOnlyUnspecified("jobs-failed", "errorCode"),
  "incomplete-reasons": () => expectOnlyUnspecified("partial-scans", "incompleteReason"),
  "reasons-of-capabilities": async () => {
    await expectOnlyUnspecified("disconnect-settling", "reason");
    expect(await shown(true, "reconnect-required", "reason")).toEqual(["RECONNECT_REQUIRED"]);
  },
  "reasons-of-posts": async () => {
    await expectOnlyUnspecified("posts-gone", "reason", "EXPIRED");
    expect(await shown(true, "expired-content", "reason")).toContain("EXPIRED");
  },
  "reasons-of-metrics": () => expectOnlyUnspecified("numbers-missing", "reason"),
  "source-fields": async () => {
    expect(await sourceFields(false)).not.toContain(null);
    expect(new Set(await sourceFields(true))).toEqual(new Set([null]));
  },
  messages: async () => {
    expect((await sixthAttempt(false)).errors?.[0]?.message).toMatch(/limit 5/);
    expect((await sixthAttempt(true)).errors?.[0]?.message).toBe("UNSPECIFIED");
  },
  "correlation-id-header": async () => {
    const idOf = async (strict: boolean) => {
      const mock = createConsumerMock({ strict });
      const body = JSON.stringify({ query: "{ status { ok } }" });
      const headers = { "content-type": "application/json" };
      const response = await mock.fetch(`${mock.baseUrl}/graphql`, { method: "POST", headers, body });
      return response.headers.get("x-correlation-id");
    };
    expect(await idOf(false)).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf(true)).toBeNull();
  },
  "wait-for-unfinished-attempts": async () => {
    const usual = (await sixthAttempt(false)).errors?.[0]?.extensions;
    expect(usual).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 600 });
    const [error] = (await sixthAttempt(true)).errors ?? [];
    expect(error?.extensions).toMatchObject({ code: "RATE_LIMITED" });
    expect(error?.extensions).not.toHaveProperty("retryAfterSeconds");
  },
  "idempotency-keys": async () => {
    expect(await attemptsOfRepetition(false)).toBe(1);
    expect(await attemptsOfRepetition(true)).toBe(2);
  },
  "reads-without-asking": async () => {
    expect(await jobKinds(false)).toEqual(["PROFILE", "SCAN"]);
    expect(await jobKinds(true)).toEqual(["PROFILE"]);
  },
  "conflict-reasons": async () => {
    expect(await busyClient(false)).toEqual(["adminCode.CONFLICT", "adminReason.ROW_BUSY"]);
    expect(await busyClient(true)).toEqual(["adminCode.CONFLICT"]);
  },
};

test.each(ASSUMPTIONS.filter(({ inStrictMode }) => inStrictMode === "off").map(({ id }) => id))(
  "strict mode disables %s",
  async (id) => {
    expect(SHOWN[id], "has a check").toBeDefined();
    await SHOWN[id]?.();
  },
);

test("each assumption has a unique id and all descriptions", () => {
  expect(new Set(ASSUMPTIONS.map(({ id }) => id)).size).toBe(ASSUMPTIONS.length);
  for (const { id, ...texts } of ASSUMPTIONS) {
    for (const text of Object.values(texts)) expect(text.length, id).toBeGreaterThan(2);
  }
});

test.each(SCENARIO_NAMES)("%s has the same statuses and codes of the contract in strict mode", async (name) => {
  const contracts = /^(code|ConnectionStatus|ConnectSessionStatus|IdpIdentityStatus)\./;
  const seen = async (strict: boolean) => {
    const { mock, facts } = await loaded(strict, name);
    const values = await whatIsSeen(mock, facts);
    return [...new Set(values.filter((value) => contracts.test(value)))].sort();
  };
  expect(await seen(true)).toEqual(await seen(false));
});
