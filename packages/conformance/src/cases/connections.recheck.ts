import { SERVES_NONE } from "../context/accounts.ts";
import type { Connected } from "../context/connections.ts";
import type { Steps } from "../context/steps.ts";
import { PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";

async function refusedAndListed(t: Steps, connected: Connected, code: string, status: string): Promise<void> {
  await t.connectionRefused(connected, code);
  t.isWithheldInList(await t.listedConnection(connected), status, code);
}

async function servedAgain(t: Steps, connected: Connected): Promise<void> {
  t.equal((await t.readConnection(connected)).status, "CONNECTED", "it is served again");
}

export const RECHECK_CASES = defineCasesWith({ needs: ["provider", "operator"] })({
  ...caseForEach(
    [
      ["paused", "PAUSED", "AUTHORIZATION_SUSPENDED"],
      ["not-served", SERVES_NONE, "CAPABILITY_UNAVAILABLE"],
    ],
    ([what, state, code]) => ({
      id: `S3.rule1.${what}`,
      title: `While the registration is ${what} for the application, connection is ${code} and connections shows SUSPENDED.`,
      lane: "alone",
      run: async (t) => {
        const connected = await t.connectAndSettle();
        await t.whileRegistration("PROVIDER_C", state, async () => {
          await refusedAndListed(t, connected, code, "SUSPENDED");
          await t.contentRefused(connected, code);
          t.equal(await t.availableProviders(), ["PROVIDER_A", "PROVIDER_B"], "readiness");
        });
        await servedAgain(t, connected);
      },
    }),
  ),
  "S3.rule1.policy-tenant": {
    title: "When the policy no longer allows the tenant, connection and connections as a whole are FORBIDDEN.",
    run: async (t) => {
      const connected = await t.connectAndSettle();
      const { scope } = connected;
      const tenant = { id: await t.clientId(), tenantKey: scope.tenantKey };
      await t.admin.get("removeClientTenantKey", tenant);
      await t.connectionRefused(connected, "FORBIDDEN");
      await t.refuses("connections", { scope }, "FORBIDDEN");
      await t.admin.get("addClientTenantKey", tenant);
      await servedAgain(t, connected);
    },
  },
  ...caseForEach(
    [
      ["S3.rule1.policy-provider", { providers: ["PROVIDER_A"] }],
      ["S3.rule1.policy-capability", { capabilities: ["PROFILE"] }],
      ["S4.admin.effect.provider", { providers: ["PROVIDER_A", "PROVIDER_B"] }],
      ["S4.admin.effect.capability", { capabilities: ["PROFILE", "CONTENT_LOOKUP", "CONTENT_METRICS"] }],
    ],
    ([id, policy]) => ({
      id,
      title: `While the policy is ${JSON.stringify(policy)}, connection is FORBIDDEN and connections shows SUSPENDED.`,
      run: async (t) => {
        const connected = await t.connectAndSettle();
        const undo = await t.setPolicy(policy);
        await refusedAndListed(t, connected, "FORBIDDEN", "SUSPENDED");
        await t.contentRefused(connected, "FORBIDDEN");
        await t.refusesSession({}, "FORBIDDEN");
        await undo();
        await servedAgain(t, connected);
      },
    }),
  ),
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S3.rule1.grant-gone-${provider}`,
    title: `When ${provider} reports that the grant is revoked, the connection needs a reconnect, in every operation until it is reconnected.`,
    needs: ["provider"],
    run: async (t) => {
      // The grant ends at the first content call, which a worker may make before the first read.
      const { connected } = await t.eventually(
        "a read before the first content call",
        async () => {
          const connected = await t.connect({ provider, account: "removed-app" });
          return { connected, seen: await t.connectionOutcome(connected) };
        },
        ({ seen }) => seen.ok && seen.value.status === "CONNECTED",
      );
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
    },
  })),
});
