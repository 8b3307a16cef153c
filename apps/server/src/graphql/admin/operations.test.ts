import { ADMIN_OPERATIONS, type AdminOperationName } from "@social-connect/contract";
import { connectionViewed } from "@social-connect/domain";
import { getNamedType, isUnionType } from "graphql";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AdminMember, type Connection, type EventEndpoint, Prisma } from "../../_generated/prisma/client.ts";
import { adminQuery, type PanelUser, server, signInToPanel, useAdminServer } from "../../http/testing/adminServer.ts";
import { SYSTEM } from "../../modules/admin/actor.ts";
import { removeAdmin } from "../../modules/admins/admins.ts";
import { exportAuditEntries } from "../../modules/audit/exportAuditEntries.ts";
import { recordAudit } from "../../modules/audit/recordAudit.ts";
import { addEventEndpoint, sendTestEvent } from "../../modules/events/endpoints.ts";
import { createAdminMember, createApiKey, sessionOf } from "../../modules/testing/admins.ts";
import {
  addressesAt,
  createApplication,
  createRegistrations,
  issueKey,
  moveRegistration,
  ORIGIN,
  RETURN_URL,
  type TestApplication,
} from "../../modules/testing/builders.ts";
import { createConnection } from "../../modules/testing/connections.ts";
import { service } from "../../modules/testing/fixtures.ts";
import { createJob } from "../../modules/testing/rows.ts";
import { documentOf as operationDocument } from "../testing/documentOf.ts";
import { adminSchema } from "./schema.ts";

useAdminServer();

let keeper: AdminMember;
let panel: PanelUser;
let readKey: string;
let writeKey: string;
let removedKey: string;
let clientId: string;
let clientSlug: string;
let registrations: Awaited<ReturnType<typeof createRegistrations>>;
let count = 0;

beforeAll(async () => {
  keeper = await createAdminMember(service, "keeper@example.test");
  const leaver = await createAdminMember(service);
  panel = await signInToPanel(server, keeper);
  readKey = (await createApiKey(service, keeper, "READ")).key;
  writeKey = (await createApiKey(service, keeper, "WRITE")).key;
  removedKey = (await createApiKey(service, leaver, "WRITE")).key;
  expect((await adminQuery(server, removedKey, "{ previewTemplate { template } }")).errors).toEqual([]);
  await removeAdmin(service, sessionOf(service, keeper), leaver.id);
  registrations = await createRegistrations(service);
});
beforeEach(async () => {
  const spare = {
    webOrigins: [ORIGIN, "https://spare.example"],
    returnUrls: [RETURN_URL, "https://shop.example/spare"],
    previewReturnPaths: ["/spare"],
  };
  clientSlug = `client-${++count}`;
  clientId = (await createApplication(service, clientSlug, spare)).id;
  for (const fake of Object.values(service.fakes)) {
    fake.failNext("exchangeCode", "rejected");
    fake.failNext("readAccount", "access_expired");
  }
});

type MutationName = {
  [Name in AdminOperationName]: (typeof ADMIN_OPERATIONS)[Name]["kind"] extends "mutation" ? Name : never;
}[AdminOperationName];

const SOME = expect.arrayContaining([expect.any(String)]);

/** What the audit entry of each mutation has, before and after, or why it changes nothing that is stored. */
const CHANGES: Record<
  MutationName,
  string | (() => Readonly<Record<string, readonly [before: unknown, after: unknown]>>)
> = {
  createClient: () => ({ webOrigins: [null, ["https://made.example"]], enabled: [null, ["yes"]] }),
  setClientEnabled: () => ({ enabled: [["yes"], ["no"]], "affected.keys": [SOME, null] }),
  setClientDisplayName: () => ({ displayName: [SOME, ["<script>alert(1)</script>"]] }),
  setClientBranding: () => ({ brandColor: [null, ["#0a5c36"]] }),
  setClientPolicy: () => ({ providers: [SOME, ["PROVIDER_A"]], capabilities: [SOME, null] }),
  addClientTenantKey: () => ({
    tenantKeys: [
      ["tenant-1", "tenant-2"],
      ["tenant-1", "tenant-2", "new"],
    ],
  }),
  removeClientTenantKey: () => ({ tenantKeys: [["tenant-1", "tenant-2"], ["tenant-2"]] }),
  addClientOrigin: () => ({ webOrigins: [SOME, [ORIGIN, "https://spare.example", "https://new.example"]] }),
  removeClientOrigin: () => ({ webOrigins: [[ORIGIN, "https://spare.example"], [ORIGIN]] }),
  addClientReturnUrl: () => ({ returnUrls: [SOME, expect.arrayContaining(["https://shop.example/new"])] }),
  removeClientReturnUrl: () => ({ returnUrls: [[RETURN_URL, "https://shop.example/spare"], [RETURN_URL]] }),
  setClientPreviewOrigins: () => ({ previewOriginsEnabled: [["no"], ["yes"]] }),
  addClientPreviewReturnPath: () => ({ previewReturnPaths: [["/spare"], ["/spare", "/new"]] }),
  removeClientPreviewReturnPath: () => ({ previewReturnPaths: [["/spare"], null] }),
  setClientIdpIdentity: () => ({
    idpIdentityEnabled: [["no"], ["yes"]],
    identityReturnUrls: [SOME, ["https://shop.example/in"]],
  }),
  issueClientCredential: () => ({ key: [null, SOME], expiresAt: [null, SOME], secret: [null, ["set"]] }),
  revokeClientCredential: () => ({ revoked: [["no"], ["yes"]] }),
  addClientTester: () => ({ "testers.PROVIDER_A": [SOME, SOME] }),
  setClientTesterNote: () => ({ "note.PROVIDER_A": [null, ["set"]] }),
  removeClientTester: () => ({ "testers.PROVIDER_A": [SOME, SOME] }),
  addEventEndpoint: () => ({ origin: [null, [ORIGIN]], types: [null, ["all"]], secret: [null, ["set"]] }),
  changeEventEndpoint: () => ({ types: [["all"], ["job.failed"]] }),
  rotateEventEndpointSecret: () => ({ secret: [["set"], ["changed"]] }),
  removeEventEndpoint: () => ({ origin: [[ORIGIN], null], types: [["all"], null], enabled: [["yes"], null] }),
  resendEvents: () => ({ deliveries: [["FAILED"], ["WAITING"]] }),
  sendTestEvent: () => ({ event: [null, SOME], type: [null, ["test"]] }),
  mintApiKey: () => ({ label: [null, ["k"]], scope: [null, ["READ"]], secret: [null, ["set"]] }),
  revokeApiKey: () => ({ revoked: [["no"], ["yes"]] }),
  addAdminMember: () => ({ email: [null, SOME], addedBy: [null, [keeper.email]] }),
  removeAdminMember: () => ({
    email: [SOME, null],
    "affected.keys": [["0"], null],
    "affected.sessions": [["0"], null],
  }),
  createRegistration: () => ({
    clientId: [null, ["known-as"]],
    status: [null, ["DRAFT"]],
    clientSecret: [null, ["set"]],
  }),
  updateRegistration: () => ({
    clients: [["all"], [clientSlug]],
    clientSecret: [["set"], ["changed"]],
    "affected.clients": [SOME, null],
  }),
  setRegistrationQuota: () => ({ units: [["10000"], ["500"]], reserve: [["0.2"], ["0.1"]] }),
  publishRegistration: () => ({ status: [["PAUSED"], ["PUBLISHED"]] }),
  pauseRegistration: () => ({ status: [["PUBLISHED"], ["PAUSED"]], "affected.clients": [SOME, null] }),
  disableRegistration: () => ({ status: [["DRAFT"], ["DISABLED"]] }),
  viewConnection: "It shows a connection.",
  rescanConnection: () => ({ scan: [null, ["QUEUED"]] }),
  retryJob: () => ({ nextRetryAt: [SOME, SOME] }),
  disconnectForUser: () => ({ status: [["CONNECTED"], ["DISCONNECTED"]], "affected.connections": [["1"], null] }),
  erasePerson: () => ({ "affected.connections": [SOME, null], "affected.keptTesters": [SOME, null] }),
};

/** The changes of an entry as both exports and the page have them. */
async function changesIn(id: string) {
  const page = await panel.query("query($id: ID!) { auditChanges(id: $id) { field before after } }", { id });
  const entry = await service.prisma.auditEntry.findUniqueOrThrow({ where: { id } });
  const filter = { targetId: entry.targetId, from: entry.at };
  const read = async (format: "csv" | "jsonl") => {
    service.clock.advance(1);
    const { parts } = await exportAuditEntries(service, sessionOf(service, keeper), format, filter);
    const texts: string[] = [];
    for await (const text of parts) texts.push(text);
    return (
      texts
        .join("")
        .split(/\r?\n/)
        .find((line) => line.includes(id)) ?? ""
    );
  };
  return {
    page: page.data.auditChanges as PageChange[],
    jsonl: JSON.parse(await read("jsonl")),
    csv: await read("csv"),
  };
}

interface PageChange {
  readonly field: string;
  readonly before: string[] | null;
  readonly after: string[] | null;
}

type Variables = Readonly<Record<string, unknown>>;

const REGISTRATION_INPUT = {
  clientId: "known-as",
  clientSecret: "secret",
  addresses: addressesAt("https://provider.example"),
  scopes: [{ capability: "PROFILE", scopes: ["profile"] }],
  capabilities: ["PROFILE"],
};

async function draft(): Promise<string> {
  const field = "createRegistration(provider: PROVIDER_A, input: $input) { ... on AdminRegistration { id } }";
  const variables = { input: REGISTRATION_INPUT };
  const { data } = await panel.query(`mutation($input: RegistrationInput!) { ${field} }`, variables);
  return data.createRegistration.id;
}

const TESTER = { provider: "PROVIDER_A", providerAccountId: "provider_a-account-1" };

const SUBJECT = { clientSlug: "client-1", tenantKey: "tenant-1", externalSubjectId: "user-1" };

/** The arguments with which an operation succeeds besides the id or slug of a client, and the state that the call needs. */
const ARGUMENTS: Partial<Record<AdminOperationName, Variables | (() => Variables | Promise<Variables>)>> = {
  serviceActivity: { range: "DAY" },
  adminClientsOfSdkVersion: { library: "SDK" },
  setClientEnabled: { enabled: false },
  setClientDisplayName: { displayName: "<script>alert(1)</script>" },
  setClientBranding: { brandColor: "#0a5c36" },
  setClientPolicy: { providers: ["PROVIDER_A"], capabilities: [] },
  addClientTenantKey: { tenantKey: "new" },
  removeClientTenantKey: { tenantKey: "tenant-1" },
  addClientOrigin: { origin: "https://new.example" },
  removeClientOrigin: { origin: "https://spare.example" },
  addClientReturnUrl: { url: "https://shop.example/new", confirmedNoOnwardRedirect: true },
  removeClientReturnUrl: { url: "https://shop.example/spare" },
  setClientPreviewOrigins: { enabled: true },
  addClientPreviewReturnPath: { path: "/new" },
  removeClientPreviewReturnPath: { path: "/spare" },
  setClientIdpIdentity: { enabled: true, returnUrls: ["https://shop.example/in"] },
  issueClientCredential: { expiresInDays: 30 },
  revokeClientCredential: async () => ({ keyId: (await issueKey(service, clientId)).split(".")[0] }),
  addClientTester: { ...TESTER, providerAccountId: "new" },
  setClientTesterNote: { ...TESTER, note: "Mara from QA" },
  removeClientTester: TESTER,
  eventEndpoints: () => ({ clientId }),
  failingEventEndpoints: {},
  events: () => ({ clientId }),
  addEventEndpoint: () => ({ clientId, url: "https://shop.example/events", types: [] }),
  changeEventEndpoint: async () => ({ id: (await newEndpoint()).id, types: ["job.failed"] }),
  rotateEventEndpointSecret: onEndpoint,
  removeEventEndpoint: onEndpoint,
  resendEvents: async () => {
    const { id } = await newEndpoint();
    const { id: eventId } = await sendTestEvent(service, SYSTEM, id);
    await service.prisma.eventDelivery.updateMany({ where: { eventId }, data: { status: "FAILED" } });
    return { clientId, eventId };
  },
  sendTestEvent: onEndpoint,
  adminAuditEntries: { first: 5 },
  createClient: () => ({
    input: {
      slug: `made-${++count}`,
      displayName: "Made",
      webOrigins: ["https://made.example"],
      returnUrls: ["https://made.example/back"],
      tenantKeys: ["t"],
      providers: ["PROVIDER_A"],
      capabilities: ["PROFILE"],
      confirmedNoOnwardRedirect: true,
    },
  }),
  mintApiKey: { label: "k", scope: "READ", lifetimeDays: 1 },
  revokeApiKey: idOfApiKey,
  apiKeyDetail: idOfApiKey,
  activeApiKeysOf: () => ({ memberId: keeper.id }),
  addAdminMember: () => ({ email: `new-${++count}@example.test` }),
  removeAdminMember: async () => ({ id: (await createAdminMember(service)).id }),
  searchClients: { text: "client" },
  searchAuditEntries: { action: "API key first used" },
  auditEntry: idOfEntry,
  auditChanges: idOfEntry,
  plannedTouch: () => ({ action: "DISABLE_CLIENT", id: clientId }),
  lastTouch: () => ({ targetId: clientId }),
  registrationDetail: () => ({ id: registrations.PROVIDER_A }),
  createRegistration: { provider: "PROVIDER_B", input: REGISTRATION_INPUT },
  updateRegistration: async () => ({ id: await draft(), input: { ...REGISTRATION_INPUT, clientIds: [clientId] } }),
  setRegistrationQuota: async () => ({
    id: await draft(),
    quota: { units: 500, window: "MINUTE", per: "READ", reserve: 0.1 },
  }),
  publishRegistration: async () => {
    const addresses = { authorization: `${server.url}/healthz`, token: server.url, api: server.url };
    await moveRegistration(service, registrations.PROVIDER_C, { addresses });
    return inStatus(registrations.PROVIDER_C, { status: "PAUSED" });
  },
  pauseRegistration: () => inStatus(registrations.PROVIDER_B, { status: "PUBLISHED" }),
  disableRegistration: async () => ({ id: await draft() }),
  // An opened list is recorded once, and a search for a user each time.
  adminConnections: () => ({ externalSubjectId: `listed-${++count}` }),
  adminConnectionCounts: { by: "CLIENT" },
  searchConnections: SUBJECT,
  searchConnectAttempts: SUBJECT,
  suggestUsers: { ...SUBJECT, startsWith: "somebody" },
  findPeople: { startsWith: "somebody" },
  person: () => ({ ...SUBJECT, externalSubjectId: `viewed-${++count}` }),
  findByReference: {},
  viewedConnection: async () => {
    const { id } = await newConnection();
    const audit = connectionViewed({ id, provider: "PROVIDER_A", clientSlug: "client-1" }, "ticket 1");
    await recordAudit(service.prisma, { via: "member", email: keeper.email }, service.clock.current, audit);
    return { id };
  },
  viewConnection: onConnection,
  rescanConnection: onConnection,
  retryJob: async () => {
    const waiting = { status: "QUEUED", finishedAt: null, nextRetryAt: service.clock.fromNow(60_000) } as const;
    const { id } = await createJob(service, await newConnection(), waiting);
    return { id, reason: "ticket 1" };
  },
  disconnectForUser: onConnection,
  erasePerson: { ...SUBJECT, reason: "ticket 1" },
};

function newConnection(): Promise<Connection> {
  const scope = { tenantKey: "tenant-1", externalSubjectId: `user-${++count}` };
  const owner = { id: clientId, scope } as TestApplication;
  return createConnection(service, owner, registrations, { provider: "PROVIDER_A", accountId: `account-${count}` });
}

async function onConnection(): Promise<Variables> {
  return { id: (await newConnection()).id, reason: "ticket 1" };
}

async function newEndpoint(): Promise<EventEndpoint> {
  await service.prisma.eventEndpoint.deleteMany({ where: { applicationId: clientId } });
  const input = { url: "https://shop.example/events", types: [] };
  return (await addEventEndpoint(service, SYSTEM, clientId, input)).endpoint;
}

async function onEndpoint(): Promise<Variables> {
  return { id: (await newEndpoint()).id };
}

async function idOfEntry(): Promise<Variables> {
  return { id: (await service.prisma.auditEntry.findFirstOrThrow({ where: { changes: { not: Prisma.DbNull } } })).id };
}

async function idOfApiKey(): Promise<Variables> {
  return { id: (await createApiKey(service, await createAdminMember(service), "READ")).id };
}

async function inStatus(id: string, data: Prisma.ProviderRegistrationUpdateInput): Promise<Variables> {
  await service.prisma.providerRegistration.update({ where: { id }, data });
  return { id };
}

async function variablesOf(name: AdminOperationName): Promise<Variables> {
  const more = ARGUMENTS[name];
  return { id: clientId, slug: clientSlug, ...(typeof more === "function" ? await more() : more) };
}

/** Reads of users' data. `findByReference`, `suggestUsers` and `findPeople` have an entry only if they find something. */
const RECORDED_READS: ReadonlySet<string> = new Set([
  "adminConnections",
  "searchConnections",
  "searchConnectAttempts",
  "person",
]);
const NAMES = Object.keys(ADMIN_OPERATIONS) as AdminOperationName[];
const MUTATIONS = adminSchema.getMutationType()?.getFields() ?? {};
const ROOTS = { ...adminSchema.getQueryType()?.getFields(), ...MUTATIONS };

const documentOf = (name: string) => operationDocument(adminSchema, name);

/** All audit entries and clients, to prove that nothing changed. */
async function traces(): Promise<string> {
  const { rows } = await service.pool.query(
    `SELECT (SELECT count(*) FROM audit_entry) AS entries, (SELECT md5(string_agg(a::text, '' ORDER BY id)) FROM application a) AS clients,
            (SELECT count(*) FROM admin_member) AS members, (SELECT count(*) FROM admin_api_key WHERE revoked_at IS NULL) AS keys,
            (SELECT count(*) FROM application_key WHERE revoked_at IS NULL) AS credentials, (SELECT count(*) FROM tester) AS testers,
            (SELECT string_agg(status::text, '' ORDER BY id) FROM provider_registration) AS registrations`,
  );
  return JSON.stringify(rows);
}

test("every mutation's changes are known", () => {
  expect(Object.keys(CHANGES).toSorted()).toEqual(Object.keys(MUTATIONS).toSorted());
});

test("every root field is in the contract's list", () => {
  expect(Object.keys(ROOTS).toSorted()).toEqual(NAMES.toSorted());
});

/** Operations that grant access, send credentials to a new address, or show or change a user's connection. */
const CONFIRMED = [
  "addAdminMember",
  "addEventEndpoint",
  "changeEventEndpoint",
  "disconnectForUser",
  "erasePerson",
  "issueClientCredential",
  "mintApiKey",
  "publishRegistration",
  "removeAdminMember",
  "rescanConnection",
  "retryJob",
  "rotateEventEndpointSecret",
  "setClientIdpIdentity",
  "setRegistrationQuota",
  "updateRegistration",
  "viewConnection",
];

test("the contract's list says which operations need a confirmation", () => {
  const needed = Object.entries(ADMIN_OPERATIONS).filter(([, { needsConfirmation }]) => needsConfirmation);
  expect(needed.map(([name]) => name).toSorted()).toEqual(CONFIRMED);
});

test("a missing confirmation is a typed error only where a confirmation is required", () => {
  for (const [name, field] of Object.entries(MUTATIONS)) {
    const type = getNamedType(field.type);
    const errors = isUnionType(type) ? type.getTypes().map((member) => member.name) : [];
    expect([name, errors.includes("ConfirmationRequiredError")]).toEqual([name, CONFIRMED.includes(name)]);
  }
});

describe.each(NAMES.filter((name) => ADMIN_OPERATIONS[name].access === "PANEL"))(
  "%s with a sign-in older than five minutes",
  (name) => {
    test(
      CONFIRMED.includes(name) ? "requires a confirmation and changes nothing" : "needs no confirmation",
      async () => {
        const variables = await variablesOf(name);
        const signedInAt = service.clock.current;
        const where = { memberId: keeper.id };
        const { authenticatedAt } = await service.prisma.adminSession.findFirstOrThrow({ where });
        service.clock.set(new Date(authenticatedAt.getTime() + 5 * 60_000 + 1).toISOString());
        const before = await traces();
        const answer = await panel.query(documentOf(name), variables);
        if (CONFIRMED.includes(name)) {
          expect(answer.data[name].__typename).toBe("ConfirmationRequiredError");
          expect(await traces()).toBe(before);
          service.clock.set(new Date(authenticatedAt.getTime() + 5 * 60_000).toISOString());
          expect((await panel.query(documentOf(name), variables)).data[name].__typename).not.toMatch(/Error$/);
        } else {
          expect(answer.errors).toEqual([]);
          expect(JSON.stringify(answer.data[name])).not.toMatch(/Error"/);
        }
        service.clock.set(signedInAt.toISOString());
      },
    );
  },
);

describe.each(NAMES)("%s", (name) => {
  const { access } = ADMIN_OPERATIONS[name];

  test("is UNAUTHENTICATED without a key and with a removed admin's key", async () => {
    const variables = await variablesOf(name);
    const before = await traces();
    for (const key of [null, removedKey]) {
      const answer = await adminQuery(server, key, documentOf(name), variables);
      expect(answer).toMatchObject({ status: 200, data: null, code: "UNAUTHENTICATED" });
    }
    expect(await traces()).toBe(before);
  });

  test.each(["READ", "WRITE"] as const)("with a %s key follows its class", async (scope) => {
    const variables = await variablesOf(name);
    const key = scope === "READ" ? readKey : writeKey;
    await adminQuery(server, key, "{ previewTemplate { template } }");
    const before = await traces();
    const answer = await adminQuery(server, key, documentOf(name), variables);
    const refusal =
      access === "PANEL" ? "PANEL_ONLY" : access === "WRITE" && scope === "READ" ? "API_KEY_READ_ONLY" : null;
    if (refusal !== null) {
      expect(answer).toMatchObject({ status: 200, data: null, code: "FORBIDDEN", reason: refusal });
      expect(await traces()).toBe(before);
    } else {
      expect(answer.errors).toEqual([]);
      expect(answer.data[name]).not.toBeNull();
      if (name in MUTATIONS) {
        const byKey = { where: { apiKeyId: { not: null } }, orderBy: { at: "desc" } } as const;
        const entry = await service.prisma.auditEntry.findFirst(byKey);
        expect(entry?.actor).toMatch(/^Via API key [0-9a-f]{8}$/);
        expect(entry?.changes).toEqual(
          expect.arrayContaining([expect.objectContaining({ field: expect.any(String) })]),
        );
        expect(await traces()).not.toBe(before);
      }
    }
  });

  test("works in the panel, and a change is in the audit log under the admin's name", async () => {
    const variables = await variablesOf(name);
    const before = await service.prisma.auditEntry.count({ where: { actor: keeper.email } });
    const answer = await panel.query(documentOf(name), variables);
    expect(answer.errors).toEqual([]);
    const result = answer.data[name];
    expect(result).not.toBeNull();
    expect(JSON.stringify(result)).not.toMatch(/Error"/);
    const after = await service.prisma.auditEntry.count({ where: { actor: keeper.email } });
    const isRecorded = name in MUTATIONS || RECORDED_READS.has(name);
    expect(after - before).toBe(isRecorded ? 1 : 0);
  });

  test.runIf(name in MUTATIONS)("the audit log and its exports have what was stored before and after", async () => {
    const told = CHANGES[name as MutationName];
    const variables = await variablesOf(name);
    const where = { actor: keeper.email };
    const earlier = (await service.prisma.auditEntry.findMany({ where })).map(({ id }) => id);
    const { data } = await panel.query(documentOf(name), variables);
    const entry = await service.prisma.auditEntry.findFirstOrThrow({ where: { ...where, id: { notIn: earlier } } });
    const { page, jsonl, csv } = await changesIn(entry.id);
    const expected = typeof told === "string" ? {} : told();
    if (typeof told === "string") expect(page).toEqual([]);
    const inPage = Object.fromEntries(page.map(({ field, before, after }) => [field, [before, after]]));
    expect(inPage).toMatchObject(expected);
    for (const { before, after } of page) expect(before).not.toEqual(after);
    for (const [index, side] of (["before", "after"] as const).entries()) {
      const values = page.filter((change) => change[side] !== null).map(({ field }) => field);
      expect(Object.keys(jsonl[side])).toEqual(values);
      expect(
        Object.keys(expected).filter((field) => expected[field]?.[index] !== null && !(field in jsonl[side])),
      ).toEqual([]);
      expect(csv).toContain(JSON.stringify(jsonl[side]).replaceAll('"', '""'));
    }
    const secrets = [data[name].key, data[name].secret, TESTER.providerAccountId, "shop.example/events"];
    for (const secret of secrets) if (secret !== undefined) expect(JSON.stringify([page, jsonl])).not.toContain(secret);
  });
});
