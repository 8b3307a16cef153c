import { LIMITS } from "@social-connect/contract";
import { badUserInput, type Refusal } from "../decisions/refusal.ts";
import { URL_TEXT } from "./address.ts";
import { UNREGISTERED_RETURN_URL } from "./explainReturnUrl.ts";
import { isExactOrigin, matchesPreviewTemplate, type OriginRules } from "./origin.ts";

/** What a return URL is checked against. */
export interface ReturnUrlRules {
  /** The registered return URLs: those of Connect, or those of the identity handoff. */
  readonly registered: readonly string[];
  /** The deployment's template with `{label}`, or null where it has none; absent where previews do not apply. */
  readonly preview?: {
    readonly template: string | null;
    readonly enabled: boolean;
    readonly paths: readonly string[];
  };
}

const RESERVED_PREFIX = "ss_";

/**
 * BAD_USER_INPUT unless `returnUrl` equals a registered return URL byte for byte, or is a preview return URL: an origin
 * that matches the template followed by exactly one of the preview paths, with no query. Nothing is normalised: two
 * spellings of one address are two addresses (RFC 9700, section 4.1.3). A fragment, even an empty one, and a query
 * parameter in the reserved `ss_` space are refused first, so a registered one with either is refused too.
 * Source: service description, part 2, ConnectInput.
 */
export function checkReturnUrl(returnUrl: string, rules: ReturnUrlRules): Refusal | null {
  const problem = checkReservedParts(returnUrl);
  if (problem !== null) return problem;
  if (rules.registered.includes(returnUrl) || isPreviewReturnUrl(returnUrl, rules.preview)) return null;
  return UNREGISTERED_RETURN_URL;
}

function isPreviewReturnUrl(returnUrl: string, preview: ReturnUrlRules["preview"]): boolean {
  if (!preview?.enabled) return false;
  return preview.paths.some(
    (path) =>
      returnUrl.endsWith(path) &&
      matchesPreviewTemplate(returnUrl.slice(0, returnUrl.length - path.length), preview.template),
  );
}

/** BAD_USER_INPUT unless `url` may be registered as a return URL: in its form, and on one of the application's own origins. */
export function checkReturnUrlRegistration(
  url: string,
  { webOrigins, ...rules }: OriginRules & { readonly webOrigins: readonly string[] },
): Refusal | null {
  const problem = checkReturnUrlForm(url);
  if (problem !== null) return problem;
  const { origin } = new URL(url);
  if (isExactOrigin(origin, rules) && webOrigins.includes(origin)) return null;
  return badUserInput("A return URL must use one of the application's web origins.");
}

/**
 * The form of a return URL: absolute, without credentials, fragment or reserved parameter, spelled as a browser would spell it up
 * to its query.
 */
export function checkReturnUrlForm(url: string): Refusal | null {
  const problem = checkReservedParts(url);
  if (problem !== null) return problem;
  if (!URL_TEXT.test(url) || url.length > LIMITS.returnUrlMaxLength || !URL.canParse(url)) {
    return badUserInput(
      `A return URL must be an absolute URL in ASCII of at most ${LIMITS.returnUrlMaxLength} characters.`,
    );
  }
  const { origin, pathname } = new URL(url);
  if (origin + pathname === url.split("?", 1)[0]) return null;
  return badUserInput("A return URL must be in normalized form, with a path and without credentials.");
}

/** BAD_USER_INPUT unless `path` may be a preview return path: an absolute path in its normal form, nothing after it. */
export function checkPreviewReturnPath(path: string): Refusal | null {
  const wellFormed = URL_TEXT.test(path) && path.length <= LIMITS.returnUrlMaxLength && /^\/(?!\/)[^?#]*$/.test(path);
  if (wellFormed && new URL(path, "https://preview.invalid").pathname === path) return null;
  return badUserInput("A preview return path must be an absolute path in normalized form, without query or fragment.");
}

function checkReservedParts(url: string): Refusal | null {
  if (url.length > LIMITS.returnUrlMaxLength) {
    return badUserInput(`\`returnUrl\` must have at most ${LIMITS.returnUrlMaxLength} characters.`);
  }
  if (url.includes("#")) return badUserInput("`returnUrl` must not have a fragment.");
  for (const name of new URLSearchParams(queryOf(url) ?? "").keys()) {
    if (name.startsWith(RESERVED_PREFIX)) {
      return badUserInput(`\`returnUrl\` must not have a query parameter whose name starts with ${RESERVED_PREFIX}.`);
    }
  }
  return null;
}

/** The part after the first `?`; null without one. */
export function queryOf(url: string): string | null {
  const mark = url.indexOf("?");
  return mark < 0 ? null : url.slice(mark + 1);
}
