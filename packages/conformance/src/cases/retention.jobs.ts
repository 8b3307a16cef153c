import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { accountHold, disconnect, erased, REVOCABLE, receipts, revocableHolds } from "./support/disconnects.ts";
import {
  connect,
  connectAndSettle,
  connectInput,
  daysBack,
  jobEnd,
  readConnection,
  scan,
  serviceNow,
} from "./support/journeys.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const MARGIN_MS = 30_000;

const after = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);

export const JOB_RETENTION_CASES = defineCasesWith({ lane: "timeline", needs: ["provider", "clock"] }, [
  {
    id: "S8.job-readability.reads",
    title: "A finished scan, metrics refresh or lookup is readable for 7 days and then NOT_FOUND.",
    reaches: ["limit:job-readability", "operation:syncJob", "enum:JobStatus.SUCCEEDED"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const { scope, connectionId } = connected;
      const window = daysBack(await serviceNow(t), 9, 2);
      const posts = await t.provider.posts("PROVIDER_C", "tidepool-studio");
      const post = posts.find((one) => one.visibility === "public");
      const begun = await serviceNow(t);
      const scanned = await scan(t, connected, window);
      const found = await t.get("requestContentLookup", { scope, connectionId, url: post?.url ?? "" });
      const looked = await jobEnd(t, connected, found.id);
      const providerContentId = looked.resultProviderContentId ?? "";
      const refreshed = await t.get("requestRefresh", { scope, connectionId, providerContentId });
      const jobs = [scanned, looked, await jobEnd(t, connected, refreshed.id)];
      const over = await serviceNow(t);
      await t.until(after(begun, WEEK_MS - MARGIN_MS));
      for (const job of jobs) {
        const read = await t.get("syncJob", { scope, connectionId, id: job.id });
        t.equal({ ...read, continuationCursor: null }, { ...job, continuationCursor: null }, "shortly before");
      }
      await t.until(after(over, WEEK_MS + 1_000));
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
      await t.until(after(begun, WEEK_MS - MARGIN_MS));
      for (const receipt of [both.revoke, both.erase]) {
        t.equal(await t.get("syncJob", { scope, connectionId, id: receipt.id }), receipt, "shortly before");
      }
      await t.until(after(over, WEEK_MS + 1_000));
      for (const { id } of [both.revoke, both.erase]) {
        await t.refuses("syncJob", { scope, connectionId, id }, "NOT_FOUND", "after 7 days");
      }
      await t.refuses("disconnectConnection", { scope, connectionId }, "NOT_FOUND");
    },
  })),
  {
    id: "S4.disconnect.revoke-given-up",
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
      const input = connectInput(t, { scope, provider: fields.provider });
      const down = { kind: "status", status: 503 } as const;
      const undo = await t.provider.fault(fields.provider, "revoke", down, { account: fields.account });
      try {
        const begun = await serviceNow(t);
        const ended = await disconnect(t, connected);
        await t.until(after(begun, 23 * HOUR_MS));
        const waiting = await t.get("syncJob", { scope, connectionId, id: ended.revokeJobId });
        t.oneOf(waiting.status, ["QUEUED", "RUNNING"], "after 23 hours it is still retried");
        t.equal([waiting.errorCode, waiting.creatorAction], [null, null], "the receipt during the retries");
        t.equal((await readConnection(t, connected)).status, "DELETING", "the connection");
        const repeat = await disconnect(t, connected);
        t.equal([repeat.revokeJobId, repeat.creatorAction], [ended.revokeJobId, null], "a repeat");
        await t.refuses("createConnectSession", { input }, "FORBIDDEN");
        await t.until(after(begun, 24 * HOUR_MS + 60_000));
        const { revoke } = await receipts(t, connected, ended);
        const told = [revoke.status, revoke.errorCode, revoke.creatorAction];
        t.equal(told, ["FAILED", "REVOKE_REJECTED", "REMOVE_APP_AT_PROVIDER"], "the revoke receipt");
        await erased(t, connected, ended);
        const outcome = await t.eventually(
          "the subject may connect at the provider again",
          () => t.call("createConnectSession", { input }),
          (found) => found.ok,
        );
        t.value(outcome);
      } finally {
        await undo();
      }
    },
  },
]);
