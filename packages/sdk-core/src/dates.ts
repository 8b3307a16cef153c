/**
 * The time of a Date, in milliseconds since 1970; NaN for any other value. A Date is recognized by its shape: after a change
 * of the global Date, as by fake timers, or in another realm, as in Jest and workers, `instanceof Date` is false.
 */
export function timeOf(date: unknown): number {
  try {
    const { getTime }: { readonly getTime?: unknown } = Object(date);
    return typeof getTime === "function" ? Number(getTime.call(date)) : Number.NaN;
  } catch {
    return Number.NaN; // An object with only the prototype of a Date.
  }
}

/** Appended to errors about dates. */
export const DATE_HINT =
  "Convert other dates: new Date(instant.epochMilliseconds) of Temporal, toJSDate() of Luxon, toDate() of Day.js.";
