import { expect, test } from "vitest";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { post } from "../testing/post.ts";

const REFRESH = `mutation ($scope: SubjectScope!, $id: ID!, $post: String, $window: SyncWindow) {
  requestRefresh(scope: $scope, connectionId: $id, providerContentId: $post, window: $window) { id }
}`;
const JOB = `query ($scope: SubjectScope!, $id: ID!, $job: ID!) {
  syncJob(scope: $scope, connectionId: $id, id: $job) { status }
}`;

interface Answer {
  readonly data: { readonly requestRefresh: { readonly id: string }; readonly syncJob: { readonly status: string } };
  readonly errors: readonly [{ readonly message: string; readonly extensions: { readonly code: string } }];
}

/** A mock with a connection at PROVIDER_A, and a function that calls its consumer API. */
async function connected() {
  const mock = createConsumerMock({ now: "2026-03-01T09:00:00Z" });
  const { connectionId } = await mock.load("connected-with-content");
  const ask = async (query: string, variables: object) => {
    const response = await post(mock, query, { scope: mock.scope, id: connectionId, ...variables });
    return (await response.json()) as Answer;
  };
  return { mock, ask };
}

test("a scan at PROVIDER_A reads the account first, which names the list of its posts", async () => {
  const { mock, ask } = await connected();
  mock.providerFaults.add("PROVIDER_A", "profile", { status: 503 }, { times: 1 });
  const { data } = await ask(REFRESH, {});
  const status = async () => (await ask(JOB, { job: data.requestRefresh.id })).data.syncJob.status;
  await mock.clock.advance("100ms");
  expect([await status(), mock.providerFaults.list()]).toEqual(["QUEUED", []]);
  await mock.clock.advance("5s");
  expect(await status()).toBe("SUCCEEDED");
});

test("a window is checked before its combination with other arguments, as the server does", async () => {
  const { ask } = await connected();
  const window = { publishedAfter: "2026-01-01T00:00:00Z", publishedBefore: "2026-12-01T00:00:00Z" };
  const { errors } = await ask(REFRESH, { post: "unknown", window });
  const [{ message, extensions }] = errors;
  expect([message, extensions.code]).toEqual(["A window can span at most 90 days.", "BAD_USER_INPUT"]);
});
