import { accountHolds, DELETED, REMOVED } from "../context/accounts.ts";
import type { Steps } from "../context/steps.ts";
import { defineCases } from "../harness/defineCase.ts";

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
