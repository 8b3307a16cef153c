import {
  foreignBoolean,
  foreignName,
  foreignText,
  foreignUrl,
  isStorableText,
  isWritable,
  parseDateTime,
} from "@social-connect/domain";
import { z } from "zod";

/**
 * Schemas for responses that we do not control: a key that is missing, null or of an unexpected type becomes null and
 * never fails the rest of the response. Values are strict: nothing is rounded or guessed.
 */

/** Any object; every declared key is present in the result. A value that is not an object reads as an empty object. */
export function coerceObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const keys = Object.keys(shape);
  return z.preprocess((value) => {
    const source = isRecord(value) ? value : {};
    return Object.fromEntries(keys.map((key) => [key, Object.hasOwn(source, key) ? source[key] : undefined]));
  }, z.object(shape));
}

/** Ten times what any call requests: bounds the work for a response with a million entries. */
const MAX_LIST_LENGTH = 500;

/**
 * A list, truncated to 500 entries; anything else reads as an empty list. Elements that are not objects are omitted.
 */
export function coerceList<Element extends z.ZodType>(element: Element) {
  const entries = (value: unknown) => (Array.isArray(value) ? value.slice(0, MAX_LIST_LENGTH).filter(isRecord) : []);
  return z.preprocess(entries, z.array(element));
}

/** A string, cleaned by `foreignText`; an empty one is null. */
export const coerceString = z.unknown().transform((value) => foreignText(value));

/** A string on one line, for example the name of an account. */
export const coerceName = z.unknown().transform(foreignName);

/** Longer than any provider's id, and short enough for an index. */
const MAX_ID_LENGTH = 255;

/** An id as a string: from a string, or from an integer without loss of digits. null when it cannot be stored. */
export const coerceId = z.unknown().transform((value): string | null => {
  if (typeof value === "string") {
    const text = value.trim();
    return text === "" || text.length > MAX_ID_LENGTH || !isStorableText(text) ? null : text;
  }
  return Number.isSafeInteger(value) ? String(value) : null;
});

/** A count: a non-negative integer, from a number or digits, as digits without leading zeros. Hidden ones may be negative. */
export const coerceCount = z.unknown().transform((value): string | null => {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
  const [, digits] = typeof value === "string" ? (/^(\d{1,40})(?:\.0{1,40})?$/.exec(value.trim()) ?? []) : [];
  return digits === undefined ? null : BigInt(digits).toString();
});

/** A handle without the "@" that some responses put in front; null when nothing else is left. */
export function handleOf(text: string | null): string | null {
  return text?.replace(/^[@\uFF20\s]+/, "") || null;
}

/** A number, from a number or digits, e.g. a lifetime in seconds or an error code. */
export const coerceNumber = z.unknown().transform((value): number | null => {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value.trim()) ? Number(value) : null;
});

export const coerceBoolean = z.unknown().transform(foreignBoolean);

const ISO_DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;
/** Unix seconds of 1973, before which no provider existed. */
const FIRST_EPOCH_SECONDS = 100_000_000;
/** The same in milliseconds: as seconds it is the year 5138. */
const FIRST_EPOCH_MS = FIRST_EPOCH_SECONDS * 1_000;

/**
 * A time in any form in which a provider writes one: ISO 8601 of a valid date, with or without seconds and a fraction, offset
 * as `Z`, `+00:00`, `+0000` or `+00`, without an offset in UTC; or Unix seconds or milliseconds, as a number or digits, of
 * which 0 means "unknown".
 */
export const coerceTime = z.unknown().transform((value): Date | null => {
  const epoch = coerceNumber.parse(value);
  if (epoch !== null) {
    return epoch < FIRST_EPOCH_SECONDS ? null : validDate(epoch < FIRST_EPOCH_MS ? epoch * 1_000 : epoch);
  }
  const match = typeof value === "string" ? ISO_DATE_TIME.exec(value.trim()) : null;
  if (match === null) return null;
  const [, day, minutes, seconds = ":00", fraction = "0", offset = "Z"] = match;
  const digits = offset.replace(":", "");
  const zone = digits.toUpperCase() === "Z" ? "Z" : `${digits.slice(0, 3)}:${digits.slice(3) || "00"}`;
  return parseDateTime(`${day}T${minutes}${seconds}.${fraction.slice(0, 9)}${zone}`);
});

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An http(s) URL, unchanged because it can contain a signature; anything else is null. */
export const coerceUrl = z.unknown().transform(foreignUrl);

/** The public URL without query and fragment, which contain tracking parameters; null unless it is an http(s) URL. */
export function withoutTracking(address: string | null): string | null {
  const found = foreignUrl(address);
  if (found === null) return null;
  const url = new URL(found);
  url.search = "";
  url.hash = "";
  return url.href;
}

function validDate(milliseconds: number): Date | null {
  const date = new Date(milliseconds);
  return isWritable(date) ? date : null;
}
