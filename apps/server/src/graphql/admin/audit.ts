import { AUDIT_ACTIONS } from "@social-connect/domain";
import type { AuditEntry as AuditEntryRow } from "../../_generated/prisma/client.ts";
import type { Page } from "../../modules/admin/page.ts";
import { listAuditEntries, readAuditEntry } from "../../modules/audit/listAuditEntries.ts";
import { builder } from "./builder.ts";
import { AFTER, FIRST, PageInfo, pageRequest, searchText } from "./paging.ts";

const AuditEntry = builder.prismaObject("AuditEntry", {
  name: "AuditEntry",
  description: "What was done, by whom. Kept for 30 days.",
  fields: (t) => ({
    id: t.exposeID("id"),
    at: t.expose("at", { type: "DateTime" }),
    actor: t.exposeString("actor", {
      description: "`Via API key` with the first 8 characters of the key's id, an admin's e-mail address, or `System`.",
    }),
    apiKeyId: t.exposeID("apiKeyId", { nullable: true }),
    action: t.exposeString("action"),
    targetType: t.exposeString("targetType", { description: "CLIENT, REGISTRATION, ADMIN or API_KEY." }),
    targetId: t.exposeID("targetId"),
    clientSlug: t.exposeString("clientSlug", { nullable: true }),
    summary: t.exposeString("summary"),
  }),
});

const AuditEntryPage = builder.objectRef<Page<AuditEntryRow>>("AuditEntryPage").implement({
  fields: (t) => ({
    items: t.field({ type: [AuditEntry], resolve: ({ items }) => [...items] }),
    pageInfo: t.expose("pageInfo", { type: PageInfo }),
  }),
});

builder.queryFields((t) => ({
  adminAuditEntries: t.field({
    type: AuditEntryPage,
    description: "What was done, the newest first.",
    args: {
      first: t.arg.int({ description: FIRST }),
      after: t.arg.string({ description: AFTER }),
      apiKeyId: t.arg.id({ description: "What was done with this key alone." }),
    },
    resolve: (_root, { apiKeyId, ...page }, { service }) =>
      listAuditEntries(service, { apiKeyId: apiKeyId ?? null }, pageRequest(page)),
  }),
  searchAuditEntries: t.field({
    type: AuditEntryPage,
    description: "The same, by key, client and action at once.",
    args: {
      first: t.arg.int({ description: FIRST }),
      after: t.arg.string({ description: AFTER }),
      apiKeyId: t.arg.id(),
      clientSlug: t.arg.string({ validate: searchText }),
      action: t.arg.string({ validate: searchText }),
    },
    resolve: (_root, { first, after, ...filter }, { service }) =>
      listAuditEntries(service, filter, pageRequest({ first, after })),
  }),
  auditEntry: t.field({
    type: AuditEntry,
    description: "One entry, for a link to it; null when it is past its time.",
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { service }) => readAuditEntry(service, id),
  }),
  auditActions: t.stringList({
    description: "Everything that an entry's action can be.",
    resolve: () => [...AUDIT_ACTIONS],
  }),
}));
