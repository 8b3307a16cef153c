import {
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

/** A count: a non-negative integer, from a number or digits, as digits without leading zeros. */
export const coerceCount = z.unknown().transform((value): string | null => {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
  return typeof value === "string" && /^\d{1,40}$/.test(value) ? BigInt(value).toString() : null;
});

/** A handle without the "@" that some responses put in front; null when nothing else is left. */
export function handleOf(text: string | null): string | null {
  return text?.replace(/^@+/, "") || null;
}

/** A number, from a number or digits, e.g. a lifetime in seconds or an error code. */
export const coerceNumber = z.unknown().transform((value): number | null => {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : null;
});

export const coerceBoolean = z.unknown().transform((value): boolean | null => {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : null;
});

const ISO_DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * ISO 8601 of a valid date, with or without a fraction, offset as `Z`, `+00:00`, `+0000` or `+00`; without an offset it
 * is UTC.
 */
export const coerceDateTime = z.unknown().transform((value): Date | null => {
  const match = typeof value === "string" ? ISO_DATE_TIME.exec(value.trim()) : null;
  if (match === null) return null;
  const [, day, time, fraction = "", offset = "Z"] = match;
  const digits = offset.replace(":", "");
  const zone = digits.toUpperCase() === "Z" ? "Z" : `${digits.slice(0, 3)}:${digits.slice(3) || "00"}`;
  return parseDateTime(`${day}T${time}${fraction.slice(0, 10)}${zone}`);
});

/** Unix seconds, from a number or digits. Providers use 0 for "unknown", so it is null. */
export const coerceEpochSeconds = coerceNumber.transform((seconds): Date | null =>
  seconds === null || seconds <= 0 ? null : validDate(seconds * 1_000),
);

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
