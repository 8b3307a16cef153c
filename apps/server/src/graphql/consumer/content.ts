import { LIMITS } from "@social-connect/contract";
import { durationText, inputSchema, type MetricShown } from "@social-connect/domain";
import type { ContentItemShown } from "../../modules/content/contentColumns.ts";
import {
  type ContentPage as ContentPageShape,
  readContent,
  readContentItem,
} from "../../modules/content/readContent.ts";
import { dateOrNull, orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { readerOf } from "./context.ts";
import { Availability, ContentKind, MetricName, SocialProvider } from "./enums.ts";
import { SubjectScope } from "./scope.ts";

const ContentWindow = builder.inputType("ContentWindow", {
  description: `A page of a time window of at most ${durationText(LIMITS.windowSpanMs)}.`,
  fields: (t) => ({
    publishedAfter: t.field({ type: "DateTime", required: true, description: "The start of the window, inclusive." }),
    publishedBefore: t.field({
      type: "DateTime",
      required: true,
      description: `The end of the window, exclusive; at most ${durationText(LIMITS.windowSpanMs)} after the start.`,
    }),
    first: t.int({ required: true, description: `Page size: 1 to ${LIMITS.contentPageMax}.` }),
    after: t.string({ description: "`endCursor` of the previous page of the same window." }),
  }),
});

const MetricObservation = builder.objectRef<MetricShown>("MetricObservation").implement({
  description: "A metric of a post as the provider reported it, or why it did not. Never estimated.",
  fields: (t) => ({
    name: t.expose("name", { description: "What the metric counts.", type: MetricName }),
    value: t.expose("value", {
      description: "Decimal digits without an upper limit; null when the provider did not report it.",
      type: "DecimalCount",
      nullable: true,
    }),
    availability: t.expose("availability", { description: "Whether the metric is available.", type: Availability }),
    reason: t.exposeString("reason", {
      description:
        "Why it is not available, for example `METRIC_HIDDEN`, or `METRIC_NOT_GIVEN` when the provider omitted it this time; null when it is available.",
      nullable: true,
    }),
    sourceField: t.exposeString("sourceField", orNull("The provider's own name of the field.")),
    observedAt: t.expose("observedAt", { description: "When the service last read the metric.", type: "DateTime" }),
  }),
});

const ContentItem = builder.objectRef<ContentItemShown>("ContentItem").implement({
  description: "A stored post.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The service's id of the stored post." }),
    providerContentId: t.exposeString("providerContentId", {
      description: "The provider's id of the post. `contentItem` and `requestRefresh` take it.",
    }),
    provider: t.expose("provider", { description: "Where the post is.", type: SocialProvider }),
    kind: t.expose("kind", { description: "The kind of media in the post.", type: ContentKind }),
    canonicalUrl: t.exposeString("canonicalUrl", orNull("The public URL of the post.")),
    thumbnailUrl: t.exposeString("thumbnailUrl", {
      nullable: true,
      description: "A preview image. Always null for PROVIDER_A; the URL may expire at the provider after some hours.",
    }),
    title: t.exposeString("title", orNull("The title; always null for PROVIDER_C.")),
    description: t.exposeString("description", orNull("The description or caption.")),
    publishedAt: t.expose("publishedAt", dateOrNull("When the post was published.")),
    availability: t.expose("availability", {
      description: "Whether the post is still available at the provider.",
      type: Availability,
    }),
    reason: t.exposeString("reason", {
      description: `Why it is not available, for example \`DELETED_AT_PROVIDER\`, or \`EXPIRED\` when it was last observed more than ${durationText(LIMITS.contentRetentionMs)} ago; null when it is.`,
      nullable: true,
    }),
    observedAt: t.expose("observedAt", { description: "When the service last read the post.", type: "DateTime" }),
    metrics: t.expose("metrics", {
      description: "The metrics of the post; empty unless the connection has CONTENT_METRICS.",
      type: [MetricObservation],
    }),
  }),
});

const PageInfo = builder.objectRef<ContentPageShape["pageInfo"]>("PageInfo").implement({
  description: "The position of a page in a window of posts, and whether posts may be missing.",
  fields: (t) => ({
    endCursor: t.exposeString("endCursor", {
      description: "Where the page ends: the `after` of the next page of the same window. Null if no page had a post.",
      nullable: true,
    }),
    hasNextPage: t.exposeBoolean("hasNextPage", { description: "Whether another page of stored posts follows." }),
    completeForWindow: t.exposeBoolean("completeForWindow", {
      description: "True only when recent successful scans covered the whole window.",
    }),
    incompleteReason: t.exposeString("incompleteReason", {
      description: "Why posts may be missing, for example `SCAN_RUNNING`; null when the window is covered.",
      nullable: true,
    }),
  }),
});

const ContentPage = builder.objectRef<ContentPageShape>("ContentPage").implement({
  description: "A page of the stored posts of a window, newest first.",
  fields: (t) => ({
    items: t.expose("items", {
      description: `The posts of this page, observed within the last ${durationText(LIMITS.contentRetentionMs)}.`,
      type: [ContentItem],
    }),
    pageInfo: t.expose("pageInfo", {
      description: "How to read the next page, and whether posts may be missing.",
      type: PageInfo,
    }),
    lastSuccessfulSyncAt: t.expose("lastSuccessfulSyncAt", dateOrNull("When a scan of the connection last succeeded.")),
  }),
});

builder.queryFields((t) => ({
  content: t.field({
    type: ContentPage,
    description: "The stored posts published inside a window, newest first. Needs CONTENT_LIST.",
    args: {
      scope: t.arg({ description: "The user whose account it is.", type: SubjectScope, required: true }),
      connectionId: t.arg.id({ description: "The connection whose posts to list.", required: true }),
      window: t.arg({
        description: "When the posts were published, and which page.",
        type: ContentWindow,
        required: true,
      }),
    },
    validate: inputSchema("content"),
    resolve: (_root, { scope, connectionId, window }, context) =>
      readContent(context.service, readerOf(context), scope, connectionId, window),
  }),
  contentItem: t.field({
    type: ContentItem,
    nullable: true,
    description: "One stored post; null when the service never observed it. Needs CONTENT_LIST or CONTENT_LOOKUP.",
    args: {
      scope: t.arg({ description: "The user whose account it is.", type: SubjectScope, required: true }),
      connectionId: t.arg.id({ description: "The connection whose post it is.", required: true }),
      providerContentId: t.arg.string({ description: "The provider's id of the post.", required: true }),
    },
    validate: inputSchema("contentItem"),
    resolve: (_root, { scope, connectionId, providerContentId }, context) =>
      readContentItem(context.service, readerOf(context), scope, connectionId, providerContentId),
  }),
}));
