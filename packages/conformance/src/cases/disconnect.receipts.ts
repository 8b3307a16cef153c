import { PROVIDER_FACTS, PROVIDERS, REVOKING } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { accountHold, ENDED_ACCOUNT, REVOCABLE, revocableHolds } from "./support/accounts.ts";
import { connect, connectAndSettle, readConnection, untilStatus } from "./support/connections.ts";
import {
  connectionOutcome,
  disconnect,
  erased,
  MAX_POLLS,
  REMOVE,
  revokedAndErased,
  untilReconnectRequired,
  whileRevoking,
} from "./support/disconnects.ts";
import { readJob, serviceNow, untilRetry } from "./support/jobs.ts";

export const DISCONNECT_RECEIPT_CASES = defineCasesWith({ needs: ["provider"] })({
  ...caseForEach(REVOKING, (provider) => ({
    id: `S4.disconnect.creatorAction-${provider}`,
    title: `A disconnect at ${provider} has no creatorAction, is pending until the revoke succeeds, and leaves two receipts.`,
    holds: revocableHolds(provider),
    reaches: [
      `rule:disconnect.creatorAction.${provider.slice(-1)}`,
      "rule:disconnect.receipts",
      "rule:disconnect.erased",
      "enum:JobStatus.SUCCEEDED",
    ],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider, account: REVOCABLE[provider] });
      const ended = await whileRevoking(t, connected, provider, REVOCABLE[provider], async (first) => {
        t.equal(first.connectionId, connected.connectionId, "connectionId");
        t.shows(first, { accepted: true, upstreamRevocationPending: true, creatorAction: null }, "the response");
        const waiting = await readJob(t, connected, first.revokeJobId);
        t.oneOf(waiting.status, ["QUEUED", "RUNNING"], "the revoke is running");
        t.shows(waiting, { errorCode: null, creatorAction: null }, "its state during the revoke");
        t.equal(await disconnect(t, connected), first, "a repeat");
      });
      const revoke = await revokedAndErased(t, connected, ended);
      t.equal(await readJob(t, connected, ended.revokeJobId), revoke, "the receipt is stable");
      const { scope, connectionId } = connected;
      await t.refuses("disconnectConnection", { scope, connectionId }, "NOT_FOUND");
      await t.refuses("syncJob", { scope: t.scope(), connectionId, id: revoke.id }, "NOT_FOUND", "another subject");
      await t.refuses("syncJob", { scope, connectionId: revoke.id, id: revoke.id }, "NOT_FOUND", "another connection");
    },
  })),
  "S4.disconnect.creatorAction-PROVIDER_C": {
    title:
      "A disconnect at PROVIDER_C instructs the user to remove the app: the revoke immediately ends FAILED with REVOKE_UNSUPPORTED.",
    reaches: [
      "rule:disconnect.creatorAction.C",
      "errorCode:REVOKE_UNSUPPORTED",
      "enum:JobStatus.FAILED",
      "rule:disconnect.receipts",
    ],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const ended = await disconnect(t, connected);
      const pending = { accepted: true, upstreamRevocationPending: true, creatorAction: REMOVE };
      t.shows(ended, pending, "the response: without a successful revoke it stays pending");
      const revoke = await readJob(t, connected, ended.revokeJobId);
      const unsupported = {
        status: "FAILED",
        errorCode: "REVOKE_UNSUPPORTED",
        creatorAction: REMOVE,
        nextRetryAt: null,
      };
      t.shows(revoke, unsupported, "immediately, and nothing is retried");
      const { scope, connectionId } = connected;
      const repeat = await t.call("disconnectConnection", { scope, connectionId });
      if (repeat.ok) t.equal(repeat.value, ended, "a repeat before the erasure");
      else t.equal(repeat.code, "NOT_FOUND", "a repeat after it");
      await erased(t, connected, ended);
      t.equal(await readJob(t, connected, ended.revokeJobId), revoke, "the receipt is stable");
    },
  },
  "S4.disconnect.app-removed-announced": {
    title:
      "Once PROVIDER_C has reported that the user removed the app, a disconnect has no creatorAction and the revoke has SUCCEEDED.",
    holds: [accountHold("PROVIDER_C", "flat-token")],
    reaches: [
      "rule:disconnect.creatorAction.C-removed",
      "transition:connection.RECONNECT_REQUIRED.DISCONNECTED",
      "transition:connection.CONNECTED.RECONNECT_REQUIRED",
    ],
    run: async (t) => {
      for (let round = 0; round < MAX_POLLS && !t.saw("enum:ConnectionStatus.DISCONNECTED"); round += 1) {
        const connected = await connectAndSettle(t, { account: "flat-token" });
        t.equal(connected.connection.status, "CONNECTED", "at first");
        await t.provider.removeApp("PROVIDER_C", "flat-token");
        await untilReconnectRequired(t, connected);
        const ended = await disconnect(t, connected);
        const after = await connectionOutcome(t, connected);
        if (after.ok) t.oneOf(after.value.status, ["DISCONNECTED", "DELETING"], "status");
        t.shows(ended, { upstreamRevocationPending: false, creatorAction: null }, "the response");
        await revokedAndErased(t, connected, ended);
      }
    },
  },
  "S4.disconnect.app-removed-two-subjects": {
    title:
      "When PROVIDER_C reports that the user removed the app, the connections of both subjects that share the account need a reconnect; forged callbacks change nothing.",
    holds: [accountHold("PROVIDER_C", "flat-token")],
    reaches: ["transition:connection.CONNECTED.RECONNECT_REQUIRED"],
    run: async (t) => {
      const both = [await connect(t, { account: "flat-token" }), await connect(t, { account: "flat-token" })];
      const unrelated = await connect(t);
      const userId = await t.provider.accountId("PROVIDER_C", "flat-token");
      const encode = (part: object | string) =>
        Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
      for (const algorithm of ["HMAC-SHA256", "none"]) {
        const payload = encode({ algorithm, user_id: userId, issued_at: Math.floor(Date.now() / 1_000) });
        const forged = `${encode("0".repeat(32))}.${payload}`;
        const address = `${t.target.connectHost}/api/connect/deauthorize/provider-c`;
        const visit = await t.browser().post(address, { signed_request: forged }, null);
        t.holds(visit.status >= 400 && visit.status < 500, `a forged callback (${algorithm}) is refused`, visit.status);
      }
      for (const one of both) t.value(await connectionOutcome(t, one), "still served after the forged callbacks");
      await t.provider.removeApp("PROVIDER_C", "flat-token");
      for (const one of both) {
        await untilReconnectRequired(t, one);
        const ended = await disconnect(t, one);
        t.shows(ended, { upstreamRevocationPending: false, creatorAction: null }, "a disconnect has no creatorAction");
      }
      t.value(await connectionOutcome(t, unrelated), "another account is not affected");
    },
  },
  "S4.disconnect.app-removed-before-consent": {
    title:
      "A deauthorize callback of PROVIDER_C about a removal before the current consent changes nothing; one about a later removal ends it.",
    holds: [accountHold("PROVIDER_C", "flat-token")],
    reaches: ["transition:connection.CONNECTED.RECONNECT_REQUIRED"],
    run: async (t) => {
      const connected = await connect(t, { account: "flat-token" });
      t.equal((await readConnection(t, connected)).status, "CONNECTED", "at first");
      const minuteAgo = new Date((await serviceNow(t)).getTime() - 60_000);
      await t.provider.removeApp("PROVIDER_C", "flat-token", minuteAgo);
      t.equal((await readConnection(t, connected)).status, "CONNECTED", "after the late callback");
      await t.provider.removeApp("PROVIDER_C", "flat-token");
      await untilStatus(t, connected, "RECONNECT_REQUIRED");
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S4.disconnect.app-removed-noticed-${provider}`,
    title: `Where ${provider} reported a revoked grant at a read, a disconnect has no creatorAction and the revoke has SUCCEEDED.`,
    reaches: [
      "enum:ConnectionStatus.RECONNECT_REQUIRED",
      "enum:JobStatus.SUCCEEDED",
      ...(PROVIDER_FACTS[provider].canRevoke ? [] : ["rule:disconnect.creatorAction.C-removed"]),
    ],
    run: async (t) => {
      const connected = await connect(t, { provider, account: "removed-app" });
      await untilReconnectRequired(t, connected);
      const ended = await disconnect(t, connected);
      t.equal(ended.creatorAction, null, "creatorAction of the response");
      await revokedAndErased(t, connected, ended);
    },
  })),
  ...caseForEach(REVOKING, (provider) => ({
    id: `S4.disconnect.already-dead-${provider}`,
    title: `A credential that is already invalid, unknown to the service, counts as revoked at ${provider}.`,
    holds: [accountHold(provider, ENDED_ACCOUNT[provider])],
    reaches: ["enum:JobStatus.SUCCEEDED", "rule:disconnect.receipts"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider, account: ENDED_ACCOUNT[provider] });
      await t.provider.endGrants(provider, ENDED_ACCOUNT[provider]);
      const ended = await disconnect(t, connected);
      await revokedAndErased(t, connected, ended);
    },
  })),
  ...caseForEach(REVOKING, (provider) => ({
    id: `S4.disconnect.revoke-fails-twice-${provider}`,
    title: `A revoke that ${provider} fails twice is retried, has a retry time, and succeeds; the erasure waits for it.`,
    holds: [accountHold(provider, "revoke-fails-twice")],
    reaches: ["transition:job.RUNNING.QUEUED", "field:SyncJob.nextRetryAt", "enum:JobStatus.SUCCEEDED"],
    run: async (t) => {
      const connected = await connect(t, { provider, account: "revoke-fails-twice" });
      const ended = await disconnect(t, connected);
      const waiting = await untilRetry(t, connected, ended.revokeJobId);
      t.shows(waiting, { status: "QUEUED", creatorAction: null }, "meanwhile");
      t.matches(waiting.nextRetryAt, /Z$/, "nextRetryAt");
      const erase = await readJob(t, connected, ended.eraseJobId);
      t.oneOf(erase.status, ["QUEUED", "RUNNING"], "the erasure does not finish before the revoke");
      await revokedAndErased(t, connected, ended);
    },
  })),
  ...caseForEach(REVOKING, (provider) => ({
    id: `S4.disconnect.revoke-rejected-${provider}`,
    title: `A revoke that ${provider} refuses ends FAILED with REVOKE_REJECTED, and the user has to remove the app; all data is erased.`,
    holds: [accountHold(provider, "revoke-rejected")],
    reaches: [
      "errorCode:REVOKE_REJECTED",
      "transition:job.RUNNING.FAILED",
      "enum:ConnectCreatorAction.REMOVE_APP_AT_PROVIDER",
    ],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider, account: "revoke-rejected" });
      const ended = await disconnect(t, connected);
      t.shows(ended, { upstreamRevocationPending: true, creatorAction: null }, "before the outcome");
      await revokedAndErased(t, connected, ended, "REVOKE_REJECTED");
    },
  })),
});
