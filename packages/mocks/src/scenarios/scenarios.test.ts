import { readFileSync } from "node:fs";
import {
  ADMIN_ERROR_CODES,
  ADMIN_FORBIDDEN_REASONS,
  CONFLICT_REASONS,
  CONNECT_RESULT_CODES,
  ERROR_CODES,
  JOB_ERROR_CODES,
  OBSERVATION_REASONS,
  PAGE_INCOMPLETE_REASONS,
} from "@social-connect/contract";
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isObjectType,
  isUnionType,
} from "graphql";
import { describe, expect, test } from "vitest";
import { ADMIN_OPERATIONS } from "../graphql/documents.ts";
import { type ConsumerMock, createConsumerMock } from "../mock/consumerMock.ts";
import { connectInput } from "../testing/post.ts";
import { ask, askAdmin, askPanel, whatIsSeen } from "../testing/readEverything.ts";
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from "./scenarios.ts";

/** What the schemas do not list, because a caller gets it as text. */
const TEXTS = {
  resultCode: CONNECT_RESULT_CODES,
  errorCode: JOB_ERROR_CODES,
  incompleteReason: PAGE_INCOMPLETE_REASONS,
  reason: OBSERVATION_REASONS,
  code: ERROR_CODES,
  adminCode: ADMIN_ERROR_CODES,
  adminReason: [...CONFLICT_REASONS, ...ADMIN_FORBIDDEN_REASONS],
};

function published(api: "consumer" | "admin"): GraphQLSchema {
  return buildSchema(readFileSync(new URL(`../../../contract/${api}.graphql`, import.meta.url), "utf8"));
}

/** Each value of each enumeration that an answer to these operations has a place for, by default to all. */
function carried(schema: GraphQLSchema, operations?: readonly string[]): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  );
  const values = new Set<string>();
  const visited = new Set<GraphQLNamedType>();
  const visit = (type: GraphQLNamedType) => {
    if (visited.has(type)) return;
    visited.add(type);
    if (isEnumType(type)) for (const { name } of type.getValues()) values.add(`${type.name}.${name}`);
    if (isUnionType(type)) for (const member of type.getTypes()) visit(member);
    if (isObjectType(type)) follow(Object.values(type.getFields()));
  };
  const follow = (fields: readonly GraphQLField<unknown, unknown>[]) => {
    for (const field of fields) visit(getNamedType(field.type));
  };
  follow(roots.filter(({ name }) => operations === undefined || operations.includes(name)));
  return [...values].sort();
}

/** Nothing is out of reach; what would be is to be named here, with the reason. */
describe("together the scenarios show", () => {
  const reached = new Set<string>(SCENARIO_NAMES.flatMap((name) => SCENARIOS[name].reaches));
  const missing = (values: readonly string[]) => values.filter((value) => !reached.has(value));

  test("covers every enum value of responses of both APIs that a key can read", () => {
    const [consumer, admin] = [carried(published("consumer")), carried(published("admin"), ADMIN_OPERATIONS)];
    expect([consumer.length > 40, admin.length > 5]).toEqual([true, true]);
    expect(missing([...consumer, ...admin])).toEqual([]);
  });

  test.each(Object.entries(TEXTS))("each %s", (kind, values) => {
    expect(missing(values.map((value) => `${kind}.${value}`))).toEqual([]);
  });
});

test.each(SCENARIO_NAMES)("%s shows its values by its operations", async (name) => {
  const { reaches, seenBy }: { reaches: readonly string[]; seenBy: readonly string[] } = SCENARIOS[name];
  const mock = createConsumerMock();
  const facts = await mock.load(name);
  const seen = new Set(await whatIsSeen(mock, facts, seenBy));
  for (const value of (await ATTEMPTS[name]?.(mock, facts as never)) ?? []) seen.add(value);
  expect(reaches.filter((value) => !seen.has(value))).toEqual([]);
  const asked = new Set(mock.calls.all().map(({ operation }) => operation));
  expect(
    seenBy.filter((operation) => !asked.has(operation)),
    "all of them are needed",
  ).toEqual([]);
});

test("loading a scenario again returns the same state", async () => {
  const [mock, other] = [createConsumerMock(), createConsumerMock()];
  await mock.load("connect-ended");
  const facts = await mock.load("connected-with-content");
  expect(facts).toEqual(await other.load("connected-with-content"));
  expect(mock.snapshot()).toBe(other.snapshot());
  expect(mock.connections()).toHaveLength(1);
});

test("what a scenario gives is plain data, so that it is the same over HTTP", async () => {
  const mock = createConsumerMock();
  for (const name of SCENARIO_NAMES) {
    const facts = await mock.load(name);
    expect(JSON.parse(JSON.stringify(facts)), name).toEqual(facts);
    const answer = await mock.fetch(`${mock.baseUrl}/__mock/scenarios/${name}`, { method: "POST" });
    expect(await answer.json(), name).toEqual(facts);
  }
});

test("rejects an unknown scenario with the list of scenarios", async () => {
  const mock = createConsumerMock();
  await expect(mock.load("connected-twice" as "connected")).rejects.toThrow(/connected-with-content/);
});

/** What has to be tried to see a refusal. */
const ATTEMPTS: Partial<Record<ScenarioName, (mock: ConsumerMock, facts: never) => Promise<string[]>>> = {
  "connect-under-way": (mock) => connect(mock, { returnUrl: "https://elsewhere.example/" }),
  connected: async (mock) => [
    ...(await ask(mock, "connection", { id: "00000000-0000-4000-8000-000000000000" })),
    ...(await ask(mock, "connections", {}, "wrong.key")),
  ],
  disconnected: (mock, { connectionId }: { connectionId: string }) => ask(mock, "connection", { id: connectionId }),
  suspended: (mock) => connect(mock),
  "disconnect-settling": (mock, { connectionId }: { connectionId: string }) =>
    connect(mock, { reconnectConnectionId: connectionId }),
  "rate-limited": (mock) => connect(mock),
  "window-busy": (mock, facts: { connectionId: string; otherWindow: object }) =>
    ask(mock, "requestRefresh", { connectionId: facts.connectionId, window: facts.otherWindow }),
  "registrations-in-every-status": async (mock) => [
    ...(await askAdmin(mock, "{ adminRegistrations { status } }")),
    ...(await connect(mock, { provider: "PROVIDER_B" })),
  ],
  "service-down": (mock) => askAdmin(mock, "{ adminClients { items { id } } }"),
  "clients-to-change": changeClients,
};

async function changeClients(
  mock: ConsumerMock,
  facts: {
    readonly singleId: string;
    readonly twoOriginsId: string;
    readonly busyId: string;
    readonly usedOrigin: string;
  },
): Promise<string[]> {
  const { singleId, twoOriginsId, busyId, usedOrigin } = facts;
  const single = mock.applicationById(singleId);
  const id = (value: string) => JSON.stringify(value);
  const rename = (client: string) => `mutation { setClientDisplayName(id: ${id(client)}, displayName: "Anew") { id } }`;
  const input = `{
    slug: "busy", displayName: "Another", providers: [], capabilities: [], tenantKeys: [], confirmedNoOnwardRedirect: true,
    webOrigins: ["https://another.example.test"], returnUrls: ["https://another.example.test/back"]
  }`;
  const documents = [
    rename("00000000-0000-4000-8000-000000000000"),
    rename(busyId),
    `mutation { setClientDisplayName(id: ${id(singleId)}, displayName: "") { id } }`,
    `mutation { removeClientOrigin(id: ${id(singleId)}, origin: ${id(single.webOrigins[0] ?? "")}) { id } }`,
    `mutation { removeClientReturnUrl(id: ${id(singleId)}, url: ${id(single.returnUrls[0] ?? "")}) { id } }`,
    `mutation { removeClientOrigin(id: ${id(twoOriginsId)}, origin: ${id(usedOrigin)}) { id } }`,
    `mutation { addClientOrigin(id: ${id(twoOriginsId)}, origin: ${id(usedOrigin)}) { id } }`,
    `mutation { createClient(input: ${input}) { id } }`,
    "{ apiKeys { items { id } } }",
    `mutation { issueClientCredential(id: ${id(twoOriginsId)}) { __typename } }`,
  ];
  const seen = await Promise.all(documents.map((document) => askAdmin(mock, document)));
  seen.push(await askAdmin(mock, rename(singleId), mock.admin.readKey));
  seen.push(await askAdmin(mock, rename(singleId), "wrong"));
  seen.push(await askPanel(mock, "{ apiKeys { items { scope } } }"));
  seen.push(
    await askPanel(
      mock,
      `mutation { issueClientCredential(id: ${id(twoOriginsId)}) { __typename ... on ConflictError { reason } } }`,
    ),
  );
  return seen.flat();
}

function connect(mock: ConsumerMock, overrides: object = {}): Promise<string[]> {
  return ask(mock, "createConnectSession", connectInput(mock, overrides));
}
