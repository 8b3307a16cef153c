import { READ_SAFE_CASES } from "@social-connect/conformance/read-safe";
import { Kind, parse } from "graphql";
import { expect, test } from "vitest";
import { type ConsumerMock, createConsumerMock } from "../mock/consumerMock.ts";
import { checkDrift } from "./checkDrift.ts";

/** The state without the call log and the random numbers, which correlation ids use. */
function stateOf(mock: ConsumerMock): unknown {
  const { calls: _, random: __, ...state } = JSON.parse(mock.snapshot()).state;
  return state;
}

function changes(body: unknown): boolean {
  try {
    const { definitions } = parse(JSON.parse(String(body)).query);
    return definitions.some((one) => one.kind === Kind.OPERATION_DEFINITION && one.operation === "mutation");
  } catch {
    return false;
  }
}

test("a check changes nothing, although its keys may: every mutation that it sends is refused", async () => {
  const mock = createConsumerMock();
  const { connectionId } = await mock.load("connected-with-content");
  const { fetch, scope, admin, application } = mock;
  const ran: string[] = [];
  const sent: { readonly url: string; readonly body: string }[] = [];
  const watched: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (changes(init?.body)) {
      const { data, errors } = (await response.clone().json()) as { data?: object | null; errors?: object[] };
      if (errors === undefined || (data ?? null) !== null) ran.push(String(init?.body));
      sent.push({ url: String(input), body: String(init?.body) });
    }
    return response;
  };
  const keys = { key: mock.key, tenantKey: scope.tenantKey, admin: { host: admin.host, key: admin.writeKey } };
  // The first use of a key is audited, for any operation.
  await checkDrift({ url: mock.baseUrl, fetch, ...keys });
  const before = stateOf(mock);
  const { cases, hasDrift } = await checkDrift({ url: mock.baseUrl, fetch: watched, ...keys });
  expect(stateOf(mock)).toEqual(before);
  expect(ran).toEqual([]);
  expect(sent.length).toBeGreaterThan(100);
  // Were one of the refusals missing, there would still be nothing for the mutation to work on, and none goes to the admins.
  const real = [connectionId, ...application.returnUrls, ...application.identityReturnUrls];
  expect(sent.filter(({ body }) => real.some((text) => body.includes(text)))).toEqual([]);
  expect(sent.filter(({ url }) => !url.endsWith("/graphql") || url.includes("/admin/"))).toEqual([]);
  expect([hasDrift, cases.judged, cases.notJudged]).toEqual([false, READ_SAFE_CASES.length, []]);
});

test("nor does it need anything to be there, or to be able to change something", async () => {
  const mock = createConsumerMock({ seed: "empty", now: "2026-03-01T00:00:00Z" });
  const { fetch, admin } = mock;
  const report = await checkDrift({
    url: mock.baseUrl,
    key: mock.key,
    fetch,
    admin: { host: admin.host, key: admin.readKey },
  });
  expect(report.cases.differing).toEqual([]);
  expect(new Set(report.cases.notJudged.flatMap(({ needs }) => needs))).toEqual(new Set(["tenantKey"]));
});
