import { accountHold, REVOCABLE, revocableHolds } from "../context/accounts.ts";
import { DAY_MS, daysBack, HOUR_MS, MARGIN_MS } from "../context/jobs.ts";
import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";

const WEEK_MS = 7 * DAY_MS;

export const JOB_RETENTION_CASES = defineCasesWith({ lane: "timeline", needs: ["provider", "clock"] })({
  "S8.job-readability.reads": {
    title: "A finished scan, metrics refresh or lookup is readable for 7 days and then NOT_FOUND.",
    run: async (t) => {
      const connected = await t.connectAndSettle();
      const { scope, connectionId } = connected;
      const window = daysBack(await t.now(), 9, 2);
      const [post] = await t.publicPosts("PROVIDER_C");
      const begun = await t.now();
      const read = await t.scan(connected, window);
      const looked = await t.lookUp(connected, post?.url ?? "");
      const refreshed = await t.refresh(connected, looked.resultProviderContentId ?? "");
      const jobs = [read, looked, refreshed];
      for (const { status } of jobs) t.equal(status, "SUCCEEDED", "each job");
      const over = await t.now();
      await t.until(begun, WEEK_MS - MARGIN_MS);
      for (const job of jobs) {
        const read = await t.readJob({ scope, connectionId }, job.id);
        t.equal({ ...read, continuationCursor: null }, { ...job, continuationCursor: null }, "shortly before");
      }
      await t.until(over, WEEK_MS + 1_000);
      for (const { id } of jobs) await t.refuses("syncJob", { scope, connectionId, id }, "NOT_FOUND", "after 7 days");
      t.equal((await t.readConnection(connected)).status, "CONNECTED", "the connection still exists");
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S8.job-readability.receipts-${provider}`,
    title: `Receipts of a disconnect at ${provider} are readable for 7 days after creation, although the connection is erased, and then NOT_FOUND.`,
    holds: PROVIDER_FACTS[provider].afterSharedRevoke === "RECONNECT_REQUIRED" ? revocableHolds(provider) : [],
    run: async (t) => {
      const connected = await t.connect({ provider, account: REVOCABLE[provider] });
      const { scope, connectionId } = connected;
      const begun = await t.now();
      const ended = await t.disconnect(connected);
      const over = await t.now();
      const both = await t.receipts(connected, ended);
      await t.erased(connected, ended);
      await t.until(begun, WEEK_MS - MARGIN_MS);
      for (const receipt of [both.revoke, both.erase]) {
        t.equal(await t.readJob({ scope, connectionId }, receipt.id), receipt, "shortly before");
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
    run: async (t) => {
      const fields = { provider: "PROVIDER_B", account: "deleted-post" } as const;
      const connected = await t.connectAndSettle(fields);
      const { scope, connectionId } = connected;
      const wanted = { scope, provider: fields.provider };
      await t.whileRevokeFails(fields.provider, fields.account, async () => {
        const begun = await t.now();
        const ended = await t.disconnect(connected);
        await t.until(begun, 23 * HOUR_MS);
        const waiting = await t.readJob({ scope, connectionId }, ended.revokeJobId);
        t.oneOf(waiting.status, ["QUEUED", "RUNNING"], "after 23 hours it is still retried");
        t.shows(waiting, { errorCode: null, creatorAction: null }, "the receipt during the retries");
        t.equal((await t.readConnection(connected)).status, "DELETING", "the connection");
        const repeat = await t.disconnect(connected);
        t.shows(repeat, { revokeJobId: ended.revokeJobId, creatorAction: null }, "a repeat");
        await t.refusesSession(wanted, "FORBIDDEN");
        await t.until(begun, 24 * HOUR_MS + 60_000);
        await t.revokedAndErased(connected, ended, "REVOKE_REJECTED");
        await t.mayConnectAgain(wanted);
      });
    },
  },
});
