import { randomUUID } from "node:crypto";
import { BURST, concurrently } from "../../context/findings.ts";
import type { Steps } from "../../context/steps.ts";
import { defineCasesWith } from "../../harness/defineCase.ts";

const DAY_MS = 86_400_000;

/** Whether a client's key authenticates at the consumer API. */
const opens = async (t: Steps, key: string) =>
  (await t.callWith(t.caller(key), "integrationReadiness", {})).ok ? "it is accepted" : "it is rejected";

export const ADMIN_CREDENTIAL_CASES = defineCasesWith({ needs: ["admin"], application: "none" })({
  "S5.admin.application-key": {
    title:
      "An application key is shown once, works immediately, expires as requested, and stops working when it is revoked.",
    run: async (t) => {
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
      for (const keyId of [randomUUID(), "none"])
        await t.admin.panelRefuses("revokeClientCredential", { id, keyId }, "NotFoundError");
      await t.admin.panelRefuses("issueClientCredential", { id: randomUUID() }, "NotFoundError");
      const other = await t.admin.client();
      const foreign = { id: other.id, keyId: timed.credential.keyId };
      await t.admin.panelRefuses("revokeClientCredential", foreign, "NotFoundError");
      t.equal(await opens(t, timed.key), "it is accepted", "another client's id does not revoke it");
    },
  },
  "S8.admin.active-application-keys": {
    title:
      "A client has at most two active keys: of twenty issued concurrently exactly two exist, and revoking one allows another.",
    holds: [BURST],
    run: async (t) => {
      const { id } = await t.admin.client();
      const outcomes = await concurrently(20, () => t.admin.panel("issueClientCredential", { id }));
      const issued = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
      t.equal(issued.length, 2, "of twenty concurrent calls");
      const reasons = new Set(outcomes.flatMap((outcome) => (outcome.ok ? [] : [`${outcome.type} ${outcome.reason}`])));
      for (const reason of reasons)
        t.oneOf(reason, ["ConflictError KEY_LIMIT", "ConflictError ROW_BUSY"], "the others");
      for (const { key } of issued) t.equal(await opens(t, key), "it is accepted", "a key that was issued");
      const active = (await t.admin.inPanel("clientCredentials", { id })).filter(({ revokedAt }) => revokedAt === null);
      t.equal(active.length, 2, "active ones in the list");
      await t.admin.panelRefuses("issueClientCredential", { id }, "ConflictError", "KEY_LIMIT");
      await t.admin.inPanel("revokeClientCredential", { id, keyId: issued[0]?.credential.keyId ?? "" });
      const { key } = await t.admin.inPanel("issueClientCredential", { id });
      t.equal(await opens(t, key), "it is accepted", "the key that replaced it");
      await t.admin.panelRefuses("issueClientCredential", { id }, "ConflictError", "KEY_LIMIT");
    },
  },
});
