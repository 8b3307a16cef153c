/**
 * Both SDKs against every failure that the mocks can make: what an application could log of it holds no key, no launch
 * token, no proof and no argument. The SDKs' own tests do the same with servers that mean harm.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AdminWriter } from "../packages/admin-sdk/src/index.ts";
import { createAdmin } from "../packages/admin-sdk/src/index.ts";
import { ADMIN_ERROR_CODES, ERROR_CODES } from "../packages/contract/src/index.ts";
import type { FaultOptions, MockOperation } from "../packages/mocks/src/index.ts";
import { createConsumerMock } from "../packages/mocks/src/index.ts";
import { Secret, SocialConnect, SocialConnectError } from "../packages/sdk/src/index.ts";
import { expectNoneOf, printsOf } from "../packages/sdk-core/src/testing/canaries.ts";

const mock = createConsumerMock({ seed: "secrets" });
const SCOPE = { tenantKey: "canary-tenant-42", externalSubjectId: "canary subject/ä" };
const CANARY = {
  ...SCOPE,
  id: "canary-id-42",
  url: "https://canary.example/return?to=canary",
  origin: "https://canary-origin.example",
  name: "Canary & Co",
  path: "/canary-path",
  slug: "canary-slug-42",
  proof: "canary-proof-42",
};
const SECRETS = [mock.key, mock.admin.writeKey].flatMap((key) => [key, ...key.split(".")]);
const CANARIES = [...SECRETS, ...Object.values(CANARY)];
/** Patterns of tokens and proofs, including values that were never issued. */
const TOKEN = /[0-9a-f]{64}/i;

const WINDOW = { publishedAfter: "2026-06-01T00:00:00.000Z", publishedBefore: "2026-06-10T00:00:00.000Z" };
const CLIENT = {
  slug: CANARY.slug,
  displayName: CANARY.name,
  webOrigins: [CANARY.origin],
  returnUrls: [`${CANARY.origin}/canary`],
  tenantKeys: [CANARY.tenantKey],
  providers: ["PROVIDER_A"],
  capabilities: ["PROFILE"],
  confirmedNoOnwardRedirect: true,
} as const;

const CONSUMER_CALLS: Readonly<Record<string, (social: SocialConnect) => Promise<unknown>>> = {
  status: (social) => social.status(),
  integrationReadiness: (social) => social.readiness(),
  createConnectSession: (social) =>
    social.forSubject(SCOPE).connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: CANARY.url }),
  connectSessionResult: (social) => social.forSubject(SCOPE).connectResult(CANARY.id).poll(),
  connection: (social) => social.forSubject(SCOPE).connection(CANARY.id),
  connections: (social) => social.forSubject(SCOPE).connections().page(CANARY.id),
  content: (social) => social.forSubject(SCOPE).content(CANARY.id, WINDOW).page(),
  contentItem: (social) => social.forSubject(SCOPE).contentItem(CANARY.id, CANARY.slug),
  syncJob: (social) => social.forSubject(SCOPE).job(CANARY.id, CANARY.slug).poll(),
  requestRefresh: (social) => social.forSubject(SCOPE).refresh(CANARY.id, { providerContentId: CANARY.slug }).poll(),
  requestContentLookup: (social) => social.forSubject(SCOPE).lookup(CANARY.id, CANARY.url).poll(),
  disconnectConnection: (social) => social.forSubject(SCOPE).disconnect(CANARY.id),
  createIdpIdentitySession: (social) =>
    social.createIdpIdentitySession({ tenantKey: CANARY.tenantKey, returnUrl: CANARY.url }),
  redeemIdpIdentityResult: (social) =>
    social.redeemIdpIdentity({ id: CANARY.id, tenantKey: CANARY.tenantKey, resultProof: new Secret(CANARY.proof) }),
};

const ADMIN_CALLS: Readonly<Record<string, (admin: AdminWriter) => Promise<unknown>>> = {
  adminClients: (admin) => admin.clients().page(CANARY.id),
  adminClient: (admin) => admin.client(CANARY.id),
  adminAuditEntries: (admin) => admin.audit().page(CANARY.id),
  adminMembers: (admin) => admin.members(),
  adminRegistrations: (admin) => admin.registrations(),
  adminProviderAvailability: (admin) => admin.providerAvailability(),
  previewTemplate: (admin) => admin.previewTemplate(),
  createClient: (admin) => admin.createClient(CLIENT),
  setClientEnabled: (admin) => admin.setClientEnabled(clientId(), false),
  setClientDisplayName: (admin) => admin.setClientDisplayName(clientId(), CANARY.name),
  setClientPolicy: (admin) => admin.setClientPolicy(clientId(), { providers: [], capabilities: [] }),
  addClientTenantKey: (admin) => admin.addClientTenantKey(clientId(), CANARY.tenantKey),
  addClientOrigin: (admin) => admin.addClientOrigin(clientId(), CANARY.origin),
  addClientReturnUrl: (admin) => admin.addClientReturnUrl(clientId(), CANARY.url, { confirmedNoOnwardRedirect: true }),
  addClientPreviewReturnPath: (admin) => admin.addClientPreviewReturnPath(clientId(), CANARY.path),
};

function clientId(): string {
  return mock.application.id;
}

/** What either API can be made to do. */
const FAULTS: readonly FaultOptions[] = [
  ...[200, 204, 301, 307, 401, 403, 404, 408, 413, 429, 500, 502, 503].map((status) => ({ status })),
  { drop: "before" },
  { drop: "after" },
  { malformed: "not-json" },
  { malformed: "truncated" },
  { malformed: "empty" },
  { malformed: "wrong-shape" },
];
const CONSUMER_FAULTS = [
  ...FAULTS,
  ...ERROR_CODES.map((code): FaultOptions => ({ code })),
  { code: "RATE_LIMITED", retryAfterSeconds: 2 } as const,
];
const ADMIN_FAULTS = [...FAULTS, ...ADMIN_ERROR_CODES.map((code): FaultOptions => ({ code }))];

let written: string[];

beforeEach(() => {
  mock.reset();
  written = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
  }
  for (const level of ["debug", "info", "log", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((...values) => void written.push(values.map(printsOf).join(" ")));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a call and searches everything that it let out. */
async function searched(
  what: string,
  start: (watched: { hooks: object; fetch: typeof fetch; clock: typeof mock.clock; retries: number }) => {
    client: unknown;
    outcome: Promise<unknown>;
  },
) {
  const events: unknown[] = [];
  const record = (event: unknown) => void events.push(event);
  const hooks = { onRequest: record, onResponse: record, onRetry: record };
  const { client, outcome } = start({ hooks, fetch: mock.fetch, clock: mock.clock, retries: 1 });
  const error = await outcome.then(
    // What a write with an unknown outcome reports about the failure.
    (value: unknown) => (typeof value === "object" && value !== null ? Reflect.get(value, "error") : undefined),
    (thrown: unknown) => thrown,
  );
  expect(events.length, what).toBeGreaterThanOrEqual(2);
  for (const value of [error, events, written, client]) {
    expectNoneOf(CANARIES, value);
    expect(printsOf(value), what).not.toMatch(TOKEN);
  }
  return error;
}

test.each(CONSUMER_FAULTS)("an application can log %o without secrets", async (fault) => {
  for (const [operation, run] of Object.entries(CONSUMER_CALLS)) {
    mock.faults.always(operation as MockOperation, fault);
    const error = await searched(operation, (watched) => {
      const client = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, ...watched });
      return { client, outcome: run(client) };
    });
    expect(error, operation).toBeInstanceOf(SocialConnectError);
    mock.faults.clear();
  }
});

test.each(ADMIN_FAULTS)("a script can log %o without secrets", async (fault) => {
  for (const [operation, run] of Object.entries(ADMIN_CALLS)) {
    mock.faults.always(operation as MockOperation, fault);
    const error = await searched(operation, (watched) => {
      const { host, writeKey } = mock.admin;
      const client = createAdmin({ host, key: writeKey, scope: "WRITE", ...watched });
      return { client, outcome: run(client) };
    });
    // After a lost response the client is read again, and the write can turn out to be applied.
    if (error !== undefined) expect(SocialConnectError.is(error), operation).toBe(true);
    mock.faults.clear();
  }
});

test("only reveal() returns the token and the proof of a session", async () => {
  const { baseUrl, key, fetch, clock, scope, returnUrl, identityReturnUrl } = mock;
  const social = new SocialConnect({ baseUrl, key, fetch, clock });
  const session = await social
    .forSubject(scope)
    .connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });
  const handoff = await social.createIdpIdentitySession({ tenantKey: scope.tenantKey, returnUrl: identityReturnUrl });
  const secrets = [session.launchToken, handoff.launchToken, handoff.resultProof].map((secret) => secret.reveal());
  expect(secrets.every((secret) => secret.length >= 32)).toBe(true);
  expectNoneOf(secrets, { session, handoff });
});

test("the canaries would be found if they were there", () => {
  expect(() => expectNoneOf(CANARIES, new Error(`about ${CANARY.proof}`))).toThrow();
  expect(printsOf({ token: "ab".repeat(32) })).toMatch(TOKEN);
});
