import { eventually } from "@social-connect/testkit";
import { expect, onTestFinished, test, vi } from "vitest";
import { runCli } from "../testing/runCli.ts";
import { type ServeOptions, serveMock } from "./serve.ts";

const NOW = "2026-03-01T09:00:00.000Z";
const CONNECT = `mutation ($input: ConnectInput!) { createConnectSession(input: $input) { id launchUrl launchToken } }`;
const RESULT = `query ($scope: SubjectScope!, $id: ID!) { connectSessionResult(scope: $scope, id: $id) { status } }`;
const LISTED = `query ($scope: SubjectScope!) { connections(scope: $scope) { items { syncStatus } } }`;

async function open(options: ServeOptions) {
  const { mock, url, close } = await serveMock(options);
  onTestFinished(close);
  const ask = async <Data>(query: string, variables: object): Promise<Data> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${mock.key}` };
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query, variables: { scope: mock.scope, ...variables } }),
    });
    return ((await response.json()) as { data: Data }).data;
  };
  return { mock, url, ask };
}

/** Consents as a browser does, without any control of the mock. */
async function consentInBrowser({ mock, ask }: Awaited<ReturnType<typeof open>>, account: string): Promise<string> {
  const { scope, returnUrl, application } = mock;
  const input = { scope, provider: "PROVIDER_A", capabilities: ["PROFILE", "CONTENT_LIST"], returnUrl };
  const begun = await ask<{ createConnectSession: { id: string; launchUrl: string; launchToken: string } }>(CONNECT, {
    input,
  });
  const { id, launchUrl, launchToken } = begun.createConnectSession;
  const post = (address: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(address, { method: "POST", body: new URLSearchParams(fields), headers, redirect: "manual" });
  const launched = await post(launchUrl, { launchToken }, { origin: application.webOrigins[0] ?? "" });
  const [cookie = ""] = (launched.headers.get("set-cookie") ?? "").split(";");
  const consent = new URL(launched.headers.get("location") ?? "");
  const state = consent.searchParams.get("state") ?? "";
  const requested = consent.searchParams.get("scope") ?? "";
  const action = consent.href.replace(/\/authorize.*/, "/consent");
  const decided = await post(action, { state, requested, account, scope: requested, decision: "allow" });
  const back = await fetch(decided.headers.get("location") ?? "", { headers: { cookie }, redirect: "manual" });
  expect(back.headers.get("location")).toContain(returnUrl);
  return id;
}

test.each<[string, ServeOptions]>([
  ["a running clock", { now: NOW, clock: "running" }],
  ["requests that advance a manual clock", { now: NOW, advancePerRequest: "500ms" }],
])("a browser and a page that polls reach the end by %s", async (_, options) => {
  const served = await open(options);
  // The provider of this account responds late, while the browser waits.
  const id = await consentInBrowser(served, "slow");
  const { connectSessionResult } = await served.ask<{ connectSessionResult: object }>(RESULT, { id });
  expect(connectSessionResult).toEqual({ status: "COMPLETED" });
  await eventually(async () => {
    const { connections } = await served.ask<{ connections: { items: object[] } }>(LISTED, {});
    expect(connections.items).toEqual([{ syncStatus: "READY" }]);
  });
  const ranMs = served.mock.clock.now() - Date.parse(NOW);
  expect(ranMs).toBeGreaterThanOrEqual(3_000);
});

test("a manual clock does not move while a page polls", async () => {
  const { mock, ask } = await open({ now: NOW });
  await consentInBrowser({ mock, ask, url: mock.baseUrl }, "channel-1");
  for (let polls = 0; polls < 5; polls += 1) {
    const { connections } = await ask<{ connections: { items: object[] } }>(LISTED, {});
    expect(connections.items).toEqual([{ syncStatus: "PENDING" }]);
  }
  expect(mock.clock.date().toISOString()).toBe(NOW);
});

test("the clock of `serve --now` runs, unless it is manual or requests advance it", async () => {
  const clocks: unknown[] = [];
  for (const more of [[], ["--clock", "manual"], ["--per-request", "1h"]]) {
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const { code, printed } = await runCli(["serve", "--port", "0", "--json", "--now", NOW, ...more], {
      untilStopped: () => stopped,
      print: (line) => {
        const { control } = JSON.parse(line) as { control: string };
        void fetch(`${control}/snapshot`)
          .then((response) => response.json() as Promise<{ snapshot: string }>)
          .then(({ snapshot }) => clocks.push(JSON.parse(snapshot).clock))
          .finally(stop);
      },
    });
    expect([code, printed]).toEqual([0, ""]);
  }
  expect(clocks).toEqual(["running", "manual", "manual"]);
});

test("a running clock continues from a restored snapshot, and starts again with a reset", async () => {
  vi.useFakeTimers({ now: 0, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { mock } = await open({ now: NOW, clock: "running" });
  const time = () => mock.clock.date().toISOString();
  vi.setSystemTime(60_000);
  expect(time()).toBe("2026-03-01T09:01:00.000Z");
  await mock.clock.advance("1h");
  vi.setSystemTime(61_000);
  const snapshot = mock.snapshot();
  expect(time()).toBe("2026-03-01T10:01:01.000Z");
  vi.setSystemTime(500_000);
  mock.restore(snapshot);
  expect(time()).toBe("2026-03-01T10:01:01.000Z");
  vi.setSystemTime(501_000);
  expect(time()).toBe("2026-03-01T10:01:02.000Z");
  mock.reset();
  expect(time()).toBe(NOW);
});
