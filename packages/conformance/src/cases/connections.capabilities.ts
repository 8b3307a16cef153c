import { GOOD_ACCOUNT, SERVES_NONE } from "../context/accounts.ts";
import { ALL_CAPABILITIES, type Connected } from "../context/connections.ts";
import type { Steps } from "../context/steps.ts";
import { PROVIDERS } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";
import type { Capability } from "../target/target.ts";

/** The expected state of each granted capability while the registration serves these. */
function statesWhileServed(served: readonly Capability[]) {
  return ALL_CAPABILITIES.map((capability) =>
    served.includes(capability)
      ? { capability, availability: "AVAILABLE", reason: null }
      : { capability, availability: "UNAVAILABLE", reason: "CAPABILITY_UNAVAILABLE" },
  );
}

export const CONNECTION_CAPABILITY_CASES = defineCases({ lane: "alone", needs: ["provider", "operator"] }, (test) => {
  for (const provider of PROVIDERS)
    test(`S2.CapabilityState.not-served-${provider}: A capability that the registration of ${provider} no longer serves is UNAVAILABLE on existing connections, and so are its operations.`, async (t) => {
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
          await t.operationsFollow(connected, served, post ?? { id: "", url: "" });
        });
      }
      const after = await t.readConnection(connected);
      t.equal([after.capabilities, after.profile !== null], [before.capabilities, true], "once it serves all again");
    });
  test("S2.ContentItem.metrics-not-served: While the registration does not serve CONTENT_METRICS, posts have no metrics, including stored ones.", async (t) => {
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
  });
  test("S4.createConnectSession.capability-not-served: An attempt that requests a capability which the registration does not serve is FORBIDDEN.", async (t) => {
    await t.whileRegistration("PROVIDER_B", { capabilities: ["CONTENT_LIST"] }, async () => {
      await t.createSession({ provider: "PROVIDER_B", capabilities: ["CONTENT_LIST"] });
      for (const capabilities of [["PROFILE"], ["CONTENT_LIST", "PROFILE"]] as const) {
        await t.refusesSession({ provider: "PROVIDER_B", capabilities }, "FORBIDDEN", capabilities.join(", "));
      }
    });
  }).with({ needs: ["operator"] });
});

async function refusedAndListed(t: Steps, connected: Connected, code: string, status: string): Promise<void> {
  await t.connectionRefused(connected, code);
  t.isWithheldInList(await t.listedConnection(connected), status, code);
}

async function servedAgain(t: Steps, connected: Connected): Promise<void> {
  t.equal((await t.readConnection(connected)).status, "CONNECTED", "it is served again");
}

export const RECHECK_CASES = defineCases({ needs: ["provider", "operator"] }, (test) => {
  for (const [what, state, code] of [
    ["paused", "PAUSED", "AUTHORIZATION_SUSPENDED"],
    ["not-served", SERVES_NONE, "CAPABILITY_UNAVAILABLE"],
  ] as const)
    test(`S3.rule1.${what}: While the registration is ${what} for the application, connection is ${code} and connections shows SUSPENDED.`, async (t) => {
      const connected = await t.connectAndSettle();
      await t.whileRegistration("PROVIDER_C", state, async () => {
        await refusedAndListed(t, connected, code, "SUSPENDED");
        await t.contentRefused(connected, code);
        t.equal(await t.availableProviders(), ["PROVIDER_A", "PROVIDER_B"], "readiness");
      });
      await servedAgain(t, connected);
    }).with({ lane: "alone" });
  test("S3.rule1.policy-tenant: When the policy no longer allows the tenant, connection and connections as a whole are FORBIDDEN.", async (t) => {
    const connected = await t.connectAndSettle();
    const { scope } = connected;
    const tenant = { id: await t.clientId(), tenantKey: scope.tenantKey };
    await t.admin.get("removeClientTenantKey", tenant);
    await t.connectionRefused(connected, "FORBIDDEN");
    await t.refuses("connections", { scope }, "FORBIDDEN");
    await t.admin.get("addClientTenantKey", tenant);
    await servedAgain(t, connected);
  });
  for (const [id, policy] of [
    ["S3.rule1.policy-provider", { providers: ["PROVIDER_A"] }],
    ["S3.rule1.policy-capability", { capabilities: ["PROFILE"] }],
    ["S4.admin.effect.provider", { providers: ["PROVIDER_A", "PROVIDER_B"] }],
    ["S4.admin.effect.capability", { capabilities: ["PROFILE", "CONTENT_LOOKUP", "CONTENT_METRICS"] }],
  ] as const)
    test(`${id}: While the policy is ${JSON.stringify(policy)}, connection is FORBIDDEN and connections shows SUSPENDED.`, async (t) => {
      const connected = await t.connectAndSettle();
      const undo = await t.setPolicy(policy);
      await refusedAndListed(t, connected, "FORBIDDEN", "SUSPENDED");
      await t.contentRefused(connected, "FORBIDDEN");
      await t.refusesSession({}, "FORBIDDEN");
      await undo();
      await servedAgain(t, connected);
    });
  for (const provider of PROVIDERS)
    test(`S3.rule1.grant-gone-${provider}: When ${provider} reports that the grant is revoked, the connection needs a reconnect, in every operation until it is reconnected.`, async (t) => {
      // The grant ends at the first content call, which a worker may make before the first read.
      const connect = async () => {
        const connected = await t.connect({ provider, account: "removed-app" });
        const seen = await t.connectionOutcome(connected);
        return { connected, isRead: seen.ok && seen.value.status === "CONNECTED" };
      };
      const what = "a read before the first content call";
      const { connected } = await t.eventually(what, connect, ({ isRead }) => isRead);
      const row = await t.eventually(
        "the first content call detects the revoked grant",
        () => t.connectionOutcome(connected),
        (outcome) => !outcome.ok || outcome.value.status !== "CONNECTED",
      );
      t.isWithheld(t.value(row), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
      t.isWithheld(await t.listedConnection(connected), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
      await t.contentRefused(connected, "RECONNECT_REQUIRED");
      const { scope, connectionId: reconnectConnectionId } = connected;
      const again = await t.connect({ provider, account: "removed-app", scope, reconnectConnectionId });
      t.equal(again.connectionId, connected.connectionId, "the id after a reconnect");
    }).with({ needs: ["provider"] });
});
