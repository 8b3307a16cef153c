import { BURST, concurrently } from "../../context/findings.ts";
import { defineCasesWith } from "../../harness/defineCase.ts";
import { adminHold, SECOND_ADMIN, withAdmin } from "./support/admins.ts";

const DAY_MS = 86_400_000;

export const ADMIN_KEY_LIMIT_CASES = defineCasesWith({ needs: ["admin"], application: "none" })({
  "S8.admin.active-keys": {
    title:
      "An admin has at most five active keys: the sixth is KEY_LIMIT, revoking one allows another, and of ten concurrent calls five succeed.",
    holds: [adminHold(SECOND_ADMIN), BURST],
    run: async (t) => {
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
        const kept = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
        t.equal(kept.length, 5, "of ten concurrent calls");
        for (const outcome of outcomes) if (!outcome.ok) t.equal(outcome.reason, "KEY_LIMIT", "the others");
        for (const { key } of kept) await t.admin.get("adminMembers", {}, { key });
      });
    },
  },
  "S8.admin.key-lifetime": {
    title: "A key is valid for 1 to 90 days, 30 in live mode, and every key expires.",
    holds: [adminHold(SECOND_ADMIN)],
    run: (t) =>
      withAdmin(t, SECOND_ADMIN, async (as) => {
        const mint = (lifetimeDays: number) =>
          t.admin.panel("mintApiKey", { label: "lifetime", scope: "READ", lifetimeDays }, { as });
        const longest = await mint(90);
        const maximum = longest.ok ? 90 : 30;
        for (const days of [maximum + 1, 0, -1, 365_000]) {
          const outcome = await mint(days);
          t.equal(outcome.ok ? "a key" : outcome.type, "InvalidInputError", `${days} days`);
        }
        const kept = await t.admin.mint("READ", { as, lifetimeDays: maximum });
        const lifetimeMs = Date.parse(kept.apiKey.expiresAt) - Date.parse(kept.apiKey.createdAt);
        t.equal(lifetimeMs, maximum * DAY_MS, "the longest lifetime");
      }),
  },
});
