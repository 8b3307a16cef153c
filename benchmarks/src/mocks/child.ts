/** The measured process of the mocks' benchmark: `child.ts first|rates MODULE [SECONDS]`; prints one line of JSON. */
type Mocks = typeof import("../../../packages/mocks/src/index.ts");
type Mock = InstanceType<Mocks["ConsumerMock"]>;

const WARM_UP = 500;
const TURNS = 5;
const POSTS = 50;
const HOUR_MS = 3_600_000;
const [what = "", module = "", seconds = "1"] = process.argv.slice(2);

const STATUS = "{ status { ok message } }";
const CONNECTION = `query Connection($scope: SubjectScope!, $id: ID!) {
  connection(scope: $scope, id: $id) {
    id provider providerAccountId status syncStatus lastSuccessfulSyncAt nextRetryAt
    capabilities { capability availability reason } profile { displayName handle avatarUrl profileUrl observedAt }
  }
}`;
const content = (items: string) => `query Content($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) {
    items { ${items} } pageInfo { endCursor hasNextPage completeForWindow incompleteReason } lastSuccessfulSyncAt
  }
}`;
const LIST = content("providerContentId kind canonicalUrl title publishedAt metrics { name value }");
const EVERYTHING = content(
  `id providerContentId provider kind canonicalUrl thumbnailUrl title description publishedAt availability reason observedAt
   metrics { name value availability reason sourceField observedAt }`,
);

/** Milliseconds from before the import to the first answer. */
async function firstAnswer(): Promise<number> {
  const began = performance.now();
  const { createConsumerMock }: Mocks = await import(module);
  await ask(createConsumerMock(), STATUS);
  return performance.now() - began;
}

/** Requests per second of this process's CPU time, by request. */
async function rates(): Promise<Record<string, number>> {
  const { createConsumerMock }: Mocks = await import(module);
  const mock = createConsumerMock();
  const { connectionId } = await mock.load("connected");
  await mock.settle();
  const [nowMs, connection] = [mock.clock.now(), mock.connection(connectionId)];
  for (let post = 1; post <= POSTS; post += 1) connection.publish({ publishedAt: nowMs - post * HOUR_MS });
  const at = (ms: number) => new Date(ms).toISOString();
  const window = { publishedAfter: at(nowMs - 30 * 24 * HOUR_MS), publishedBefore: at(nowMs), first: POSTS };
  const { scope } = mock;
  return {
    status: await rate(mock, STATUS),
    connection: await rate(mock, CONNECTION, { scope, id: connectionId }),
    "content, 50 posts as a list": await rate(mock, LIST, { scope, connectionId, window }),
    "content, 50 posts with everything": await rate(mock, EVERYTHING, { scope, connectionId, window }),
  };
}

/** The best of several runs: other load on the machine can only lower a rate. */
async function rate(mock: Mock, query: string, variables: object = {}): Promise<number> {
  for (let count = 0; count < WARM_UP; count += 1) await ask(mock, query, variables);
  let best = 0;
  for (let count = 0; count < TURNS; count += 1) best = Math.max(best, await turn(mock, query, variables));
  return best;
}

async function turn(mock: Mock, query: string, variables: object): Promise<number> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  let count = 0;
  for (; performance.now() - began < (Number(seconds) * 1_000) / TURNS; count += 1) await ask(mock, query, variables);
  const { user, system } = process.cpuUsage(before);
  return count / ((user + system) / 1e6);
}

async function ask(mock: Mock, query: string, variables: object = {}): Promise<void> {
  const answer = await mock.fetch(`${mock.baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${mock.key}` },
    body: JSON.stringify({ query, variables }),
  });
  const text = await answer.text();
  if (text.includes('"errors"')) throw new Error(`The mock answered ${text.slice(0, 300)}`);
}

console.log(JSON.stringify(what === "first" ? await firstAnswer() : await rates()));
