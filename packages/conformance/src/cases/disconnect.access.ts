import type { Connection } from "../_generated/consumerWire.ts";
import { accountHolds, REVOCABLE, revocableHolds } from "../context/accounts.ts";
import { BURST, concurrently } from "../context/findings.ts";
import { daysBack, MAX_POLLS } from "../context/jobs.ts";
import type { Steps } from "../context/steps.ts";
import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";

const ENDING = ["DISCONNECTED", "DELETING"];

function saysNothing(t: Steps, row: Connection): void {
  t.shows(row, { profile: null, lastSuccessfulSyncAt: null, nextRetryAt: null }, "profile and sync times");
}

export const DISCONNECT_ACCESS_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const provider of PROVIDERS)
    test(`S4.disconnect.access-stops-${provider}: After a disconnect at ${provider} content is immediately NOT_FOUND by every operation.`, async (t) => {
      const account = REVOCABLE[provider];
      const { connected, items } = await t.scannedNewest(provider, account, 2);
      t.holds(items.length > 0, "there is content before");
      const post = { id: items[0]?.providerContentId ?? "", url: PROVIDER_FACTS[provider].postUrls[0] };
      const ended = await t.disconnect(connected);
      await t.contentRefused(connected, "NOT_FOUND", post);
      await t.erased(connected, ended);
      await t.contentRefused(connected, "NOT_FOUND", post);
    }).with({ holds: revocableHolds(provider) });
  test("S3.rule6.disconnect-in-progress: A reconnect of a connection that is being disconnected is DISCONNECT_IN_PROGRESS; once erased, NOT_FOUND.", async (t) => {
    for (let round = 0; round < MAX_POLLS && !t.saw("code:DISCONNECT_IN_PROGRESS"); round += 1) {
      const { scope, connectionId } = await t.connect();
      const input = t.connectInput({ scope, reconnectConnectionId: connectionId });
      t.value(await t.call("createConnectSession", { input }), "while it is connected it may be reconnected");
      const ended = await t.disconnect({ scope, connectionId });
      const outcome = await t.call("createConnectSession", { input });
      t.oneOf(outcome.ok ? "created" : outcome.code, ["DISCONNECT_IN_PROGRESS", "NOT_FOUND"], "code");
      await t.erased({ scope, connectionId }, ended);
      await t.refuses("createConnectSession", { input }, "NOT_FOUND");
    }
    t.holds(t.saw("code:DISCONNECT_IN_PROGRESS"), "DISCONNECT_IN_PROGRESS was visible");
  });
  test("S3.rule6.settling: While its revoke settles, a disconnected connection at PROVIDER_B cannot be a reconnect target.", async (t) => {
    const connected = await t.connect({ provider: "PROVIDER_B", account: REVOCABLE.PROVIDER_B });
    const { scope, connectionId } = connected;
    await t.whileRevoking(connected, "PROVIDER_B", REVOCABLE.PROVIDER_B, async () => {
      const fields = { scope, provider: "PROVIDER_B" } as const;
      const reconnect = t.connectInput({ ...fields, reconnectConnectionId: connectionId });
      const outcome = await t.call("createConnectSession", { input: reconnect });
      // Both apply, and the description does not define which takes precedence.
      t.oneOf(outcome.ok ? "created" : outcome.code, ["DISCONNECT_IN_PROGRESS", "FORBIDDEN"], "code");
      await t.refusesSession(fields, "FORBIDDEN", "a first-time attempt");
    });
  }).with({ holds: revocableHolds("PROVIDER_B") });
  for (const provider of PROVIDERS)
    test(`S4.disconnect.against-policy-${provider}: A connection at ${provider} can be disconnected although the policy no longer allows the provider, and is erased.`, async (t) => {
      const connected = await t.connect({ provider, account: REVOCABLE[provider] });
      await t.setPolicy({ providers: PROVIDERS.filter((one) => one !== provider).slice(0, 1) });
      await t.connectionRefused(connected, "FORBIDDEN");
      const ended = await t.disconnectAndErase(connected);
      const revoke = await t.readJob(connected, ended.revokeJobId);
      t.equal(revoke.status, PROVIDER_FACTS[provider].canRevoke ? "SUCCEEDED" : "FAILED", "the revoke receipt");
    }).with({ needs: ["provider", "operator"], holds: revocableHolds(provider) });
  test("S4.disconnect.while-paused: A connection can be disconnected while the provider's registration is paused, and is erased.", async (t) => {
    const connected = await t.connect({ provider: "PROVIDER_B" });
    await t.whileRegistration("PROVIDER_B", "PAUSED", async () => {
      await t.connectionRefused(connected, "AUTHORIZATION_SUSPENDED");
      const ended = await t.disconnect(connected);
      await t.refuses("requestRefresh", connected, "NOT_FOUND");
      await t.erased(connected, ended);
      t.equal((await t.readJob(connected, ended.revokeJobId)).status, "SUCCEEDED", "the revoke");
    });
  }).with({ lane: "alone", needs: ["provider", "operator"] });
  test("S4.disconnect.unknown: A disconnect of a connection that does not exist is NOT_FOUND.", async (t) => {
    for (const connectionId of [crypto.randomUUID(), "no-id", ""])
      await t.refuses("disconnectConnection", { scope: t.scope(), connectionId }, "NOT_FOUND");
  }).with({ needs: [] });
  test("S3.disconnect.listed-until-erased: A disconnected connection is DISCONNECTED, then DELETING, without a profile, and NOT_FOUND once erased.", async (t) => {
    const fields = { provider: "PROVIDER_B", account: "unicode" } as const;
    // On a busy machine the erasure often begins before the first read.
    for (let round = 0; round < 4 * MAX_POLLS && !t.saw("enum:ConnectionStatus.DISCONNECTED"); round += 1) {
      const connected = await t.connect(fields);
      t.equal((await t.readConnection(connected)).status, "CONNECTED", "before");
      await t.whileRevoking(connected, "PROVIDER_B", "unicode", async () => {
        const row = await t.readConnection(connected);
        t.oneOf(row.status, ENDING, "status after the disconnect");
        saysNothing(t, row);
        t.oneOf((await t.listedConnection(connected))?.status, ENDING, "status in the list");
      });
    }
    t.holds(t.saw("enum:ConnectionStatus.DISCONNECTED"), "DISCONNECTED was visible");
    const last = await t.connect(fields);
    await t.whileRevoking(last, "PROVIDER_B", "unicode", async () => {
      saysNothing(t, await t.untilStatus(last, "DELETING"));
      t.equal((await t.listedConnection(last))?.status, "DELETING", "status in the list");
    });
    t.equal(await t.listedConnection(last), null, "erased, it is not listed");
    await t.refuses("disconnectConnection", last, "NOT_FOUND");
  }).with({ holds: accountHolds("PROVIDER_B", "unicode") });
  test("S4.disconnect.jobs-in-flight: A scan and a lookup in flight when their connection is disconnected end CANCELED with DISCONNECTED.", async (t) => {
    const connected = await t.connectAndSettle({ provider: "PROVIDER_B", account: "slow" });
    const [post] = await t.provider.posts("PROVIDER_B", "slow");
    await t.whileRevokeFails("PROVIDER_B", "slow", async () => {
      const window = daysBack(await t.now(), 60);
      const jobs = [
        await t.get("requestRefresh", { ...connected, window }),
        await t.get("requestContentLookup", { ...connected, url: post?.url ?? "" }),
      ];
      await t.disconnect(connected);
      for (const { id } of jobs) {
        const job = await t.readJob(connected, id);
        t.shows(job, { status: "CANCELED", errorCode: "DISCONNECTED", nextRetryAt: null }, "the job, immediately");
        t.shows(job, { continuationCursor: null, resultProviderContentId: null }, "its result");
      }
    });
  }).with({ holds: accountHolds("PROVIDER_B", "slow") });
  test("S4.disconnect.idempotent: 50 concurrent disconnects of one connection during a scan return the same two job ids.", async (t) => {
    const connected = await t.connect({ provider: "PROVIDER_B", account: "slow" });
    const ended = await t.whileRevokeFails("PROVIDER_B", "slow", async () => {
      const results = await concurrently(50, () => t.disconnect(connected));
      const [first] = results;
      if (first === undefined) throw new Error("no call was made");
      t.holds(first.revokeJobId !== first.eraseJobId, "two jobs");
      for (const result of results) t.equal(result, first, "the same response");
      t.equal(first.connectionId, connected.connectionId, "connectionId");
      t.shows(first, { accepted: true, upstreamRevocationPending: true }, "accepted and pending");
      t.equal(await t.disconnect(connected), first, "a later repeat");
      return first;
    });
    await t.erased(connected, ended);
    await t.refuses("disconnectConnection", connected, "NOT_FOUND", "erased, it is NOT_FOUND");
  }).with({ holds: [...accountHolds("PROVIDER_B", "slow"), BURST] });
  test("S4.disconnect.foreign: A disconnect by another subject, tenant or application is NOT_FOUND and changes nothing.", async (t) => {
    const connected = await t.connect();
    const { scope, connectionId } = connected;
    const tenantKey = t.application.tenantKeys[1] ?? "other";
    for (const other of [t.scope(), { ...scope, tenantKey }, { ...scope, tenantKey: "not-registered" }])
      await t.refuses("disconnectConnection", { scope: other, connectionId }, "NOT_FOUND");
    await t.refusesOtherApplication("disconnectConnection", { scope, connectionId });
    t.equal((await t.readConnection(connected)).status, "CONNECTED", "it is still connected");
    t.equal((await t.disconnect(connected)).accepted, true, "its own subject can");
  }).with({ needs: ["provider", "operator"] });
  for (const provider of PROVIDERS)
    test(`S3.disconnect.connect-again-${provider}: After an erasure the same account at ${provider} can be connected again, as a new connection without data of the first.`, async (t) => {
      const account = REVOCABLE[provider];
      const first = await t.connectAndSettle({ provider, account });
      const { scope } = first;
      const { eraseJobId } = await t.disconnectAndErase(first);
      await t.mayConnectAgain({ scope, provider });
      const second = await t.connectAndSettle({ provider, account, scope });
      t.holds(second.connectionId !== first.connectionId, "it has another id");
      t.equal(second.connection.providerAccountId, first.connection.providerAccountId, "it is the same account");
      const { items } = await t.get("connections", { scope });
      t.equal([items.length, items[0]?.id], [1, second.connectionId], "listed");
      t.equal((await t.readJob(first, eraseJobId)).status, "SUCCEEDED", "the old receipt");
      await t.refuses("syncJob", { ...second, id: eraseJobId }, "NOT_FOUND", "it is not the new connection's");
      await t.connectionRefused(first, "NOT_FOUND");
      const old = { scope, provider, reconnectConnectionId: first.connectionId };
      await t.refusesSession(old, "NOT_FOUND", "the old id is not a reconnect target");
      await t.createSession({ scope, provider, reconnectConnectionId: second.connectionId });
    }).with({ holds: revocableHolds(provider) });
});
