import { PROVIDERS } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";

/** The providers beside PROVIDER_B, which cases change. */
const OTHERS = PROVIDERS.filter((provider) => provider !== "PROVIDER_B");

export const READINESS_CASES = defineCases({ needs: ["operator"] }, (test) => {
  test("S2.IntegrationReadiness.shape: Readiness has each provider once, with a boolean for each and for the identity handoff.", async (t) => {
    const { providers, idpIdentityAvailable } = await t.get("integrationReadiness", {});
    t.equal(providers.map(({ provider }) => provider).toSorted(), PROVIDERS, "the providers");
    const answers = [...providers.map(({ available }) => available), idpIdentityAvailable];
    t.equal([...new Set(answers.map((answer) => typeof answer))], ["boolean"], "a boolean");
  }).with({ needs: [], readSafe: true });
  test("S2.IntegrationReadiness.providers: Readiness reports once for each provider whether an attempt can be started.", async (t) => {
    t.equal(await t.availableProviders(), PROVIDERS, "all are available");
    for (const provider of PROVIDERS) await t.createSession({ provider });
    await t.setPolicy({ providers: [] });
    t.equal(await t.availableProviders(), [], "no provider is allowed");
  });
  test("S2.IntegrationReadiness.tenants: An application without a tenant can start neither an attempt nor the identity handoff.", async (t) => {
    const read = async () => {
      const { providers, idpIdentityAvailable } = await t.get("integrationReadiness", {});
      return [...providers.map(({ available }) => available), idpIdentityAvailable];
    };
    const before = await read();
    t.equal(before.slice(0, 3), [true, true, true], "with tenants");
    const id = await t.clientId();
    for (const tenantKey of t.application.tenantKeys) await t.admin.get("removeClientTenantKey", { id, tenantKey });
    t.equal(await read(), [false, false, false, false], "without a tenant");
    for (const tenantKey of t.application.tenantKeys) await t.admin.get("addClientTenantKey", { id, tenantKey });
    t.equal(await read(), before, "with tenants again");
  });
  test("S2.IntegrationReadiness.capabilities: A provider is available only where its registration serves a capability that the policy allows.", async (t) => {
    await t.whileRegistration("PROVIDER_B", { capabilities: ["CONTENT_LIST"] }, async () => {
      t.equal(await t.availableProviders(), PROVIDERS, "while the policy allows a served capability");
      await t.setPolicy({ capabilities: ["PROFILE"] });
      t.equal(await t.availableProviders(), OTHERS, "while it does not");
      await t.setPolicy({ capabilities: [] });
      t.equal(await t.availableProviders(), [], "while it allows none");
    });
  }).with({ lane: "alone" });
  test("S2.IntegrationReadiness.registrations: A provider whose registration is paused is not available, and no attempt can be started there.", async (t) => {
    await t.whileRegistration("PROVIDER_B", "PAUSED", async () => {
      t.equal(await t.availableProviders(), OTHERS, "while it is paused");
      const outcome = await t.call("createConnectSession", { input: t.connectInput({ provider: "PROVIDER_B" }) });
      t.holds(!outcome.ok, "an attempt is refused");
    });
    t.equal(await t.availableProviders(), PROVIDERS, "afterwards");
  }).with({ lane: "alone" });
  test("S2.IntegrationReadiness.identity: Readiness reports whether the application can start the identity handoff.", async (t) => {
    const read = async () => (await t.get("integrationReadiness", {})).idpIdentityAvailable;
    t.equal(await read(), true, "it can");
    await t.setIdentity(false);
    t.equal(await read(), false, "it cannot");
  }).with({ needs: ["operator", "identity"] });
  test("S2.Connection.sync-unless-connected: lastSuccessfulSyncAt and nextRetryAt are null on a row that is not CONNECTED.", async (t) => {
    const connected = await t.connectAndSettle();
    t.matches((await t.readConnection(connected)).lastSuccessfulSyncAt, /Z$/, "while it is CONNECTED");
    await t.disconnect(connected);
    const row = await t.listedConnection(connected);
    // A fast erasure leaves no row to check.
    if (row !== null) t.shows(row, { lastSuccessfulSyncAt: null, nextRetryAt: null, profile: null }, "when it is not");
  }).with({ needs: ["provider"] });
});
