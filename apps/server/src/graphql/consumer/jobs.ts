import { LIMITS } from "@social-connect/contract";
import { durationText, inputSchema } from "@social-connect/domain";
import { readSyncJob, type SyncJobShown } from "../../modules/jobs/readSyncJob.ts";
import { requestContentLookup } from "../../modules/jobs/requestContentLookup.ts";
import { requestRefresh } from "../../modules/jobs/requestRefresh.ts";
import { dateOrNull, orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { callerOf, readerOf } from "./context.ts";
import { ConnectCreatorAction, JobStatus } from "./enums.ts";
import { SubjectScope } from "./scope.ts";

const SyncWindow = builder.inputType("SyncWindow", {
  description: `A time window of at most ${durationText(LIMITS.windowSpanMs)} to scan for posts.`,
  fields: (t) => ({
    publishedAfter: t.field({ type: "DateTime", required: true, description: "The start of the window, inclusive." }),
    publishedBefore: t.field({
      type: "DateTime",
      required: true,
      description: `The end of the window, exclusive; at most ${durationText(LIMITS.windowSpanMs)} after the start.`,
    }),
    maxItems: t.int({
      description: `How many posts the scan may list: 1 to ${LIMITS.scanMaxItems}, ${LIMITS.scanMaxItemsDefault} by default.`,
    }),
  }),
});

const SyncJob = builder.objectRef<SyncJobShown>("SyncJob").implement({
  description: `A refresh, metrics, lookup, revoke or erase job. It can be read for ${durationText(LIMITS.jobReadableMs)} after it finished; the receipts of a disconnect for ${durationText(LIMITS.jobReadableMs)} after creation.`,
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id of the job." }),
    status: t.expose("status", { description: "The state of the job.", type: JobStatus }),
    nextRetryAt: t.expose("nextRetryAt", dateOrNull("When the job is retried; null unless it waits for a retry.")),
    errorCode: t.exposeString("errorCode", {
      description: "Why the job failed, for example `UPSTREAM_RATE_LIMITED`; null unless FAILED.",
      nullable: true,
    }),
    creatorAction: t.expose("creatorAction", {
      type: ConnectCreatorAction,
      nullable: true,
      description:
        "On a revoke receipt: REMOVE_APP_AT_PROVIDER when the grant may still exist at the provider; null otherwise.",
    }),
    resultProviderContentId: t.exposeString("resultProviderContentId", {
      description: "On a successful lookup: the provider's id of the post.",
      nullable: true,
    }),
    completeForWindow: t.exposeBoolean("completeForWindow", orNull("On a scan: whether it covered its window.")),
    incompleteReason: t.exposeString("incompleteReason", {
      description:
        "On a scan: why it did not cover its window. On a lookup: why the post that it found is unavailable.",
      nullable: true,
    }),
    continuationCursor: t.exposeString("continuationCursor", {
      description: `On an incomplete scan that succeeded less than ${durationText(LIMITS.continuationCursorMs)} ago: where the next scan continues.`,
      nullable: true,
    }),
  }),
});

builder.queryField("syncJob", (t) =>
  t.field({
    type: SyncJob,
    description: `The state of a job. The receipts of a disconnect can be read for ${durationText(LIMITS.jobReadableMs)}, even after the connection is erased.`,
    args: {
      scope: t.arg({ description: "The user whose account it is.", type: SubjectScope, required: true }),
      connectionId: t.arg.id({
        description: "The connection of the job; for a receipt, the connection that was disconnected.",
        required: true,
      }),
      id: t.arg.id({ description: "The id of the job.", required: true }),
    },
    validate: inputSchema("syncJob"),
    resolve: (_root, { scope, connectionId, id }, context) =>
      readSyncJob(context.service, readerOf(context), { scope, connectionId, id }),
  }),
);

builder.mutationFields((t) => ({
  requestRefresh: t.field({
    type: SyncJob,
    description:
      "Reads from the provider: the posts of a window, or the metrics of one stored post. The same window or post returns the job in flight; another window fails with SYNC_WINDOW_BUSY while a scan is in flight.",
    validate: inputSchema("requestRefresh"),
    args: {
      scope: t.arg({ description: "The user whose account it is.", type: SubjectScope, required: true }),
      connectionId: t.arg.id({ description: "The connection to read.", required: true }),
      providerContentId: t.arg.string({
        description:
          "Reads the metrics of this stored post. Cannot be combined with `window` or `continuationCursor`. Needs CONTENT_METRICS.",
      }),
      window: t.arg({
        type: SyncWindow,
        description: `The window to scan; the last ${durationText(LIMITS.scanWindowDefaultMs)} by default. Needs CONTENT_LIST.`,
      }),
      continuationCursor: t.arg.string({ description: "`continuationCursor` of an incomplete scan, to continue it." }),
    },
    resolve: (_root, args, context) => requestRefresh(context.service, callerOf(context), args),
  }),
  requestContentLookup: t.field({
    type: SyncJob,
    description:
      "Finds the post of a URL, if it belongs to the connection. The URL is parsed and never fetched. Needs CONTENT_LOOKUP.",
    args: {
      scope: t.arg({ description: "The user whose account it is.", type: SubjectScope, required: true }),
      connectionId: t.arg.id({ description: "The connection whose post it is.", required: true }),
      url: t.arg.string({
        required: true,
        description: `The public URL of the post: HTTPS, without credentials, port or fragment, at most ${LIMITS.lookupUrlMaxLength} characters.`,
      }),
    },
    validate: inputSchema("requestContentLookup"),
    resolve: (_root, args, context) => requestContentLookup(context.service, callerOf(context), args),
  }),
}));
