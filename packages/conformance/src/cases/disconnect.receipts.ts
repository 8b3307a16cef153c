import { accountHolds, ENDED_ACCOUNT, REVOCABLE, revocableHolds } from "../context/accounts.ts";
import { MAX_POLLS, REMOVE } from "../context/jobs.ts";
import { PROVIDERS, REVOKING } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";

export const DISCONNECT_RECEIPT_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const provider of REVOKING)
    test(`S4.disconnect.creatorAction-${provider}: A disconnect at ${provider} has no creatorAction, is pending until the revoke succeeds, and leaves two receipts.`, async (t) => {
      const connected = await t.connectAndSettle({ provider, account: REVOCABLE[provider] });
      const ended = await t.whileRevoking(connected, provider, REVOCABLE[provider], async (first) => {
        t.equal(first.connectionId, connected.connectionId, "connectionId");
        t.shows(first, { accepted: true, upstreamRevocationPending: true, creatorAction: null }, "the response");
        const waiting = await t.readJob(connected, first.revokeJobId);
        t.oneOf(waiting.status, ["QUEUED", "RUNNING"], "the revoke is running");
        t.shows(waiting, { errorCode: null, creatorAction: null }, "its state during the revoke");
        t.equal(await t.disconnect(connected), first, "a repeat");
      });
      const revoke = await t.revokedAndErased(connected, ended);
      t.equal(await t.readJob(connected, ended.revokeJobId), revoke, "the receipt is stable");
      const { id } = revoke;
      await t.refuses("disconnectConnection", connected, "NOT_FOUND");
      await t.refuses("syncJob", { ...connected, scope: t.scope(), id }, "NOT_FOUND", "another subject");
      await t.refuses("syncJob", { ...connected, connectionId: id, id }, "NOT_FOUND", "another connection");
    }).with({ holds: revocableHolds(provider) });
  test("S4.disconnect.creatorAction-PROVIDER_C: A revoke at PROVIDER_C immediately ends FAILED with REVOKE_UNSUPPORTED: the user has to remove the app.", async (t) => {
    const connected = await t.connectAndSettle();
    const ended = await t.disconnect(connected);
    const pending = { accepted: true, upstreamRevocationPending: true, creatorAction: REMOVE };
    t.shows(ended, pending, "the response: without a successful revoke it stays pending");
    const revoke = await t.readJob(connected, ended.revokeJobId);
    const unsupported = { status: "FAILED", errorCode: "REVOKE_UNSUPPORTED", creatorAction: REMOVE } as const;
    t.shows(revoke, { ...unsupported, nextRetryAt: null }, "immediately, and nothing is retried");
    const repeat = await t.call("disconnectConnection", connected);
    if (repeat.ok) t.equal(repeat.value, ended, "a repeat before the erasure");
    else t.equal(repeat.code, "NOT_FOUND", "a repeat after it");
    await t.erased(connected, ended);
    t.equal(await t.readJob(connected, ended.revokeJobId), revoke, "the receipt is stable");
  });
  test("S4.disconnect.app-removed-announced: Once PROVIDER_C has reported a removed app, a disconnect has no creatorAction and its revoke SUCCEEDED.", async (t) => {
    for (let round = 0; round < MAX_POLLS && !t.saw("enum:ConnectionStatus.DISCONNECTED"); round += 1) {
      const connected = await t.connectAndSettle({ account: "flat-token" });
      t.equal(connected.connection.status, "CONNECTED", "at first");
      await t.provider.removeApp("PROVIDER_C", "flat-token");
      await t.untilStatus(connected, "RECONNECT_REQUIRED");
      const ended = await t.disconnect(connected);
      const after = await t.connectionOutcome(connected);
      if (after.ok) t.oneOf(after.value.status, ["DISCONNECTED", "DELETING"], "status");
      t.shows(ended, { upstreamRevocationPending: false, creatorAction: null }, "the response");
      await t.revokedAndErased(connected, ended);
    }
    t.holds(t.saw("enum:ConnectionStatus.DISCONNECTED"), "DISCONNECTED was visible");
  }).with({ holds: accountHolds("PROVIDER_C", "flat-token") });
  for (const provider of PROVIDERS)
    test(`S4.disconnect.app-removed-noticed-${provider}: Where ${provider} reported a revoked grant at a read, a disconnect has no creatorAction and the revoke has SUCCEEDED.`, async (t) => {
      const connected = await t.connect({ provider, account: "removed-app" });
      await t.untilStatus(connected, "RECONNECT_REQUIRED");
      const ended = await t.disconnect(connected);
      t.equal(ended.creatorAction, null, "creatorAction of the response");
      await t.revokedAndErased(connected, ended);
    });
  for (const provider of REVOKING)
    test(`S4.disconnect.already-dead-${provider}: A credential that is already invalid, unknown to the service, counts as revoked at ${provider}.`, async (t) => {
      const connected = await t.connectAndSettle({ provider, account: ENDED_ACCOUNT[provider] });
      await t.provider.endGrants(provider, ENDED_ACCOUNT[provider]);
      const ended = await t.disconnect(connected);
      await t.revokedAndErased(connected, ended);
    }).with({ holds: accountHolds(provider, ENDED_ACCOUNT[provider]) });
  for (const provider of REVOKING)
    test(`S4.disconnect.revoke-fails-twice-${provider}: A revoke that ${provider} fails twice is retried, has a retry time, and succeeds; the erasure waits for it.`, async (t) => {
      const connected = await t.connect({ provider, account: "revoke-fails-twice" });
      const ended = await t.disconnect(connected);
      const waiting = await t.untilRetry(connected, ended.revokeJobId);
      t.shows(waiting, { status: "QUEUED", creatorAction: null }, "meanwhile");
      t.matches(waiting.nextRetryAt, /Z$/, "nextRetryAt");
      const erase = await t.readJob(connected, ended.eraseJobId);
      t.oneOf(erase.status, ["QUEUED", "RUNNING"], "the erasure does not finish before the revoke");
      await t.revokedAndErased(connected, ended);
    }).with({ holds: accountHolds(provider, "revoke-fails-twice") });
  for (const provider of REVOKING)
    test(`S4.disconnect.revoke-rejected-${provider}: A revoke that ${provider} refuses ends FAILED with REVOKE_REJECTED, and the user has to remove the app; all data is erased.`, async (t) => {
      const connected = await t.connectAndSettle({ provider, account: "revoke-rejected" });
      const ended = await t.disconnect(connected);
      t.shows(ended, { upstreamRevocationPending: true, creatorAction: null }, "before the outcome");
      await t.revokedAndErased(connected, ended, "REVOKE_REJECTED");
    }).with({ holds: accountHolds(provider, "revoke-rejected") });
});
