import type { StoredMetric } from "@social-connect/domain";
import type { ContentItemShown } from "../../modules/content/contentItem.ts";
import type { ContentPage as ContentPageShape } from "../../modules/content/readContent.ts";
import { readContent } from "../../modules/content/readContent.ts";
import { readContentItem } from "../../modules/content/readContentItem.ts";
import { builder } from "./builder.ts";
import { callerOf } from "./context.ts";
import { Availability, ContentKind, MetricName, SocialProvider } from "./enums.ts";
import { SubjectScope } from "./scope.ts";

const ContentWindow = builder.inputType("ContentWindow", {
  fields: (t) => ({
    publishedAfter: t.field({ type: "DateTime", required: true, description: "Belongs to the window." }),
    publishedBefore: t.field({
      type: "DateTime",
      required: true,
      description: "Does not belong to it; at most 90 days later.",
    }),
    first: t.int({ required: true, description: "1 to 50." }),
    after: t.string({ description: "The endCursor of the page before, with the same window." }),
  }),
});

const MetricObservation = builder.objectRef<StoredMetric>("MetricObservation").implement({
  description: "One number a provider gave, or why it gave none. Never estimated.",
  fields: (t) => ({
    name: t.expose("name", { type: MetricName }),
    value: t.expose("value", { type: "DecimalCount", nullable: true }),
    availability: t.expose("availability", { type: Availability }),
    reason: t.exposeString("reason", { nullable: true }),
    sourceField: t.exposeString("sourceField", { nullable: true, description: "The provider's own field." }),
    observedAt: t.expose("observedAt", { type: "DateTime" }),
  }),
});

const ContentItem = builder.objectRef<ContentItemShown>("ContentItem").implement({
  description: "A stored post.",
  fields: (t) => ({
    id: t.exposeID("id"),
    providerContentId: t.exposeString("providerContentId"),
    provider: t.expose("provider", { type: SocialProvider }),
    kind: t.expose("kind", { type: ContentKind }),
    canonicalUrl: t.exposeString("canonicalUrl", { nullable: true }),
    thumbnailUrl: t.exposeString("thumbnailUrl", { nullable: true, description: "May run out at the provider." }),
    title: t.exposeString("title", { nullable: true }),
    description: t.exposeString("description", { nullable: true }),
    publishedAt: t.expose("publishedAt", { type: "DateTime", nullable: true }),
    availability: t.expose("availability", { type: Availability }),
    reason: t.exposeString("reason", { nullable: true }),
    observedAt: t.expose("observedAt", { type: "DateTime" }),
    metrics: t.field({ type: [MetricObservation], resolve: ({ metrics }) => [...metrics] }),
  }),
});

const PageInfo = builder.objectRef<ContentPageShape["pageInfo"]>("PageInfo").implement({
  fields: (t) => ({
    endCursor: t.exposeString("endCursor", { nullable: true }),
    hasNextPage: t.exposeBoolean("hasNextPage"),
    completeForWindow: t.exposeBoolean("completeForWindow", {
      description: "True only when recent successful scans covered the whole window.",
    }),
    incompleteReason: t.exposeString("incompleteReason", { nullable: true }),
  }),
});

const ContentPage = builder.objectRef<ContentPageShape>("ContentPage").implement({
  fields: (t) => ({
    items: t.field({ type: [ContentItem], resolve: ({ items }) => [...items] }),
    pageInfo: t.expose("pageInfo", { type: PageInfo }),
    lastSuccessfulSyncAt: t.expose("lastSuccessfulSyncAt", { type: "DateTime", nullable: true }),
  }),
});

builder.queryField("content", (t) =>
  t.field({
    type: ContentPage,
    description: "Stored posts published inside a window, newest first.",
    args: {
      scope: t.arg({ type: SubjectScope, required: true }),
      connectionId: t.arg.id({ required: true }),
      window: t.arg({ type: ContentWindow, required: true }),
    },
    resolve: (_root, { scope, connectionId, window }, context) =>
      readContent(context.service, callerOf(context), scope, connectionId, { ...window, after: window.after ?? null }),
  }),
);

builder.queryField("contentItem", (t) =>
  t.field({
    type: ContentItem,
    nullable: true,
    description: "One stored post by the provider's id; null when it was never observed.",
    args: {
      scope: t.arg({ type: SubjectScope, required: true }),
      connectionId: t.arg.id({ required: true }),
      providerContentId: t.arg.string({ required: true }),
    },
    resolve: (_root, { scope, connectionId, providerContentId }, context) =>
      readContentItem(context.service, callerOf(context), scope, connectionId, providerContentId),
  }),
);
