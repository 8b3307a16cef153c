import type { Touched } from "@social-connect/domain";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type PanelUser, server, signInToPanel, useAdminServer } from "../../http/testing/adminServer.ts";
import { createAdminMember, createApiKey } from "../../modules/testing/admins.ts";
import {
  createApplication,
  createRegistrations,
  ORIGIN,
  RETURN_URL,
  type TestApplication,
} from "../../modules/testing/builders.ts";
import { createConnection } from "../../modules/testing/connections.ts";
import { service } from "../../modules/testing/fixtures.ts";
import { createConnectAttempt, createEventEndpoint, createPost } from "../../modules/testing/rows.ts";

useAdminServer();

let panel: PanelUser;
let registrations: Awaited<ReturnType<typeof createRegistrations>>;
let application: TestApplication;
let count = 0;

const SUBJECT = { tenantKey: "tenant-1", externalSubjectId: "user-1" };

beforeAll(async () => {
  panel = await signInToPanel(server, await createAdminMember(service, "counting@example.test"));
});

/** Two connections of a user with three posts, one of another user at the same account, one of another tenant, one ended. */
beforeEach(async () => {
  count += 1;
  registrations = await createRegistrations(service);
  application = await createApplication(service, `touched-${count}`, { returnUrls: [RETURN_URL, `${RETURN_URL}/2`] });
  const connect = (externalSubjectId: string, accountId: string, data: object = {}) =>
    createConnection(service, application, registrations, { externalSubjectId, accountId, data });
  const first = await connect("user-1", "provider_a-account-1");
  await connect("user-1", "provider_a-account-2");
  await connect("user-2", "provider_a-account-1", { liveAccountId: null });
  await connect("user-3", "account-4", {
    tenantKey: "tenant-2",
    provider: "PROVIDER_B",
    registrationId: registrations.PROVIDER_B,
  });
  await connect("user-3", "account-5", { status: "DISCONNECTED", liveAccountId: null });
  for (const _ of [1, 2, 3]) await createPost(service, first);
  await createConnectAttempt(service, application, registrations, { returnUrl: `${RETURN_URL}/2` });
});

const asTouched = (counts: readonly { kind: keyof Touched; count: number }[]): Touched =>
  Object.fromEntries(counts.map(({ kind, count: one }) => [kind, one]));

async function planned(action: string, args: Readonly<Record<string, unknown>>): Promise<Touched> {
  const document = `query($action: TouchingAction!, $id: ID!, $value: String, $provider: SocialProvider, $providers: [SocialProvider!],
    $capabilities: [Capability!], $returnUrls: [String!], $clientIds: [ID!], $since: DateTime, $failedOnly: Boolean) {
    plannedTouch(action: $action, id: $id, value: $value, provider: $provider, providers: $providers, capabilities: $capabilities,
    returnUrls: $returnUrls, clientIds: $clientIds, since: $since, failedOnly: $failedOnly) { kind count } }`;
  const { data, errors } = await panel.query(document, { action, ...args });
  expect(errors).toEqual([]);
  return asTouched(data.plannedTouch);
}

async function last(id: string) {
  const document = "query($id: ID!) { lastTouch(targetId: $id) { entryId counts { kind count } } }";
  return (await panel.query(document, { id })).data.lastTouch;
}

async function done(targetId: string): Promise<Touched> {
  return asTouched((await last(targetId)).counts);
}

async function change(field: string, variables: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const types = Object.keys(variables).map((name) => `$${name}: ${name === "reason" ? "String" : "ID"}!`);
  const { data, errors } = await panel.query(
    `mutation${types.length > 0 ? `(${types.join(", ")})` : ""} { ${field} { __typename } }`,
    variables,
  );
  expect([errors, JSON.stringify(data)]).toEqual([[], expect.not.stringContaining("Error")]);
}

const client = () => `id: "${application.id}"`;

test.each<readonly [string, Readonly<Record<string, unknown>>, () => string, Touched]>([
  [
    "DISABLE_CLIENT",
    {},
    () => `setClientEnabled(${client()}, enabled: false)`,
    { connections: 4, posts: 3, keys: 1, unfinishedAttempts: 1 },
  ],
  [
    "CHANGE_POLICY",
    {
      providers: ["PROVIDER_B", "PROVIDER_C"],
      capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
    },
    () =>
      `setClientPolicy(${client()}, providers: [PROVIDER_B, PROVIDER_C], capabilities: [PROFILE, CONTENT_LIST, CONTENT_LOOKUP, CONTENT_METRICS])`,
    { connections: 3, posts: 3, unfinishedAttempts: 0 },
  ],
  [
    "REMOVE_TENANT_KEY",
    { value: "tenant-2" },
    () => `removeClientTenantKey(${client()}, tenantKey: "tenant-2")`,
    { connections: 1, posts: 0, unfinishedAttempts: 0 },
  ],
  [
    "REMOVE_RETURN_URL",
    { value: `${RETURN_URL}/2` },
    () => `removeClientReturnUrl(${client()}, url: "${RETURN_URL}/2")`,
    { unfinishedAttempts: 1 },
  ],
  [
    "REMOVE_TESTER",
    { provider: "PROVIDER_A", value: "provider_a-account-1" },
    () => `removeClientTester(${client()}, provider: PROVIDER_A, providerAccountId: "provider_a-account-1")`,
    { testers: 1 },
  ],
])("%s says before what it affects, and afterwards what it affected", async (action, args, mutation, expected) => {
  expect(await planned(action, { id: application.id, ...args })).toEqual(expected);
  await change(mutation());
  expect(await done(application.id)).toEqual(expected);
});

test("a change without an effect leaves the newest entry as it was", async () => {
  expect(await last(application.id)).toEqual({ entryId: null, counts: [] });
  const disable = `setClientEnabled(${client()}, enabled: false)`;
  await change(disable);
  const disabled = await last(application.id);
  expect(asTouched(disabled.counts)).toMatchObject({ connections: 4 });
  await change(disable);
  expect(await last(application.id)).toEqual(disabled);
  await change(`setClientEnabled(${client()}, enabled: true)`);
  expect((await last(application.id)).entryId).not.toBe(disabled.entryId);
});

test("a change that would be refused affects nothing", async () => {
  expect(await planned("REMOVE_ORIGIN", { id: application.id, value: ORIGIN })).toEqual({});
});

test("a registration that stops counts its connections and the clients that have some", async () => {
  const id = registrations.PROVIDER_A;
  const expected = await planned("STOP_REGISTRATION", { id });
  const where = { registrationId: id, status: "CONNECTED" } as const;
  expect(expected.connections).toBe(await service.prisma.connection.count({ where }));
  expect(expected.clients).toBeGreaterThan(0);
  await change("pauseRegistration(id: $id)", { id });
  expect(await done(id)).toEqual(expected);
});

test("a registration that serves fewer clients counts those that it loses, with their connections", async () => {
  const id = registrations.PROVIDER_A;
  const other = await createApplication(service, `touched-other-${count}`);
  const lost = await createConnection(service, other, registrations, {
    externalSubjectId: "user-9",
    accountId: "account-9",
  });
  await createPost(service, lost);
  await service.prisma.providerRegistration.update({ where: { id }, data: { status: "PAUSED" } });
  const scopes = [{ capability: "PROFILE", scopes: ["profile"] }];
  const addresses = Object.fromEntries(
    ["authorization", "token", "revocation", "api"].map((name) => [name, `https://a.example/${name}`]),
  );
  const input = { clientId: "client", clientSecret: "secret", addresses, scopes, capabilities: ["PROFILE"] };
  const update =
    "mutation($id: ID!, $input: RegistrationInput!) { updateRegistration(id: $id, input: $input) { __typename } }";
  const serve = async (...clientIds: string[]): Promise<Touched> => {
    const expected = await planned("CHANGE_REGISTRATION_CLIENTS", { id, clientIds });
    const { data } = await panel.query(update, { id, input: { ...input, clientIds } });
    expect(data).toEqual({ updateRegistration: { __typename: "AdminRegistration" } });
    expect(await done(id)).toEqual(expected);
    return expected;
  };
  const others = (await service.prisma.application.count()) - 2;
  expect(await serve(application.id, other.id)).toEqual({ connections: 0, posts: 0, clients: others });
  expect(await serve(application.id)).toEqual({ connections: 1, posts: 1, clients: 1 });
  expect(await serve(application.id, other.id)).toEqual({});
  expect(await planned("CHANGE_REGISTRATION_CLIENTS", { id })).toEqual({});
});

test("a resend counts events and deliveries", async () => {
  const endpoint = await createEventEndpoint(service, application);
  await change("sendTestEvent(id: $id)", { id: endpoint.id });
  const args = { since: new Date(service.clock.current.getTime() - 60_000).toISOString(), failedOnly: true };
  const expected = await planned("RESEND_EVENTS", { id: application.id, ...args });
  expect(expected).toEqual({ events: 1, deliveries: 1 });
  expect(await planned("RESEND_EVENTS", { id: application.id })).toEqual({});
  const { data } = await panel.query(
    `mutation($id: ID!, $since: DateTime!, $failedOnly: Boolean!) {
       resendEvents(clientId: $id, since: $since, failedOnly: $failedOnly) { ... on ResentEvents { events deliveries } } }`,
    { id: application.id, ...args },
  );
  expect(data.resendEvents).toEqual(expected);
});

test("a removed admin counts keys and sessions, a removed endpoint its deliveries", async () => {
  const member = await createAdminMember(service, `leaving-${count}@example.test`);
  await createApiKey(service, member, "READ");
  await signInToPanel(server, member);
  const { id } = member;
  expect(await planned("REMOVE_ADMIN", { id })).toEqual({ keys: 1, sessions: 1 });
  await change("removeAdminMember(id: $id)", { id });
  expect(await done(id)).toEqual({ keys: 1, sessions: 1 });

  const endpoint = await createEventEndpoint(service, application);
  await change("sendTestEvent(id: $id)", { id: endpoint.id });
  expect(await planned("REMOVE_EVENT_ENDPOINT", { id: endpoint.id })).toEqual({ deliveries: 1 });
  await change("removeEventEndpoint(id: $id)", { id: endpoint.id });
  expect(await done(application.id)).toEqual({ deliveries: 1 });
});

test("a disconnect counts the posts that workers erase, and the connections that it suspends", async () => {
  const where = {
    applicationId: application.id,
    providerAccountId: "provider_a-account-1",
    externalSubjectId: "user-1",
  };
  const { id } = await service.prisma.connection.findFirstOrThrow({ where });
  const viewed =
    "viewConnection(id: $id, reason: $reason) { ... on SupportConnection { touchedByDisconnect { kind count } } }";
  const { data } = await panel.query(`mutation($id: ID!, $reason: String!) { ${viewed} }`, { id, reason: "ticket 1" });
  const expected = asTouched(data.viewConnection.touchedByDisconnect);
  expect(expected).toMatchObject({ connections: 1, posts: 3 });
  await change("disconnectForUser(id: $id, reason: $reason)", { id, reason: "ticket 1" });
  expect(await done(id)).toEqual(expected);
  const suspended = { applicationId: application.id, status: "SUSPENDED" } as const;
  expect(await service.prisma.connection.count({ where: suspended })).toBe(expected.suspendedConnections ?? 0);
});

test("an erasure counts first, leaves the tester entry of another person, and says so", async () => {
  const person = { clientSlug: `touched-${count}`, ...SUBJECT };
  const args = "$clientSlug: String!, $tenantKey: String, $externalSubjectId: String!";
  const pass = "clientSlug: $clientSlug, tenantKey: $tenantKey, externalSubjectId: $externalSubjectId";
  const { data: before } = await panel.query(
    `query(${args}) { person(${pass}) { touchedByErasure { kind count } } }`,
    person,
  );
  const expected = { connections: 2, posts: 3, suspendedConnections: 1, attempts: 1, testers: 1, keptTesters: 1 };
  expect(asTouched(before.person.touchedByErasure)).toEqual(expected);
  const fields = "keptTesters failed deleted { table rows } person { touchedByErasure { kind count } }";
  const { data } = await panel.query(
    `mutation(${args}) { erasePerson(${pass}, reason: "ticket 2") { ... on PersonErasure { ${fields} } } }`,
    person,
  );
  const { keptTesters, deleted, failed, person: left } = data.erasePerson;
  expect({ keptTesters, failed }).toEqual({ keptTesters: 1, failed: 0 });
  expect(deleted).toEqual(
    expect.arrayContaining([
      { table: "connect_attempt", rows: 1 },
      { table: "tester", rows: 1 },
    ]),
  );
  const suspended = { applicationId: application.id, status: "SUSPENDED" } as const;
  expect(await service.prisma.connection.count({ where: suspended })).toBe(1);
  // Workers erase the connections and posts later.
  expect(asTouched(left.touchedByErasure)).toMatchObject({ connections: 2, posts: 3, testers: 0, keptTesters: 1 });
  const testers = await service.prisma.tester.findMany({
    where: { applicationId: application.id, provider: "PROVIDER_A" },
  });
  expect(testers.map(({ providerAccountId }) => providerAccountId).toSorted()).toEqual([
    "provider_a-account-1",
    "provider_a-account-3",
  ]);
  expect(await done(application.id)).toEqual(expected);
});
