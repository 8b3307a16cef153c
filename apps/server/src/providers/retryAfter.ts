const LONGEST_SECONDS = 86_400;

/** Keeps a wait that a provider asks for within 1 second and 24 hours; whole seconds, rounded up. */
export function boundedSeconds(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_SECONDS);
}

/**
 * Seconds to wait by the header `Retry-After`, which holds seconds or an HTTP date in one of its three forms, two of them
 * obsolete (RFC 9110 10.2.3, 5.6.7); null without one.
 */
export function retryAfterSeconds(headers: Headers, now: Date): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) return boundedSeconds(Number(value));
  // The form of asctime names no time zone; each of the three means GMT.
  const at = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(`${value.replace(/ GMT$/i, "")} GMT`) : Number.NaN;
  return Number.isNaN(at) ? null : boundedSeconds((at - now.getTime()) / 1_000);
}
