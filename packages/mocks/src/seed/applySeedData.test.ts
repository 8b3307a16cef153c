import { expect, onTestFinished, test, vi } from "vitest";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { PostRepository } from "../providers/posts.ts";
import { SEEDED } from "../testing/seedFiles.ts";

test("a mock starts with the data, and reset returns to it", async () => {
  const { $schema: _, ...options } = SEEDED;
  const mock = createConsumerMock(options);
  const seen = () => ({
    now: mock.clock.date().toISOString(),
    connections: mock.connections().map(({ state: { provider, status, account } }) => [provider, status, account]),
    posts: mock
      .account("PROVIDER_A", "harbor-workshop")
      .posts()
      .filter(({ title }) => /Opening|everyone/.test(title ?? ""))
      .map(({ title, visibility }) => [title, visibility]),
    registration: mock.registration("PROVIDER_B").status,
    faults: [...mock.faults.list().map(({ operation, left }) => [operation, left]), mock.providerFaults.list().length],
    queued: mock.jobs().filter(({ status }) => status === "QUEUED").length > 0,
  });
  const expected = {
    now: SEEDED.now,
    connections: [
      ["PROVIDER_A", "CONNECTED", "harbor-workshop"],
      ["PROVIDER_B", "RECONNECT_REQUIRED", "channel-1"],
      ["PROVIDER_C", "CONNECTED", "channel-1"],
      ["PROVIDER_A", "DISCONNECTED", "channel-2"],
    ],
    posts: [
      ["Opening day", "public"],
      ["Not for everyone", "private"],
    ],
    registration: "PAUSED",
    faults: [["content", 2], 1],
    queued: true,
  };
  expect(seen()).toEqual(expected);
  mock.faults.clear();
  mock.registration("PROVIDER_B").publish();
  await mock.clock.advance("3d");
  mock.reset();
  expect(seen()).toEqual(expected);
  await mock.load("nothing-linked");
  expect([mock.connections(), mock.faults.list()]).toEqual([[], []]);
});

test("the data is what callers see", async () => {
  const { $schema: _, faults: __, ...options } = SEEDED;
  const mock = createConsumerMock(options);
  const scope = { tenantKey: "south", externalSubjectId: "user-7" };
  const [connection] = mock.connections();
  const window = { publishedAfter: "2026-02-25T00:00:00Z", publishedBefore: SEEDED.now, first: 50 };
  const query = `query ($scope: SubjectScope!, $id: ID!, $window: ContentWindow!) {
    connections(scope: $scope) { items { providerAccountId syncStatus } }
    content(scope: $scope, connectionId: $id, window: $window) { items { title metrics { name value } } }
  }`;
  const response = await mock.fetch(`${mock.baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${mock.key}` },
    body: JSON.stringify({ query, variables: { scope, id: connection?.state.id, window } }),
  });
  const { data } = (await response.json()) as {
    data: { connections: { items: object[] }; content: { items: { title: string; metrics: object[] }[] } };
  };
  expect(data.connections.items).toEqual([{ providerAccountId: expect.any(String), syncStatus: "READY" }]);
  const opening = data.content.items.find(({ title }) => title === "Opening day");
  expect(opening?.metrics).toContainEqual({ name: "VIEWS", value: "1200" });
});

test("posts are added without listing all posts for each of them", () => {
  const posts = Array.from({ length: 500 }, (_, number) => ({ title: `Post ${number}` }));
  const data = { accounts: [{ provider: "PROVIDER_A", name: "busy", posts }] } as const;
  const listed = vi.spyOn(PostRepository.prototype, "of");
  onTestFinished(() => listed.mockRestore());
  const mock = createConsumerMock(data);
  expect(listed.mock.calls.length).toBeLessThan(10);
  const titles = mock
    .account("PROVIDER_A", "busy")
    .posts()
    .map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(posts.map(({ title }) => title)));
  // The control: a list is counted.
  expect(listed.mock.calls.length).toBeGreaterThan(0);
});
