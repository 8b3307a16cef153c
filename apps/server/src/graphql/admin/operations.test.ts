import type { AdminOperationClass } from "@social-connect/contract";
import { ADMIN_OPERATIONS } from "@social-connect/contract";
import { getNamedType, isUnionType } from "graphql";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import type { PanelUser } from "../../http/testing/adminServer.ts";
import { adminQuery, signInToPanel } from "../../http/testing/adminServer.ts";
import { server, service } from "../../http/testing/adminServerOfFile.ts";
import { removeAdmin } from "../../modules/admins/removeAdmin.ts";
import { createAdminMember, createApiKey, sessionOf } from "../../modules/testing/admins.ts";
import {
  addressesAt,
  createApplication,
  createRegistrations,
  issueKey,
  ORIGIN,
  RETURN_URL,
} from "../../modules/testing/builders.ts";
import { adminSchema } from "./schema.ts";

let keeper: AdminMember;
let panel: PanelUser;
let readKey: string;
let writeKey: string;
let removedKey: string;
let clientId: string;
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
  clientId = (await createApplication(service, `client-${++count}`, spare)).id;
  for (const fake of Object.values(service.fakes)) {
    fake.failNext("exchangeCode", "rejected");
    fake.failNext("readAccount", "access_expired");
  }
});

interface Operation {
  readonly kind: "query" | "mutation";
  readonly access: AdminOperationClass;
  readonly document: string;
  /** The arguments, and the state that the call needs. */
  readonly variables: () => Record<string, unknown> | Promise<Record<string, unknown>>;
}

const CLIENT = "id webOrigins returnUrls tenantKeys enabled";
const ERRORS =
  "... on PanelError { __typename message } ... on ConflictError { reason } ... on InvalidInputError { field }";

function read(access: "READ" | "PANEL", selection: string, variables: Operation["variables"] = () => ({})) {
  return { kind: "query", access, document: selection, variables } as const;
}

function write(name: string, args: Record<string, string>, variables: Operation["variables"]): Operation {
  return { kind: "mutation", access: "WRITE", document: call(name, args, CLIENT), variables };
}

function inPanel(
  name: string,
  args: Record<string, string>,
  success: string,
  variables: Operation["variables"],
): Operation {
  const selection = `__typename ... on ${success} ${ERRORS}`;
  return { kind: "mutation", access: "PANEL", document: call(name, args, selection), variables };
}

function call(name: string, args: Record<string, string>, selection: string): string {
  const declared = Object.entries(args).map(([arg, type]) => `$${arg}: ${type}`);
  const passed = Object.keys(args).map((arg) => `${arg}: $${arg}`);
  return `(${declared.join(", ")}) { ${name}(${passed.join(", ")}) { ${selection} } }`;
}

const ID = { id: "ID!" };
const onClient = (more: Record<string, unknown> = {}) => ({ id: clientId, ...more });
const REGISTRATION_INPUT = {
  clientId: "known-as",
  clientSecret: "secret",
  addresses: addressesAt("https://provider.example"),
  scopes: [{ capability: "PROFILE", scopes: ["profile"] }],
  capabilities: ["PROFILE"],
};

async function draft(): Promise<string> {
  const field = "createRegistration(provider: PROVIDER_A, input: $input) { ... on AdminRegistration { id } }";
  const { data } = await panel.query(`mutation($input: RegistrationInput!) { ${field} }`, {
    input: REGISTRATION_INPUT,
  });
  return data.createRegistration.id;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  previewTemplate: read("READ", "{ previewTemplate { template } }"),
  adminMembers: read("READ", "{ adminMembers { id email bound addedAt addedBy } }"),
  adminAuditEntries: read(
    "READ",
    "($first: Int, $apiKeyId: ID) { adminAuditEntries(first: $first, apiKeyId: $apiKeyId) { items { id at actor apiKeyId action targetType targetId clientSlug summary } pageInfo { endCursor hasNextPage } } }",
    () => ({ first: 5 }),
  ),
  adminClients: read("READ", `{ adminClients { items { ${CLIENT} } pageInfo { endCursor hasNextPage } } }`),
  adminClient: read("READ", `($id: ID!) { adminClient(id: $id) { ${CLIENT} } }`, () => onClient()),
  adminProviderAvailability: read("READ", "{ adminProviderAvailability { provider available reason } }"),
  adminRegistrations: read(
    "READ",
    "{ adminRegistrations { id provider status clientIdHint capabilities applications updatedAt } }",
  ),
  createClient: {
    kind: "mutation",
    access: "WRITE",
    document: call("createClient", { input: "CreateClientInput!" }, CLIENT),
    variables: () => ({
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
  },
  setClientEnabled: write("setClientEnabled", { ...ID, enabled: "Boolean!" }, () => onClient({ enabled: false })),
  setClientDisplayName: write("setClientDisplayName", { ...ID, displayName: "String!" }, () =>
    onClient({ displayName: "<script>alert(1)</script>" }),
  ),
  setClientPolicy: write(
    "setClientPolicy",
    { ...ID, providers: "[SocialProvider!]!", capabilities: "[Capability!]!" },
    () => onClient({ providers: ["PROVIDER_A"], capabilities: [] }),
  ),
  addClientTenantKey: write("addClientTenantKey", { ...ID, tenantKey: "String!" }, () =>
    onClient({ tenantKey: "new" }),
  ),
  removeClientTenantKey: write("removeClientTenantKey", { ...ID, tenantKey: "String!" }, () =>
    onClient({ tenantKey: "tenant-1" }),
  ),
  addClientOrigin: write("addClientOrigin", { ...ID, origin: "String!" }, () =>
    onClient({ origin: "https://new.example" }),
  ),
  removeClientOrigin: write("removeClientOrigin", { ...ID, origin: "String!" }, () =>
    onClient({ origin: "https://spare.example" }),
  ),
  addClientReturnUrl: write(
    "addClientReturnUrl",
    { ...ID, url: "String!", confirmedNoOnwardRedirect: "Boolean!" },
    () => onClient({ url: "https://shop.example/new", confirmedNoOnwardRedirect: true }),
  ),
  removeClientReturnUrl: write("removeClientReturnUrl", { ...ID, url: "String!" }, () =>
    onClient({ url: "https://shop.example/spare" }),
  ),
  setClientPreviewOrigins: write("setClientPreviewOrigins", { ...ID, enabled: "Boolean!" }, () =>
    onClient({ enabled: true }),
  ),
  addClientPreviewReturnPath: write("addClientPreviewReturnPath", { ...ID, path: "String!" }, () =>
    onClient({ path: "/new" }),
  ),
  removeClientPreviewReturnPath: write("removeClientPreviewReturnPath", { ...ID, path: "String!" }, () =>
    onClient({ path: "/spare" }),
  ),
  apiKeys: read(
    "PANEL",
    "{ apiKeys { items { id label scope createdBy createdAt expiresAt lastUsedAt revokedAt } pageInfo { endCursor hasNextPage } } }",
  ),
  mintApiKey: inPanel(
    "mintApiKey",
    { label: "String!", scope: "ApiKeyScope!", lifetimeDays: "Int!" },
    "MintedApiKey { key apiKey { id label scope } }",
    () => ({ label: "k", scope: "READ", lifetimeDays: 1 }),
  ),
  revokeApiKey: inPanel("revokeApiKey", ID, "ApiKey { id revokedAt }", async () => ({
    id: (await createApiKey(service, await createAdminMember(service), "READ")).id,
  })),
  addAdminMember: inPanel("addAdminMember", { email: "String!" }, "AdminMember { id email bound }", () => ({
    email: `new-${++count}@example.test`,
  })),
  removeAdminMember: inPanel("removeAdminMember", ID, "AdminMember { id email }", async () => ({
    id: (await createAdminMember(service)).id,
  })),
  issueClientCredential: inPanel(
    "issueClientCredential",
    { ...ID, expiresInDays: "Int" },
    "IssuedClientCredential { key credential { keyId createdAt expiresAt lastUsedAt revokedAt } }",
    () => onClient({ expiresInDays: 30 }),
  ),
  revokeClientCredential: inPanel(
    "revokeClientCredential",
    { ...ID, keyId: "ID!" },
    "ClientCredential { keyId revokedAt }",
    async () => onClient({ keyId: (await issueKey(service, clientId)).split(".")[0] }),
  ),
  publishRegistration: inPanel("publishRegistration", ID, "AdminRegistration { id status }", async () => {
    await service.prisma.providerRegistration.update({
      where: { id: registrations.PROVIDER_C },
      data: {
        status: "PAUSED",
        addresses: { authorization: `${server.url}/healthz`, token: server.url, api: server.url },
      },
    });
    return { id: registrations.PROVIDER_C };
  }),
  disableRegistration: inPanel("disableRegistration", ID, "AdminRegistration { id status }", async () => ({
    id: await draft(),
  })),
  setClientIdpIdentity: inPanel(
    "setClientIdpIdentity",
    { ...ID, enabled: "Boolean!", returnUrls: "[String!]" },
    "AdminClient { id idpIdentityEnabled identityReturnUrls }",
    () => onClient({ enabled: true, returnUrls: ["https://shop.example/in"] }),
  ),
  // Panel operations, which the service description's table does not list.
  searchClients: read("PANEL", `($text: String!) { searchClients(text: $text) { items { ${CLIENT} } } }`, () => ({
    text: "client",
  })),
  clientCredentials: read("PANEL", "($id: ID!) { clientCredentials(id: $id) { keyId } }", () => onClient()),
  clientTesters: read("PANEL", "($id: ID!) { clientTesters(id: $id) { provider providerAccountId } }", () =>
    onClient(),
  ),
  searchAuditEntries: read(
    "PANEL",
    "($action: String) { searchAuditEntries(action: $action) { items { action } } }",
    () => ({ action: "API key first used" }),
  ),
  auditEntry: read("PANEL", "($id: ID!) { auditEntry(id: $id) { summary } }", async () => ({
    id: (await service.prisma.auditEntry.findFirstOrThrow()).id,
  })),
  serviceOverview: read(
    "PANEL",
    "{ serviceOverview { expiringApiKeys { id expiresAt } expiringCredentials { clientSlug credential { keyId } } jobs { provider kind status errorCode waitReason count waitingToRetry } overdueJobs fullQuotas { registrationId provider isPerAccount count used units endsAt } connections { provider status count } connectAttempts { provider status resultCode count } } }",
  ),
  auditActions: read("PANEL", "{ auditActions }"),
  apiKeyDetail: read("PANEL", "($id: ID!) { apiKeyDetail(id: $id) { apiKey { id label } firstUsedAt } }", async () => ({
    id: (await createApiKey(service, keeper, "READ")).id,
  })),
  activeApiKeysOf: read("PANEL", "($memberId: ID!) { activeApiKeysOf(memberId: $memberId) { id label } }", () => ({
    memberId: keeper.id,
  })),
  deployment: read(
    "PANEL",
    "{ deployment { mode baseUrl adminHost providers { provider publicApiName publicAddresses { token } publicScopes { capability scopes } redirectUri deauthorizationUrl canRevoke } } }",
  ),
  registrationDetail: read(
    "PANEL",
    "($id: ID!) { registrationDetail(id: $id) { clientId addresses { token issuer } scopes { capability scopes } clientIds clients { slug } connectionCount } }",
    () => ({ id: registrations.PROVIDER_A }),
  ),
  addClientTester: inPanel(
    "addClientTester",
    { ...ID, provider: "SocialProvider!", providerAccountId: "String!" },
    "ClientTester { providerAccountId }",
    () => onClient({ provider: "PROVIDER_A", providerAccountId: "new" }),
  ),
  removeClientTester: inPanel(
    "removeClientTester",
    { ...ID, provider: "SocialProvider!", providerAccountId: "String!" },
    "ClientTester { providerAccountId }",
    () => onClient({ provider: "PROVIDER_A", providerAccountId: "provider_a-account-1" }),
  ),
  createRegistration: inPanel(
    "createRegistration",
    { provider: "SocialProvider!", input: "RegistrationInput!" },
    "AdminRegistration { id status clientIdHint }",
    () => ({ provider: "PROVIDER_B", input: REGISTRATION_INPUT }),
  ),
  updateRegistration: inPanel(
    "updateRegistration",
    { ...ID, input: "RegistrationInput!" },
    "AdminRegistration { id applications }",
    async () => ({ id: await draft(), input: { ...REGISTRATION_INPUT, clientIds: [clientId] } }),
  ),
  pauseRegistration: inPanel("pauseRegistration", ID, "AdminRegistration { id status }", async () => {
    await service.prisma.providerRegistration.update({
      where: { id: registrations.PROVIDER_B },
      data: { status: "PUBLISHED" },
    });
    return { id: registrations.PROVIDER_B };
  }),
};

function text({ kind, document }: Operation): string {
  return `${kind} Tested${document}`;
}

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

test("every root field is in the contract's list with the expected class and has a row in this file", () => {
  const roots = { ...adminSchema.getQueryType()?.getFields(), ...adminSchema.getMutationType()?.getFields() };
  const listed = Object.entries(ADMIN_OPERATIONS).map(([name, { access }]) => [name, access]);
  const expected = Object.entries(OPERATIONS).map(([name, { access }]) => [name, access]);
  expect(listed.toSorted()).toEqual(expected.toSorted());
  expect(Object.keys(roots).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
});

/** Operations that grant access or send credentials to a new address. */
const CONFIRMED = [
  "addAdminMember",
  "issueClientCredential",
  "mintApiKey",
  "publishRegistration",
  "removeAdminMember",
  "setClientIdpIdentity",
  "updateRegistration",
];

test("the contract's list says which operations need a confirmation", () => {
  const needed = Object.entries(ADMIN_OPERATIONS).filter(([, { needsConfirmation }]) => needsConfirmation);
  expect(needed.map(([name]) => name).toSorted()).toEqual(CONFIRMED);
});

test("a missing confirmation is a typed error only where a confirmation is required", () => {
  for (const [name, field] of Object.entries(adminSchema.getMutationType()?.getFields() ?? {})) {
    const type = getNamedType(field.type);
    const errors = isUnionType(type) ? type.getTypes().map((member) => member.name) : [];
    expect([name, errors.includes("ConfirmationRequiredError")]).toEqual([name, CONFIRMED.includes(name)]);
  }
});

describe.each(Object.entries(OPERATIONS).filter(([, { access }]) => access === "PANEL"))(
  "%s with a sign-in older than five minutes",
  (name, operation) => {
    test(
      CONFIRMED.includes(name) ? "requires a confirmation and changes nothing" : "needs no confirmation",
      async () => {
        const variables = await operation.variables();
        const signedInAt = service.clock.current;
        const where = { memberId: keeper.id };
        const { authenticatedAt } = await service.prisma.adminSession.findFirstOrThrow({ where });
        service.clock.set(new Date(authenticatedAt.getTime() + 5 * 60_000 + 1).toISOString());
        const before = await traces();
        const answer = await panel.query(text(operation), variables);
        if (CONFIRMED.includes(name)) {
          expect(answer.data[name].__typename).toBe("ConfirmationRequiredError");
          expect(await traces()).toBe(before);
          service.clock.set(new Date(authenticatedAt.getTime() + 5 * 60_000).toISOString());
          expect((await panel.query(text(operation), variables)).data[name].__typename).not.toMatch(/Error$/);
        } else {
          expect(answer.errors).toEqual([]);
          expect(JSON.stringify(answer.data[name])).not.toMatch(/Error"/);
        }
        service.clock.set(signedInAt.toISOString());
      },
    );
  },
);

describe.each(Object.entries(OPERATIONS))("%s", (name, operation) => {
  test("is UNAUTHENTICATED without a key and with a removed admin's key", async () => {
    const variables = await operation.variables();
    const before = await traces();
    for (const key of [null, removedKey]) {
      const answer = await adminQuery(server, key, text(operation), variables);
      expect(answer).toMatchObject({ status: 200, data: null, code: "UNAUTHENTICATED" });
    }
    expect(await traces()).toBe(before);
  });

  test.each(["READ", "WRITE"] as const)("with a %s key follows its class", async (scope) => {
    const variables = await operation.variables();
    const key = scope === "READ" ? readKey : writeKey;
    await adminQuery(server, key, "{ previewTemplate { template } }");
    const before = await traces();
    const answer = await adminQuery(server, key, text(operation), variables);
    const refusal =
      operation.access === "PANEL"
        ? "PANEL_ONLY"
        : operation.access === "WRITE" && scope === "READ"
          ? "API_KEY_READ_ONLY"
          : null;
    if (refusal !== null) {
      expect(answer).toMatchObject({ status: 200, data: null, code: "FORBIDDEN", reason: refusal });
      expect(await traces()).toBe(before);
    } else {
      expect(answer.errors).toEqual([]);
      expect(answer.data[name]).not.toBeNull();
      if (operation.kind === "mutation") {
        const byKey = { where: { apiKeyId: { not: null } }, orderBy: { at: "desc" } } as const;
        const entry = await service.prisma.auditEntry.findFirst(byKey);
        expect(entry?.actor).toMatch(/^Via API key [0-9a-f]{8}$/);
        expect(await traces()).not.toBe(before);
      }
    }
  });

  test("works in the panel, and a change is in the audit log under the admin's name", async () => {
    const variables = await operation.variables();
    const before = await service.prisma.auditEntry.count({ where: { actor: keeper.email } });
    const answer = await panel.query(text(operation), variables);
    expect(answer.errors).toEqual([]);
    const result = answer.data[name];
    expect(result).not.toBeNull();
    expect(JSON.stringify(result)).not.toMatch(/Error"/);
    const after = await service.prisma.auditEntry.count({ where: { actor: keeper.email } });
    expect(after - before).toBe(operation.kind === "mutation" ? 1 : 0);
  });
});
