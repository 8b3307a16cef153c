import { readSyncJob } from "../../modules/jobs/readSyncJob.ts";
import { requestContentLookup } from "../../modules/jobs/requestContentLookup.ts";
import { requestRefresh } from "../../modules/jobs/requestRefresh.ts";
import type { SyncJobShown } from "../../modules/jobs/showSyncJob.ts";
import { builder } from "./builder.ts";
import { callerOf } from "./context.ts";
import { ConnectCreatorAction, JobStatus } from "./enums.ts";
import { SubjectScope } from "./scope.ts";

const SyncWindow = builder.inputType("SyncWindow", {
  fields: (t) => ({
    publishedAfter: t.field({ type: "DateTime", required: true, description: "Belongs to the window." }),
    publishedBefore: t.field({
      type: "DateTime",
      required: true,
      description: "Does not belong to it; at most 90 days later.",
    }),
    maxItems: t.int({ description: "1 to 100, 100 when absent." }),
  }),
});

const SyncJob = builder.objectRef<SyncJobShown>("SyncJob").implement({
  description: "A refresh, metrics, lookup, revoke or erase job.",
  fields: (t) => ({
    id: t.exposeID("id"),
    status: t.expose("status", { type: JobStatus }),
    nextRetryAt: t.expose("nextRetryAt", { type: "DateTime", nullable: true }),
    errorCode: t.exposeString("errorCode", { nullable: true }),
    creatorAction: t.expose("creatorAction", {
      type: ConnectCreatorAction,
      nullable: true,
      description: "On revoke receipts: the grant may still stand until the person removes the app at the provider.",
    }),
    resultProviderContentId: t.exposeString("resultProviderContentId", { nullable: true }),
    completeForWindow: t.exposeBoolean("completeForWindow", { nullable: true }),
    incompleteReason: t.exposeString("incompleteReason", { nullable: true }),
    continuationCursor: t.exposeString("continuationCursor", { nullable: true }),
  }),
});

builder.queryField("syncJob", (t) =>
  t.field({
    type: SyncJob,
    description:
      "How a job stands. Receipts of a disconnect stay readable for 7 days, also when the connection is erased.",
    args: {
      scope: t.arg({ type: SubjectScope, required: true }),
      connectionId: t.arg.id({ required: true }),
      id: t.arg.id({ required: true }),
    },
    resolve: (_root, { scope, connectionId, id }, context) =>
      readSyncJob(context.service, callerOf(context), { scope, connectionId, id }),
  }),
);

builder.mutationField("requestRefresh", (t) =>
  t.field({
    type: SyncJob,
    description: "Reads the provider anew: a window of posts, or the metrics of one stored post.",
    args: {
      scope: t.arg({ type: SubjectScope, required: true }),
      connectionId: t.arg.id({ required: true }),
      providerContentId: t.arg.string({ description: "One stored post; no window or cursor with it." }),
      window: t.arg({ type: SyncWindow, description: "The last 7 days when absent." }),
      continuationCursor: t.arg.string({ description: "Goes on where an incomplete scan stopped." }),
    },
    resolve: (_root, args, context) => requestRefresh(context.service, callerOf(context), args),
  }),
);

builder.mutationField("requestContentLookup", (t) =>
  t.field({
    type: SyncJob,
    description: "Finds the post a URL names, if it belongs to the connection. The URL itself is never fetched.",
    args: {
      scope: t.arg({ type: SubjectScope, required: true }),
      connectionId: t.arg.id({ required: true }),
      url: t.arg.string({ required: true, description: "HTTPS, at most 2,048 characters." }),
    },
    resolve: (_root, args, context) => requestContentLookup(context.service, callerOf(context), args),
  }),
);
