import { checkTenantKey } from "../applications/scope.ts";
import { type AdminRefusal, invalidField, refuseField } from "../decisions/refusal.ts";
import { checkName } from "../text/text.ts";
import { checkWebOrigin, type OriginRules } from "../urls/origin.ts";
import { checkReturnUrlRegistration } from "../urls/returnUrl.ts";
import type { Client } from "./client.ts";

/** Most entries of a client's lists, which every call of the client loads. This project's choice. */
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

export function checkSlug(slug: string): AdminRefusal | null {
  if (SLUG.test(slug)) return null;
  const characters = "lower-case letters, digits and inner hyphens";
  return invalidField("slug", `\`slug\` must have 1 to ${CLIENT_LIMITS.slugMaxLength} ${characters}.`);
}

export function checkDisplayName(displayName: string): AdminRefusal | null {
  const limit = { maxLength: CLIENT_LIMITS.displayNameMaxLength };
  return refuseField("displayName", checkName(displayName, "displayName", limit));
}

/** A list of tenants, providers or capabilities is a set. */
export function checkDistinct(field: string, values: readonly string[]): AdminRefusal | null {
  return new Set(values).size === values.length ? null : invalidField(field, `\`${field}\` has a duplicate value.`);
}

export function checkSize(
  list: Exclude<keyof typeof CLIENT_LIMITS, "displayNameMaxLength" | "slugMaxLength">,
  size: number,
): AdminRefusal | null {
  const limit = CLIENT_LIMITS[list];
  return size <= limit ? null : invalidField(list, `\`${list}\` can have at most ${limit} entries.`);
}

/** A new client: at least one origin and one return URL, each return URL on one of the origins. */
export function checkNewClient(
  client: Readonly<Record<"webOrigins" | "returnUrls" | "tenantKeys", readonly string[]>>,
  rules: OriginRules,
): AdminRefusal | null {
  if (client.webOrigins.length === 0) return invalidField("webOrigins", LAST_ORIGIN_MESSAGE);
  if (client.returnUrls.length === 0) return invalidField("returnUrls", LAST_RETURN_URL_MESSAGE);
  for (const field of ["webOrigins", "returnUrls", "tenantKeys"] as const) {
    const refusal = checkDistinct(field, client[field]) ?? checkSize(field, client[field].length);
    if (refusal !== null) return refusal;
  }
  const urlRules = { ...rules, webOrigins: client.webOrigins };
  return (
    firstRefusal("webOrigins", client.webOrigins, (origin) => checkWebOrigin(origin, rules)) ??
    firstRefusal("returnUrls", client.returnUrls, (url) => checkReturnUrlRegistration(url, urlRules)) ??
    firstRefusal("tenantKeys", client.tenantKeys, checkTenantKey)
  );
}

export const LAST_ORIGIN_MESSAGE = "A client must have at least one origin.";
export const LAST_RETURN_URL_MESSAGE = "A client must have at least one return URL.";

/** The return URLs of the identity handoff; a client that offers the handoff needs one. */
export function checkIdentityReturnUrls(
  client: Pick<Client, "webOrigins">,
  { enabled, urls }: { readonly enabled: boolean; readonly urls: readonly string[] },
  rules: OriginRules,
): AdminRefusal | null {
  if (enabled && urls.length === 0) {
    return invalidField("returnUrls", "The identity sign-in needs at least one return URL.");
  }
  const urlRules = { ...rules, webOrigins: client.webOrigins };
  return (
    checkDistinct("returnUrls", urls) ??
    checkSize("identityReturnUrls", urls.length) ??
    firstRefusal("returnUrls", urls, (url) => checkReturnUrlRegistration(url, urlRules))
  );
}

/** The caller must confirm that the route behind a return URL is not an open redirect. */
export function checkNoOnwardRedirect(confirmed: boolean): AdminRefusal | null {
  if (confirmed) return null;
  return invalidField(
    "confirmedNoOnwardRedirect",
    "Confirm that the return URL never redirects to an address taken from the request.",
  );
}

function firstRefusal(
  field: string,
  values: readonly string[],
  check: (value: string) => { readonly message: string } | null,
): AdminRefusal | null {
  for (const value of values) {
    const refusal = refuseField(field, check(value));
    if (refusal !== null) return refusal;
  }
  return null;
}
