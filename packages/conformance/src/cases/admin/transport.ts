import { createHash } from "node:crypto";
import type { AdminClient } from "../../_generated/adminWire.ts";
import { ADMIN_KEYS } from "../../context/adminApiClient.ts";
import type { Steps } from "../../context/steps.ts";
import { defineCases } from "../../harness/defineCase.ts";
import type { RequestOptions } from "../../wire/call.ts";
import { ADMIN, graphqlCases } from "../support/graphqlApis.ts";
import { rawPost } from "../support/rawPost.ts";

const PATH = "/api/admin/graphql";
const QUERY = "{ previewTemplate { template } }";
const BODY = JSON.stringify({ query: QUERY });
const HASH = createHash("sha256").update(QUERY).digest("hex");

const FORWARDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "plain-http": { "x-forwarded-proto": "http" },
  "https-by-a-stranger": { "x-forwarded-proto": "https" },
  "other-host": { "x-forwarded-host": "admin.example.test" },
  "other-address": { "x-forwarded-for": "127.0.0.1" },
  "by-rfc-7239": { forwarded: "for=127.0.0.1;proto=https" },
};

const persisted = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const HASH_ONLY: Readonly<Record<string, unknown>> = {
  "unknown-hash": persisted("0".repeat(64)),
  "hash-of-a-good-document": persisted(HASH),
  "with-empty-query": { query: "", ...persisted(HASH) },
  "with-null-query": { query: null, ...persisted(HASH) },
  "document-id": { documentId: HASH },
};

/** Through the suite's transport, with a WRITE key. */
function send(t: Steps, body: string | null, options: RequestOptions = {}) {
  return t.admin.caller(t.admin.driver.writeKey).send(body, options);
}

async function answersStill(t: Steps): Promise<void> {
  t.equal((await send(t, BODY)).body?.errors, undefined, "the same request in its correct form is answered");
}

function forbidden(t: Steps, answer: Awaited<ReturnType<typeof send>>, what: string): void {
  t.refusedOperation(answer, what);
  const { code, reason } = answer.body?.errors?.[0]?.extensions ?? {};
  t.equal([code, reason], ["FORBIDDEN", undefined], `${what}: code and no reason`);
}

export const ADMIN_GRAPHQL_CASES = defineCases({ needs: ["admin"], application: "none", readSafe: true }, (test) => {
  graphqlCases(test, ADMIN);
});

export const ADMIN_TRANSPORT_CASES = defineCases({ needs: ["admin"], application: "none" }, (test) => {
  test("S4.admin.transport.cookie: A request with any cookie is FORBIDDEN, with a valid key and without.", async (t) => {
    for (const cookie of ["a=b", "social-connect-panel=x", "="]) {
      const headers = { cookie };
      forbidden(t, await send(t, BODY, { headers }), `the cookie "${cookie}"`);
      forbidden(t, await send(t, BODY, { headers, authorization: null }), "without a key");
    }
    await answersStill(t);
  }).with({ readSafe: true });
  for (const [name, headers] of Object.entries(FORWARDED))
    test(`S4.admin.transport.forwarded-${name}: A request that claims to be forwarded (${name}) by an untrusted proxy is FORBIDDEN.`, async (t) => {
      forbidden(t, await send(t, BODY, { headers }), name);
      await answersStill(t);
    });
  test("S4.admin.transport.two-authorizations: Two Authorization headers are FORBIDDEN, even if equal and in any order.", async (t) => {
    const good = `Authorization: Bearer ${t.admin.driver.writeKey}`;
    const json = "Content-Type: application/json";
    const post = (...headers: string[]) => rawPost(t.admin.driver.adminHost, PATH, [json, ...headers], BODY);
    for (const other of [good, "Authorization: Bearer nothing", "authorization: Basic YTpi"]) {
      for (const headers of [
        [good, other],
        [other, good],
      ]) {
        const answer = await post(...headers);
        t.matches(answer, /"code":"FORBIDDEN"/, "two Authorization headers");
        t.holds(!/"reason"/.test(answer) && !/"template"/.test(answer), "no reason, and nothing ran");
      }
    }
    t.matches(await post(good), /"template"/, "a single header is answered");
  }).with({ needs: ["admin", "raw-socket"] });
  test("S4.admin.transport.wrong-host: A request for another host, or for two hosts, is FORBIDDEN.", async (t) => {
    const { host } = new URL(t.admin.driver.adminHost);
    const headers = ["Content-Type: application/json", `Authorization: Bearer ${t.admin.driver.writeKey}`];
    const post = (hosts: readonly string[]) => rawPost(t.admin.driver.adminHost, PATH, headers, BODY, hosts);
    for (const other of ["admin.example.test", `${host}.example.test`, "localhost.evil.example", `user@${host}`, ""]) {
      const answer = await post([other]);
      t.holds(!/"template"/.test(answer), `nothing runs for ${other}`, answer.slice(0, 200));
      if (answer.startsWith("HTTP/1.1 200")) t.matches(answer, /"code":"FORBIDDEN"/, `for ${other}`);
      else t.matches(answer, /^HTTP\/1\.1 4\d\d/, `for ${other}`);
    }
    t.matches(await post([host]), /"template"/, "the right one is answered");
  }).with({ needs: ["admin", "raw-socket"] });
  for (const [name, body] of Object.entries(HASH_ONLY))
    test(`S4.admin.transport.hash-only-${name}: A request without the source of its document (${name}) is UPSTREAM_UNAVAILABLE, every time.`, async (t) => {
      // The source was sent before with the hash: it is not stored.
      const told = await send(t, JSON.stringify({ query: QUERY, ...persisted(HASH) }));
      t.equal(told.body?.errors, undefined, "the full source with its hash is answered");
      for (let round = 0; round < 2; round += 1) {
        const answer = await send(t, JSON.stringify(body));
        t.equal(answer.body?.data ?? null, null, "nothing ran");
        t.equal(answer.body?.errors?.[0]?.extensions?.code, "UPSTREAM_UNAVAILABLE", "code");
      }
    }).with({ readSafe: true });
});

const TEMPLATE = "previewTemplate { template }";
const KEYS = "apiKeys { items { id } }";
const CHANGE = 'setClientDisplayName(id: $id, displayName: "It ran")';
const REVOKE = "revokeClientCredential(id: $id, keyId: $id)";
const SWITCH = "setClientIdpIdentity(id: $id, enabled: false)";

/** Documents with one panel field among valid fields; `$id` is a client of the case. */
const PANEL_FIELDS: Readonly<Record<string, string>> = {
  beside: `{ ${TEMPLATE} ${KEYS} }`,
  "included-if-false": `{ ${TEMPLATE} apiKeys @include(if: false) { items { id } } }`,
  "included-by-variable": `query($no: Boolean = false) { ${TEMPLATE} apiKeys @include(if: $no) { items { id } } }`,
  skipped: `{ ${TEMPLATE} apiKeys @skip(if: true) { items { id } } }`,
  aliased: `{ ${TEMPLATE} adminMembers: apiKeys { __typename } }`,
  "in-a-fragment": `{ ...Good ...Keys } fragment Good on Query { ${TEMPLATE} } fragment Keys on Query { ${KEYS} }`,
  "in-an-inline-fragment": `{ ${TEMPLATE} ... on Query { ${KEYS} } }`,
  "in-a-fragment-left-out": `{ ${TEMPLATE} ...Keys @include(if: false) } fragment Keys on Query { ${KEYS} }`,
  "three-fragments-deep": `{ ...A } fragment A on Query { ${TEMPLATE} ...B } fragment B on Query { ... { ...C } } fragment C on Query { k: apiKeys @skip(if: true) { items { id } } }`,
  "change-first": `mutation($id: ID!) { ${CHANGE} { id } ${REVOKE} { __typename } }`,
  "change-last": `mutation($id: ID!) { ${REVOKE} { __typename } ${CHANGE} { id } }`,
  "panel-left-out": `mutation($id: ID!) { ${CHANGE} { id } ${REVOKE} @include(if: false) { __typename } }`,
  "panel-in-fragment": `mutation($id: ID!) { ${CHANGE} { id } ...P } fragment P on Mutation { ${SWITCH} { __typename } }`,
};

const CHANGES_BY_READERS: Readonly<Record<string, string>> = {
  plain: `mutation($id: ID!) { ${CHANGE} { id } }`,
  "left-out": `mutation($id: ID!) { ${CHANGE} @include(if: false) { id } }`,
  skipped: `mutation($id: ID!) { ${CHANGE} @skip(if: true) { id } }`,
  "typename-alone": "mutation { __typename }",
  "in-a-fragment": `mutation($id: ID!) { ...C } fragment C on Mutation { ${CHANGE} { id } }`,
};

/** Sends a document that must be refused with a new key, and checks that only the key's first use is recorded. */
async function expectRefusedDocument(t: Steps, scope: "READ" | "WRITE", document: string, reason: string) {
  const client: AdminClient = await t.admin.client();
  await using minted = await t.admin.useKey(scope);
  const { id: apiKeyId, key } = minted;
  const answer = await t.admin.caller(key).graphql(document, document.includes("$id") ? { id: client.id } : {});
  t.refusedOperation(answer, document);
  t.shows(answer.body?.errors?.[0]?.extensions, { code: "FORBIDDEN", reason }, "code and reason");
  t.equal(await t.admin.get("adminClient", { id: client.id }), client, "nothing ran");
  await t.admin.audited(apiKeyId, ["API key first used"]);
}

export const ADMIN_DOCUMENT_CASES = defineCases({ needs: ["admin"], application: "none" }, (test) => {
  for (const [name, document] of Object.entries(PANEL_FIELDS))
    test(`S4.admin.document.panel-${name}: A document with a panel-only field (${name}) is refused as a whole: nothing ran, and the audit log has only the first use.`, (t) =>
      expectRefusedDocument(t, "WRITE", document, "PANEL_ONLY")).with({ holds: [ADMIN_KEYS] });
  for (const [name, document] of Object.entries(CHANGES_BY_READERS))
    test(`S4.admin.document.read-only-${name}: A READ key that sends a mutation (${name}) is refused: nothing ran, and the audit log has only the first use.`, (t) =>
      expectRefusedDocument(t, "READ", document, "API_KEY_READ_ONLY")).with({ holds: [ADMIN_KEYS] });
  test("S4.admin.document.several: Several operations of one class in one document all run, in order.", async (t) => {
    const { id } = await t.admin.client();
    const api = t.admin.caller(t.admin.driver.writeKey);
    const read = await api.graphql("{ adminMembers { id } previewTemplate { template } adminRegistrations { id } }");
    t.equal(Object.keys(read.body?.data ?? {}), ["adminMembers", "previewTemplate", "adminRegistrations"], "all");
    const twice = await api.graphql(
      'mutation($id: ID!) { one: setClientDisplayName(id: $id, displayName: "One") { displayName } two: setClientDisplayName(id: $id, displayName: "Two") { displayName } }',
      { id },
    );
    t.equal(twice.body?.data, { one: { displayName: "One" }, two: { displayName: "Two" } }, "both, in order");
  });
  test("S4.admin.document.one-fails: For several changes in one document, data shows which were applied and errors which were not.", async (t) => {
    const { id } = await t.admin.client();
    const api = t.admin.caller(t.admin.driver.writeKey);
    const unknown = "00000000-0000-4000-8000-000000000000";
    const document = `mutation($id: ID!, $unknown: ID!) {
        first: addClientTenantKey(id: $unknown, tenantKey: "x") { id }
        second: setClientDisplayName(id: $id, displayName: "Second") { displayName }
        third: setClientEnabled(id: $unknown, enabled: true) { id }
        fourth: addClientTenantKey(id: $id, tenantKey: "fourth") { tenantKeys }
      }`;
    const answer = await api.graphql(document, { id, unknown });
    t.equal(answer.status, 200, "status");
    const applied = { second: { displayName: "Second" }, fourth: { tenantKeys: ["tenant-one", "fourth"] } };
    t.equal(answer.body?.data, { first: null, third: null, ...applied }, "data");
    const failed = answer.body?.errors?.map(({ path, extensions }) => `${path} ${extensions?.code}`);
    t.equal(failed, ["first NOT_FOUND", "third NOT_FOUND"], "errors");
    const { displayName, tenantKeys } = await t.admin.get("adminClient", { id });
    t.equal([displayName, tenantKeys], ["Second", ["tenant-one", "fourth"]], "what was applied");
    const reads = "query($unknown: ID!) { adminClient(id: $unknown) { id } previewTemplate { __typename } }";
    const read = await api.graphql(reads, { unknown });
    t.equal(read.body?.data, { adminClient: null, previewTemplate: { __typename: "PreviewTemplate" } }, "of reads");
    const refused = read.body?.errors?.map(({ path }) => path);
    t.equal(refused, [["adminClient"]], "errors of reads");
  });
});
