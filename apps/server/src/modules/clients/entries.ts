import type { AuditAction, ClientRefusal } from "@social-connect/domain";
import {
  AUDITED,
  checkAddOrigin,
  checkAddPreviewReturnPath,
  checkAddReturnUrl,
  checkAddTenantKey,
  checkNoOnwardRedirect,
  checkRemoveOrigin,
  checkRemovePreviewReturnPath,
  checkRemoveReturnUrl,
  checkRemoveTenantKey,
} from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule, originRules } from "./changeClient.ts";

type Column = "webOrigins" | "returnUrls" | "previewReturnPaths" | "tenantKeys";
type Check = (client: Application, entry: string, rules: ReturnType<typeof originRules>) => ClientRefusal | null;
type Audited = (entry: string) => { readonly action: AuditAction; readonly summary: string };
type ChangeEntry = (service: Service, actor: AdminActor, clientId: string, entry: string) => Promise<Application>;

function adding(column: Column, check: Check, audited: Audited): ChangeEntry {
  return changing(column, check, audited, (entries, entry) => [...entries, entry]);
}

function removing(column: Column, check: Check, audited: Audited): ChangeEntry {
  return changing(column, check, audited, (entries, entry) => entries.filter((other) => other !== entry));
}

function changing(
  column: Column,
  check: Check,
  audited: Audited,
  change: (entries: readonly string[], entry: string) => string[],
): ChangeEntry {
  return (service, actor, clientId, entry) =>
    changeClient(service, actor, clientId, (client) => {
      enforceClientRule(check(client, entry, originRules(service)));
      return { data: { [column]: change(client[column], entry) }, ...audited(entry) };
    });
}

export const addClientOrigin = adding("webOrigins", checkAddOrigin, AUDITED.originAdded);
export const removeClientOrigin = removing("webOrigins", checkRemoveOrigin, AUDITED.originRemoved);

export function addClientReturnUrl(
  service: Service,
  actor: AdminActor,
  clientId: string,
  { url, confirmedNoOnwardRedirect }: { readonly url: string; readonly confirmedNoOnwardRedirect: boolean },
): Promise<Application> {
  const check: Check = (client, entry, rules) =>
    checkNoOnwardRedirect(confirmedNoOnwardRedirect) ?? checkAddReturnUrl(client, entry, rules);
  return adding("returnUrls", check, AUDITED.returnUrlAdded)(service, actor, clientId, url);
}
export const removeClientReturnUrl = removing("returnUrls", checkRemoveReturnUrl, AUDITED.returnUrlRemoved);

export const addClientPreviewReturnPath = adding(
  "previewReturnPaths",
  checkAddPreviewReturnPath,
  AUDITED.previewReturnPathAdded,
);
export const removeClientPreviewReturnPath = removing(
  "previewReturnPaths",
  checkRemovePreviewReturnPath,
  AUDITED.previewReturnPathRemoved,
);

export const addClientTenantKey = adding("tenantKeys", checkAddTenantKey, AUDITED.tenantKeyAdded);
/** The tenant's data stays stored; reads of it are FORBIDDEN (service description, part 3). */
export const removeClientTenantKey = removing("tenantKeys", checkRemoveTenantKey, AUDITED.tenantKeyRemoved);
