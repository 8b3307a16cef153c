import { daysBack } from "../context/jobs.ts";
import { PROVIDERS } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";

export const RECONNECT_CASES = defineCases({ needs: ["provider"] }, (test) => {
  test("S2.metrics.narrower-reconnect: Metrics from before a reconnect without CONTENT_METRICS stay deleted after a later reconnect with it.", async (t) => {
    const connected = await t.connectAndSettle();
    const { scope, connectionId } = connected;
    const now = await t.now();
    const metrics = async () => {
      const { items } = await t.contentPage(connected, daysBack(now, 30));
      t.holds(items.length > 0, "there are posts");
      return items.flatMap((item) => item.metrics.map(({ observedAt }) => ({ observedAt, of: item.publishedAt })));
    };
    // The first scan of a connection covers 7 days: older posts are not read again after a reconnect.
    await t.scan(connected, daysBack(now, 30));
    const { publishedAfter: eightDaysAgo } = daysBack(now, 8);
    const older = (await metrics()).filter(({ of }) => Date.parse(of ?? "") < Date.parse(eightDaysAgo));
    t.holds(older.length > 0, "there are metrics of posts that no reconnect reads again");
    const narrower = { capabilities: ["PROFILE", "CONTENT_LIST"] } as const;
    await t.connectAndSettle({ scope, reconnectConnectionId: connectionId, ...narrower });
    t.equal(await metrics(), [], "without CONTENT_METRICS");
    const narrowed = await t.now();
    await t.connect({ scope, reconnectConnectionId: connectionId });
    for (const { observedAt } of await metrics())
      t.holds(Date.parse(observedAt) >= narrowed.getTime(), "no metric is older than the consent", observedAt);
  });
  test("S3.attempt.account-mismatch: A reconnect with another account ends FAILED with ACCOUNT_MISMATCH and changes nothing.", async (t) => {
    const { scope, connectionId } = await t.connect();
    const { result } = await t.attempt({ scope, reconnectConnectionId: connectionId, account: "linen-and-clay" });
    // PROVIDER_C does not revoke the grant.
    t.ends(result, "FAILED", "ACCOUNT_MISMATCH", { creatorAction: "REMOVE_APP_AT_PROVIDER" });
    const { items } = await t.get("connections", { scope });
    t.equal(items.length, 1, "the connections");
    t.shows(items[0], { id: connectionId, status: "CONNECTED" }, "the connection");
  }).with({ holds: ["account:C:linen-and-clay"] });
  test("S3.attempt.nothing-granted-PROVIDER_B: A user who reconnects at PROVIDER_B and deselects every scope is DENIED and keeps the working connection.", async (t) => {
    const connected = await t.connectAndSettle({ provider: "PROVIDER_B" });
    const { scope, connectionId } = connected;
    const again = { provider: "PROVIDER_B", scope, reconnectConnectionId: connectionId, scopes: () => [] } as const;
    t.ends((await t.attempt(again)).result, "DENIED", "NO_CAPABILITY_GRANTED");
    // A revoke would run concurrently: two consecutive reads leave it time.
    for (const days of [3, 4]) {
      const job = await t.scan(connected, daysBack(await t.now(), days));
      t.shows(job, { status: "SUCCEEDED", errorCode: null }, "a read with the previous grant");
    }
    t.equal((await t.readConnection(connected)).status, "CONNECTED", "the connection");
  });
  test("S3.attempt.single-scope-PROVIDER_A: The single scope of PROVIDER_A cannot be deselected: allowing grants it.", async (t) => {
    t.ends((await t.attempt({ provider: "PROVIDER_A", scopes: () => [] })).result, "COMPLETED", null);
  });
  for (const from of ["CREATED", "AUTHORIZING"] as const)
    test(`S3.attempt.superseded-${from}: A reconnect that is ${from} is CANCELED with SUPERSEDED when a newer reconnect of the same connection is launched.`, async (t) => {
      const { scope, connectionId } = await t.connect();
      const browser = t.browser();
      const older = await t.createSession({ scope, reconnectConnectionId: connectionId });
      const page = from === "AUTHORIZING" ? await t.launched(older, browser) : null;
      const newer = await t.createSession({ scope, reconnectConnectionId: connectionId });
      t.equal((await t.resultOf(older)).status, from, "a newer attempt that was only created cancels nothing");
      t.equal((await t.postLaunch(newer)).status, 303, "the newer attempt is launched");
      t.ends(await t.resultOf(older), "CANCELED", "SUPERSEDED");
      if (page === null)
        t.holds((await t.postLaunch(older)).status >= 400, "the older attempt can no longer be launched");
      else {
        await browser.get(await t.provider.consent(page, { account: "tidepool-studio" }));
        t.ends(await t.resultOf(older), "CANCELED", "SUPERSEDED");
      }
    });
  test("S3.attempt.superseded-order: Each launch cancels the reconnects that were created before it, and none that were created after it.", async (t) => {
    const { scope, connectionId } = await t.connect();
    const create = () => t.createSession({ scope, reconnectConnectionId: connectionId });
    const [first, second, third, fourth] = [await create(), await create(), await create(), await create()];
    const sessions = [first, second, third, fourth];
    const statuses = () => Promise.all(sessions.map(async (session) => (await t.resultOf(session)).status));
    t.equal((await t.postLaunch(second)).status, 303, "the second is launched");
    t.equal(await statuses(), ["CANCELED", "AUTHORIZING", "CREATED", "CREATED"], "after the launch of the second");
    t.equal((await t.postLaunch(fourth)).status, 303, "the fourth is launched");
    t.equal(await statuses(), ["CANCELED", "CANCELED", "CANCELED", "AUTHORIZING"], "after the launch of the fourth");
    t.ends(await t.resultOf(second), "CANCELED", "SUPERSEDED");
  });
  test("S3.attempt.first-time-attempts-coexist: First-time attempts never cancel each other.", async (t) => {
    const scope = t.scope();
    const first = await t.createSession({ scope });
    await t.launched(first, t.browser());
    const second = await t.createSession({ scope });
    await t.walkThrough(second, { account: "tidepool-studio" });
    t.equal((await t.resultOf(first)).status, "AUTHORIZING", "the first");
    t.equal((await t.resultOf(second)).status, "COMPLETED", "the second");
  });
  for (const from of ["CREATED", "AUTHORIZING"] as const)
    test(`S3.attempt.reconnect-target-gone-${from}: A reconnect that is ${from} is CANCELED with RECONNECT_TARGET_GONE when its connection is disconnected.`, async (t) => {
      const { scope, connectionId } = await t.connect();
      const session = await t.createSession({ scope, reconnectConnectionId: connectionId });
      if (from === "AUTHORIZING") await t.launched(session, t.browser());
      await t.get("disconnectConnection", { scope, connectionId });
      t.ends(await t.resultOf(session), "CANCELED", "RECONNECT_TARGET_GONE");
    });
  for (const provider of PROVIDERS)
    test(`S2.Connection.id.reconnect-${provider}: A reconnect at ${provider} keeps the connection's id, and so does connecting the same account again.`, async (t) => {
      const { scope, connectionId } = await t.connect({ provider });
      const again = await t.connect({ provider, scope, reconnectConnectionId: connectionId });
      t.equal(again.connectionId, connectionId, "with a reconnect target");
      t.equal((await t.connect({ provider, scope })).connectionId, connectionId, "without one");
      t.equal((await t.get("connections", { scope })).items.length, 1, "one connection");
      t.equal((await t.readConnection({ scope, connectionId })).status, "CONNECTED", "the connection");
    });
  test("S2.Connection.capabilities.latest-consent: Capabilities are those of the latest consent.", async (t) => {
    const { scope, connectionId } = await t.connect({ capabilities: ["PROFILE"] });
    const capabilities = ["CONTENT_LIST", "CONTENT_METRICS"] as const;
    await t.connect({ scope, reconnectConnectionId: connectionId, capabilities });
    const row = await t.readConnection({ scope, connectionId });
    t.equal(row.capabilities.map((entry) => entry.capability).sort(), [...capabilities], "capabilities");
    t.equal(row.profile, null, "without PROFILE there is no profile");
  });
  test("S3.connection.other-scope-is-another: The same account connected by another subject is another connection.", async (t) => {
    const [one, other] = [await t.connect(), await t.connect()];
    t.holds(one.connectionId !== other.connectionId, "two ids");
    await t.refuses("connection", { scope: one.scope, id: other.connectionId }, "NOT_FOUND");
    t.equal((await t.readConnection(one)).status, "CONNECTED", "the first");
    t.holds((await t.listedConnection(other)) !== null, "each is listed for its own subject");
  });
});
