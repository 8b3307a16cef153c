import type { ConflictReason } from "@social-connect/contract";
import type { RuleViolation } from "../refusals/refusal.ts";
import { checkName } from "../text/text.ts";
import type { OriginRules } from "../urls/origin.ts";
import { checkWebOrigin } from "../urls/origin.ts";
import { checkPreviewReturnPath, checkReturnUrlRegistration } from "../urls/returnUrl.ts";
import { checkTenantKey } from "./scope.ts";

/** What a client (the consumer side says application) has registered. */
export interface ClientAddresses {
  readonly webOrigins: readonly string[];
  readonly returnUrls: readonly string[];
  readonly identityReturnUrls: readonly string[];
  readonly previewReturnPaths: readonly string[];
  readonly tenantKeys: readonly string[];
}

/**
 * Why a change of a client is refused. `field` is the argument it is about; `reason` stands beside CONFLICT. `message` is
 * for the panel: the API tells its caller the code and the reason alone. Source: service description, part 7.
 */
export type ClientRefusal =
  | { readonly code: "BAD_USER_INPUT"; readonly field: string; readonly message: string }
  | { readonly code: "CONFLICT"; readonly reason: ConflictReason; readonly message: string }
  | { readonly code: "NOT_FOUND"; readonly message: string };

/** Most entries of a client's lists, so that no client grows beyond what each call can carry. This project's choice. */
export const CLIENT_LIMITS = {
  webOrigins: 100,
  returnUrls: 100,
  identityReturnUrls: 100,
  previewReturnPaths: 100,
  tenantKeys: 10_000,
  displayNameMaxLength: 80,
  slugMaxLength: 63,
} as const;

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function checkSlug(slug: string): ClientRefusal | null {
  if (SLUG.test(slug)) return null;
  return invalid("slug", `a slug has 1 to ${CLIENT_LIMITS.slugMaxLength} lower-case letters, digits and inner hyphens`);
}

export function checkDisplayName(displayName: string): ClientRefusal | null {
  return asInput(
    "displayName",
    checkName(displayName, "displayName", { maxLength: CLIENT_LIMITS.displayNameMaxLength }),
  );
}

/** Each once: a list of tenants, providers or capabilities is a set. */
export function checkDistinct(field: string, values: readonly string[]): ClientRefusal | null {
  return new Set(values).size === values.length ? null : invalid(field, `${field} names something twice`);
}

/** A new client: at least one origin and one return URL, each return URL on one of the origins. */
export function checkNewClient(
  client: Omit<ClientAddresses, "identityReturnUrls" | "previewReturnPaths">,
  rules: OriginRules,
): ClientRefusal | null {
  if (client.webOrigins.length === 0) return invalid("webOrigins", "a client needs at least one origin");
  if (client.returnUrls.length === 0) return invalid("returnUrls", "a client needs at least one return URL");
  for (const field of ["webOrigins", "returnUrls", "tenantKeys"] as const) {
    const refusal = checkDistinct(field, client[field]) ?? checkSize(field, client[field].length);
    if (refusal !== null) return refusal;
  }
  for (const origin of client.webOrigins) {
    const violation = checkWebOrigin(origin, rules);
    if (violation !== null) return asInput("webOrigins", violation);
  }
  for (const url of client.returnUrls) {
    const violation = checkReturnUrlRegistration(url, { ...rules, webOrigins: client.webOrigins });
    if (violation !== null) return asInput("returnUrls", violation);
  }
  for (const tenantKey of client.tenantKeys) {
    const violation = checkTenantKey(tenantKey);
    if (violation !== null) return asInput("tenantKeys", violation);
  }
  return null;
}

export function checkAddOrigin(client: ClientAddresses, origin: string, rules: OriginRules): ClientRefusal | null {
  return asInput("origin", checkWebOrigin(origin, rules)) ?? checkAdd("webOrigins", client.webOrigins, origin);
}

/** The last origin stays, and so does one that a return URL lies on. */
export function checkRemoveOrigin(client: ClientAddresses, origin: string): ClientRefusal | null {
  if (!client.webOrigins.includes(origin)) return missing("the client has no such origin");
  if (client.webOrigins.length === 1) return conflict("LAST_ORIGIN", "a client keeps at least one origin");
  const isUsed = [...client.returnUrls, ...client.identityReturnUrls].some((url) => new URL(url).origin === origin);
  return isUsed ? conflict("ORIGIN_IN_USE", "a return URL lies on this origin: remove that first") : null;
}

export function checkAddReturnUrl(client: ClientAddresses, url: string, rules: OriginRules): ClientRefusal | null {
  const violation = checkReturnUrlRegistration(url, { ...rules, webOrigins: client.webOrigins });
  return asInput("url", violation) ?? checkAdd("returnUrls", client.returnUrls, url);
}

export function checkRemoveReturnUrl(client: ClientAddresses, url: string): ClientRefusal | null {
  if (!client.returnUrls.includes(url)) return missing("the client has no such return URL");
  if (client.returnUrls.length > 1) return null;
  return conflict("LAST_RETURN_URL", "a client keeps at least one return URL");
}

/** The return URLs of the identity handoff, which follow the same rules; a client that offers it needs one. */
export function checkIdentityReturnUrls(
  client: ClientAddresses,
  { enabled, urls }: { readonly enabled: boolean; readonly urls: readonly string[] },
  rules: OriginRules,
): ClientRefusal | null {
  if (enabled && urls.length === 0) return invalid("returnUrls", "the identity sign-in needs at least one return URL");
  const refusal = checkDistinct("returnUrls", urls) ?? checkSize("identityReturnUrls", urls.length);
  if (refusal !== null) return refusal;
  for (const url of urls) {
    const violation = checkReturnUrlRegistration(url, { ...rules, webOrigins: client.webOrigins });
    if (violation !== null) return asInput("returnUrls", violation);
  }
  return null;
}

export function checkAddTenantKey(client: ClientAddresses, tenantKey: string): ClientRefusal | null {
  return asInput("tenantKey", checkTenantKey(tenantKey)) ?? checkAdd("tenantKeys", client.tenantKeys, tenantKey);
}

export function checkRemoveTenantKey(client: ClientAddresses, tenantKey: string): ClientRefusal | null {
  return client.tenantKeys.includes(tenantKey) ? null : missing("the client has no such tenant");
}

export function checkAddPreviewReturnPath(client: ClientAddresses, path: string): ClientRefusal | null {
  const violation = checkPreviewReturnPath(path);
  return asInput("path", violation) ?? checkAdd("previewReturnPaths", client.previewReturnPaths, path);
}

export function checkRemovePreviewReturnPath(client: ClientAddresses, path: string): ClientRefusal | null {
  return client.previewReturnPaths.includes(path) ? null : missing("the client has no such preview return path");
}

/** The caller has to say that the route behind a return URL sends nobody on to an address taken from the request. */
export function checkNoOnwardRedirect(confirmed: boolean): ClientRefusal | null {
  if (confirmed) return null;
  return invalid(
    "confirmedNoOnwardRedirect",
    "confirm that the return URL never redirects onward to an address taken from the request",
  );
}

type ListName = Exclude<keyof typeof CLIENT_LIMITS, "displayNameMaxLength" | "slugMaxLength">;

function checkAdd(list: ListName, present: readonly string[], added: string): ClientRefusal | null {
  if (present.includes(added)) return conflict("ALREADY_PRESENT", "the client has this already");
  return checkSize(list, present.length + 1);
}

function checkSize(list: ListName, size: number): ClientRefusal | null {
  return size <= CLIENT_LIMITS[list] ? null : invalid(list, `${list} holds at most ${CLIENT_LIMITS[list]}`);
}

function asInput(field: string, violation: RuleViolation | null): ClientRefusal | null {
  return violation && invalid(field, violation.message);
}

function invalid(field: string, message: string): ClientRefusal {
  return { code: "BAD_USER_INPUT", field, message };
}

function conflict(reason: ConflictReason, message: string): ClientRefusal {
  return { code: "CONFLICT", reason, message };
}

function missing(message: string): ClientRefusal {
  return { code: "NOT_FOUND", message };
}
