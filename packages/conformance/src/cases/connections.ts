import type { Connection } from "../_generated/consumerWire.ts";
import { accountHolds, DOWN, ENDED_ACCOUNT, GOOD_ACCOUNT, SERVES_NONE } from "../context/accounts.ts";
import { flip } from "../context/findings.ts";
import type { Connected, Steps } from "../context/steps.ts";
import { ALL_CAPABILITIES, PROVIDERS, providersWith } from "../description/providers.ts";
import { defineCases, pairsOf } from "../harness/defineCase.ts";
import type { Capability } from "../target/target.ts";
import { allOf } from "../wire/call.ts";

export const CONNECTION_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const provider of PROVIDERS)
    test(`S2.Connection.fields-${provider}: A connection at ${provider} is first PENDING or RUNNING, then READY or PARTIAL, with a profile of its account.`, async (t) => {
      const connected = await t.connect({ provider });
      const first = await t.readConnection(connected);
      t.oneOf(first.syncStatus, ["PENDING", "RUNNING", "READY", "PARTIAL"], "syncStatus at first");
      const isRead = (one: Connection) => one.profile !== null && ["READY", "PARTIAL"].includes(one.syncStatus);
      const row = await t.untilRow(connected, "the first reads end", isRead);
      t.equal(row.status, "CONNECTED", "status");
      t.equal(row.profile?.providerAccountId, row.providerAccountId, "the profile's account");
      const given = Object.values(row.profile ?? {}).filter((value) => value !== null);
      t.holds(given.length > 0, "the profile is not empty");
      t.matches(row.profile?.displayName, /./, "displayName");
      t.matches(row.lastSuccessfulSyncAt, /Z$/, "lastSuccessfulSyncAt");
      t.equal(row.nextRetryAt, null, "nothing waits for a retry");
      t.equal((await t.listedConnection(connected))?.id, row.id, "it is listed");
    });
  test("S2.Connection.syncStatus.pending: A connection that was never scanned is PENDING.", async (t) => {
    const row = await t.readConnection(await t.connect({ capabilities: ["PROFILE"] }));
    t.shows(row, { syncStatus: "PENDING", lastSuccessfulSyncAt: null }, "syncStatus and lastSuccessfulSyncAt");
  });
  test("S2.Connection.profile.not-granted: Without PROFILE there is no profile.", async (t) => {
    const { connection } = await t.connectAndSettle({ capabilities: ["CONTENT_LIST"] });
    t.equal(connection.profile, null, "profile");
    const withProfile = await t.connectAndSettle({ capabilities: ["PROFILE"] });
    t.holds(withProfile.connection.profile !== null, "with PROFILE there is one");
  });
  test("S2.Connection.nextRetryAt: A sync that failed and will be retried has a retry time.", async (t) => {
    const connected = await t.connect({ account: "down" });
    const row = await t.untilRow(connected, "the scan fails temporarily", (one) => one.nextRetryAt !== null);
    t.matches(row.nextRetryAt, /Z$/, "nextRetryAt");
    t.shows(row, { syncStatus: "FAILED", lastSuccessfulSyncAt: null }, "the sync fields");
  });
  for (const provider of PROVIDERS)
    test(`S3.connection.first-scan-rate-limited-${provider}: A first scan at ${provider} that is rate-limited for a second is retried after it, not after a day.`, async (t) => {
      const connected = await t.connect({ provider, account: "rate-limited" });
      const isReady = (one: Connection) => one.syncStatus === "READY";
      const row = await t.untilRow(connected, "the scan is retried and succeeds", isReady);
      t.equal(row.nextRetryAt, null, "nothing waits to be retried");
      t.holds(t.saw("enum:SyncStatus.FAILED"), "the first attempt was visible");
    });
  for (const provider of providersWith("hasRefreshToken"))
    test(`S3.connection.end-not-confirmed-${provider}: A rejected access token does not end a connection at ${provider}: the rejected refresh after it does.`, async (t) => {
      const account = ENDED_ACCOUNT[provider];
      const connected = await t.connectAndSettle({ provider, account });
      const statusListed = async () => (await t.listedConnection(connected))?.status;
      await t.whileFault(provider, "refresh", DOWN, { account }, async () => {
        await t.provider.endGrants(provider, account);
        await t.untilRetry(connected, await t.requestLookup(connected, provider, account));
        t.equal(await statusListed(), "CONNECTED", "while the refresh fails");
      });
      await t.eventually("the refresh is rejected", statusListed, (status) => status === "RECONNECT_REQUIRED");
    }).with({ holds: accountHolds(provider, ENDED_ACCOUNT[provider]) });
});

export const CONNECTION_PAGING_CASES = defineCases({}, (test) => {
  test("S4.connections.empty: A subject without connections gets an empty page without a cursor.", async (t) => {
    const page = await t.get("connections", { scope: t.scope() });
    t.equal([page.items, page.pageInfo], [[], { endCursor: null, hasNextPage: false }], "the page");
  }).with({ readSafe: true, needs: ["tenant"] });
  test("S4.connections.paging: Paging through connections returns every row once, in pages of at most `first`.", async (t) => {
    const { scope, ids } = await connectFive(t);
    for (const first of [1, 2, 5, 100]) {
      const rows = await allOf(async (after) => {
        const page = await t.get("connections", { scope, first, after });
        t.holds(page.items.length <= first, `at most ${first} items`, page.items.length);
        const { hasNextPage, endCursor } = page.pageInfo;
        t.holds(!hasNextPage || endCursor !== null, "a page with a next one has a cursor");
        return page;
      });
      t.equal(rows.map((row) => row.id).toSorted(), ids.toSorted(), `every row once, ${first} a page`);
    }
  }).with({ needs: ["provider"] });
  test("S4.connections.default-page: Without `first`, a page has 20 rows.", async (t) => {
    const { scope } = await connectFive(t);
    t.equal((await t.get("connections", { scope })).items.length, 5, "five rows fit");
    t.equal((await t.get("connections", { scope, first: null })).items.length, 5, "null is the same as absent");
    const others = ["rate-limited", "slow", "deleted-post", "private-post", "burst", "hostile-text", "other-forms"];
    for (const [provider, account] of pairsOf(["PROVIDER_B", "PROVIDER_C"], [...others, "thousand-posts"]))
      await t.connect({ scope, provider, account, capabilities: ["PROFILE"] });
    const page = await t.get("connections", { scope });
    t.equal([page.items.length, page.pageInfo.hasNextPage], [20, true], "21 rows do not");
    const rest = await t.get("connections", { scope, after: page.pageInfo.endCursor });
    t.equal([rest.items.length, rest.pageInfo.hasNextPage], [1, false], "the last one is on the next page");
    const { endCursor } = rest.pageInfo;
    t.holds(endCursor !== null, "the last page has a cursor too");
    const beyond = await t.get("connections", { scope, after: endCursor });
    t.equal([beyond.items, beyond.pageInfo], [[], { endCursor, hasNextPage: false }], "nothing follows it yet");
  }).with({ needs: ["provider"] });
  test("S4.connections.cursor: A cursor of connections is opaque, bound to its subject and application, and refused when it is altered.", async (t) => {
    const { scope, ids } = await connectFive(t);
    const { pageInfo } = await t.get("connections", { scope, first: 2 });
    const cursor = pageInfo.endCursor ?? "";
    const plain = Buffer.from(cursor, "base64url").toString("latin1");
    for (const id of ids) t.holds(!plain.includes(id), "it contains no readable id");
    for (const after of ["", "x", cursor.slice(1), `${cursor}A`, flip(cursor), "a".repeat(5_000)])
      await t.refuses("connections", { scope, first: 2, after }, "BAD_USER_INPUT", `cursor ${after.slice(0, 12)}…`);
    const next = { scope, first: 2, after: cursor };
    await t.refuses("connections", { ...next, scope: t.scope() }, "BAD_USER_INPUT", "another subject");
    await t.refusesOtherApplication("connections", next, "BAD_USER_INPUT");
    t.equal((await t.get("connections", next)).items.length, 2, "its own");
  }).with({ needs: ["provider", "operator"] });
});

async function connectFive(t: Steps): Promise<{ scope: Connected["scope"]; ids: string[] }> {
  const scope = t.scope();
  const ids: string[] = [];
  for (const account of ["tidepool-studio", "unicode", "empty", "hidden-likes", "no-shares"])
    ids.push((await t.connect({ scope, account, capabilities: ["PROFILE"] })).connectionId);
  return { scope, ids };
}

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
      for (const capabilities of [["PROFILE"], ["CONTENT_LIST", "PROFILE"]] as const)
        await t.refusesSession({ provider: "PROVIDER_B", capabilities }, "FORBIDDEN", capabilities.join(", "));
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
      const { connected } = await t.eventually("a read before the first content call", connect, ({ isRead }) => isRead);
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
