import { GOOD_ACCOUNT } from "../context/accounts.ts";
import { ALL_CAPABILITIES } from "../context/connections.ts";
import { PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import type { Capability } from "../target/target.ts";

/** The expected state of each granted capability while the registration serves these. */
function statesWhileServed(served: readonly Capability[]) {
  return ALL_CAPABILITIES.map((capability) =>
    served.includes(capability)
      ? { capability, availability: "AVAILABLE", reason: null }
      : { capability, availability: "UNAVAILABLE", reason: "CAPABILITY_UNAVAILABLE" },
  );
}

export const CONNECTION_CAPABILITY_CASES = defineCasesWith({ lane: "alone", needs: ["provider", "operator"] })({
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.CapabilityState.not-served-${provider}`,
    title: `A capability that the registration of ${provider} no longer serves is UNAVAILABLE on existing connections, and so are its operations.`,
    run: async (t) => {
      const { connected } = await t.scannedNewest(provider, GOOD_ACCOUNT[provider], 6);
      const before = await t.readConnection(connected);
      const [post] = await t.publicPosts(provider);
      t.equal(before.capabilities, statesWhileServed(ALL_CAPABILITIES), "while all are served");
      for (const served of [["PROFILE"], ["CONTENT_LIST"], ["CONTENT_LOOKUP", "CONTENT_METRICS"]] as const) {
        await t.whileRegistration(provider, { capabilities: served }, async () => {
          const row = await t.readConnection(connected);
          t.equal(row.status, "CONNECTED", "status");
          t.equal(row.capabilities, statesWhileServed(served), `while ${served.join(", ")} is served`);
          t.equal(row.profile !== null, (served as readonly Capability[]).includes("PROFILE"), "profile");
          t.equal((await t.listedConnection(connected))?.capabilities, row.capabilities, "as listed");
          await t.operationsFollow(connected, served, post?.id ?? "", post?.url ?? "");
        });
      }
      const after = await t.readConnection(connected);
      t.equal([after.capabilities, after.profile !== null], [before.capabilities, true], "once it serves all again");
    },
  })),
  "S2.ContentItem.metrics-not-served": {
    title: "While the registration does not serve CONTENT_METRICS, posts have no metrics, including stored ones.",
    run: async (t) => {
      const { connected, window } = await t.scannedNewest("PROVIDER_B", GOOD_ACCOUNT.PROVIDER_B, 6);
      const metrics = async () => {
        const page = await t.contentPage(connected, window);
        t.holds(page.items.length > 0, "there are posts");
        return [...new Set(page.items.map((item) => item.metrics.length))];
      };
      t.equal(await metrics(), [4], "metrics before");
      await t.whileRegistration("PROVIDER_B", { capabilities: ["CONTENT_LIST"] }, async () => {
        t.equal(await metrics(), [0], "stored metrics are not shown");
        await t.scan(connected, window);
        t.equal(await metrics(), [0], "and none are read");
      });
    },
  },
  "S4.createConnectSession.capability-not-served": {
    title: "An attempt that requests a capability which the registration does not serve is FORBIDDEN.",
    needs: ["operator"],
    run: async (t) => {
      await t.whileRegistration("PROVIDER_B", { capabilities: ["CONTENT_LIST"] }, async () => {
        await t.createSession({ provider: "PROVIDER_B", capabilities: ["CONTENT_LIST"] });
        for (const capabilities of [["PROFILE"], ["CONTENT_LIST", "PROFILE"]] as const) {
          const what = capabilities.join(", ");
          await t.refusesSession({ provider: "PROVIDER_B", capabilities }, "FORBIDDEN", what);
        }
      });
    },
  },
});
