import {
  ADMIN_ERROR_CODES,
  ADMIN_FORBIDDEN_REASONS,
  ADMIN_KEY_SCOPES,
  AVAILABILITIES,
  CAPABILITIES,
  CONFLICT_REASONS,
  CONNECT_CREATOR_ACTIONS,
  CONNECT_RESULT_CODES,
  CONNECT_SESSION_STATUSES,
  CONNECTION_STATUSES,
  CONTENT_KINDS,
  ERROR_CODES,
  IDP_IDENTITY_STATUSES,
  JOB_ERROR_CODES,
  JOB_STATUSES,
  METRIC_NAMES,
  OBSERVATION_REASONS,
  PAGE_INCOMPLETE_REASONS,
  REGISTRATION_STATUSES,
  SOCIAL_PROVIDERS,
  SYNC_STATUSES,
} from "@social-connect/contract";
import { expect, test } from "vitest";
import type { ConsumerMock } from "../control/consumerMock.ts";
import { createConsumerMock } from "../control/consumerMock.ts";
import { ask, askAdmin, askPanel, whatIsSeen } from "../testing/readEverything.ts";
import type { ScenarioName } from "./scenarios.ts";
import { SCENARIO_NAMES, SCENARIOS } from "./scenarios.ts";

const VOCABULARY = Object.entries({
  SocialProvider: SOCIAL_PROVIDERS,
  Capability: CAPABILITIES,
  Availability: AVAILABILITIES,
  MetricName: METRIC_NAMES,
  ContentKind: CONTENT_KINDS,
  ConnectCreatorAction: CONNECT_CREATOR_ACTIONS,
  ConnectSessionStatus: CONNECT_SESSION_STATUSES,
  ConnectionStatus: CONNECTION_STATUSES,
  SyncStatus: SYNC_STATUSES,
  JobStatus: JOB_STATUSES,
  IdpIdentityStatus: IDP_IDENTITY_STATUSES,
  resultCode: CONNECT_RESULT_CODES,
  errorCode: JOB_ERROR_CODES,
  incompleteReason: PAGE_INCOMPLETE_REASONS,
  reason: OBSERVATION_REASONS,
  code: ERROR_CODES,
  ApiKeyScope: ADMIN_KEY_SCOPES,
  RegistrationStatus: REGISTRATION_STATUSES,
  adminCode: ADMIN_ERROR_CODES,
  adminReason: [...CONFLICT_REASONS, ...ADMIN_FORBIDDEN_REASONS],
}).flatMap(([kind, values]) => values.map((value) => `${kind}.${value}`));

test("together the scenarios show every value and every code of the contract", () => {
  const reached = new Set<string>(SCENARIO_NAMES.flatMap((name) => SCENARIOS[name].reaches));
  expect(VOCABULARY.filter((value) => !reached.has(value))).toEqual([]);
});

test.each(SCENARIO_NAMES)("%s shows what it says", async (name) => {
  const mock = createConsumerMock();
  const facts = await mock.load(name);
  const seen = new Set(await whatIsSeen(mock, facts));
  for (const value of (await ATTEMPTS[name]?.(mock, facts as never)) ?? []) seen.add(value);
  expect(SCENARIOS[name].reaches.filter((value) => !seen.has(value))).toEqual([]);
});

test("a scenario is the same twice, and forgets what was there before", async () => {
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

test("an unknown scenario is refused with those that there are", async () => {
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
  suspended: (mock) => connect(mock),
  "disconnect-settling": (mock, { connectionId }: { connectionId: string }) =>
    connect(mock, { reconnectConnectionId: connectionId }),
  "rate-limited": (mock) => connect(mock),
  "partly-granted": (mock, { connectionId }: { connectionId: string }) => ask(mock, "requestRefresh", { connectionId }),
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
  ];
  const seen = await Promise.all(documents.map((document) => askAdmin(mock, document)));
  seen.push(await askAdmin(mock, rename(singleId), mock.admin.readKey));
  seen.push(await askAdmin(mock, rename(singleId), "wrong"));
  seen.push(await askPanel(mock, "{ apiKeys { items { scope } } }"));
  seen.push(
    await askPanel(
      mock,
      `mutation { issueClientCredential(id: ${id(twoOriginsId)}) { ... on ConflictError { reason } } }`,
    ),
  );
  return seen.flat();
}

function connect(mock: ConsumerMock, overrides: object = {}): Promise<string[]> {
  const { scope, returnUrl } = mock;
  const input = { scope, provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl, ...overrides };
  return ask(mock, "createConnectSession", { input });
}
