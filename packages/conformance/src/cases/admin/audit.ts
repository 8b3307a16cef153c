import type { AdminClient, AuditEntry } from "../../_generated/adminWire.ts";
import { ADMIN_KEYS } from "../../context/adminApiClient.ts";
import { BURST, concurrently } from "../../context/findings.ts";
import { DAY_MS } from "../../context/jobs.ts";
import type { Steps } from "../../context/steps.ts";
import { ADMIN_CLASSES, DESCRIBED_OPERATIONS } from "../../description/adminOperations.ts";
import { defineCases } from "../../harness/defineCase.ts";
import { allOf } from "../../wire/call.ts";
import { adminHold, emailOf, partsOf, THIRD_ADMIN, withAdmin } from "./support/admins.ts";
import { DRAFT, prepare } from "./support/preparations.ts";

const FIRST_USED = "API key first used";
/** Time to read a long list between the time of a wait and the expiry of an entry after it. */
const MARGIN_MS = 120_000;
const WRITES = DESCRIBED_OPERATIONS.filter((name) => ADMIN_CLASSES[name] === "WRITE");

const PROVIDER_NAME = "PROVIDER_A · YouTube Data API v3";

type Told = readonly [action: string, summary: string];

/** What these entries tell, the oldest first. */
function tell(t: Steps, entries: readonly AuditEntry[], what: string, expected: readonly Told[]): void {
  const told = entries.map(({ action, summary }) => [action, summary]);
  t.equal(told.toReversed(), expected, what);
}

/** The newest entries about a record with such an action. */
async function entriesAbout(t: Steps, targetId: string, action = /./) {
  const { items } = await t.admin.get("adminAuditEntries", { first: 100 });
  return items.filter((entry) => entry.targetId === targetId && action.test(entry.action));
}

export const ADMIN_AUDIT_CASES = defineCases({ needs: ["admin"], application: "none" }, (test) => {
  for (const name of WRITES)
    test(`S5.admin.audit.${name}: ${name} leaves one entry with the key, the time and the client, and without a secret.`, async (t) => {
      const { args } = await prepare(t, name);
      await using minted = await t.admin.useKey("WRITE");
      const { id: apiKeyId, key, apiKey } = minted;
      const client = t.value(await t.admin.call(name, args, { key }), `${name} succeeds`) as AdminClient;
      const entries = await t.admin.entriesOf(apiKeyId);
      t.equal(entries.length, 2, "first use and the change");
      const [change, first] = entries;
      t.equal(first?.action, FIRST_USED, "the first entry");
      for (const entry of entries) {
        t.equal(entry.actor, `Via API key ${apiKeyId.slice(0, 8)}`, "actor");
        t.equal(entry.apiKeyId, apiKeyId, "apiKeyId");
        t.holds(Date.parse(entry.at) >= Date.parse(apiKey.createdAt), "at");
        t.matches(entry.summary, /./, "summary");
        t.holds(!JSON.stringify(entry).includes(partsOf(key).secret), "it contains no secret");
      }
      t.holds(change?.action !== FIRST_USED, "the change has its own action", change?.action);
      t.shows(change, { targetType: "CLIENT", targetId: client.id, clientSlug: client.slug }, "what was changed");
    }).with({ holds: [ADMIN_KEYS] });
  test("S5.admin.audit.unchanged: A refused call leaves no entry.", async (t) => {
    const { id, slug, webOrigins, tenantKeys } = await t.admin.client();
    await using minted = await t.admin.useKey("WRITE");
    const { id: apiKeyId, key } = minted;
    const tenantKey = tenantKeys[0] ?? "";
    await t.admin.refuses("addClientTenantKey", { id, tenantKey }, "CONFLICT", "ALREADY_PRESENT", { key });
    await t.admin.refuses("removeClientOrigin", { id, origin: webOrigins[0] }, "CONFLICT", "ORIGIN_IN_USE", { key });
    await t.admin.refuses("setClientDisplayName", { id, displayName: "" }, "BAD_USER_INPUT", null, { key });
    await t.admin.refuses("setClientEnabled", { id: crypto.randomUUID(), enabled: false }, "NOT_FOUND", null, { key });
    await t.admin.audited(apiKeyId, [FIRST_USED]);
    const ofClient = await t.admin.inPanel("searchAuditEntries", { clientSlug: slug, first: 100 });
    t.equal(ofClient.items.length, 1, "the client's audit entries: only its creation");
  }).with({ holds: [ADMIN_KEYS] });
  for (const scope of ["READ", "WRITE"] as const)
    test(`S5.admin.audit.first-used-${scope}: The audit log has one 'API key first used' for 50 concurrent first calls with a ${scope} key, ${scope === "READ" ? "all refused for scope" : "all accepted"}.`, async (t) => {
      const { id } = await t.admin.client();
      await using minted = await t.admin.useKey(scope);
      const { id: apiKeyId, key } = minted;
      t.equal(await t.admin.entriesOf(apiKeyId), [], "before it is used");
      await concurrently<unknown>(50, () =>
        scope === "READ"
          ? t.admin.refuses("setClientEnabled", { id, enabled: false }, "FORBIDDEN", "API_KEY_READ_ONLY", { key })
          : t.admin.get("adminMembers", {}, { key }),
      );
      await t.admin.audited(apiKeyId, [FIRST_USED]);
      const [entry] = await t.admin.entriesOf(apiKeyId);
      const actor = `Via API key ${apiKeyId.slice(0, 8)}`;
      t.shows(entry, { actor, targetType: "API_KEY", targetId: apiKeyId }, "whose entry");
      t.equal((await t.admin.get("adminClient", { id })).enabled, true, "the client is unchanged");
    }).with({ holds: [ADMIN_KEYS, BURST] });
  test("S5.admin.audit.never-used: A key that was only used with a wrong secret, or after its end, was never used.", async (t) => {
    const { id, key } = await t.admin.mint("WRITE");
    const wrong = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key: wrong });
    await t.admin.inPanel("revokeApiKey", { id });
    await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key });
    t.equal(await t.admin.entriesOf(id), [], "the key's audit entries");
    await using other = await t.admin.useKey("READ");
    await t.admin.get("adminMembers", {}, { key: other.key });
    await t.admin.audited(other.id, [FIRST_USED]);
  }).with({ holds: [ADMIN_KEYS] });
  test("S5.admin.audit.panel: A change in the panel names the admin, no key, and the changed object.", async (t) => {
    const { id, slug } = await t.admin.client();
    const { key } = await t.admin.inPanel("issueClientCredential", { id });
    const minted = await t.admin.mint("READ");
    await t.admin.inPanel("revokeApiKey", { id: minted.id });
    const recent = await allOf((after) => t.admin.get("adminAuditEntries", { first: 100, after }));
    const issued = recent.find(({ clientSlug, actor }) => clientSlug === slug && actor.includes("@"));
    const email = t.admin.driver.panel.email;
    t.shows(issued, { actor: email, apiKeyId: null, targetType: "CLIENT", targetId: id }, "issuing");
    const ofKey = recent.filter(({ targetId }) => targetId === minted.id);
    t.equal(ofKey.length, 2, "minting and revoking");
    for (const entry of ofKey) t.shows(entry, { actor: email, targetType: "API_KEY" }, "minting and revoking");
    for (const secret of [key, minted.key].map((one) => partsOf(one).secret))
      t.holds(!JSON.stringify(recent).includes(secret), "no entry contains a secret");
  }).with({ holds: [ADMIN_KEYS] });
  test("S5.admin.audit.paging: Entries are newest first, on pages without gaps or duplicates, and a cursor is valid only for its list.", async (t) => {
    const { id } = await t.admin.client({ tenantKeys: [] });
    await using minted = await t.admin.useKey("WRITE");
    const { id: apiKeyId, key } = minted;
    for (let count = 0; count < 6; count += 1)
      await t.admin.get("addClientTenantKey", { id, tenantKey: `tenant-${count}` }, { key });
    const whole = await t.admin.get("adminAuditEntries", { apiKeyId });
    t.equal([whole.items.length, whole.pageInfo.hasNextPage], [7, false], "all of them");
    const moments = whole.items.map(({ at }) => at);
    t.equal(moments.toSorted().reverse(), moments, "newest first");
    for (const first of [1, 2, 3, 7, 100]) {
      const paged = await allOf((after) => t.admin.get("adminAuditEntries", { apiKeyId, first, after }));
      t.equal(paged, whole.items, `in pages of ${first}`);
    }
    const { pageInfo } = await t.admin.get("adminAuditEntries", { apiKeyId, first: 2 });
    const after = pageInfo.endCursor;
    await t.admin.get("addClientTenantKey", { id, tenantKey: "later" }, { key });
    const second = await t.admin.get("adminAuditEntries", { apiKeyId, first: 2, after });
    t.equal(second.items, whole.items.slice(2, 4), "the next page is the same, regardless of new entries");
    for (const args of [
      { after },
      { apiKeyId: crypto.randomUUID(), after },
      { apiKeyId, after: "nonsense" },
      { apiKeyId, after: `${after}x` },
      { apiKeyId, first: 0 },
      { apiKeyId, first: 101 },
      { apiKeyId, first: -1 },
    ])
      await t.admin.refuses("adminAuditEntries", args, "BAD_USER_INPUT", null, { what: JSON.stringify(args) });
    for (const apiKeyId of [crypto.randomUUID(), "none", ""])
      t.equal((await t.admin.get("adminAuditEntries", { apiKeyId })).items, [], "of a key that does not exist");
  }).with({ holds: [ADMIN_KEYS] });
  test("S8.admin.audit-retention: An entry is listed for 30 days, and afterwards neither listed nor counted.", async (t) => {
    // With the target's own key: an admin has five, and they expire within a month.
    const apiKeyId = partsOf(t.admin.driver.writeKey).id;
    const { id } = await t.admin.client();
    await t.admin.get("setClientDisplayName", { id, displayName: "Once" });
    const ofClient = async () => (await t.admin.entriesOf(apiKeyId)).filter(({ targetId }) => targetId === id);
    const [change, creation] = await ofClient();
    const endOf = (entry: AuditEntry | undefined) => Date.parse(entry?.at ?? "") + 30 * DAY_MS;
    await t.until(new Date(endOf(creation) - MARGIN_MS));
    t.equal(await ofClient(), [change, creation], "shortly before its end");
    await t.until(new Date(endOf(change)));
    t.equal(await ofClient(), [], "at its end");
    // Before reading the list, which takes a while: an entry that has expired then stays absent. Processes of one
    // service agree on the time within milliseconds.
    const gone = (await t.driver("clock").now()).getTime() - 30 * DAY_MS - 5_000;
    const all = await allOf((after) => t.admin.get("adminAuditEntries", { first: 100, after }));
    t.every(all, ({ targetId }) => targetId !== id, "it is not in the whole list");
    t.every(all, ({ at }) => Date.parse(at) > gone, "nothing older is listed");
  }).with({ lane: "timeline", needs: ["admin", "clock"] });
  test("S5.admin.audit.summaries-of-keys: The audit entry of each change made with a key describes the change.", async (t) => {
    await using minted = await t.admin.useKey("WRITE");
    const { id: apiKeyId, key, apiKey } = minted;
    const client = await t.admin.client();
    const [origin = ""] = client.webOrigins;
    const { id, slug } = client;
    const call = async (...[name, args]: Parameters<typeof t.admin.call>) =>
      t.value(await t.admin.call(name, args, { key }), `${name} succeeds`);
    await call("setClientDisplayName", { id, displayName: "Another name" });
    await call("setClientBranding", { id, brandColor: "#0a5c36", privacyUrl: "https://example.test/" });
    await call("setClientPolicy", { id, providers: ["PROVIDER_B", "PROVIDER_A"], capabilities: [] });
    await call("addClientTenantKey", { id, tenantKey: "tenant-two" });
    await call("removeClientTenantKey", { id, tenantKey: "tenant-one" });
    await call("addClientOrigin", { id, origin: `${origin}:9443` });
    await call("removeClientOrigin", { id, origin: `${origin}:9443` });
    await call("addClientReturnUrl", { id, url: `${origin}/third`, confirmedNoOnwardRedirect: true });
    await call("removeClientReturnUrl", { id, url: `${origin}/third` });
    await call("setClientPreviewOrigins", { id, enabled: true });
    await call("addClientPreviewReturnPath", { id, path: "/preview" });
    await call("removeClientPreviewReturnPath", { id, path: "/preview" });
    await call("setClientPreviewOrigins", { id, enabled: false });
    await call("setClientEnabled", { id, enabled: false });
    await call("setClientEnabled", { id, enabled: true });
    tell(t, await t.admin.entriesOf(apiKeyId), "the entries", [
      [FIRST_USED, `The read-and-write key "${apiKey.label}" was used for the first time.`],
      ["Display name changed", `Changed the display name from "${client.displayName}" to "Another name".`],
      ["Branding changed", "Changed the branding: color #0a5c36, privacy link https://example.test/."],
      ["Policy changed", `Allowed ${PROVIDER_NAME}, PROVIDER_B · TikTok Display API v2 with no capability.`],
      ["Tenant key added", "Added the tenant tenant-two."],
      ["Tenant key removed", "Removed the tenant tenant-one."],
      ["Origin added", `Added the origin ${origin}:9443.`],
      ["Origin removed", `Removed the origin ${origin}:9443.`],
      ["Return URL added", `Added the return URL ${origin}/third.`],
      ["Return URL removed", `Removed the return URL ${origin}/third.`],
      ["Preview origins switched on", "Switched preview origins on."],
      ["Preview return path added", "Added the preview return path /preview."],
      ["Preview return path removed", "Removed the preview return path /preview."],
      ["Preview origins switched off", "Switched preview origins off."],
      ["Client disabled", `Disabled the client ${slug}; unfinished attempts ended: 0.`],
      ["Client enabled", `Enabled the client ${slug}.`],
    ]);
  }).with({ holds: [ADMIN_KEYS] });
  test("S5.admin.audit.summaries-of-panel: The audit entry of each change made in the panel describes the change.", async (t) => {
    const { id, slug, webOrigins } = await t.admin.client();
    const url = `${webOrigins[0]}/identity`;
    await t.admin.inPanel("setClientIdpIdentity", { id, enabled: true, returnUrls: [url] });
    await t.admin.inPanel("setClientIdpIdentity", { id, enabled: false, returnUrls: [] });
    const { credential } = await t.admin.inPanel("issueClientCredential", { id, expiresInDays: 30 });
    await t.admin.inPanel("revokeClientCredential", { id, keyId: credential.keyId });
    const account = { id, provider: "PROVIDER_A", providerAccountId: "UCaudit" } as const;
    await t.admin.inPanel("addClientTester", account);
    await t.admin.inPanel("setClientTesterNote", { ...account, note: "Mara from QA" });
    await t.admin.inPanel("removeClientTester", account);
    tell(t, await entriesAbout(t, id), "of a client", [
      ["Client created", `Created the client ${slug} with the origins ${webOrigins.join(", ")}.`],
      ["Identity sign-in changed", `Switched the identity sign-in on; return URLs: ${url}.`],
      ["Identity sign-in changed", "Switched the identity sign-in off; return URLs: none."],
      ["Application key issued", `Issued the application key ${credential.keyId} for 30 days.`],
      ["Application key revoked", `Revoked the application key ${credential.keyId}.`],
      ["Tester added", `Added a tester account at ${PROVIDER_NAME}.`],
      ["Tester note changed", `Changed the note of a tester account at ${PROVIDER_NAME}.`],
      ["Tester removed", `Removed a tester account at ${PROVIDER_NAME}.`],
    ]);
    const key = await t.admin.mint("READ", { lifetimeDays: 2 });
    await t.admin.inPanel("revokeApiKey", { id: key.id });
    const { label, createdBy } = key.apiKey;
    tell(t, await entriesAbout(t, key.id), "of a key", [
      ["API key minted", `Minted the read-only key "${label}" for 2 days.`],
      ["API key revoked", `Revoked the read-only key "${label}" of ${createdBy}.`],
    ]);
    const member = await withAdmin(t, THIRD_ADMIN, async (_panel, added) => added);
    const email = emailOf(THIRD_ADMIN);
    const bound = `${email} signed in for the first time and is this account at the issuer from now on.`;
    const firstSignIn = ["Admin signed in for the first time", bound] as const;
    tell(t, await entriesAbout(t, member.id, /^Admin (added|removed)$|first time$/), "of an admin", [
      ["Admin added", `Added ${email} to the admins.`],
      ...(t.admin.driver.panel.session === undefined ? [] : [firstSignIn]),
      ["Admin removed", `Removed ${email} from the admins; keys revoked: 0.`],
    ]);
    const draft = await t.admin.inPanel("createRegistration", { provider: "PROVIDER_A", input: DRAFT });
    const { clientSecret: _, ...unchanged } = DRAFT;
    await t.admin.inPanel("updateRegistration", { id: draft.id, input: unchanged });
    await t.admin.inPanel("setRegistrationQuota", { id: draft.id, quota: { units: 500, reserve: 0.1 } });
    await t.admin.inPanel("setRegistrationQuota", { id: draft.id, quota: null });
    await t.admin.inPanel("disableRegistration", { id: draft.id });
    const registration = `the registration at ${PROVIDER_NAME} (client id ${draft.clientIdHint})`;
    const quota = "units 500 (default 10000), reserve 0.1 (default 0.2)";
    tell(t, await entriesAbout(t, draft.id), "of a registration", [
      ["Registration created", `Created ${registration}.`],
      ["Registration changed", `Changed ${registration}.`],
      ["Registration quota changed", `Changed the quota of ${registration}: ${quota}.`],
      ["Registration quota changed", `Reset the quota of ${registration} to the provider's default.`],
      ["Registration disabled", `Disabled ${registration}.`],
    ]);
  }).with({ holds: [ADMIN_KEYS, adminHold(THIRD_ADMIN)] });
});
