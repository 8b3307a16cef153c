import { formatDateTime, isDecimalCount, parseDateTime, timeOf } from "@social-connect/domain";
import { GraphQLError } from "graphql";

/** A time in UTC in ISO 8601, with at most milliseconds. */
const UTC_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?(?:Z|\+00:00)$/;

let latest = { ms: Number.NaN, text: "" };

/**
 * Writes a Date, or a time in ISO 8601. A page of posts has two hundred times: those in UTC are not parsed, and the latest is
 * cached, because a page repeats one observation time.
 */
export function writeDateTime(value: unknown): string {
  const [, seconds, fraction = ""] = (typeof value === "string" && UTC_TIME.exec(value)) || [];
  if (seconds !== undefined) return `${seconds}.${fraction.padEnd(3, "0")}Z`;
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

const SCALAR_MESSAGE = /^A (?:DateTime|DecimalCount) (must [^;]*)$/;

/** The message of a malformed scalar with the name of its argument; null for any other message. */
export function withArgument(message: string, name: string): string | null {
  const [, rest] = SCALAR_MESSAGE.exec(message) ?? [];
  return rest === undefined ? null : `\`${name}\` ${rest}`;
}

const NULL_MESSAGE = /^Expected non-nullable type .* not to be null\.$/;

/**
 * The message of an invalid variable with the path to its part; null for any other error. The library's message has the value
 * too, which is omitted: SDKs withhold a message that repeats a part of the request.
 */
export function withVariable({ message, originalError }: GraphQLError): string | null {
  const reason = originalError?.message ?? "";
  if (!message.endsWith(`; ${reason}`)) return null;
  const [, variable] = /^Variable "\$(\w+)" got invalid value /.exec(message) ?? [];
  if (variable === undefined) return null;
  const [, path = variable] = / at "([\w.[\]]+)"$/.exec(message.slice(0, -reason.length - "; ".length)) ?? [];
  if (NULL_MESSAGE.test(reason)) return `\`${path}\` must not be null.`;
  return withArgument(reason, path) ?? `\`${path}\` is not valid: ${reason}`;
}
