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
import { documentOf as operationDocument } from "../testing/documentOf.ts";
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
  readonly access: AdminOperationClass;
  /** The fields that the call selects. */
  readonly selection: string;
  /** The arguments, and the state that the call needs. */
  readonly variables: () => Variables | Promise<Variables>;
}

type Variables = Readonly<Record<string, unknown>>;

const CLIENT = "id webOrigins returnUrls tenantKeys enabled";
const PAGE = "pageInfo { endCursor hasNextPage }";
const ERRORS =
  "... on PanelError { __typename message } ... on ConflictError { reason } ... on InvalidInputError { field }";

const read = (selection: string, variables: Operation["variables"] = () => ({})): Operation => {
  return { access: "READ", selection, variables };
};
/** A change of a client, with its arguments. */
const write = (variables: Variables): Operation => {
  return { access: "WRITE", selection: CLIENT, variables: onClient(variables) };
};
const readInPanel = (selection: string, variables: Operation["variables"] = () => ({})): Operation => {
  return { access: "PANEL", selection, variables };
};
const changeInPanel = (result: string, variables: Operation["variables"]): Operation => {
  return { access: "PANEL", selection: `__typename ... on ${result} ${ERRORS}`, variables };
};
const onClient =
  (more: Variables = {}) =>
  () => ({ id: clientId, ...more });

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

const OPERATIONS: Readonly<Record<string, Operation>> = {
  previewTemplate: read("template"),
  adminMembers: read("id email bound addedAt addedBy"),
  adminAuditEntries: read(
    `items { id at actor apiKeyId action targetType targetId clientSlug summary } ${PAGE}`,
    () => ({ first: 5 }),
  ),
  adminClients: read(`items { ${CLIENT} } ${PAGE}`),
  adminClient: read(CLIENT, onClient()),
  adminProviderAvailability: read("provider available reason"),
  adminRegistrations: read("id provider status clientIdHint capabilities applications updatedAt"),
  createClient: {
    access: "WRITE",
    selection: CLIENT,
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
  setClientEnabled: write({ enabled: false }),
  setClientDisplayName: write({ displayName: "<script>alert(1)</script>" }),
  setClientPolicy: write({ providers: ["PROVIDER_A"], capabilities: [] }),
  addClientTenantKey: write({ tenantKey: "new" }),
  removeClientTenantKey: write({ tenantKey: "tenant-1" }),
  addClientOrigin: write({ origin: "https://new.example" }),
  removeClientOrigin: write({ origin: "https://spare.example" }),
  addClientReturnUrl: write({ url: "https://shop.example/new", confirmedNoOnwardRedirect: true }),
  removeClientReturnUrl: write({ url: "https://shop.example/spare" }),
  setClientPreviewOrigins: write({ enabled: true }),
  addClientPreviewReturnPath: write({ path: "/new" }),
  removeClientPreviewReturnPath: write({ path: "/spare" }),
  apiKeys: readInPanel(`items { id label scope createdBy createdAt expiresAt lastUsedAt revokedAt } ${PAGE}`),
  mintApiKey: changeInPanel("MintedApiKey { key apiKey { id label scope } }", () => {
    return { label: "k", scope: "READ", lifetimeDays: 1 };
  }),
  revokeApiKey: changeInPanel("ApiKey { id revokedAt }", async () => ({
    id: (await createApiKey(service, await createAdminMember(service), "READ")).id,
  })),
  addAdminMember: changeInPanel("AdminMember { id email bound }", () => ({ email: `new-${++count}@example.test` })),
  removeAdminMember: changeInPanel("AdminMember { id email }", async () => ({
    id: (await createAdminMember(service)).id,
  })),
  issueClientCredential: changeInPanel(
    "IssuedClientCredential { key credential { keyId createdAt expiresAt lastUsedAt revokedAt } }",
    onClient({ expiresInDays: 30 }),
  ),
  revokeClientCredential: changeInPanel("ClientCredential { keyId revokedAt }", async () => ({
    id: clientId,
    keyId: (await issueKey(service, clientId)).split(".")[0],
  })),
  publishRegistration: changeInPanel("AdminRegistration { id status }", async () => {
    const id = registrations.PROVIDER_C;
    const addresses = { authorization: `${server.url}/healthz`, token: server.url, api: server.url };
    await service.prisma.providerRegistration.update({ where: { id }, data: { status: "PAUSED", addresses } });
    return { id };
  }),
  disableRegistration: changeInPanel("AdminRegistration { id status }", async () => ({ id: await draft() })),
  setClientIdpIdentity: changeInPanel(
    "AdminClient { id idpIdentityEnabled identityReturnUrls }",
    onClient({ enabled: true, returnUrls: ["https://shop.example/in"] }),
  ),
  // Panel operations, which the service description's table does not list.
  searchClients: readInPanel(`items { ${CLIENT} }`, () => ({ text: "client" })),
  clientCredentials: readInPanel("keyId", onClient()),
  clientTesters: readInPanel("provider providerAccountId", onClient()),
  searchAuditEntries: readInPanel("items { action }", () => ({ action: "API key first used" })),
  auditEntry: readInPanel("summary", async () => ({
    id: (await service.prisma.auditEntry.findFirstOrThrow()).id,
  })),
  serviceOverview: readInPanel(
    "expiringApiKeys { id expiresAt } expiringCredentials { clientSlug credential { keyId } } jobs { provider kind status errorCode waitReason count waitingToRetry } overdueJobs fullQuotas { registrationId provider isPerAccount count used units endsAt } connections { provider status count } connectAttempts { provider status resultCode count }",
  ),
  auditActions: readInPanel(""),
  apiKeyDetail: readInPanel("apiKey { id label } firstUsedAt", async () => ({
    id: (await createApiKey(service, keeper, "READ")).id,
  })),
  activeApiKeysOf: readInPanel("id label", () => ({ memberId: keeper.id })),
  deployment: readInPanel(
    "mode baseUrl adminHost providers { provider publicApiName publicAddresses { token } publicScopes { capability scopes } redirectUri deauthorizationUrl canRevoke }",
  ),
  registrationDetail: readInPanel(
    "clientId addresses { token issuer } scopes { capability scopes } clientIds clients { slug } connectionCount",
    () => ({ id: registrations.PROVIDER_A }),
  ),
  addClientTester: changeInPanel(
    "ClientTester { providerAccountId }",
    onClient({ ...TESTER, providerAccountId: "new" }),
  ),
  removeClientTester: changeInPanel("ClientTester { providerAccountId }", onClient(TESTER)),
  createRegistration: changeInPanel("AdminRegistration { id status clientIdHint }", () => {
    return { provider: "PROVIDER_B", input: REGISTRATION_INPUT };
  }),
  updateRegistration: changeInPanel("AdminRegistration { id applications }", async () => {
    return { id: await draft(), input: { ...REGISTRATION_INPUT, clientIds: [clientId] } };
  }),
  pauseRegistration: changeInPanel("AdminRegistration { id status }", async () => {
    const id = registrations.PROVIDER_B;
    await service.prisma.providerRegistration.update({ where: { id }, data: { status: "PUBLISHED" } });
    return { id };
  }),
};

const MUTATIONS = adminSchema.getMutationType()?.getFields() ?? {};
const ROOTS = { ...adminSchema.getQueryType()?.getFields(), ...MUTATIONS };

function documentOf(name: string): string {
  return operationDocument(adminSchema, name, OPERATIONS[name]?.selection ?? "");
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
  const listed = Object.entries(ADMIN_OPERATIONS).map(([name, { access }]) => [name, access]);
  const expected = Object.entries(OPERATIONS).map(([name, { access }]) => [name, access]);
  expect(listed.toSorted()).toEqual(expected.toSorted());
  expect(Object.keys(ROOTS).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
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
  for (const [name, field] of Object.entries(MUTATIONS)) {
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

describe.each(Object.entries(OPERATIONS))("%s", (name, operation) => {
  test("is UNAUTHENTICATED without a key and with a removed admin's key", async () => {
    const variables = await operation.variables();
    const before = await traces();
    for (const key of [null, removedKey]) {
      const answer = await adminQuery(server, key, documentOf(name), variables);
      expect(answer).toMatchObject({ status: 200, data: null, code: "UNAUTHENTICATED" });
    }
    expect(await traces()).toBe(before);
  });

  test.each(["READ", "WRITE"] as const)("with a %s key follows its class", async (scope) => {
    const variables = await operation.variables();
    const key = scope === "READ" ? readKey : writeKey;
    await adminQuery(server, key, "{ previewTemplate { template } }");
    const before = await traces();
    const answer = await adminQuery(server, key, documentOf(name), variables);
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
      if (name in MUTATIONS) {
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
    const answer = await panel.query(documentOf(name), variables);
    expect(answer.errors).toEqual([]);
    const result = answer.data[name];
    expect(result).not.toBeNull();
    expect(JSON.stringify(result)).not.toMatch(/Error"/);
    const after = await service.prisma.auditEntry.count({ where: { actor: keeper.email } });
    expect(after - before).toBe(name in MUTATIONS ? 1 : 0);
  });
});
