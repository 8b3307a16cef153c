import { ERROR_CODES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { application, connect, server } from "../../http/testing/serverOfFile.ts";
import { query } from "../../http/testing/testServer.ts";

let connectionId: string;

beforeAll(async () => {
  connectionId = (await connect()).id;
});

/** Strings of any length in any UTF-16, including lone surrogates and NUL. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.constantFrom(
    "",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff",
    "x".repeat(128),
    "x".repeat(129),
    "😀".repeat(128),
    "😀".repeat(129),
    "'; --",
    "\\",
    "%00",
  ),
);
const date = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date(-62_135_596_800_000), max: new Date(253_402_300_799_999) })
    .map((value) => value.toISOString()),
  fc.constantFrom(
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "+275760-09-13T00:00:00Z",
    "2026-01-01",
    "now",
    "",
  ),
);
const whole = fc.oneof(
  fc.integer({ min: -2, max: 102 }),
  fc.constantFrom(2_147_483_647, -2_147_483_648, 2_147_483_648, 1e21, 0.5),
);
const junk = fc.oneof(fc.constant(null), fc.boolean(), fc.double(), fc.jsonValue());
const or = <T>(usual: fc.Arbitrary<T>) => fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: junk });

const goodScope = () => fc.constant(application.scope);
const scope = () => or(fc.oneof(goodScope(), fc.record({ tenantKey: or(text), externalSubjectId: or(text) })));
const id = () => or(fc.oneof(fc.constantFrom(connectionId), fc.uuid(), text, fc.integer()));
const capability = fc.constantFrom("PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS", "OTHER");
const connectInput = () =>
  or(
    fc.record({
      scope: scope(),
      provider: fc.constantFrom(...SOCIAL_PROVIDERS, "PROVIDER_Z"),
      capabilities: or(fc.array(capability, { maxLength: 5 })),
      returnUrl: or(text),
      reconnectConnectionId: id(),
    }),
  );
const syncWindow = or(fc.record({ publishedAfter: or(date), publishedBefore: or(date), maxItems: or(whole) }));
const contentWindow = or(
  fc.record({ publishedAfter: or(date), publishedBefore: or(date), first: or(whole), after: or(fc.option(text)) }),
);

const SCOPED = "$scope: SubjectScope!, $id: ID!";
const ON_CONNECTION = "scope: $scope, connectionId: $id";
const OPERATIONS: readonly [string, string, () => Record<string, fc.Arbitrary<unknown>>][] = [
  [
    "connectSessionResult",
    `query(${SCOPED}) { connectSessionResult(scope: $scope, id: $id) { id } }`,
    () => ({ scope: scope(), id: id() }),
  ],
  [
    "connection",
    `query(${SCOPED}) { connection(scope: $scope, id: $id) { id } }`,
    () => ({ scope: scope(), id: id() }),
  ],
  [
    "connections",
    "query($scope: SubjectScope!, $first: Int, $after: String) { connections(scope: $scope, first: $first, after: $after) { items { id } } }",
    () => ({ scope: scope(), first: or(whole), after: or(fc.option(text)) }),
  ],
  [
    "content",
    `query(${SCOPED}, $window: ContentWindow!) { content(${ON_CONNECTION}, window: $window) { items { id } } }`,
    () => ({ scope: scope(), id: id(), window: contentWindow }),
  ],
  [
    "contentItem",
    `query(${SCOPED}, $post: String!) { contentItem(${ON_CONNECTION}, providerContentId: $post) { id } }`,
    () => ({ scope: scope(), id: id(), post: or(text) }),
  ],
  [
    "syncJob",
    `query(${SCOPED}, $job: ID!) { syncJob(${ON_CONNECTION}, id: $job) { id } }`,
    () => ({ scope: scope(), id: id(), job: id() }),
  ],
  [
    "createConnectSession",
    "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id } }",
    () => ({ input: connectInput() }),
  ],
  [
    "disconnectConnection",
    "mutation($scope: SubjectScope!, $id: ID!) { disconnectConnection(scope: $scope, connectionId: $id) { accepted } }",
    () => ({ scope: or(fc.record({ tenantKey: or(text), externalSubjectId: or(text) })), id: id() }),
  ],
  [
    "requestRefresh",
    "mutation($scope: SubjectScope!, $id: ID!, $post: String, $window: SyncWindow, $cursor: String) { requestRefresh(scope: $scope, connectionId: $id, providerContentId: $post, window: $window, continuationCursor: $cursor) { id } }",
    () => ({ scope: scope(), id: id(), post: or(fc.option(text)), window: syncWindow, cursor: or(fc.option(text)) }),
  ],
  [
    "requestContentLookup",
    "mutation($scope: SubjectScope!, $id: ID!, $url: String!) { requestContentLookup(scope: $scope, connectionId: $id, url: $url) { id } }",
    () => ({
      scope: scope(),
      id: id(),
      url: or(fc.oneof(text, fc.webUrl({ validSchemes: ["https", "http", "file"], withFragments: true }))),
    }),
  ],
  [
    "createIdpIdentitySession",
    "mutation($input: IdpIdentityInput!) { createIdpIdentitySession(input: $input) { id } }",
    () => ({ input: or(fc.record({ tenantKey: or(text), returnUrl: or(text) })) }),
  ],
  [
    "redeemIdpIdentityResult",
    "mutation($id: ID!, $tenant: String!, $proof: String!) { redeemIdpIdentityResult(id: $id, tenantKey: $tenant, resultProof: $proof) { status } }",
    () => ({ id: id(), tenant: or(text), proof: or(text) }),
  ],
];

test.each(OPERATIONS)(
  "%s responds to any input with a code of the contract and without an internal error",
  async (_, document, variablesOf) => {
    await fc.assert(
      fc.asyncProperty(fc.record(variablesOf()), async (variables) => {
        const { status, errors } = await query(server, application.key, document, variables);
        expect([200, 400]).toContain(status);
        for (const { message, extensions } of errors) {
          expect(ERROR_CODES).toContain(extensions["code"]);
          expect({ code: extensions["code"], variables }).not.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
          expect(message).not.toMatch(/prisma|postgres|\bat .*:\d+/i);
        }
      }),
      { numRuns: 120 },
    );
  },
);
