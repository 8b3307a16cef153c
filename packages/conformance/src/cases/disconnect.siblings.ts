import type { Connection } from "../_generated/consumerWire.ts";
import { accountHolds, DOWN, UNRELATED_ACCOUNTS } from "../context/accounts.ts";
import { Mismatch } from "../context/expectation.ts";
import { DAY_MS, HOUR_MS, MAX_POLLS, MINUTE_MS, REMOVE } from "../context/jobs.ts";
import type { Connected, Steps } from "../context/steps.ts";
import { factOf, REVOKING } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";

/** The status of another subject's connection to the same account after a revoke. */
const SHARED_ENDS = factOf(({ afterSharedRevoke }) => afterSharedRevoke);

const rechecked = (t: Steps, connected: Connected, patienceMs?: number) =>
  t.untilRow(connected, "the re-check ends", ({ status }) => status !== "SUSPENDED", patienceMs);

export const DISCONNECT_SIBLING_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const provider of REVOKING)
    test(`S4.disconnect.siblings-${provider}: A disconnect at ${provider} suspends only the subject's other account until the revoke settles; then it is served again.`, async (t) => {
      const [given, kept] = UNRELATED_ACCOUNTS[provider];
      const first = await t.connectAndSettle({ provider, account: given });
      const { scope } = first;
      const sibling = await t.connectAndSettle({ provider, account: kept, scope });
      const elsewhere = await t.connect({ scope });
      const neighbour = await t.connect({ provider, account: kept });
      await t.whileRevoking(first, provider, given, async () => {
        t.isWithheld(await t.readConnection(sibling), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
        t.isWithheld(await t.listedConnection(sibling), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
        await t.contentRefused(sibling, "AUTHORIZATION_SUSPENDED");
        t.equal((await t.readConnection(elsewhere)).status, "CONNECTED", "another provider's account");
        t.equal((await t.readConnection(neighbour)).status, "CONNECTED", "an account of another user and subject");
        await t.refusesSession({ scope, provider }, "FORBIDDEN");
        const reconnect = { scope, provider, reconnectConnectionId: sibling.connectionId };
        await t.refusesSession(reconnect, "FORBIDDEN", "a reconnect of the sibling");
        await t.createSession({ scope });
        await t.createSession({ provider });
      });
      const row = await rechecked(t, sibling);
      t.equal([row.status, row.profile !== null], ["CONNECTED", true], "after the re-check");
      for (const entry of row.capabilities) t.equal(entry.availability, "AVAILABLE", `${entry.capability} again`);
      await t.mayConnectAgain({ scope, provider });
    }).with({ holds: accountHolds(provider, ...UNRELATED_ACCOUNTS[provider]) });
  test("S3.disconnect.suspended: A suspended account can be disconnected as well; both are erased, and then the subject may connect again.", async (t) => {
    const provider = "PROVIDER_B";
    const [account, other] = ["empty", "unicode"];
    let last: Connected["scope"] | null = null;
    for (let round = 0; round < MAX_POLLS && !t.saw("enum:ConnectionStatus.DISCONNECTED"); round += 1) {
      const first = await t.connect({ provider, account });
      const sibling = await t.connect({ provider, account: other, scope: first.scope });
      last = first.scope;
      const [one, two] = await t.whileRevokeFails(provider, account, async () => {
        const result = await t.disconnect(first);
        t.equal((await t.readConnection(sibling)).status, "SUSPENDED", "the sibling");
        const second = await t.whileRevokeFails(provider, other, async () => {
          const begun = await t.disconnect(sibling);
          const { status } = await t.readConnection(sibling);
          t.oneOf(status, ["DISCONNECTED", "DELETING"], "the sibling, disconnected");
          return begun;
        });
        return [result, second] as const;
      });
      t.holds(one.revokeJobId !== two.revokeJobId, "each has its own jobs");
      await t.erased(first, one);
      await t.erased(sibling, two);
    }
    t.holds(t.saw("enum:ConnectionStatus.DISCONNECTED"), "DISCONNECTED was visible");
    if (last !== null) await t.mayConnectAgain({ scope: last, provider });
  }).with({ holds: accountHolds("PROVIDER_B", "empty", "unicode") });
  for (const [name, provider, what] of [
    ["siblings-grant-gone", "PROVIDER_B", "A sibling whose grant ended while the revoke settled"],
    ["siblings-same-person-PROVIDER_A", "PROVIDER_A", "The other account of one consent at PROVIDER_A"],
  ] as const)
    test(`S4.disconnect.${name}: ${what} needs a reconnect after the re-check, and a reconnect keeps its id.`, async (t) => {
      const first = await t.connect({ provider, account: "sibling-1" });
      const { scope } = first;
      const sibling = await t.connectAndSettle({ provider, account: "sibling-2", scope });
      await t.whileRevoking(first, provider, "sibling-1", async () => {
        t.isWithheld(await t.readConnection(sibling), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
        if (name === "siblings-grant-gone") await t.provider.endGrants(provider, "sibling-2");
      });
      t.isWithheld(await rechecked(t, sibling), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
      await t.mayConnectAgain({ scope, provider });
      const { connectionId } = sibling;
      const again = await t.connect({ provider, account: "sibling-2", scope, reconnectConnectionId: connectionId });
      t.equal(again.connectionId, connectionId, "a reconnect keeps the id");
      t.equal((await t.readConnection(again)).status, "CONNECTED", "after the reconnect");
    }).with({ holds: accountHolds(provider, "sibling-1", "sibling-2") });
  for (const provider of REVOKING)
    test(`S4.disconnect.siblings-same-account-${provider}: Two subjects connect one account at ${provider}: when one disconnects, the other is suspended until the revoke settles, and then ${SHARED_ENDS[provider]}.`, async (t) => {
      const first = await t.connect({ provider, account: "sibling-1" });
      const other = await t.connectAndSettle({ provider, account: "sibling-1" });
      const elsewhere = t.scope(t.application.tenantKeys.at(-1));
      const inOtherTenant = await t.connect({ provider, account: "sibling-1", scope: elsewhere });
      const unrelated = await t.connect({ provider });
      await t.whileRevoking(first, provider, "sibling-1", async () => {
        for (const sharing of [other, inOtherTenant]) {
          t.isWithheld(await t.readConnection(sharing), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
          t.isWithheld(await t.listedConnection(sharing), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
        }
        await t.contentRefused(other, "AUTHORIZATION_SUSPENDED");
        t.equal((await t.readConnection(unrelated)).status, "CONNECTED", "another account of another subject");
      });
      for (const sharing of [other, inOtherTenant])
        t.equal((await rechecked(t, sharing)).status, SHARED_ENDS[provider], "after the re-check");
      if (SHARED_ENDS[provider] === "CONNECTED") return;
      const reconnect = { scope: other.scope, reconnectConnectionId: other.connectionId };
      const again = await t.connect({ provider, account: "sibling-1", ...reconnect });
      t.equal((await t.readConnection(again)).status, "CONNECTED", "after a reconnect");
    }).with({ holds: accountHolds(provider, "sibling-1") });
  for (const provider of REVOKING)
    test(`S3.attempt.sibling-disconnected-${provider}: An attempt at ${provider} that was pending when another account of the subject is disconnected there ends FAILED with POLICY_CHANGED.`, async (t) => {
      const [given, coming] = UNRELATED_ACCOUNTS[provider];
      const first = await t.connect({ provider, account: given });
      const { scope } = first;
      const { session, browser, page } = await t.launchedIn(await t.createSession({ scope, provider }));
      await t.whileRevoking(first, provider, given, async () => {
        await browser.get(await t.provider.consent(page, { account: coming }));
      });
      await t.endsUnconnected(session, "FAILED", "POLICY_CHANGED", { creatorAction: null });
    }).with({ holds: accountHolds(provider, ...UNRELATED_ACCOUNTS[provider]) });
  test("S4.disconnect.siblings-of-C: A disconnect at PROVIDER_C suspends no connection and prevents no new one.", async (t) => {
    const first = await t.connect();
    const sibling = await t.connect({ account: "unicode", scope: first.scope });
    t.equal((await t.disconnect(first)).creatorAction, REMOVE, "creatorAction");
    t.equal((await t.readConnection(sibling)).status, "CONNECTED", "the other account");
    await t.createSession({ scope: first.scope });
  });
  test("S4.disconnect.race-lost: A disconnect during continuous connects is RATE_LIMITED, changes nothing, and is accepted a second later.", async (t) => {
    const provider = "PROVIDER_B";
    const connected = await t.connectAndSettle({ provider, account: "thousand-posts" });
    const before = await t.readConnection(connected);
    await t.driver("storage").whileOthersConnect(connected.connectionId, async () => {
      const refusal = await t.refuses("disconnectConnection", connected, "RATE_LIMITED", "the disconnect");
      t.equal(refusal.retryAfterSeconds, 1, "retryAfterSeconds");
      t.equal(await t.readConnection(connected), before, "the connection");
      t.equal(await t.listedConnection(connected), before, "the connection in the list");
    });
    t.equal(await t.readConnection(connected), before, "the connection afterwards");
    t.equal((await t.disconnect(connected)).accepted, true, "the next call");
  }).with({ lane: "alone", needs: ["provider", "storage"] });
  test("S4.disconnect.race: A disconnect while other accounts are being connected is accepted, or RATE_LIMITED for a second with nothing changed.", async (t) => {
    const fields = { provider: "PROVIDER_B", capabilities: ["PROFILE"] } as const;
    const first = await t.connect({ ...fields, account: "thousand-posts" });
    const { scope } = first;
    const others = ["deleted-post", "private-post", "rotating-refresh"];
    const connecting = Promise.allSettled(others.map((account) => t.connect({ ...fields, account, scope })));
    // Both are correct: the description does not define how long the service waits for the others, which end soon. So
    // each response is checked by its own rule: accepted is effective, refused has changed nothing.
    const disconnect = () => t.call("disconnectConnection", first);
    const outcome = await disconnect();
    if (outcome.ok) t.equal(outcome.value.accepted, true, "accepted");
    else {
      t.shows(outcome, { code: "RATE_LIMITED", retryAfterSeconds: 1 }, "the refusal");
      t.equal((await t.readConnection(first)).status, "CONNECTED", "nothing changed");
    }
    await connecting;
    const isAccepted = (found: typeof outcome) => found.ok || found.code === "NOT_FOUND";
    const again = await t.eventually("a retried disconnect is accepted", disconnect, isAccepted);
    if (outcome.ok && again.ok) t.equal(again.value.revokeJobId, outcome.value.revokeJobId, "the same job");
  }).with({ holds: accountHolds("PROVIDER_B", "thousand-posts") });
});

const PROVIDER = "PROVIDER_B";

/**
 * Two subjects share an account. One disconnects, the revoke settles between the times `before` and `after`, and the
 * provider is unreachable for the other until
 * `providerAnswers` is called, or the block ends.
 */
async function waitingForRecheck(t: Steps, account: string) {
  const disconnected = await t.connect({ provider: PROVIDER, account });
  const sibling = await t.connectAndSettle({ provider: PROVIDER, account });
  const fail = (call: "profile" | "refresh") => t.provider.fault(PROVIDER, call, DOWN, { account, count: 10_000 });
  const faults = [await fail("profile"), await fail("refresh")];
  const before = await t.now();
  const { revoke } = await t.receipts(disconnected, await t.disconnect(disconnected));
  t.equal(revoke.status, "SUCCEEDED", "the revoke receipt");
  const after = await t.now();
  const providerAnswers = async () => {
    for (const undo of faults.splice(0)) await undo();
  };
  return { disconnected, sibling, before, after, providerAnswers, [Symbol.asyncDispose]: providerAnswers };
}

/** Longer than the longest wait of a retry, 15 minutes. */
const MOVE_MS = 20 * MINUTE_MS;
const MOVES = 9;
const PATIENCE_MS = 5_000;

/**
 * Moves the clock to a time and polls. A service in the middle of an attempt may find the retry due only later, so the
 * clock moves on until the condition is true.
 */
async function pollFrom<Value>(t: Steps, moment: Date, poll: (patienceMs: number) => Promise<Value>): Promise<Value> {
  for (let move = 0; ; move += 1) {
    await t.until(moment, move * MOVE_MS);
    try {
      return await poll(PATIENCE_MS);
    } catch (error) {
      if (!(error instanceof Mismatch) || move === MOVES) throw error;
    }
  }
}

/** A re-check is attempted after this time and fails. */
async function untilAttempted(t: Steps, account: string, moment: Date): Promise<void> {
  const left = () => t.provider.faultsLeft(PROVIDER, account);
  const before = await left();
  const what = "a re-check is attempted and fails";
  await pollFrom(t, moment, (patienceMs) => t.eventually(what, left, (count) => count < before, patienceMs));
}

function settledFrom(t: Steps, connected: Connected, moment: Date): Promise<Connection> {
  return pollFrom(t, moment, (patienceMs) => rechecked(t, connected, patienceMs));
}

export const SIBLING_RECHECK_CASES = defineCases({ lane: "timeline", needs: ["provider", "clock"] }, (test) => {
  test("S4.disconnect.recheck-given-up: A sibling that cannot be re-checked stays SUSPENDED for 7 days and is then RECONNECT_REQUIRED; until then the disconnected subject cannot connect there.", async (t) => {
    await using waiting = await waitingForRecheck(t, "private-post");
    const wanted = { scope: waiting.disconnected.scope, provider: PROVIDER } as const;
    const isSuspended = async () => {
      t.isWithheld(await t.readConnection(waiting.sibling), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
      await t.refusesSession(wanted, "FORBIDDEN");
    };
    for (const ageMs of [DAY_MS + HOUR_MS, 6 * DAY_MS]) {
      await untilAttempted(t, "private-post", new Date(waiting.before.getTime() + ageMs));
      await isSuspended();
    }
    await t.until(waiting.before, 7 * DAY_MS - MINUTE_MS);
    await isSuspended();
    const end = new Date(waiting.after.getTime() + 7 * DAY_MS + MINUTE_MS);
    t.isWithheld(await settledFrom(t, waiting.sibling, end), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
    await t.mayConnectAgain(wanted);
  }).with({ holds: accountHolds(PROVIDER, "private-post") });
  test("S4.disconnect.recheck-after-days: A sibling that is SUSPENDED while the provider is down is CONNECTED again when it responds days later.", async (t) => {
    await using waiting = await waitingForRecheck(t, "unicode");
    await untilAttempted(t, "unicode", new Date(waiting.after.getTime() + 3 * DAY_MS));
    t.equal((await t.readConnection(waiting.sibling)).status, "SUSPENDED", "after three days");
    // One more attempt fails that late. It starts with a refresh, because the access token has expired long before.
    await t.provider.fault(PROVIDER, "refresh", DOWN, { account: "unicode", count: 1 });
    await waiting.providerAnswers();
    const later = new Date(waiting.after.getTime() + 3 * DAY_MS + 4 * HOUR_MS);
    const left = () => t.provider.faultsLeft(PROVIDER, "unicode");
    const isNone = (count: number) => count === 0;
    await pollFrom(t, later, (patienceMs) => t.eventually("that attempt is made", left, isNone, patienceMs));
    const settledRow = await settledFrom(t, waiting.sibling, new Date(later.getTime() + 4 * HOUR_MS));
    t.equal(settledRow.status, "CONNECTED", "once the provider responds");
    await t.createSession({ scope: waiting.sibling.scope, provider: PROVIDER });
  }).with({ holds: accountHolds(PROVIDER, "unicode") });
});
