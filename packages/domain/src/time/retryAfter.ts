const MAX_SECONDS = 86_400;

/** Limits a requested wait to between 1 second and 24 hours, rounded up to whole seconds. */
export function boundedSeconds(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 1), MAX_SECONDS);
}

/**
 * Seconds to wait according to `Retry-After`, which has seconds or an HTTP date in one of its three formats, two of
 * them obsolete (RFC 9110 10.2.3, 5.6.7); null without one.
 */
export function retryAfterSeconds(header: string | null, now: Date): number | null {
  const value = header?.trim() ?? "";
  if (/^\d+$/.test(value)) return boundedSeconds(Number(value));
  // The asctime format has no time zone; all three mean GMT.
  const at = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(`${value.replace(/ GMT$/i, "")} GMT`) : Number.NaN;
  return Number.isNaN(at) ? null : boundedSeconds((at - now.getTime()) / 1_000);
}
