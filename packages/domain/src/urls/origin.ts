import { badUserInput, type Refusal } from "../decisions/refusal.ts";
import { parseUrl } from "./parseUrl.ts";

const DNS_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const ORIGIN = new RegExp(`^(https?)://(${DNS_LABEL}(?:\\.${DNS_LABEL})*|\\[[0-9a-f:.]+\\])(?::[1-9][0-9]{0,4})?$`);
const ONE_DNS_LABEL = new RegExp(`^${DNS_LABEL}$`);
const LABEL_PLACEHOLDER = "{label}";
/** The longest name that DNS can carry (RFC 1035, section 2.3.4, less the root's own label). */
const HOST_MAX_LENGTH = 253;

export interface OriginRules {
  /** Sandbox and development allow plain http on this machine; live never does. */
  readonly allowLoopbackHttp: boolean;
}

/**
 * True when `text` is an origin exactly as a browser writes it in an `Origin` header (RFC 6454, section 6.2): scheme,
 * lower-case host (punycode for other scripts), a port only when it is not the default one, and nothing else.
 */
export function isExactOrigin(text: string, rules: OriginRules): boolean {
  const [, scheme, host] = ORIGIN.exec(text) ?? [];
  if (scheme === undefined || host === undefined || host.length > HOST_MAX_LENGTH) return false;
  if (parseUrl(text)?.origin !== text) return false;
  return scheme === "https" || (rules.allowLoopbackHttp && isLoopbackName(host));
}

/** BAD_USER_INPUT unless `origin` may be registered as a web origin. */
export function checkWebOrigin(origin: string, rules: OriginRules): Refusal | null {
  if (isExactOrigin(origin, rules)) return null;
  const loopback = rules.allowLoopbackHttp ? ", or http on a loopback host" : "";
  return badUserInput(`An origin must consist of scheme, host and port only, with https${loopback}.`);
}

/** The same for an origin that some deployment accepts. The mode of this one decides about http on a loopback host. */
export function checkOriginForm(origin: string): Refusal | null {
  return isExactOrigin(origin, { allowLoopbackHttp: true })
    ? null
    : checkWebOrigin(origin, { allowLoopbackHttp: false });
}

/** Hosts that a server reaches without leaving the machine: `localhost`, 127.0.0.0/8 and ::1. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * The same for a browser, which resolves names under `localhost` itself (RFC 6761, section 6.3). A server asks the system for
 * those, and the system may ask the network.
 */
export function isLoopbackName(host: string): boolean {
  return isLoopbackHost(host) || host.endsWith(".localhost");
}

/** BAD_USER_INPUT unless `template` is an exact origin whose first DNS label, and nothing else, is `{label}`. */
export function checkPreviewTemplate(template: string, rules: OriginRules): Refusal | null {
  const [before = "", after = "", ...more] = template.split(LABEL_PLACEHOLDER);
  // A whole label, else one application's previews could match another's host.
  const isLabel = more.length === 0 && before.endsWith("://") && after.startsWith(".");
  if (isLabel && isExactOrigin(`${before}a${after}`, rules)) return null;
  return badUserInput(`A preview template must be an exact origin with ${LABEL_PLACEHOLDER} as its first DNS label.`);
}

/** True when `origin` is `template` with `{label}` replaced by one DNS label, and a well-formed origin as a whole. */
export function matchesPreviewTemplate(origin: string, template: string | null): boolean {
  const [before, after, ...more] = template?.split(LABEL_PLACEHOLDER) ?? [];
  if (before === undefined || after === undefined || more.length > 0) return false;
  if (origin.length <= before.length + after.length || !origin.startsWith(before) || !origin.endsWith(after))
    return false;
  const label = origin.slice(before.length, origin.length - after.length);
  // The template was checked when the deployment started; whether loopback is allowed was decided there.
  return ONE_DNS_LABEL.test(label) && isExactOrigin(origin, { allowLoopbackHttp: true });
}

/** The addresses of an application that decide where its browser pages may live. */
export interface ApplicationOrigins {
  readonly webOrigins: readonly string[];
  readonly previewOriginsEnabled: boolean;
}

/**
 * Whether the launch form may be posted by a page of this origin: one of the application's web origins or, with the
 * switch on, a preview origin. An absent header and `null` (a page with the policy `no-referrer`, a sandboxed frame) are
 * refused. This prevents a foreign page from making a visitor complete an attacker's attempt.
 */
export function isLaunchOriginAllowed(
  originHeader: string | null,
  application: ApplicationOrigins,
  previewTemplate: string | null,
): boolean {
  if (originHeader === null) return false;
  if (application.webOrigins.includes(originHeader)) return true;
  return application.previewOriginsEnabled && matchesPreviewTemplate(originHeader, previewTemplate);
}
