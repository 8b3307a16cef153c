import { parseUrl } from "../urls/parseUrl.ts";

/**
 * Text of an issuer or a provider, which we do not control, as it may be stored, logged and displayed. All of it goes through
 * this file, in the service and in the mocks.
 */

/** In UTF-16 units: four times as long as the longest description that a provider accepts. */
const MAX_TEXT_LENGTH = 20_000;
const MAX_NAME_LENGTH = 1_000;
/** Signed media URLs have about 1,000 characters; browsers do not follow URLs of this length. */
const MAX_URL_LENGTH = 8_192;

const LINE_BREAK = /\r\n?|[\u0085\u2028\u2029]/g;
/** Controls except tab and line feed, and bidirectional embeddings, overrides and isolates (UAX 9, 2). */
const REMOVED = /(?![\t\n])\p{Control}|[\u202A-\u202E\u2066-\u2069]/gu;

/**
 * A text with line breaks, such as the description of a post: without control characters and characters that turn the text
 * around them, with U+FFFD for unpaired surrogates, and of at most 20,000 characters. null if nothing is left, or if it is not
 * a string.
 */
export function foreignText(value: unknown, maxLength: number = MAX_TEXT_LENGTH): string | null {
  if (typeof value !== "string") return null;
  // First, so that a long text takes no time.
  const shortened = value.length > maxLength ? value.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "") : value;
  const text = shortened
    .replace(LINE_BREAK, "\n")
    .replace(REMOVED, "")
    .replace(/\p{Surrogate}/gu, "\uFFFD");
  return text === "" ? null : text;
}

/** A text on one line, such as the name, the handle or the email address of a person. */
export function foreignName(value: unknown): string | null {
  const line = foreignText(value, MAX_NAME_LENGTH)
    ?.replace(/[\t\n]+/g, " ")
    .trim();
  return line || null;
}

/**
 * An http(s) URL. Unchanged, because it can contain a signature, except for spaces, and a missing scheme, which is https.
 * null for any other scheme, for a relative URL and for one with a user name, which can imitate another host.
 */
export function foreignUrl(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_URL_LENGTH) return null;
  const trimmed = value.trim();
  const text = (trimmed.startsWith("//") ? `https:${trimmed}` : trimmed).replaceAll(" ", "%20");
  if (!/^https?:\/\/\S+$/i.test(text) || foreignText(text) !== text) return null;
  const url = parseUrl(text);
  return url?.username === "" && url.password === "" ? text : null;
}
