import type { Connection } from "../_generated/consumerWire.ts";
import { accountHolds, DOWN, ENDED_ACCOUNT } from "../context/accounts.ts";
import type { Connected } from "../context/connections.ts";
import { flip } from "../context/findings.ts";
import type { Steps } from "../context/steps.ts";
import { PROVIDERS, providersWith } from "../description/providers.ts";
import { defineCases, pairsOf } from "../harness/defineCase.ts";
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
    for (const after of ["", "x", cursor.slice(1), `${cursor}A`, flip(cursor), "a".repeat(5_000)]) {
      await t.refuses("connections", { scope, first: 2, after }, "BAD_USER_INPUT", `cursor ${after.slice(0, 12)}…`);
    }
    const next = { scope, first: 2, after: cursor };
    await t.refuses("connections", { ...next, scope: t.scope() }, "BAD_USER_INPUT", "another subject");
    await t.refusesOtherApplication("connections", next, "BAD_USER_INPUT");
    t.equal((await t.get("connections", next)).items.length, 2, "its own");
  }).with({ needs: ["provider", "operator"] });
});

async function connectFive(t: Steps): Promise<{ scope: Connected["scope"]; ids: string[] }> {
  const scope = t.scope();
  const ids: string[] = [];
  for (const account of ["tidepool-studio", "unicode", "empty", "hidden-likes", "no-shares"]) {
    ids.push((await t.connect({ scope, account, capabilities: ["PROFILE"] })).connectionId);
  }
  return { scope, ids };
}
