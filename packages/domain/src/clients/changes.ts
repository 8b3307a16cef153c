import { CAPABILITIES, type Capability, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { aboutClient } from "../audit/about.ts";
import type { AuditAction } from "../audit/auditActions.ts";
import { changesOf } from "../audit/changes.ts";
import { type AdminDecision, isRefusal } from "../decisions/change.ts";
import { type AdminRefusal, conflict, notFound, refuseField } from "../decisions/refusal.ts";
import { providerName } from "../providers/providerTraits.ts";
import { CAPABILITY_NAMES } from "../text/names.ts";
import { checkWebOrigin } from "../urls/origin.ts";
import { checkReturnUrlRegistration } from "../urls/returnUrl.ts";
import { attemptsToEnd, type EndAttempts, type OpenAttempts } from "./attempts.ts";
import { BRANDING_FIELDS, type Branding } from "./branding.ts";
import { type Client, type Mode, originRules } from "./client.ts";
import { checkIdentityReturnUrls, checkSize, LAST_ORIGIN_MESSAGE, LAST_RETURN_URL_MESSAGE } from "./clientRules.ts";

export interface ClientFacts {
  /** The stored client, locked; `null` when the id names none. */
  readonly client: Client | null;
  readonly openAttempts: OpenAttempts;
  readonly mode: Mode;
  readonly previewTemplate: string | null;
}

export type ClientPatch = Partial<Omit<Client, "id" | "slug" | "createdAt">>;

type Facts = ClientFacts & { readonly client: Client };
type Outcome =
  | AdminRefusal
  | { readonly patch: ClientPatch; readonly action: AuditAction; readonly summary: string }
  | null;

export function decideClientChange<Name extends ClientChangeName>(
  name: Name,
  facts: ClientFacts,
  input: ClientChangeInput<Name>,
  now: Date,
): AdminDecision<ClientPatch, EndAttempts> {
  const { client, openAttempts, previewTemplate } = facts;
  if (client === null) return notFound("The client");
  const outcome = (CLIENT_CHANGES[name] as (facts: Facts, input: unknown) => Outcome)({ ...facts, client }, input);
  if (outcome === null || isRefusal(outcome)) return outcome;
  return {
    patch: { ...outcome.patch, updatedAt: now },
    audit: aboutClient(client, outcome.action, outcome.summary, changesOf(client, outcome.patch)),
    followUps: attemptsToEnd({ ...client, ...outcome.patch }, openAttempts, previewTemplate),
  };
}

/** What a change takes away from a client; null: nothing. */
export interface ClientLosses {
  readonly isDisabled: boolean;
  readonly providers: SocialProvider[];
  readonly capabilities: Capability[];
  readonly tenantKeys: string[];
}

export function lossesOf(client: Client, patch: ClientPatch): ClientLosses | null {
  const gone = <Value>(before: readonly Value[], after: readonly Value[] | undefined) =>
    before.filter((one) => !(after?.includes(one) ?? true));
  const isLess = Object.entries(patch).some(([column, after]) => {
    const before = client[column as keyof ClientPatch];
    if (Array.isArray(before) && Array.isArray(after)) return gone<unknown>(before, after).length > 0;
    return before === true && after === false;
  });
  if (!isLess) return null;
  return {
    isDisabled: client.enabled && patch.enabled === false,
    providers: gone(client.providers, patch.providers),
    capabilities: gone(client.capabilities, patch.capabilities),
    tenantKeys: gone(client.tenantKeys, patch.tenantKeys),
  };
}

/** Every change of an existing client. A change to the current state is `null`: unchanged. */
export const CLIENT_CHANGES = {
  /** A disabled client's keys are FORBIDDEN from the next call on, and its unfinished attempts end. */
  setClientEnabled: ({ client }: Facts, { enabled }: { readonly enabled: boolean }) => {
    if (client.enabled === enabled) return null;
    return enabled
      ? change({ enabled }, "Client enabled", `Enabled the client ${client.slug}.`)
      : change({ enabled }, "Client disabled", `Disabled the client ${client.slug}.`);
  },

  setClientDisplayName: ({ client }: Facts, { displayName }: { readonly displayName: string }) => {
    if (client.displayName === displayName) return null;
    const summary = `Changed the display name from "${client.displayName}" to "${displayName}".`;
    return change({ displayName }, "Display name changed", summary);
  },

  /** Replaces the whole branding; an absent field is removed. */
  setClientBranding: ({ client }: Facts, input: BrandingInput) => {
    const changed = BRANDING_FIELDS.filter((field) => (input[field] ?? null) !== client[field]);
    if (changed.length === 0) return null;
    const patch = Object.fromEntries(changed.map((field) => [field, input[field] ?? null]));
    const texts = changed.map((field) => `${BRANDING_NAMES[field]} ${brandingText(field, input[field])}`);
    return change(patch, "Branding changed", `Changed the branding: ${texts.join(", ")}.`);
  },

  /** Connections that the client may no longer read stay stored (service description, part 3). */
  setClientPolicy: (
    { client }: Facts,
    input: { readonly providers: readonly SocialProvider[]; readonly capabilities: readonly Capability[] },
  ) => {
    const providers = SOCIAL_PROVIDERS.filter((one) => input.providers.includes(one));
    const capabilities = CAPABILITIES.filter((one) => input.capabilities.includes(one));
    if (hasSame(client.providers, providers) && hasSame(client.capabilities, capabilities)) return null;
    const allowed = providers.map(providerName).join(", ") || "no provider";
    const used = capabilities.map((one) => CAPABILITY_NAMES[one]).join(", ") || "no capability";
    return change({ providers, capabilities }, "Policy changed", `Allowed ${allowed} with ${used}.`);
  },

  addClientTenantKey: ({ client }: Facts, { tenantKey }: { readonly tenantKey: string }) =>
    add(client, LISTS.tenantKey, tenantKey),

  /** Connections of the tenant stay stored; reading them is FORBIDDEN (service description, part 3). */
  removeClientTenantKey: ({ client }: Facts, { tenantKey }: { readonly tenantKey: string }) =>
    missing(client, LISTS.tenantKey, tenantKey) ?? remove(client, LISTS.tenantKey, tenantKey),

  addClientOrigin: ({ client, mode }: Facts, { origin }: { readonly origin: string }) =>
    refuseField("origin", checkWebOrigin(origin, originRules(mode))) ?? add(client, LISTS.origin, origin),

  removeClientOrigin: ({ client }: Facts, { origin }: { readonly origin: string }) => {
    const refusal = missing(client, LISTS.origin, origin);
    if (refusal !== null) return refusal;
    if (client.webOrigins.length === 1) return conflict("LAST_ORIGIN", LAST_ORIGIN_MESSAGE);
    const isUsed = [...client.returnUrls, ...client.identityReturnUrls].some((url) => new URL(url).origin === origin);
    if (isUsed) return conflict("ORIGIN_IN_USE", "A return URL uses this origin. Remove it first.");
    return remove(client, LISTS.origin, origin);
  },

  addClientReturnUrl: (
    { client, mode }: Facts,
    { url }: { readonly url: string; readonly confirmedNoOnwardRedirect: boolean },
  ) =>
    refuseField("url", checkReturnUrlRegistration(url, { ...originRules(mode), webOrigins: client.webOrigins })) ??
    add(client, LISTS.returnUrl, url),

  removeClientReturnUrl: ({ client }: Facts, { url }: { readonly url: string }) => {
    const refusal = missing(client, LISTS.returnUrl, url);
    if (refusal !== null) return refusal;
    if (client.returnUrls.length === 1) return conflict("LAST_RETURN_URL", LAST_RETURN_URL_MESSAGE);
    return remove(client, LISTS.returnUrl, url);
  },

  setClientPreviewOrigins: ({ client }: Facts, { enabled }: { readonly enabled: boolean }) => {
    if (client.previewOriginsEnabled === enabled) return null;
    const state = enabled ? "on" : "off";
    return change(
      { previewOriginsEnabled: enabled },
      `Preview origins switched ${state}`,
      `Switched preview origins ${state}.`,
    );
  },

  addClientPreviewReturnPath: ({ client }: Facts, { path }: { readonly path: string }) =>
    add(client, LISTS.previewReturnPath, path),

  removeClientPreviewReturnPath: ({ client }: Facts, { path }: { readonly path: string }) =>
    missing(client, LISTS.previewReturnPath, path) ?? remove(client, LISTS.previewReturnPath, path),

  /** Without `returnUrls` the registered ones stay. */
  setClientIdpIdentity: (
    { client, mode }: Facts,
    { enabled, returnUrls }: { readonly enabled: boolean; readonly returnUrls?: readonly string[] | null | undefined },
  ) => {
    const urls = [...(returnUrls ?? client.identityReturnUrls)];
    const refusal = checkIdentityReturnUrls(client, { enabled, urls }, originRules(mode));
    if (refusal !== null) return refusal;
    if (client.idpIdentityEnabled === enabled && hasSame(client.identityReturnUrls, urls)) return null;
    const summary = `Switched the identity sign-in ${enabled ? "on" : "off"}; return URLs: ${urls.join(", ") || "none"}.`;
    return change({ idpIdentityEnabled: enabled, identityReturnUrls: urls }, "Identity sign-in changed", summary);
  },
} as const satisfies Record<string, (facts: Facts, input: never) => Outcome>;

export type ClientChangeName = keyof typeof CLIENT_CHANGES;
export type ClientChangeInput<Name extends ClientChangeName> = Parameters<(typeof CLIENT_CHANGES)[Name]>[1];

/** Arguments of a call: absent and null are the same. */
type BrandingInput = { readonly [Field in keyof Branding]?: string | null | undefined };

/** For the audit log. */
const BRANDING_NAMES = {
  logo: "logo",
  brandColor: "color",
  supportAddress: "support address",
  privacyUrl: "privacy link",
} as const;

function brandingText(field: keyof Branding, value: string | null | undefined): string {
  if (value == null) return "removed";
  return field === "logo" ? "replaced" : value;
}

/** The lists of a client whose entries are added and removed one at a time; `name` and `noun` are for the audit log. */
const LISTS = {
  tenantKey: { list: "tenantKeys", name: "Tenant key", noun: "tenant" },
  origin: { list: "webOrigins", name: "Origin", noun: "origin" },
  returnUrl: { list: "returnUrls", name: "Return URL", noun: "return URL" },
  previewReturnPath: { list: "previewReturnPaths", name: "Preview return path", noun: "preview return path" },
} as const;
type EntryList = (typeof LISTS)[keyof typeof LISTS];

function add(client: Client, { list, name, noun }: EntryList, entry: string): Outcome {
  if (client[list].includes(entry)) return conflict("ALREADY_PRESENT", "Already registered for this client.");
  const refusal = checkSize(list, client[list].length + 1);
  return refusal ?? change({ [list]: [...client[list], entry] }, `${name} added`, `Added the ${noun} ${entry}.`);
}

function missing(client: Client, { list }: EntryList, entry: string): AdminRefusal | null {
  if (client[list].includes(entry)) return null;
  return { code: "NOT_FOUND", message: "The entry is not registered for this client." };
}

function remove(client: Client, { list, name, noun }: EntryList, entry: string): Outcome {
  const entries = client[list].filter((one) => one !== entry);
  return change({ [list]: entries }, `${name} removed`, `Removed the ${noun} ${entry}.`);
}

function change(patch: ClientPatch, action: AuditAction, summary: string): Outcome {
  return { patch, action, summary };
}

function hasSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value) => right.includes(value));
}
