import { isStorableText, isWritable, parseDateTime, storableText } from "@social-connect/domain";
import { z } from "zod";

/**
 * Schemas for answers whose form is not ours to demand: a key that is missing, null or of an unexpected type becomes
 * null, and never fails the rest of the answer. What the values mean stays strict: nothing is rounded or guessed.
 */

/** Any object; every declared key is there in the result. A value that is not an object reads as an empty one. */
export function coerceObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const keys = Object.keys(shape);
  return z.preprocess((value) => {
    const source = isRecord(value) ? value : {};
    return Object.fromEntries(keys.map((key) => [key, Object.hasOwn(source, key) ? source[key] : undefined]));
  }, z.object(shape));
}

/** Ten times what any call asks for: whoever answers with a million entries is not read to the end. */
const LONGEST_LIST = 500;

/** A list, at most its first 500 entries; anything else reads as an empty one. Elements that are not objects are left out. */
export function coerceList<Element extends z.ZodType>(element: Element) {
  const entries = (value: unknown) => (Array.isArray(value) ? value.slice(0, LONGEST_LIST).filter(isRecord) : []);
  return z.preprocess(entries, z.array(element));
}

/** Text as it was given; an empty one is null. PostgreSQL cannot store NUL, so it is taken out; half a character has no UTF-8. */
export const coerceText = z.unknown().transform((value): string | null => {
  if (typeof value !== "string") return null;
  const text = storableText(value.replaceAll("\0", ""));
  return text === "" ? null : text;
});

/** Longer than any id of a provider, and short enough for an index. */
const LONGEST_ID = 255;

/** An id, as text: given as text, or as a whole number that lost no digit. What cannot be stored as it is names nothing. */
export const coerceId = z.unknown().transform((value): string | null => {
  if (typeof value === "string") {
    const text = value.trim();
    return text === "" || text.length > LONGEST_ID || !isStorableText(text) ? null : text;
  }
  return Number.isSafeInteger(value) ? String(value) : null;
});

/** A count: a non-negative whole number, given as number or digits, as digits without leading zeros. */
export const coerceCount = z.unknown().transform((value): string | null => {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
  return typeof value === "string" && /^\d{1,40}$/.test(value) ? BigInt(value).toString() : null;
});

/** A number given as number or as digits, e.g. seconds of a lifetime or an error code. */
export const coerceNumber = z.unknown().transform((value): number | null => {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : null;
});

export const coerceFlag = z.unknown().transform((value): boolean | null => {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : null;
});

const ISO_DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** ISO 8601 of a day that exists, with or without a fraction, offset as `Z`, `+00:00`, `+0000` or `+00`; without an offset it is UTC. */
export const coerceDateTime = z.unknown().transform((value): Date | null => {
  const match = typeof value === "string" ? ISO_DATE_TIME.exec(value.trim()) : null;
  if (match === null) return null;
  const [, day, time, fraction = "", offset = "Z"] = match;
  const digits = offset.replace(":", "");
  const zone = digits.toUpperCase() === "Z" ? "Z" : `${digits.slice(0, 3)}:${digits.slice(3) || "00"}`;
  return parseDateTime(`${day}T${time}${fraction.slice(0, 10)}${zone}`);
});

/** Seconds since 1970, as number or digits. 0 stands for "unknown" at providers, so it is null. */
export const coerceEpochSeconds = coerceNumber.transform((seconds): Date | null =>
  seconds === null || seconds <= 0 ? null : validDate(seconds * 1_000),
);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An http(s) address as it was given, because a signature can be in it; anything else is null. */
export const coerceAddress = coerceText.transform((text) => (isWebAddress(text) ? text : null));

/** The public address without query and fragment, which hold tracking; null unless it is an http(s) address. */
export function withoutTracking(address: string | null): string | null {
  if (address === null || !isWebAddress(address)) return null;
  const url = new URL(address);
  url.search = "";
  url.hash = "";
  return url.href;
}

/** Signed addresses of media have about 1,000 characters; no browser follows one of so many. */
const LONGEST_ADDRESS = 8_192;

function isWebAddress(text: string | null): boolean {
  const protocol = text === null || text.length > LONGEST_ADDRESS ? undefined : URL.parse(text)?.protocol;
  return protocol === "https:" || protocol === "http:";
}

function validDate(milliseconds: number): Date | null {
  const date = new Date(milliseconds);
  return isWritable(date) ? date : null;
}
