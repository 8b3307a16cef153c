import { LIMITS } from "@social-connect/contract";
import { AUDIT_ACTIONS, type AuditChange, durationText, inputSchema } from "@social-connect/domain";
import type { AuditEntry as AuditEntryRow } from "../../_generated/prisma/client.ts";
import type { Page } from "../../modules/admin/page.ts";
import { changesOfEntry, listAuditEntries, readAuditEntry } from "../../modules/audit/listAuditEntries.ts";
import { orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { PAGE_ARGUMENTS, PageInfo } from "./paging.ts";

const AuditEntry = builder.prismaObject("AuditEntry", {
  name: "AuditEntry",
  description: `A completed change and who made it. Entries are stored for ${durationText(LIMITS.auditRetentionMs)}.`,
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id of the entry, a UUID." }),
    at: t.expose("at", { description: "When it happened.", type: "DateTime" }),
    actor: t.exposeString("actor", {
      description: "`Via API key` with the first 8 characters of the key's id, an admin's email address, or `System`.",
    }),
    apiKeyId: t.exposeID("apiKeyId", orNull("The id of the API key that made the change; null when no key was used.")),
    action: t.exposeString("action", { description: "A short name of the change, for example `Origin added`." }),
    targetType: t.exposeString("targetType", {
      description: "The type of the changed object: CLIENT, CONNECTION, JOB, REGISTRATION, ADMIN or API_KEY.",
    }),
    targetId: t.exposeID("targetId", { description: "The id of the changed object." }),
    clientSlug: t.exposeString("clientSlug", {
      description: "The slug of the client that the entry concerns; null when it concerns no client.",
      nullable: true,
    }),
    summary: t.exposeString("summary", { description: "The change in one sentence. It contains no secret." }),
  }),
});

const AuditEntryPage = builder.objectRef<Page<AuditEntryRow>>("AuditEntryPage").implement({
  description: "A page of the audit log, newest entry first.",
  fields: (t) => ({
    items: t.expose("items", { description: "The entries of this page.", type: [AuditEntry] }),
    pageInfo: t.expose("pageInfo", { description: "How to read the next page.", type: PageInfo }),
  }),
});

const AuditChangeRef = builder.objectRef<AuditChange>("AuditChange").implement({
  description: "A field that a change gave another value. A secret is named, not shown.",
  fields: (t) => ({
    field: t.exposeString("field", { description: "`part.field` for a field of a part." }),
    before: t.stringList({ ...orNull("Null: it had no value."), resolve: ({ before }) => textsOf(before) }),
    after: t.stringList({ ...orNull("Null: it has no value."), resolve: ({ after }) => textsOf(after) }),
    unchanged: t.exposeInt(
      "unchanged",
      orNull("For a long list: how many entries stay. `before` has what was removed, and `after` what was added."),
    ),
  }),
});

function textsOf(value: AuditChange["after"]): string[] | null {
  if (value === null) return null;
  if (typeof value === "boolean") return [value ? "yes" : "no"];
  return typeof value === "object" ? [...value] : [String(value)];
}

builder.queryFields((t) => ({
  adminAuditEntries: t.field({
    type: AuditEntryPage,
    description: "The audit log, newest entry first.",
    args: {
      ...PAGE_ARGUMENTS,
      apiKeyId: t.arg.id({ description: "Only changes made with this API key." }),
    },
    validate: inputSchema("adminAuditEntries"),
    resolve: (_root, { apiKeyId, ...page }, { service }) => listAuditEntries(service, { apiKeyId }, page),
  }),
  searchAuditEntries: t.field({
    type: AuditEntryPage,
    description: "The audit log filtered by key, client, action, actor, target and time.",
    args: {
      ...PAGE_ARGUMENTS,
      apiKeyId: t.arg.id({ description: "Only changes made with this API key." }),
      clientSlug: t.arg.string({ description: "Only entries of this client." }),
      action: t.arg.string({ description: "Only this action." }),
      actor: t.arg.string({ description: "Only entries with exactly this actor." }),
      targetType: t.arg.string({ description: "Only changes of objects of this type." }),
      targetId: t.arg.string({ description: "Only changes of this object." }),
      from: t.arg({ type: "DateTime", description: "Only entries of this time or later." }),
      to: t.arg({ type: "DateTime", description: "Only entries before this time." }),
    },
    validate: inputSchema("searchAuditEntries"),
    resolve: (_root, { first, after, ...filter }, { service }) => listAuditEntries(service, filter, { first, after }),
  }),
  auditEntry: t.field({
    type: AuditEntry,
    description: `One entry; null when it is older than ${durationText(LIMITS.auditRetentionMs)}.`,
    nullable: true,
    args: { id: t.arg.id({ description: "The id of the entry.", required: true }) },
    resolve: (_root, { id }, { service }) => readAuditEntry(service, id),
  }),
  auditChanges: t.field({
    type: [AuditChangeRef],
    description: "What an entry's change stored, before and after; null when it was not recorded.",
    nullable: true,
    args: { id: t.arg.id({ description: "The id of the entry.", required: true }) },
    resolve: async (_root, { id }, { service }) => changesOfEntry(await readAuditEntry(service, id)),
  }),
  auditActions: t.stringList({
    description: "Every action that an entry can have.",
    resolve: () => [...AUDIT_ACTIONS],
  }),
}));
