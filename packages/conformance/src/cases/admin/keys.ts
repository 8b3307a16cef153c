import { randomUUID } from "node:crypto";
import { ADMIN_KEYS } from "../../context/adminApiClient.ts";
import { DAY_MS, MARGIN_MS } from "../../context/jobs.ts";
import { anyArguments, DESCRIBED_OPERATIONS } from "../../description/adminOperations.ts";
import { defineCasesWith } from "../../harness/defineCase.ts";
import { adminHold, SECOND_ADMIN, THIRD_ADMIN, withAdmin } from "./support/admins.ts";
import { partsOf } from "./support/credentials.ts";
import { shapeOf } from "./support/findings.ts";

export const ADMIN_KEY_CASES = defineCasesWith({ needs: ["admin"], application: "none" })({
  "S5.admin.key.shown-once": {
    title: "A minted key has the described format, is shown once, and is listed without its secret.",
    holds: [ADMIN_KEYS],
    run: async (t) => {
      const label = `conformance <b>${randomUUID()}</b>`;
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
    },
  },
  "S5.admin.key.revoked": {
    title: "A revoked key stops working at the next call and keeps its time of revocation.",
    holds: [ADMIN_KEYS],
    run: async (t) => {
      const { id, key } = await t.admin.mint("WRITE");
      await t.admin.get("adminMembers", {}, { key });
      const revoked = await t.admin.inPanel("revokeApiKey", { id });
      t.holds(revoked.revokedAt !== null, "it has the time of revocation", revoked);
      await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key });
      const again = await t.admin.inPanel("revokeApiKey", { id });
      t.equal(again.revokedAt, revoked.revokedAt, "revoking it again changes nothing");
      await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key });
      await t.admin.panelRefuses("revokeApiKey", { id: randomUUID() }, "NotFoundError");
    },
  },
  "S5.admin.key.expired": {
    title:
      "A key works until its expiry, for every operation; an expired key is indistinguishable from an unknown one.",
    lane: "timeline",
    needs: ["admin", "clock"],
    run: async (t) => {
      const { key, apiKey } = await t.admin.mint("WRITE");
      const expiresAt = new Date(apiKey.expiresAt);
      await t.admin.get("adminMembers", {}, { key });
      await t.until(expiresAt, -MARGIN_MS);
      await t.admin.get("adminMembers", {}, { key });
      await t.until(expiresAt);
      const unknown = `${partsOf(key).prefix}_${randomUUID()}.${partsOf(key).secret}`;
      for (const name of DESCRIBED_OPERATIONS) {
        const refused = await t.admin.refuses(name, anyArguments(name), "UNAUTHENTICATED", null, { key });
        const other = await t.admin.call(name, anyArguments(name), { key: unknown });
        t.equal(shapeOf(refused.answer), shapeOf(other.answer), `${name}: as an unknown key`);
      }
    },
  },
  "S5.admin.key.removed-admin": {
    title:
      "Removing an admin ends their keys and their session at the next call, and adding them again restores neither.",
    holds: [adminHold(SECOND_ADMIN)],
    run: async (t) => {
      const left = await withAdmin(t, SECOND_ADMIN, async (panel, member) => {
        const { key, apiKey } = await t.admin.mint("WRITE", { as: panel });
        t.equal(apiKey.createdBy, member.email, "the key acts as the admin");
        await t.admin.get("adminMembers", {}, { key });
        const removed = await t.admin.inPanel("removeAdminMember", { id: member.id });
        t.equal(removed.email, member.email, "the removed admin");
        await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key });
        const outcome = await t.admin.panel("apiKeys", {}, { as: panel, raw: true });
        t.equal(outcome.ok ? "it runs" : outcome.type, "UNAUTHENTICATED", "their session");
        t.equal(await t.admin.driver.signIn(SECOND_ADMIN), null, "they cannot sign in again");
        return { key, id: apiKey.id };
      });
      const listed = (await t.admin.inPanel("apiKeys", { first: 100 })).items.find(({ id }) => id === left.id);
      t.holds(listed?.revokedAt != null, "the key is revoked", listed);
      await withAdmin(t, SECOND_ADMIN, async () => {
        await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key: left.key });
      });
    },
  },
  "S5.admin.key.revoked-by-another": {
    title: "Any admin can revoke any key.",
    holds: [ADMIN_KEYS, adminHold(THIRD_ADMIN)],
    run: (t) =>
      withAdmin(t, THIRD_ADMIN, async (panel) => {
        const theirs = await t.admin.mint("READ", { as: panel });
        await t.admin.get("adminMembers", {}, { key: theirs.key });
        await t.admin.inPanel("revokeApiKey", { id: theirs.id });
        await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key: theirs.key });
        const own = await t.admin.mint("READ");
        await t.admin.inPanel("revokeApiKey", { id: own.id }, panel);
        await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { key: own.key });
      }),
  },
  "S5.admin.key.label": {
    title: "A key has a printable label and one of the two scopes.",
    run: async (t) => {
      for (const label of ["", "  ", "\u200b", "two\nlines", "x".repeat(1_000), "a\0b"]) {
        const args = { label, scope: "READ", lifetimeDays: 1 };
        await t.admin.panelRefuses("mintApiKey", args, "InvalidInputError");
      }
      const outcome = await t.admin.panel("mintApiKey", { label: "a", scope: "ADMIN", lifetimeDays: 1 });
      t.equal(outcome.ok ? "a key" : outcome.type, "BAD_USER_INPUT", "an unknown scope");
    },
  },
  "S5.admin.key.needs-no-confirmation": {
    title: "A WRITE key makes changes without a confirmation and acts as the admin who minted it.",
    run: async (t) => {
      const { id } = await t.admin.client();
      const client = await t.admin.get("setClientDisplayName", { id, displayName: "By a key only" });
      t.equal(client.displayName, "By a key only", "it is changed");
    },
  },
});
