import { accountHolds, DELETED, ENDED_ACCOUNT, REMOVED, REVOCABLE, revocableHolds } from "../context/accounts.ts";
import { MAX_POLLS, REMOVE } from "../context/jobs.ts";
import type { Steps } from "../context/steps.ts";
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
      await t.revokedAndErased(connected, await t.disconnect(connected));
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

const MESSAGES = {
  PROVIDER_B: [REMOVED, "Authorization removed"],
  PROVIDER_C: [DELETED, "Data deletion requested"],
} as const;
/** The addresses to which providers send messages, and fields of a form. */
const ADDRESSES = {
  PROVIDER_B: [["provider-b/webhook", "event"]],
  PROVIDER_C: [
    ["provider-c/data-deletion", "signed_request"],
    ["deauthorize/provider-c", "signed_request"],
  ],
} as const;

/** Messages about an account, which its provider has not signed, are refused. */
async function forgedMessages(t: Steps, provider: keyof typeof ADDRESSES): Promise<void> {
  const userId = await t.provider.accountId(provider, MESSAGES[provider][0][1]);
  const encode = (part: object | string) =>
    Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
  const payloads = ["HMAC-SHA256", "none"].map((algorithm) =>
    encode({ algorithm, user_id: userId, issued_at: Math.floor(Date.now() / 1_000) }),
  );
  for (const [path, field] of ADDRESSES[provider]) {
    for (const forged of ["forged.forged", ...payloads.map((payload) => `${encode("0".repeat(32))}.${payload}`)]) {
      const visit = await t.browser().post(`${t.target.connectHost}/api/connect/${path}`, { [field]: forged }, null);
      t.holds(visit.status >= 400 && visit.status < 500, `a forged message to ${path} is refused`, visit.status);
    }
  }
}

export const DISCONNECT_MESSAGE_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const [name, how, [provider, account]] of [
    ["webhook-removed", "by a webhook", REMOVED],
    ["app-removed-two-subjects", "by a callback", DELETED],
  ] as const)
    test(`S4.disconnect.${name}: When ${provider} reports ${how} that the user removed the app, the connections of both subjects that share the account need a reconnect, and a disconnect has no creatorAction.`, async (t) => {
      const both = [await t.connect({ provider, account }), await t.connect({ provider, account })];
      const unrelated = await t.connect({ provider });
      await forgedMessages(t, provider);
      for (const one of both) t.value(await t.connectionOutcome(one), "still served after the forged messages");
      await t.provider.removeApp(provider, account);
      for (const one of both) {
        await t.untilStatus(one, "RECONNECT_REQUIRED");
        const ended = await t.disconnect(one);
        t.shows(ended, { upstreamRevocationPending: false, creatorAction: null }, "the response to a disconnect");
        await t.erased(one, ended);
      }
      t.equal((await t.readConnection(unrelated)).status, "CONNECTED", "another account is not affected");
    }).with({ holds: accountHolds(provider, account) });
  for (const [name, what, [provider, account]] of [
    ["webhook-before-consent", "A webhook of PROVIDER_B", REMOVED],
    ["app-removed-before-consent", "A deauthorize callback of PROVIDER_C", DELETED],
  ] as const)
    test(`S4.disconnect.${name}: ${what} about a removal before the current consent changes nothing; one about a later removal ends it.`, async (t) => {
      const connected = await t.connect({ provider, account });
      t.equal((await t.readConnection(connected)).status, "CONNECTED", "at first");
      await t.provider.removeApp(provider, account, new Date((await t.now()).getTime() - 60_000));
      t.equal((await t.readConnection(connected)).status, "CONNECTED", "after the late message");
      await t.provider.removeApp(provider, account);
      await t.untilStatus(connected, "RECONNECT_REQUIRED");
      await t.disconnectAndErase(connected);
    }).with({ holds: accountHolds(provider, account) });
  test("S4.disconnect.data-deletion: A data deletion request of PROVIDER_C erases every connection of the account, and a public page shows its status by a code; a request from before the consent changes nothing.", async (t) => {
    const [provider, account] = DELETED;
    const both = [await t.connect({ provider, account }), await t.connect({ provider, account })];
    const unrelated = await t.connect({ provider });
    const minuteAgo = new Date((await t.now()).getTime() - 60_000);
    t.equal(await t.provider.requestDeletion(provider, account, minuteAgo), null, "a request before the consents");
    for (const one of both) t.equal((await t.readConnection(one)).status, "CONNECTED", "after that request");
    const receipt = await t.provider.requestDeletion(provider, account);
    if (receipt === null) return t.holds(false, "the request is accepted", receipt);
    for (const one of both) {
      const read = () => t.connectionOutcome(one);
      const outcome = await read();
      if (outcome.ok) t.oneOf(outcome.value.status, ["DISCONNECTED", "DELETING"], "status");
      await t.eventually("the connection is erased", read, ({ ok }) => !ok);
    }
    t.equal((await t.readConnection(unrelated)).status, "CONNECTED", "another account is not affected");
    const page = await t.browser().get(receipt.url);
    t.equal(page.status, 200, "the status page");
    t.holds(!page.text.includes(both[0]?.connectionId ?? ""), "the page names no connection", page.text);
    const unknown = await t.browser().get(receipt.url.replace(receipt.confirmationCode, "0".repeat(32)));
    t.equal(unknown.status, 404, "the page of an unknown code");
  }).with({ holds: accountHolds(...DELETED) });
  test("S4.disconnect.data-deletion-nothing-stored: A data deletion request of PROVIDER_C about an account that is not connected gets a code, too.", async (t) => {
    const receipt = await t.provider.requestDeletion(...DELETED);
    if (receipt === null) return t.holds(false, "the request is accepted", receipt);
    t.matches(receipt.confirmationCode, /^[0-9a-f]{32}$/, "confirmation code");
    t.equal((await t.browser().get(receipt.url)).status, 200, "the status page");
  }).with({ holds: accountHolds(...DELETED) });
  for (const provider of ["PROVIDER_B", "PROVIDER_C"] as const)
    test(`S4.disconnect.audited-message-${provider}: The audit log names each connection that a message of ${provider} changes, once.`, async (t) => {
      const [[, name], action] = MESSAGES[provider];
      const connected = await t.connect({ provider, account: name });
      const send = async () => {
        if (provider === "PROVIDER_B") await t.provider.removeApp(provider, name);
        else await t.provider.requestDeletion(provider, name);
      };
      await send();
      await send();
      const about = { targetType: "CONNECTION", targetId: connected.connectionId } as const;
      const entries = async () => {
        const { items } = await t.admin.inPanel("searchAuditEntries", { first: 50, action, ...about });
        return items.map(({ actor, apiKeyId }) => [actor, apiKeyId]);
      };
      await t.eventually("the audit log has an entry", entries, ({ length }) => length > 0);
      t.equal(await entries(), [["System", null]], "the audit log");
    }).with({ needs: ["provider", "admin"], holds: accountHolds(provider, MESSAGES[provider][0][1]) });
  for (const provider of ["PROVIDER_B", "PROVIDER_C"] as const)
    test(`S4.disconnect.forged-message-${provider}: A forged message of ${provider} is refused.`, (t) =>
      forgedMessages(t, provider));
});
