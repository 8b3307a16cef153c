import { isExactOrigin, isLoopbackHost, type OriginRules } from "./origin.ts";
import { parseUrl } from "./parseUrl.ts";

export const ADDRESS_MAX_LENGTH = 2_048;
/** Printable ASCII; browsers read `\` as `/`, and drop tabs and line breaks. */
export const URL_TEXT = /^[!-[\]-~]+$/;

const NOT_AN_ADDRESS = "Enter a full https address, e.g. https://provider.example/oauth.";

/**
 * Why the service may not call `text`, as text for people; null when it may. The only rule for such addresses: the
 * panel's form, the registration, the settings and the egress use it, so they accept the same addresses.
 *
 * An address is https (or http on loopback, where the rules allow it), has no user name, query or fragment, and is written as
 * a URL parser writes it back: a spelling that two parsers can read in two ways is refused, not repaired.
 */
export function addressProblem(text: string, rules: OriginRules): string | null {
  if (text.length > ADDRESS_MAX_LENGTH) return `The address must have at most ${ADDRESS_MAX_LENGTH} characters.`;
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return NOT_AN_ADDRESS;
  if (url.protocol === "http:" && !(rules.allowLoopbackHttp && isLoopbackHost(url.hostname))) {
    return "The address must be https.";
  }
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text)) {
    return "The address must have no user name, query or fragment.";
  }
  const isCallable = isExactOrigin(url.origin, rules) && URL_TEXT.test(url.href);
  if (!isCallable) return "The address must have a host name that can be called.";
  if (text === url.href || text === url.origin) return null;
  return `Write the address in its normal form: ${url.href}`;
}

/** The parsed address, when the service may call it. */
export function parseAddress(text: string, rules: OriginRules): URL | null {
  return addressProblem(text, rules) === null ? new URL(text) : null;
}
