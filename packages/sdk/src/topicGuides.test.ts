/** The code of the topic guides in docs/how-to, run: each `#region` is copied into one of them by `pnpm generate`. */
import { SocialConnect, SocialConnectError, type SubjectScope, TimeoutError } from "@social-connect/sdk";
import { afterEach, expect, it, vi } from "vitest";
import { BASE_URL, fakeApi, fakeClient, KEY, refusal } from "./testing/fakeApi.ts";
import { connectResult, job, WINDOW as window } from "./testing/samples.ts";

const connectionId = "connection-1";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Stores what is written, as an application's own table does. */
function fakeTable() {
  const rows = new Map<string, string>();
  return {
    rows,
    put: async (id: string, text: string) => void rows.set(id, text),
    all: async () => [...rows],
    remove: async (id: string) => void rows.delete(id),
  };
}

it("replacing a polling loop: the poller sends fewer requests and ends at the same result", async () => {
  const scripted = ["AUTHORIZING", "AUTHORIZING", "EXCHANGING", "COMPLETED"].map((status) => connectResult(status));
  const { fetch, of } = fakeApi({ connectSessionResult: scripted });
  vi.stubGlobal("fetch", fetch);
  const delays: number[] = [];
  const delay = async (durationMs: number) => void delays.push(durationMs);
  const baseUrl = BASE_URL;
  const key = KEY;
  const attemptId = "session-1";

  async function waitForResult(id: string, scope: SubjectScope) {
    const query = `query ($id: ID!, $scope: SubjectScope!) {
      connectSessionResult(id: $id, scope: $scope) { status resultCode connectionId }
    }`;
    for (;;) {
      const response = await fetch(`${baseUrl}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify({ query, variables: { id, scope } }),
      });
      const { data } = (await response.json()) as { data: { connectSessionResult: { status: string } } };
      const result = data.connectSessionResult;
      if (["COMPLETED", "DENIED", "FAILED", "EXPIRED", "CANCELED"].includes(result.status)) return result;
      await delay(1_000);
    }
  }
  const before = await waitForResult(attemptId, { tenantKey: "tenant-1", externalSubjectId: "user-1" });

  const { user, clock } = fakeClient({ connectSessionResult: scripted });
  const deadline = clock.at(60_000);
  // #region polling-after
  const result = await user.connectResult(attemptId).wait({ deadline });
  // #endregion polling-after

  expect(before).toMatchObject({ status: "COMPLETED", connectionId: result.connectionId });
  expect(of("connectSessionResult")).toHaveLength(4);
  expect(delays).toEqual([1_000, 1_000, 1_000]);
  expect(clock.sleeps).toHaveLength(3);
});

it("replacing a polling loop: a page sends one request for each request that it receives", async () => {
  const { user, clock, api } = fakeClient({ connectSessionResult: connectResult("AUTHORIZING") });
  const attemptId = "session-1";

  // #region polling-once
  // GET /attempts/:id/status, which the page calls while the user is at the provider.
  const { status } = await user.connectResult(attemptId).poll();
  const body = { status };
  // #endregion polling-once

  expect(body).toEqual({ status: "AUTHORIZING" });
  expect(api.of("connectSessionResult")).toHaveLength(1);
  expect(clock.sleeps).toEqual([]);
});

it("replacing a polling loop: a deadline ends the wait, and the work continues", async () => {
  const { user, clock } = fakeClient({ requestRefresh: job("RUNNING"), syncJob: job("RUNNING") });
  const shown: string[] = [];
  const show = (text: string) => void shown.push(text);
  const deadline = clock.at(5_000);

  try {
    await user.refresh(connectionId, { window }).wait({ deadline });
    show("Updated just now.");
  } catch (error) {
    if (!TimeoutError.is(error)) throw error;
    show("Your posts are being updated."); // the job continues, and the next page shows its result
  }

  expect(shown).toEqual(["Your posts are being updated."]);
});

it("replacing a polling loop: jobs of a stopped process are resumed by the next one", async () => {
  const started = fakeClient({ requestRefresh: job("QUEUED") });
  const { social } = fakeClient({ syncJob: job("SUCCEEDED") });
  const user = started.user;
  const table = fakeTable();
  const finished: string[] = [];
  const finish = async (id: string) => void finished.push(id);

  // When the work starts:
  const refresh = user.refresh(connectionId, { window });
  const id = await refresh.start();
  await table.put(id, JSON.stringify(refresh));

  // In any process, at any time within the 7 days that jobs are readable:
  for (const [id, saved] of await table.all()) {
    const { status } = await social.resume<"refresh">(JSON.parse(saved)).poll();
    if (status !== "SUCCEEDED" && status !== "FAILED" && status !== "CANCELED") continue;
    await finish(id);
    await table.remove(id);
  }

  expect(finished).toEqual(["job-1"]);
  expect(table.rows.size).toBe(0);
});

it.each([
  [{ idpIdentityAvailable: true, providers: [{ provider: "PROVIDER_A", available: true }] }, []],
  [
    { idpIdentityAvailable: true, providers: [{ provider: "PROVIDER_A", available: false }] },
    ["PROVIDER_A is not available to this application."],
  ],
  [refusal("UNAUTHENTICATED"), ["UNAUTHENTICATED: The service rejected the call. (99999999)"]],
])("going live: a check before a release lists what is missing", async (integrationReadiness, expected) => {
  const { fetch } = fakeApi({ status: { ok: true, message: "ok" }, integrationReadiness });
  vi.stubGlobal("fetch", fetch);

  // #region go-live-check
  /** What prevents users from connecting, for a check before each release. Empty if nothing does. */
  async function findProblems(baseUrl: string, key: string, required: readonly string[]): Promise<string[]> {
    const social = new SocialConnect({ baseUrl, key });
    try {
      const { providers } = await social.readiness();
      const available = providers.filter((each) => each.available).map((each) => each.provider);
      return required
        .filter((provider) => !available.includes(provider))
        .map((provider) => `${provider} is not available to this application.`);
    } catch (error) {
      if (!SocialConnectError.is(error)) throw error;
      return [`${error.code}: ${error.message} (${error.correlationId ?? "no response"})`];
    }
  }
  // #endregion go-live-check

  const found = await findProblems(BASE_URL, KEY, ["PROVIDER_A"]);
  expect(found.map((line) => line.split(":")[0])).toEqual(expected.map((line) => line.split(":")[0]));
});

it("going live: events of the SDK become counts by operation and outcome", async () => {
  const counts = new Map<string, number>();
  const { fetch } = fakeApi({ integrationReadiness: [{ providers: [], idpIdentityAvailable: true }] });
  const counter = {
    add: (count: number, labels: { operation: string; outcome: string }) => {
      const name = `${labels.operation} ${labels.outcome}`;
      counts.set(name, (counts.get(name) ?? 0) + count);
    },
  };

  // #region go-live-metrics
  // `counter` is a counter of your metrics library. Alert on UNAUTHENTICATED, and on a rise of any other outcome.
  const social = new SocialConnect({
    baseUrl: BASE_URL,
    key: KEY,
    fetch,
    hooks: { onResponse: ({ operation, outcome }) => counter.add(1, { operation, outcome }) },
  });
  // #endregion go-live-metrics

  await social.readiness();
  expect([...counts]).toEqual([["integrationReadiness OK", 1]]);
});

it.each([
  ["session-1", { status: 200, body: { status: "COMPLETED" }, calls: 2 }],
  ["session-of-another-user", { status: 404, body: null, calls: 0 }],
])("a single-page application: the backend answers for %s", async (requested, expected) => {
  const { user, api, clock } = fakeClient({
    connectSessionResult: ["EXCHANGING", "COMPLETED"].map((status) => connectResult(status)),
  });
  const deadline = clock.at(20_000);
  const session = { attempts: ["session-1"] };

  // #region single-page-status
  // GET /attempts/:id, for the signed-in user. `session.attempts` has the ids that POST /connect has stored.
  async function statusOf(id: string): Promise<Response> {
    if (!session.attempts.includes(id)) return new Response(null, { status: 404 });
    // The service exchanges the code after the user has returned, usually within a second.
    const { status } = await user.connectResult(id).wait({ deadline });
    return Response.json({ status });
  }
  // #endregion single-page-status

  const response = await statusOf(requested);
  const body = response.ok ? await response.json() : null;
  expect({ status: response.status, body, calls: api.of("connectSessionResult").length }).toEqual(expected);
});
