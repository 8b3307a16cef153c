import type { AdminClient } from "../../_generated/adminWire.ts";
import { ADMIN_KEYS } from "../../context/adminApiClient.ts";
import type { Steps } from "../../context/steps.ts";
import { caseForEach, defineCasesWith } from "../../harness/defineCase.ts";
import { adminRefusal, audited } from "./support/findings.ts";

/** Documents with one panel field among valid fields; `$id` is a client of the case. */
const PANEL_FIELDS: Readonly<Record<string, string>> = {
  beside: "{ previewTemplate { template } apiKeys { items { id } } }",
  "included-if-false": "{ previewTemplate { template } apiKeys @include(if: false) { items { id } } }",
  "included-by-variable":
    "query($no: Boolean = false) { previewTemplate { template } apiKeys @include(if: $no) { items { id } } }",
  skipped: "{ previewTemplate { template } apiKeys @skip(if: true) { items { id } } }",
  aliased: "{ previewTemplate { template } adminMembers: apiKeys { __typename } }",
  "in-a-fragment":
    "{ ...Good ...Keys } fragment Good on Query { previewTemplate { template } } fragment Keys on Query { apiKeys { items { id } } }",
  "in-an-inline-fragment": "{ previewTemplate { template } ... on Query { apiKeys { items { id } } } }",
  "in-a-fragment-left-out":
    "{ previewTemplate { template } ...Keys @include(if: false) } fragment Keys on Query { apiKeys { items { id } } }",
  "three-fragments-deep":
    "{ ...A } fragment A on Query { previewTemplate { template } ...B } fragment B on Query { ... { ...C } } fragment C on Query { k: apiKeys @skip(if: true) { items { id } } }",
};

const CHANGES_WITH_PANEL: Readonly<Record<string, string>> = {
  "change-first":
    'mutation($id: ID!) { setClientDisplayName(id: $id, displayName: "It ran") { id } revokeClientCredential(id: $id, keyId: $id) { __typename } }',
  "change-last":
    'mutation($id: ID!) { revokeClientCredential(id: $id, keyId: $id) { __typename } setClientDisplayName(id: $id, displayName: "It ran") { id } }',
  "panel-left-out":
    'mutation($id: ID!) { setClientDisplayName(id: $id, displayName: "It ran") { id } revokeClientCredential(id: $id, keyId: $id) @include(if: false) { __typename } }',
  "panel-in-fragment":
    'mutation($id: ID!) { setClientDisplayName(id: $id, displayName: "It ran") { id } ...P } fragment P on Mutation { setClientIdpIdentity(id: $id, enabled: false) { __typename } }',
};

const CHANGES_BY_READERS: Readonly<Record<string, string>> = {
  plain: 'mutation($id: ID!) { setClientDisplayName(id: $id, displayName: "It ran") { id } }',
  "left-out": 'mutation($id: ID!) { setClientDisplayName(id: $id, displayName: "It ran") @include(if: false) { id } }',
  skipped: 'mutation($id: ID!) { setClientDisplayName(id: $id, displayName: "It ran") @skip(if: true) { id } }',
  "typename-alone": "mutation { __typename }",
  "in-a-fragment":
    'mutation($id: ID!) { ...C } fragment C on Mutation { setClientDisplayName(id: $id, displayName: "It ran") { id } }',
};

/** Sends a document that must be refused with a new key, and checks that only the key's first use is recorded. */
async function expectRefusedDocument(
  t: Steps,
  scope: "READ" | "WRITE",
  document: string,
  reason: "PANEL_ONLY" | "API_KEY_READ_ONLY",
): Promise<void> {
  const client: AdminClient = await t.admin.client();
  await t.admin.withKey(scope, async ({ id: apiKeyId, key }) => {
    const answer = await t.admin.caller(key).graphql(document, document.includes("$id") ? { id: client.id } : {});
    adminRefusal(t, answer, document);
    t.shows(answer.body?.errors?.[0]?.extensions, { code: "FORBIDDEN", reason }, "code and reason");
    t.equal(await t.admin.get("adminClient", { id: client.id }), client, "nothing ran");
    await audited(t, apiKeyId, ["API key first used"]);
  });
}

export const ADMIN_DOCUMENT_CASES = defineCasesWith({ needs: ["admin"], application: "none" })({
  ...caseForEach(Object.entries({ ...PANEL_FIELDS, ...CHANGES_WITH_PANEL }), ([name, document]) => ({
    id: `S4.admin.document.panel-${name}`,
    title: `A document with a panel-only field (${name}) is refused as a whole: nothing ran, and the audit log has only the first use.`,
    holds: [ADMIN_KEYS],
    run: (t) => expectRefusedDocument(t, "WRITE", document, "PANEL_ONLY"),
  })),
  ...caseForEach(Object.entries(CHANGES_BY_READERS), ([name, document]) => ({
    id: `S4.admin.document.read-only-${name}`,
    title: `A READ key that sends a mutation (${name}) is refused: nothing ran, and the audit log has only the first use.`,
    holds: [ADMIN_KEYS],
    run: (t) => expectRefusedDocument(t, "READ", document, "API_KEY_READ_ONLY"),
  })),
  "S4.admin.document.several": {
    title: "Several operations of one class in one document all run, in order.",
    run: async (t) => {
      const { id } = await t.admin.client();
      const api = t.admin.caller(t.admin.driver.writeKey);
      const read = await api.graphql("{ adminMembers { id } previewTemplate { template } adminRegistrations { id } }");
      t.equal(Object.keys(read.body?.data ?? {}), ["adminMembers", "previewTemplate", "adminRegistrations"], "all");
      const twice = await api.graphql(
        'mutation($id: ID!) { one: setClientDisplayName(id: $id, displayName: "One") { displayName } two: setClientDisplayName(id: $id, displayName: "Two") { displayName } }',
        { id },
      );
      t.equal(twice.body?.data, { one: { displayName: "One" }, two: { displayName: "Two" } }, "both, in order");
    },
  },
  "S4.admin.document.one-fails": {
    title: "For several changes in one document, data shows which were applied and errors which were not.",
    run: async (t) => {
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
    },
  },
});
