import { ADMIN_KEYS } from "../../context/adminApiClient.ts";
import { BURST, concurrently, shapeOf } from "../../context/findings.ts";
import { DAY_MS, MARGIN_MS } from "../../context/jobs.ts";
import type { Steps } from "../../context/steps.ts";
import { anyArguments, DESCRIBED_OPERATIONS } from "../../description/adminOperations.ts";
import { defineCases } from "../../harness/defineCase.ts";
import { adminHold, partsOf, SECOND_ADMIN, THIRD_ADMIN, withAdmin } from "./support/admins.ts";

/** Whether a client's key authenticates at the consumer API. */
const opens = async (t: Steps, key: string) =>
  (await t.callWith(t.caller(key), "integrationReadiness", {})).ok ? "it is accepted" : "it is rejected";

export const ADMIN_KEY_CASES = defineCases({ needs: ["admin"], application: "none" }, (test) => {
  test("S5.admin.key.shown-once: A minted key has the described format, is shown once, and is listed without its secret.", async (t) => {
    const label = `conformance <b>${crypto.randomUUID()}</b>`;
    const minted = await t.admin.inPanel("mintApiKey", { label, scope: "READ", lifetimeDays: 7 });
    try {
      t.matches(minted.key, /^[a-z]+_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{64}$/, "its format");
      t.equal(partsOf(minted.key).id, minted.apiKey.id, "its id");
      const { apiKey } = minted;
      t.shows(apiKey, { label, scope: "READ", createdBy: t.admin.driver.panel.email }, "its properties");
      t.shows(apiKey, { lastUsedAt: null, revokedAt: null }, "neither used nor revoked");
      t.equal(Date.parse(apiKey.expiresAt) - Date.parse(apiKey.createdAt), 7 * DAY_MS, "days are of 24 hours");
      const listed = await t.admin.inPanel("apiKeys", { first: 100 });
      const found = listed.items.find((key) => key.id === apiKey.id);
      t.equal(found, apiKey, "as listed");
      t.holds(!JSON.stringify(listed).includes(partsOf(minted.key).secret), "the list contains no secret");
      await t.admin.get("adminMembers", {}, { key: minted.key });
    } finally {
      await t.admin.panel("revokeApiKey", { id: minted.apiKey.id });
    }
  }).with({ holds: [ADMIN_KEYS] });
  test("S5.admin.key.revoked: A revoked key stops working at the next call and keeps its time of revocation.", async (t) => {
    const { id, key } = await t.admin.mint("WRITE");
    await t.admin.get("adminMembers", {}, { key });
    const revoked = await t.admin.inPanel("revokeApiKey", { id });
    t.holds(revoked.revokedAt !== null, "it has the time of revocation", revoked);
    await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key });
    const again = await t.admin.inPanel("revokeApiKey", { id });
    t.equal(again.revokedAt, revoked.revokedAt, "revoking it again changes nothing");
    await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key });
    await t.admin.panelRefuses("revokeApiKey", { id: crypto.randomUUID() }, "NotFoundError");
  }).with({ holds: [ADMIN_KEYS] });
  test("S5.admin.key.expired: A key works until its expiry, and is then indistinguishable from an unknown one at every operation.", async (t) => {
    const { key, apiKey } = await t.admin.mint("WRITE");
    const expiresAt = new Date(apiKey.expiresAt);
    await t.admin.get("adminMembers", {}, { key });
    await t.until(expiresAt, -MARGIN_MS);
    await t.admin.get("adminMembers", {}, { key });
    await t.until(expiresAt);
    const unknown = `${partsOf(key).prefix}_${crypto.randomUUID()}.${partsOf(key).secret}`;
    for (const name of DESCRIBED_OPERATIONS) {
      const refused = await t.admin.refuses(name, anyArguments(name), "UNAUTHENTICATED", null, { key });
      const other = await t.admin.call(name, anyArguments(name), { key: unknown });
      t.equal(shapeOf(refused.answer), shapeOf(other.answer), `${name}: as an unknown key`);
    }
  }).with({ lane: "timeline", needs: ["admin", "clock"] });
  test("S5.admin.key.removed-admin: Removing an admin ends their keys and session at the next call, and adding them again restores neither.", async (t) => {
    const left = await withAdmin(t, SECOND_ADMIN, async (panel, member) => {
      const { key, apiKey } = await t.admin.mint("WRITE", { as: panel });
      t.equal(apiKey.createdBy, member.email, "the key acts as the admin");
      await t.admin.get("adminMembers", {}, { key });
      const removed = await t.admin.inPanel("removeAdminMember", { id: member.id });
      t.equal(removed.email, member.email, "the removed admin");
      await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key });
      t.fails(await t.admin.panel("apiKeys", {}, { as: panel, raw: true }), "UNAUTHENTICATED", "their session");
      t.equal(await t.admin.driver.signIn(SECOND_ADMIN), null, "they cannot sign in again");
      return { key, id: apiKey.id };
    });
    const listed = (await t.admin.inPanel("apiKeys", { first: 100 })).items.find(({ id }) => id === left.id);
    t.holds(listed?.revokedAt != null, "the key is revoked", listed);
    await withAdmin(t, SECOND_ADMIN, async () => {
      await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key: left.key });
    });
  }).with({ holds: [adminHold(SECOND_ADMIN)] });
  test("S5.admin.key.revoked-by-another: Any admin can revoke any key.", (t) =>
    withAdmin(t, THIRD_ADMIN, async (panel) => {
      const theirs = await t.admin.mint("READ", { as: panel });
      await t.admin.get("adminMembers", {}, { key: theirs.key });
      await t.admin.inPanel("revokeApiKey", { id: theirs.id });
      await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key: theirs.key });
      const own = await t.admin.mint("READ");
      await t.admin.inPanel("revokeApiKey", { id: own.id }, panel);
      await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key: own.key });
    })).with({ holds: [ADMIN_KEYS, adminHold(THIRD_ADMIN)] });
  test("S5.admin.key.label: A key has a printable label and one of the two scopes.", async (t) => {
    for (const label of ["", "  ", "\u200b", "two\nlines", "x".repeat(1_000), "a\0b"])
      await t.admin.panelRefuses("mintApiKey", { label, scope: "READ", lifetimeDays: 1 }, "InvalidInputError");
    await t.admin.panelRefuses("mintApiKey", { label: "a", scope: "ADMIN", lifetimeDays: 1 }, "BAD_USER_INPUT");
  });
  test("S5.admin.key.needs-no-confirmation: A WRITE key makes changes without a confirmation and acts as the admin who minted it.", async (t) => {
    const { id } = await t.admin.client();
    const client = await t.admin.get("setClientDisplayName", { id, displayName: "By a key only" });
    t.equal(client.displayName, "By a key only", "it is changed");
  });
  test("S8.admin.active-keys: An admin has at most five active keys, also of concurrent calls: the sixth is KEY_LIMIT.", async (t) => {
    await withAdmin(t, SECOND_ADMIN, async (as) => {
      const minted = [];
      for (let count = 0; count < 5; count += 1) minted.push(await t.admin.mint("READ", { as }));
      const sixth = { label: "sixth", scope: "READ", lifetimeDays: 1 };
      await t.admin.panelRefuses("mintApiKey", sixth, "ConflictError", "KEY_LIMIT", { as });
      for (const { key } of minted) await t.admin.get("adminMembers", {}, { key });
      await t.admin.inPanel("revokeApiKey", { id: minted[0]?.id ?? "" }, as);
      const { key } = await t.admin.mint("READ", { as });
      await t.admin.get("adminMembers", {}, { key });
      await t.admin.panelRefuses("mintApiKey", sixth, "ConflictError", "KEY_LIMIT", { as });
    });
    await withAdmin(t, SECOND_ADMIN, async (as) => {
      const args = { label: "concurrently", scope: "WRITE", lifetimeDays: 1 };
      const outcomes = await concurrently(10, () => t.admin.panel("mintApiKey", args, { as }));
      for (const { key } of t.exactly(5, outcomes, ["ConflictError KEY_LIMIT"]).values)
        await t.admin.get("adminMembers", {}, { key });
    });
  }).with({ holds: [adminHold(SECOND_ADMIN), BURST] });
  test("S8.admin.key-lifetime: A key is valid for 1 to 90 days, 30 in live mode, and every key expires.", (t) =>
    withAdmin(t, SECOND_ADMIN, async (as) => {
      const mint = (lifetimeDays: number) =>
        t.admin.panel("mintApiKey", { label: "lifetime", scope: "READ", lifetimeDays }, { as });
      const longest = await mint(90);
      const maximum = longest.ok ? 90 : 30;
      for (const days of [maximum + 1, 0, -1, 365_000]) t.fails(await mint(days), "InvalidInputError", `${days} days`);
      const kept = await t.admin.mint("READ", { as, lifetimeDays: maximum });
      const lifetimeMs = Date.parse(kept.apiKey.expiresAt) - Date.parse(kept.apiKey.createdAt);
      t.equal(lifetimeMs, maximum * DAY_MS, "the longest lifetime");
    })).with({ holds: [adminHold(SECOND_ADMIN)] });
  test("S5.admin.application-key: An application key is shown once, works immediately, expires as requested, and ends when it is revoked.", async (t) => {
    const { id } = await t.admin.client();
    const { key, credential } = await t.admin.inPanel("issueClientCredential", { id });
    t.matches(key, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{64}$/, "its format");
    t.equal(key.slice(0, key.indexOf(".")), credential.keyId, "its id");
    t.shows(credential, { expiresAt: null, revokedAt: null, lastUsedAt: null }, "its initial state");
    t.equal(await opens(t, key), "it is accepted", "the key");
    const timed = await t.admin.inPanel("issueClientCredential", { id, expiresInDays: 30 });
    const { createdAt, expiresAt } = timed.credential;
    t.equal(Date.parse(expiresAt ?? "") - Date.parse(createdAt), 30 * DAY_MS, "30 days of 24 hours");
    const listed = await t.admin.inPanel("clientCredentials", { id });
    t.equal(listed.map(({ keyId }) => keyId).sort(), [credential.keyId, timed.credential.keyId].sort(), "listed");
    t.holds(!JSON.stringify(listed).includes(key.slice(key.indexOf(".") + 1)), "the list contains no secret");
    const revoked = await t.admin.inPanel("revokeClientCredential", { id, keyId: credential.keyId });
    t.holds(revoked.revokedAt !== null, "it has the time of revocation", revoked);
    t.equal(await opens(t, key), "it is rejected", "the revoked key");
    t.fails(await t.callWith(t.caller(key), "integrationReadiness", {}), "UNAUTHENTICATED");
    t.equal(await opens(t, timed.key), "it is accepted", "the other key");
    const again = await t.admin.inPanel("revokeClientCredential", { id, keyId: credential.keyId });
    t.equal(again.revokedAt, revoked.revokedAt, "revoking it again changes nothing");
    for (const expiresInDays of [0, -1, 1_000_000])
      await t.admin.panelRefuses("issueClientCredential", { id, expiresInDays }, "InvalidInputError");
    for (const keyId of [crypto.randomUUID(), "none"])
      await t.admin.panelRefuses("revokeClientCredential", { id, keyId }, "NotFoundError");
    await t.admin.panelRefuses("issueClientCredential", { id: crypto.randomUUID() }, "NotFoundError");
    const other = await t.admin.client();
    const foreign = { id: other.id, keyId: timed.credential.keyId };
    await t.admin.panelRefuses("revokeClientCredential", foreign, "NotFoundError");
    t.equal(await opens(t, timed.key), "it is accepted", "another client's id does not revoke it");
  });
  test("S8.admin.active-application-keys: A client has at most two active keys, also of twenty concurrent calls, and revoking one allows another.", async (t) => {
    const { id } = await t.admin.client();
    const outcomes = await concurrently(20, () => t.admin.panel("issueClientCredential", { id }));
    const { values: issued } = t.exactly(2, outcomes, ["ConflictError KEY_LIMIT", "ConflictError ROW_BUSY"]);
    for (const { key } of issued) t.equal(await opens(t, key), "it is accepted", "a key that was issued");
    const active = (await t.admin.inPanel("clientCredentials", { id })).filter(({ revokedAt }) => revokedAt === null);
    t.equal(active.length, 2, "active ones in the list");
    await t.admin.panelRefuses("issueClientCredential", { id }, "ConflictError", "KEY_LIMIT");
    await t.admin.inPanel("revokeClientCredential", { id, keyId: issued[0]?.credential.keyId ?? "" });
    const { key } = await t.admin.inPanel("issueClientCredential", { id });
    t.equal(await opens(t, key), "it is accepted", "the key that replaced it");
    await t.admin.panelRefuses("issueClientCredential", { id }, "ConflictError", "KEY_LIMIT");
  }).with({ holds: [BURST] });
});
