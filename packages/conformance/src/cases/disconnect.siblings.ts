import { factOf, REVOKING } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { accountHold, accountHolds } from "./support/accounts.ts";
import { createSession, launched, mayConnectAgain, refusesSession, resultOf } from "./support/attempts.ts";
import { type Connected, connect, connectAndSettle, listedConnection, readConnection } from "./support/connections.ts";
import { contentRefused } from "./support/content.ts";
import { disconnect, erased, MAX_POLLS, settled, whileRevokeFails, whileRevoking } from "./support/disconnects.ts";
import { ends, isWithheld, nothingConnected } from "./support/findings.ts";

/** Two accounts of different users, of which the first is revoked. */
const UNRELATED_ACCOUNTS = factOf(({ accounts }) => [accounts.revoked, accounts.unrelated] as const);
/** The status of another subject's connection to the same account after a revoke. */
const SHARED_ENDS = factOf(({ afterSharedRevoke }) => afterSharedRevoke);

export const DISCONNECT_SIBLING_CASES = defineCasesWith({ needs: ["provider"] })({
  ...caseForEach(REVOKING, (provider) => ({
    id: `S4.disconnect.siblings-${provider}`,
    title: `A disconnect at ${provider} suspends only the subject's other account until the revoke settles; then it is served again.`,
    holds: accountHolds(provider, ...UNRELATED_ACCOUNTS[provider]),
    reaches: [
      "rule:disconnect.siblings",
      "rule:disconnect.settling",
      "rule:part3.2.suspended",
      "transition:connection.CONNECTED.SUSPENDED",
      "transition:connection.SUSPENDED.CONNECTED",
      "code:AUTHORIZATION_SUSPENDED",
    ],
    run: async (t) => {
      const [given, kept] = UNRELATED_ACCOUNTS[provider];
      const first = await connectAndSettle(t, { provider, account: given });
      const { scope } = first;
      const sibling = await connectAndSettle(t, { provider, account: kept, scope });
      const elsewhere = await connect(t, { scope });
      const neighbour = await connect(t, { provider, account: kept });
      await whileRevoking(t, first, provider, given, async () => {
        isWithheld(t, await readConnection(t, sibling), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
        isWithheld(t, await listedConnection(t, sibling), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
        await contentRefused(t, sibling, "AUTHORIZATION_SUSPENDED");
        t.equal((await readConnection(t, elsewhere)).status, "CONNECTED", "another provider's account");
        t.equal((await readConnection(t, neighbour)).status, "CONNECTED", "an account of another user and subject");
        await refusesSession(t, { scope, provider }, "FORBIDDEN");
        const reconnect = { scope, provider, reconnectConnectionId: sibling.connectionId };
        await refusesSession(t, reconnect, "FORBIDDEN", "a reconnect of the sibling");
        await createSession(t, { scope });
        await createSession(t, { provider });
      });
      const row = await settled(t, sibling);
      t.equal([row.status, row.profile !== null], ["CONNECTED", true], "after the re-check");
      for (const entry of row.capabilities) t.equal(entry.availability, "AVAILABLE", `${entry.capability} again`);
      await mayConnectAgain(t, { scope, provider });
    },
  })),
  "S3.disconnect.suspended": {
    title: "A suspended account can be disconnected as well; both are erased, and then the subject may connect again.",
    holds: accountHolds("PROVIDER_B", "empty", "unicode"),
    reaches: ["transition:connection.SUSPENDED.DISCONNECTED"],
    run: async (t) => {
      const provider = "PROVIDER_B";
      const [account, other] = ["empty", "unicode"];
      let last: Connected["scope"] | null = null;
      for (let round = 0; round < MAX_POLLS && !t.saw("enum:ConnectionStatus.DISCONNECTED"); round += 1) {
        const first = await connect(t, { provider, account });
        const sibling = await connect(t, { provider, account: other, scope: first.scope });
        last = first.scope;
        const [one, two] = await whileRevokeFails(t, provider, account, async () => {
          const result = await disconnect(t, first);
          t.equal((await readConnection(t, sibling)).status, "SUSPENDED", "the sibling");
          const second = await whileRevokeFails(t, provider, other, async () => {
            const begun = await disconnect(t, sibling);
            const { status } = await readConnection(t, sibling);
            t.oneOf(status, ["DISCONNECTED", "DELETING"], "the sibling, disconnected");
            return begun;
          });
          return [result, second] as const;
        });
        t.holds(one.revokeJobId !== two.revokeJobId, "each has its own jobs");
        await erased(t, first, one);
        await erased(t, sibling, two);
      }
      if (last !== null) await mayConnectAgain(t, { scope: last, provider });
    },
  },
  "S4.disconnect.siblings-grant-gone": {
    title: "A sibling whose grant ended while the revoke settled needs a reconnect after the re-check.",
    holds: accountHolds("PROVIDER_B", "sibling-1", "sibling-2"),
    reaches: ["rule:disconnect.siblings", "transition:connection.SUSPENDED.RECONNECT_REQUIRED"],
    run: async (t) => {
      const provider = "PROVIDER_B";
      const first = await connect(t, { provider, account: "sibling-1" });
      const sibling = await connectAndSettle(t, { provider, account: "sibling-2", scope: first.scope });
      await whileRevoking(t, first, provider, "sibling-1", async () => {
        t.equal((await readConnection(t, sibling)).status, "SUSPENDED", "while the revoke settles");
        await t.provider.endGrants(provider, "sibling-2");
      });
      isWithheld(t, await settled(t, sibling), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
    },
  },
  "S4.disconnect.siblings-same-person-PROVIDER_A": {
    title:
      "At PROVIDER_A, where one consent covers both accounts, the re-check of the other fails: RECONNECT_REQUIRED.",
    holds: accountHolds("PROVIDER_A", "sibling-1", "sibling-2"),
    reaches: [
      "rule:disconnect.siblings",
      "transition:connection.CONNECTED.SUSPENDED",
      "transition:connection.SUSPENDED.RECONNECT_REQUIRED",
      "rule:part3.2.reconnect-required",
    ],
    run: async (t) => {
      const provider = "PROVIDER_A";
      const first = await connect(t, { provider, account: "sibling-1" });
      const sibling = await connectAndSettle(t, { provider, account: "sibling-2", scope: first.scope });
      await whileRevoking(t, first, provider, "sibling-1", async () => {
        isWithheld(t, await readConnection(t, sibling), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
      });
      isWithheld(t, await settled(t, sibling), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
      await mayConnectAgain(t, { scope: first.scope, provider });
      const { scope, connectionId } = sibling;
      const reconnect = { scope, reconnectConnectionId: connectionId };
      const again = await connect(t, { provider, account: "sibling-2", ...reconnect });
      t.equal(again.connectionId, sibling.connectionId, "a reconnect keeps the id");
      t.equal((await readConnection(t, again)).status, "CONNECTED", "after the reconnect");
    },
  },
  ...caseForEach(REVOKING, (provider) => ({
    id: `S4.disconnect.siblings-same-account-${provider}`,
    title: `Two subjects connect one account at ${provider}: when one disconnects, the other is suspended until the revoke settles, and then ${SHARED_ENDS[provider]}.`,
    holds: [accountHold(provider, "sibling-1")],
    reaches: [
      "rule:disconnect.siblings",
      "transition:connection.CONNECTED.SUSPENDED",
      `transition:connection.SUSPENDED.${SHARED_ENDS[provider]}`,
    ],
    run: async (t) => {
      const first = await connect(t, { provider, account: "sibling-1" });
      const other = await connectAndSettle(t, { provider, account: "sibling-1" });
      const elsewhere = t.scope(t.application.tenantKeys.at(-1));
      const inOtherTenant = await connect(t, { provider, account: "sibling-1", scope: elsewhere });
      const unrelated = await connect(t, { provider });
      await whileRevoking(t, first, provider, "sibling-1", async () => {
        for (const sharing of [other, inOtherTenant]) {
          isWithheld(t, await readConnection(t, sharing), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
          isWithheld(t, await listedConnection(t, sharing), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
        }
        await contentRefused(t, other, "AUTHORIZATION_SUSPENDED");
        t.equal((await readConnection(t, unrelated)).status, "CONNECTED", "another account of another subject");
      });
      for (const sharing of [other, inOtherTenant]) {
        t.equal((await settled(t, sharing)).status, SHARED_ENDS[provider], "after the re-check");
      }
      if (SHARED_ENDS[provider] === "CONNECTED") return;
      const reconnect = { scope: other.scope, reconnectConnectionId: other.connectionId };
      const again = await connect(t, { provider, account: "sibling-1", ...reconnect });
      t.equal((await readConnection(t, again)).status, "CONNECTED", "after a reconnect");
    },
  })),
  ...caseForEach(REVOKING, (provider) => ({
    id: `S3.attempt.sibling-disconnected-${provider}`,
    title: `An attempt at ${provider} that was pending when another account of the subject is disconnected there ends FAILED with POLICY_CHANGED.`,
    holds: accountHolds(provider, ...UNRELATED_ACCOUNTS[provider]),
    reaches: ["transition:attempt.EXCHANGING.FAILED.POLICY_CHANGED"],
    run: async (t) => {
      const [given, coming] = UNRELATED_ACCOUNTS[provider];
      const first = await connect(t, { provider, account: given });
      const { scope } = first;
      const session = await createSession(t, { scope, provider });
      const browser = t.browser();
      const page = await launched(t, session, browser);
      await whileRevoking(t, first, provider, given, async () => {
        await browser.get(await t.provider.consent(page, { account: coming }));
      });
      const result = await resultOf(t, session);
      ends(t, result, "FAILED", "POLICY_CHANGED");
      t.equal(result.creatorAction, null, "creatorAction is null");
      await nothingConnected(t, session);
    },
  })),
  "S4.disconnect.siblings-of-C": {
    title: "A disconnect at PROVIDER_C suspends no connection and prevents no new one.",
    reaches: ["rule:disconnect.creatorAction.C", "enum:ConnectionStatus.CONNECTED"],
    run: async (t) => {
      const first = await connect(t);
      const sibling = await connect(t, { account: "unicode", scope: first.scope });
      await disconnect(t, first);
      t.equal((await readConnection(t, sibling)).status, "CONNECTED", "the other account");
      await createSession(t, { scope: first.scope });
    },
  },
  "S4.disconnect.race-lost": {
    title:
      "A disconnect during continuous connects is RATE_LIMITED for a second; nothing has changed, and the next call is accepted.",
    lane: "alone",
    needs: ["provider", "storage"],
    reaches: ["rule:disconnect.race", "operation:disconnectConnection"],
    run: async (t) => {
      const provider = "PROVIDER_B";
      const connected = await connectAndSettle(t, { provider, account: "thousand-posts" });
      const { scope, connectionId } = connected;
      const before = await readConnection(t, connected);
      await t.driver("storage").whileOthersConnect(connectionId, async () => {
        const outcome = await t.call("disconnectConnection", { scope, connectionId });
        t.fails(outcome, "RATE_LIMITED", "the disconnect");
        t.equal(outcome.ok ? null : outcome.retryAfterSeconds, 1, "retryAfterSeconds");
        t.equal(await readConnection(t, connected), before, "the connection");
        t.equal(await listedConnection(t, connected), before, "the connection in the list");
      });
      t.equal(await readConnection(t, connected), before, "the connection afterwards");
      t.equal((await disconnect(t, connected)).accepted, true, "the next call");
    },
  },
  "S4.disconnect.race": {
    title:
      "A disconnect while other accounts are being connected is accepted, or RATE_LIMITED for a second with nothing changed.",
    holds: [accountHold("PROVIDER_B", "thousand-posts")],
    reaches: ["operation:disconnectConnection"],
    run: async (t) => {
      const provider = "PROVIDER_B";
      const first = await connect(t, { provider, account: "thousand-posts", capabilities: ["PROFILE"] });
      const { scope, connectionId } = first;
      const connecting = ["deleted-post", "private-post", "rotating-refresh"].map((account) =>
        connect(t, { provider, account, scope, capabilities: ["PROFILE"] }).then(
          () => null,
          () => null,
        ),
      );
      // Both are correct: the description does not define how long the service waits for the others, which end soon. So
      // each response is checked by its own rule: accepted is effective, refused has changed nothing.
      const outcome = await t.call("disconnectConnection", { scope, connectionId });
      if (outcome.ok) {
        t.equal(outcome.value.accepted, true, "accepted");
      } else {
        t.shows(outcome, { code: "RATE_LIMITED", retryAfterSeconds: 1 }, "the refusal");
        t.equal((await readConnection(t, first)).status, "CONNECTED", "nothing changed");
      }
      await Promise.all(connecting);
      const again = await t.eventually(
        "a retried disconnect is accepted",
        () => t.call("disconnectConnection", { scope, connectionId }),
        (found) => found.ok || found.code === "NOT_FOUND",
      );
      if (outcome.ok && again.ok) t.equal(again.value.revokeJobId, outcome.value.revokeJobId, "the same job");
      else t.holds(true, "it ended");
    },
  },
});
