import { formatDateTime, isDecimalCount, parseDateTime, timeOf } from "@social-connect/domain";
import { GraphQLError } from "graphql";

let latest = { ms: Number.NaN, text: "" };

/** Writes a Date, or a time in ISO 8601, as PostgreSQL writes times as JSON. Caches the latest: a page repeats one observation time. */
export function writeDateTime(value: unknown): string {
  const ms = typeof value === "string" ? Date.parse(value) : timeOf(value);
  if (Number.isNaN(ms)) throw new TypeError("DateTime can only serialize a Date, or a time in ISO 8601");
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
