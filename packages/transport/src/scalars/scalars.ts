import { formatDateTime, isDecimalCount, parseDateTime, timeOf, WrittenDateTime } from "@social-connect/domain";
import { GraphQLError } from "graphql";

let latest = { ms: Number.NaN, text: "" };

/** Caches the latest time: a page repeats one observation time hundreds of times. */
export function writeDateTime(value: unknown): string {
  if (value instanceof WrittenDateTime) return value.text;
  const ms = timeOf(value);
  if (Number.isNaN(ms)) throw new TypeError("DateTime can only serialize a Date");
  if (ms !== latest.ms) latest = { ms, text: formatDateTime(new Date(ms)) };
  return latest.text;
}

export function readDateTime(value: unknown): Date {
  const time = typeof value === "string" ? parseDateTime(value) : null;
  if (time === null) throw new GraphQLError("A DateTime must be a valid date and time in ISO 8601 with an offset.");
  return time;
}

export function readDecimalCount(value: unknown): string {
  if (typeof value === "string" && isDecimalCount(value)) return value;
  throw new GraphQLError("A DecimalCount must be a non-negative integer as a string.");
}
