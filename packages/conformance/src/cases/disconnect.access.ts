import { randomUUID } from "node:crypto";
import type { Connection } from "../_generated/consumerWire.ts";
import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import type { CaseContext } from "../harness/context.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import type { Provider } from "../target/target.ts";
import { accountHold, publicPosts, REVOCABLE, revocableHolds, whileRegistration } from "./support/accounts.ts";
import { connectInput, createSession, mayConnectAgain, refusesSession } from "./support/attempts.ts";
import {
  type Connected,
  connect,
  connectAndSettle,
  listedConnection,
  readConnection,
  untilStatus,
} from "./support/connections.ts";
import { contentRefused, storedPost } from "./support/content.ts";
import {
  disconnect,
  disconnectAndErase,
  erased,
  MAX_POLLS,
  whileRevokeFails,
  whileRevoking,
} from "./support/disconnects.ts";
import { BURST, concurrently } from "./support/findings.ts";
import { daysBack, readJob, scan, serviceNow } from "./support/jobs.ts";
import { refusesOtherApplication } from "./support/tenants.ts";

const ENDING = ["DISCONNECTED", "DELETING"];

/** The id of a served post, however old the account's newest post is. */
async function servedPost(t: CaseContext, provider: Provider, connected: Connected): Promise<string> {
  const posts = await publicPosts(t, provider, REVOCABLE[provider]);
  const newest = posts.toSorted((a, b) => b.publishedAt.localeCompare(a.publishedAt))[0];
  if (newest === undefined) throw new Error("the account has no public post");
  const [from, to] = [-1, 1].map((hours) => new Date(Date.parse(newest.publishedAt) + hours * 3_600_000).toISOString());
  await scan(t, connected, { publishedAfter: from ?? "", publishedBefore: to ?? "" });
  const item = await storedPost(t, connected, newest.id);
  t.equal(item?.providerContentId, newest.id, "there is content before");
  return newest.id;
}

function saysNothing(t: CaseContext, row: Connection): void {
  t.shows(row, { profile: null, lastSuccessfulSyncAt: null, nextRetryAt: null }, "profile and sync times");
}

export const DISCONNECT_ACCESS_CASES = defineCasesWith({ needs: ["provider"] })({
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S4.disconnect.access-stops-${provider}`,
    title: `After a disconnect at ${provider} content is immediately NOT_FOUND by every operation.`,
    holds: revocableHolds(provider),
    reaches: ["rule:disconnect.access-stops", "operation:disconnectConnection"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider, account: REVOCABLE[provider] });
      const post = { id: await servedPost(t, provider, connected), url: PROVIDER_FACTS[provider].postUrls[0] };
      const ended = await disconnect(t, connected);
      await contentRefused(t, connected, "NOT_FOUND", post);
      await erased(t, connected, ended);
      await contentRefused(t, connected, "NOT_FOUND", post);
    },
  })),
  "S3.rule6.disconnect-in-progress": {
    title:
      "A reconnect of a connection that is being disconnected returns DISCONNECT_IN_PROGRESS; once erased, NOT_FOUND.",
    reaches: [
      "rule:part3.6",
      "rule:ConnectInput.reconnectConnectionId.status",
      "rule:ConnectInput.reconnectConnectionId.scope-and-provider",
    ],
    run: async (t) => {
      for (let round = 0; round < MAX_POLLS && !t.saw("code:DISCONNECT_IN_PROGRESS"); round += 1) {
        const { scope, connectionId } = await connect(t);
        const input = connectInput(t, { scope, reconnectConnectionId: connectionId });
        t.value(await t.call("createConnectSession", { input }), "while it is connected it may be reconnected");
        const ended = await disconnect(t, { scope, connectionId });
        const outcome = await t.call("createConnectSession", { input });
        t.oneOf(outcome.ok ? "created" : outcome.code, ["DISCONNECT_IN_PROGRESS", "NOT_FOUND"], "code");
        await erased(t, { scope, connectionId }, ended);
        await t.refuses("createConnectSession", { input }, "NOT_FOUND");
      }
    },
  },
  "S3.rule6.settling": {
    title: "While its revoke settles, a disconnected connection at PROVIDER_B cannot be a reconnect target.",
    holds: revocableHolds("PROVIDER_B"),
    reaches: ["rule:disconnect.settling", "operation:disconnectConnection"],
    run: async (t) => {
      const connected = await connect(t, { provider: "PROVIDER_B", account: REVOCABLE.PROVIDER_B });
      const { scope, connectionId } = connected;
      await whileRevoking(t, connected, "PROVIDER_B", REVOCABLE.PROVIDER_B, async () => {
        const fields = { scope, provider: "PROVIDER_B" } as const;
        const reconnect = connectInput(t, { ...fields, reconnectConnectionId: connectionId });
        const outcome = await t.call("createConnectSession", { input: reconnect });
        // Both apply, and the description does not define which takes precedence.
        t.oneOf(outcome.ok ? "created" : outcome.code, ["DISCONNECT_IN_PROGRESS", "FORBIDDEN"], "code");
        await refusesSession(t, fields, "FORBIDDEN", "a first-time attempt");
      });
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S4.disconnect.against-policy-${provider}`,
    title: `A connection at ${provider} can be disconnected although the policy no longer allows the provider, and is erased.`,
    needs: ["provider", "operator"],
    holds: revocableHolds(provider),
    reaches: ["operation:disconnectConnection", "rule:disconnect.erased", "code:FORBIDDEN"],
    run: async (t) => {
      const connected = await connect(t, { provider, account: REVOCABLE[provider] });
      const [other] = PROVIDERS.filter((one) => one !== provider);
      await t.driver("operator").setPolicy(t.application, { providers: other === undefined ? [] : [other] });
      await t.refuses("connection", { scope: connected.scope, id: connected.connectionId }, "FORBIDDEN");
      const ended = await disconnectAndErase(t, connected);
      const revoke = await readJob(t, connected, ended.revokeJobId);
      t.equal(revoke.status, PROVIDER_FACTS[provider].canRevoke ? "SUCCEEDED" : "FAILED", "the revoke receipt");
    },
  })),
  "S4.disconnect.while-paused": {
    title: "A connection can be disconnected while the provider's registration is paused, and is erased.",
    lane: "alone",
    needs: ["provider", "operator"],
    reaches: ["operation:disconnectConnection", "rule:disconnect.erased", "code:AUTHORIZATION_SUSPENDED"],
    run: async (t) => {
      const connected = await connect(t, { provider: "PROVIDER_B" });
      await whileRegistration(t, "PROVIDER_B", "PAUSED", async () => {
        const { scope, connectionId } = connected;
        await t.refuses("connection", { scope, id: connectionId }, "AUTHORIZATION_SUSPENDED");
        const ended = await disconnect(t, connected);
        await t.refuses("requestRefresh", { scope, connectionId }, "NOT_FOUND");
        await erased(t, connected, ended);
        t.equal((await readJob(t, connected, ended.revokeJobId)).status, "SUCCEEDED", "the revoke");
      });
    },
  },
  "S4.disconnect.unknown": {
    title: "A disconnect of a connection that does not exist is NOT_FOUND.",
    needs: [],
    reaches: ["operation:disconnectConnection", "code:NOT_FOUND"],
    run: async (t) => {
      for (const connectionId of [randomUUID(), "no-id", ""]) {
        await t.refuses("disconnectConnection", { scope: t.scope(), connectionId }, "NOT_FOUND");
      }
    },
  },
  "S3.disconnect.listed-until-erased": {
    title:
      "A disconnected connection is shown DISCONNECTED, then DELETING, without a profile, and is NOT_FOUND once erased.",
    holds: [accountHold("PROVIDER_B", "unicode")],
    reaches: [
      "rule:part3.5",
      "transition:connection.CONNECTED.DISCONNECTED",
      "transition:connection.DISCONNECTED.DELETING",
      "transition:connection.DELETING.gone",
      "rule:disconnect.access-stops",
      "rule:disconnect.erased",
    ],
    run: async (t) => {
      const fields = { provider: "PROVIDER_B", account: "unicode" } as const;
      // On a busy machine the erasure often begins before the first read.
      for (let round = 0; round < 4 * MAX_POLLS && !t.saw("enum:ConnectionStatus.DISCONNECTED"); round += 1) {
        const connected = await connect(t, fields);
        t.equal((await readConnection(t, connected)).status, "CONNECTED", "before");
        await whileRevoking(t, connected, "PROVIDER_B", "unicode", async () => {
          const row = await readConnection(t, connected);
          t.oneOf(row.status, ENDING, "status after the disconnect");
          saysNothing(t, row);
          t.oneOf((await listedConnection(t, connected))?.status, ENDING, "status in the list");
        });
      }
      t.holds(t.saw("enum:ConnectionStatus.DISCONNECTED"), "DISCONNECTED was visible");
      const last = await connect(t, fields);
      await whileRevoking(t, last, "PROVIDER_B", "unicode", async () => {
        saysNothing(t, await untilStatus(t, last, "DELETING"));
        t.equal((await listedConnection(t, last))?.status, "DELETING", "status in the list");
      });
      t.equal(await listedConnection(t, last), null, "erased, it is not listed");
      await t.refuses("disconnectConnection", { scope: last.scope, connectionId: last.connectionId }, "NOT_FOUND");
    },
  },
  "S4.disconnect.jobs-in-flight": {
    title:
      "A scan and a lookup that are in flight when their connection is disconnected end CANCELED with DISCONNECTED.",
    holds: [accountHold("PROVIDER_B", "slow")],
    reaches: ["rule:disconnect.jobs-in-flight", "transition:job.RUNNING.CANCELED", "errorCode:DISCONNECTED"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider: "PROVIDER_B", account: "slow" });
      const { scope, connectionId } = connected;
      const [post] = await t.provider.posts("PROVIDER_B", "slow");
      await whileRevokeFails(t, "PROVIDER_B", "slow", async () => {
        const window = daysBack(await serviceNow(t), 60);
        const jobs = [
          await t.get("requestRefresh", { scope, connectionId, window }),
          await t.get("requestContentLookup", { scope, connectionId, url: post?.url ?? "" }),
        ];
        await disconnect(t, connected);
        for (const { id } of jobs) {
          const job = await readJob(t, { scope, connectionId }, id);
          t.shows(job, { status: "CANCELED", errorCode: "DISCONNECTED", nextRetryAt: null }, "the job, immediately");
          t.shows(job, { continuationCursor: null, resultProviderContentId: null }, "its result");
        }
      });
    },
  },
  "S4.disconnect.idempotent": {
    title: "50 concurrent disconnects of one connection during a scan return the same two job ids.",
    holds: [accountHold("PROVIDER_B", "slow"), BURST],
    reaches: ["rule:disconnect.idempotent"],
    run: async (t) => {
      const connected = await connect(t, { provider: "PROVIDER_B", account: "slow" });
      const { scope, connectionId } = connected;
      const ended = await whileRevokeFails(t, "PROVIDER_B", "slow", async () => {
        const results = await concurrently(50, () => disconnect(t, connected));
        const [first] = results;
        if (first === undefined) throw new Error("no call was made");
        t.holds(first.revokeJobId !== first.eraseJobId, "two jobs");
        for (const result of results) t.equal(result, first, "the same response");
        t.equal(first.connectionId, connectionId, "connectionId");
        t.shows(first, { accepted: true, upstreamRevocationPending: true }, "accepted and pending");
        t.equal(await disconnect(t, connected), first, "a later repeat");
        return first;
      });
      await erased(t, connected, ended);
      await t.refuses("disconnectConnection", { scope, connectionId }, "NOT_FOUND", "erased, it is NOT_FOUND");
    },
  },
  "S4.disconnect.foreign": {
    title: "A disconnect by another subject, tenant or application is NOT_FOUND and changes nothing.",
    needs: ["provider", "operator"],
    reaches: ["rule:part3.3", "auth:foreign-subject", "auth:foreign-application"],
    run: async (t) => {
      const connected = await connect(t);
      const { scope, connectionId } = connected;
      const tenantKey = t.application.tenantKeys[1] ?? "other";
      for (const other of [t.scope(), { ...scope, tenantKey }, { ...scope, tenantKey: "not-registered" }]) {
        await t.refuses("disconnectConnection", { scope: other, connectionId }, "NOT_FOUND");
      }
      await refusesOtherApplication(t, "disconnectConnection", { scope, connectionId });
      t.equal((await readConnection(t, connected)).status, "CONNECTED", "it is still connected");
      t.equal((await disconnect(t, connected)).accepted, true, "its own subject can");
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S3.disconnect.connect-again-${provider}`,
    title: `After an erasure the same account at ${provider} can be connected again, as a new connection without data of the first.`,
    holds: revocableHolds(provider),
    reaches: ["rule:disconnect.erased", "transition:connection.none.CONNECTED", "rule:disconnect.receipts"],
    run: async (t) => {
      const account = REVOCABLE[provider];
      const first = await connectAndSettle(t, { provider, account });
      const { scope } = first;
      const { eraseJobId } = await disconnectAndErase(t, first);
      await mayConnectAgain(t, { scope, provider });
      const second = await connectAndSettle(t, { provider, account, scope });
      t.holds(second.connectionId !== first.connectionId, "it has another id");
      t.equal(second.connection.providerAccountId, first.connection.providerAccountId, "it is the same account");
      const { items } = await t.get("connections", { scope });
      t.equal([items.length, items[0]?.id], [1, second.connectionId], "listed");
      t.equal((await readJob(t, first, eraseJobId)).status, "SUCCEEDED", "the old receipt");
      await t.refuses("syncJob", { ...second, id: eraseJobId }, "NOT_FOUND", "it is not the new connection's");
      await t.refuses("connection", { scope, id: first.connectionId }, "NOT_FOUND");
      const old = { scope, provider, reconnectConnectionId: first.connectionId };
      await refusesSession(t, old, "NOT_FOUND", "the old id is not a reconnect target");
      await createSession(t, { scope, provider, reconnectConnectionId: second.connectionId });
    },
  })),
});
