import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { accountHold, publicPosts, REVOCABLE, revocableHolds } from "./support/accounts.ts";
import { mayConnectAgain, refusesSession } from "./support/attempts.ts";
import { connect, connectAndSettle, readConnection } from "./support/connections.ts";
import { disconnect, erased, receipts, revokedAndErased, whileRevokeFails } from "./support/disconnects.ts";
import { daysBack, lookUp, readJob, refresh, scan, serviceNow } from "./support/jobs.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const MARGIN_MS = 30_000;

export const JOB_RETENTION_CASES = defineCasesWith({ lane: "timeline", needs: ["provider", "clock"] })({
  "S8.job-readability.reads": {
    title: "A finished scan, metrics refresh or lookup is readable for 7 days and then NOT_FOUND.",
    reaches: ["limit:job-readability", "operation:syncJob", "enum:JobStatus.SUCCEEDED"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const { scope, connectionId } = connected;
      const window = daysBack(await serviceNow(t), 9, 2);
      const [post] = await publicPosts(t, "PROVIDER_C");
      const begun = await serviceNow(t);
      const read = await scan(t, connected, window);
      const looked = await lookUp(t, connected, post?.url ?? "");
      const refreshed = await refresh(t, connected, looked.resultProviderContentId ?? "");
      const jobs = [read, looked, refreshed];
      const over = await serviceNow(t);
      await t.until(begun, WEEK_MS - MARGIN_MS);
      for (const job of jobs) {
        const read = await readJob(t, { scope, connectionId }, job.id);
        t.equal({ ...read, continuationCursor: null }, { ...job, continuationCursor: null }, "shortly before");
      }
      await t.until(over, WEEK_MS + 1_000);
      for (const { id } of jobs) await t.refuses("syncJob", { scope, connectionId, id }, "NOT_FOUND", "after 7 days");
      t.equal((await readConnection(t, connected)).status, "CONNECTED", "the connection still exists");
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S8.job-readability.receipts-${provider}`,
    title: `Receipts of a disconnect at ${provider} are readable for 7 days after creation, although the connection is erased, and then NOT_FOUND.`,
    holds: PROVIDER_FACTS[provider].afterSharedRevoke === "RECONNECT_REQUIRED" ? revocableHolds(provider) : [],
    reaches: ["limit:job-readability", "rule:disconnect.receipts", "rule:disconnect.erased"],
    run: async (t) => {
      const connected = await connect(t, { provider, account: REVOCABLE[provider] });
      const { scope, connectionId } = connected;
      const begun = await serviceNow(t);
      const ended = await disconnect(t, connected);
      const over = await serviceNow(t);
      const both = await receipts(t, connected, ended);
      await erased(t, connected, ended);
      await t.until(begun, WEEK_MS - MARGIN_MS);
      for (const receipt of [both.revoke, both.erase]) {
        t.equal(await readJob(t, { scope, connectionId }, receipt.id), receipt, "shortly before");
      }
      await t.until(over, WEEK_MS + 1_000);
      for (const { id } of [both.revoke, both.erase]) {
        await t.refuses("syncJob", { scope, connectionId, id }, "NOT_FOUND", "after 7 days");
      }
      await t.refuses("disconnectConnection", { scope, connectionId }, "NOT_FOUND");
    },
  })),
  "S4.disconnect.revoke-given-up": {
    title:
      "A revoke that fails for 24 hours ends with REVOKE_REJECTED, the user has to remove the app, and the rest is erased.",
    holds: [accountHold("PROVIDER_B", "deleted-post")],
    reaches: [
      "errorCode:REVOKE_REJECTED",
      "enum:ConnectCreatorAction.REMOVE_APP_AT_PROVIDER",
      "rule:disconnect.settling",
      "enum:ConnectionStatus.DELETING",
      "transition:connection.DELETING.gone",
    ],
    run: async (t) => {
      const fields = { provider: "PROVIDER_B", account: "deleted-post" } as const;
      const connected = await connectAndSettle(t, fields);
      const { scope, connectionId } = connected;
      const wanted = { scope, provider: fields.provider };
      await whileRevokeFails(t, fields.provider, fields.account, async () => {
        const begun = await serviceNow(t);
        const ended = await disconnect(t, connected);
        await t.until(begun, 23 * HOUR_MS);
        const waiting = await readJob(t, { scope, connectionId }, ended.revokeJobId);
        t.oneOf(waiting.status, ["QUEUED", "RUNNING"], "after 23 hours it is still retried");
        t.shows(waiting, { errorCode: null, creatorAction: null }, "the receipt during the retries");
        t.equal((await readConnection(t, connected)).status, "DELETING", "the connection");
        const repeat = await disconnect(t, connected);
        t.shows(repeat, { revokeJobId: ended.revokeJobId, creatorAction: null }, "a repeat");
        await refusesSession(t, wanted, "FORBIDDEN");
        await t.until(begun, 24 * HOUR_MS + 60_000);
        await revokedAndErased(t, connected, ended, "REVOKE_REJECTED");
        await mayConnectAgain(t, wanted);
      });
    },
  },
});
