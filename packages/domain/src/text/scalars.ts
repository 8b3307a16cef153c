/**
 * Text forms of the two scalars of the consumer API, shared by every side that reads or checks them.
 * Source: service description, part 2, Scalars.
 */

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;
const OUTPUT_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const DECIMAL_COUNT = /^(?:0|[1-9][0-9]*)$/;

/**
 * Reads a DateTime argument: ISO 8601 with seconds and an offset (the RFC 3339 profile), digits past milliseconds dropped. null for
 * anything else, for days, times and offsets that do not exist (30 February, 24:00, a leap second), and for times
 * outside the years 1 to 9999 in UTC, where neither the output form nor a database's timestamp of four digits can follow.
 */
export function parseDateTime(text: string): Date | null {
  return parseOutputForm(text) ?? parseAnyForm(text);
}

/** The output form is what callers send most, and the platform reads it in a fifth of the time. */
function parseOutputForm(text: string): Date | null {
  if (!OUTPUT_FORM.test(text)) return null;
  const moment = new Date(text);
  // The platform takes 30 February and 24:00 for times of the next days.
  const isSameDay = moment.getUTCDate() === Number(text.slice(8, 10));
  return isSameDay && isWritable(moment) ? moment : null;
}

function parseAnyForm(text: string): Date | null {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return null;
  const [, year = "", month = "", day = "", hour = "", minute = "", second = "", fraction = "", offset = ""] = parts;
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const local = new Date(0);
  local.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  local.setUTCHours(Number(hour), Number(minute), Number(second), ms);
  // A field out of its range would have rolled over into the next one.
  if (local.toISOString().slice(0, 19) !== text.slice(0, 19)) return null;
  const [, sign, offsetHours = "0", offsetMinutes = "0"] = /^([+-])(\d{2}):(\d{2})$/.exec(offset) ?? [];
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  const moment = new Date(local.getTime() - (sign === "-" ? -offsetMs : offsetMs));
  return isWritable(moment) ? moment : null;
}

/** True for a time in the years 1 to 9999 in UTC. */
export function isWritable(moment: Date): boolean {
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9_999;
}

/** The one output form of a DateTime: UTC with milliseconds. */
export function formatDateTime(moment: Date): string {
  return moment.toISOString();
}

/** True for a non-negative whole number in decimal digits, without sign or leading zeros, of any size. */
export function isDecimalCount(text: string): boolean {
  return DECIMAL_COUNT.test(text);
}
