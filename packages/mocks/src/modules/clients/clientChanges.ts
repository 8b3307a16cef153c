import type { Capability, SocialProvider } from "@social-connect/contract";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { AuditText, ClientRefusal } from "@social-connect/domain";
import {
  AUDITED,
  checkAddOrigin,
  checkAddPreviewReturnPath,
  checkAddReturnUrl,
  checkAddTenantKey,
  checkDisplayName,
  checkDistinct,
  checkIdentityReturnUrls,
  checkNoOnwardRedirect,
  checkRemoveOrigin,
  checkRemovePreviewReturnPath,
  checkRemoveReturnUrl,
  checkRemoveTenantKey,
  hasPassed,
} from "@social-connect/domain";
import type { Application } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { enforceClientRule } from "../admin/errors.ts";
import { originRules } from "../admin/originRules.ts";
import { moveAll } from "../connect/attempts.ts";
import { end } from "../identity/completeIdentity.ts";
import { changeClient } from "./changeClient.ts";

type ListName = "webOrigins" | "returnUrls" | "tenantKeys" | "previewReturnPaths";

interface ListRules {
  readonly list: ListName;
  readonly add: (world: World, client: Application, entry: string) => ClientRefusal | null;
  readonly remove: (client: Application, entry: string) => ClientRefusal | null;
  readonly added: (entry: string) => AuditText;
  readonly removed: (entry: string) => AuditText;
}

/** The four lists of a client that its admins change an entry at a time. */
export const CLIENT_LISTS = {
  origin: {
    list: "webOrigins",
    add: (world, client, entry) => checkAddOrigin(client, entry, originRules(world)),
    remove: checkRemoveOrigin,
    added: AUDITED.originAdded,
    removed: AUDITED.originRemoved,
  },
  returnUrl: {
    list: "returnUrls",
    add: (world, client, entry) => checkAddReturnUrl(client, entry, originRules(world)),
    remove: checkRemoveReturnUrl,
    added: AUDITED.returnUrlAdded,
    removed: AUDITED.returnUrlRemoved,
  },
  tenantKey: {
    list: "tenantKeys",
    add: (_world, client, entry) => checkAddTenantKey(client, entry),
    remove: checkRemoveTenantKey,
    added: AUDITED.tenantKeyAdded,
    removed: AUDITED.tenantKeyRemoved,
  },
  previewReturnPath: {
    list: "previewReturnPaths",
    add: (_world, client, entry) => checkAddPreviewReturnPath(client, entry),
    remove: checkRemovePreviewReturnPath,
    added: AUDITED.previewReturnPathAdded,
    removed: AUDITED.previewReturnPathRemoved,
  },
} as const satisfies Record<string, ListRules>;

export function addEntry(world: World, actor: AdminActor, id: string, rules: ListRules, entry: string) {
  return changeClient(world, actor, id, (client) => {
    enforceClientRule(rules.add(world, client, entry));
    const data = { [rules.list]: [...client[rules.list], entry] };
    return { data, ...rules.added(entry) };
  });
}

export function removeEntry(world: World, actor: AdminActor, id: string, rules: ListRules, entry: string) {
  return changeClient(world, actor, id, (client) => {
    enforceClientRule(rules.remove(client, entry));
    const data = { [rules.list]: client[rules.list].filter((one) => one !== entry) };
    return { data, ...rules.removed(entry) };
  });
}

export function addReturnUrl(
  world: World,
  actor: AdminActor,
  { id, url, confirmedNoOnwardRedirect }: { id: string; url: string; confirmedNoOnwardRedirect: boolean },
) {
  const unconfirmed = checkNoOnwardRedirect(confirmedNoOnwardRedirect);
  const rules: ListRules = CLIENT_LISTS.returnUrl;
  const add: ListRules["add"] = (...call) => unconfirmed ?? rules.add(...call);
  return addEntry(world, actor, id, { ...rules, add }, url);
}

export function setDisplayName(world: World, actor: AdminActor, id: string, displayName: string) {
  return changeClient(world, actor, id, (client) => {
    enforceClientRule(checkDisplayName(displayName));
    if (client.displayName === displayName) return null;
    return { data: { displayName }, ...AUDITED.displayNameChanged(client.displayName, displayName) };
  });
}

/** Off, a client's keys are FORBIDDEN at the next call, and what its users have begun and not finished ends at once. */
export function setEnabled(world: World, actor: AdminActor, id: string, enabled: boolean) {
  return changeClient(world, actor, id, (client) => {
    if (client.enabled === enabled) return null;
    if (enabled) return { data: { enabled }, ...AUDITED.clientEnabled(client.slug) };
    return { data: { enabled }, ...AUDITED.clientDisabled(client.slug, endAttemptsOf(world, client)) };
  });
}

/** Gives how many there were. */
export function endAttemptsOf(world: World, application: Application): number {
  let ended = moveAll(world, "APPLICATION_DISABLED", (attempt) => attempt.applicationId === application.id);
  for (const attempt of world.state.identityAttempts.values()) {
    if (attempt.applicationId !== application.id || attempt.status !== "PENDING") continue;
    if (hasPassed(attempt.expiresAt, world.now())) continue;
    end(attempt, "HANDOFF_FAILED");
    ended += 1;
  }
  return ended;
}

/** What a client may do from the next read on. */
export function setPolicy(
  world: World,
  actor: AdminActor,
  input: { readonly id: string; readonly providers: SocialProvider[]; readonly capabilities: Capability[] },
) {
  return changeClient(world, actor, input.id, (client) => {
    enforceClientRule(checkDistinct("providers", input.providers) ?? checkDistinct("capabilities", input.capabilities));
    const providers = SOCIAL_PROVIDERS.filter((one) => input.providers.includes(one));
    const capabilities = CAPABILITIES.filter((one) => input.capabilities.includes(one));
    if (isSame(client.providers, providers) && isSame(client.capabilities, capabilities)) return null;
    return { data: { providers, capabilities }, ...AUDITED.policyChanged(providers, capabilities) };
  });
}

export function setPreviewOrigins(world: World, actor: AdminActor, id: string, enabled: boolean) {
  return changeClient(world, actor, id, (client) => {
    if (client.previewOriginsEnabled === enabled) return null;
    return { data: { previewOriginsEnabled: enabled }, ...AUDITED.previewOriginsSwitched(enabled) };
  });
}

/** Switches the identity sign-in, and registers where it may end; `returnUrls` null leaves those as they are. */
export function setIdpIdentity(
  world: World,
  actor: AdminActor,
  { id, enabled, returnUrls }: { id: string; enabled: boolean; returnUrls: readonly string[] | null },
) {
  return changeClient(world, actor, id, (client) => {
    const urls = returnUrls ?? client.identityReturnUrls;
    enforceClientRule(checkIdentityReturnUrls(client, { enabled, urls }, originRules(world)));
    if (client.idpIdentityEnabled === enabled && isSame(client.identityReturnUrls, urls)) return null;
    const data = { idpIdentityEnabled: enabled, identityReturnUrls: [...urls] };
    return { data, ...AUDITED.identityChanged(enabled, urls) };
  });
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value) => right.includes(value));
}
