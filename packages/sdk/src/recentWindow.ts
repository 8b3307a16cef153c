import { wholeNumber } from "@social-connect/sdk-core";
import { LIMITS } from "./_generated/limits.ts";
import type { PublishedWindow } from "./subject.ts";

const DAY_MS = 24 * 60 * 60_000;

/** The window of whole days that ends at the next UTC midnight. */
export function recentWindow(nowMs: number, days: number): PublishedWindow {
  wholeNumber("days", days, 1, undefined, LIMITS.windowDays);
  const endMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  const at = (ms: number) => new Date(ms).toISOString();
  return { publishedAfter: at(endMs - days * DAY_MS), publishedBefore: at(endMs) };
}
