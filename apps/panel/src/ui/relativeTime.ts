import { formatDay } from "./dates.ts";

const STEPS = [
  { unit: "second", ms: 1_000, until: 60_000 },
  { unit: "minute", ms: 60_000, until: 3_600_000 },
  { unit: "hour", ms: 3_600_000, until: 86_400_000 },
  { unit: "day", ms: 86_400_000, until: 45 * 86_400_000 },
] as const;
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const SOON_MS = 10_000;

/** “3 minutes ago”, “in 12 days”; a date when it is more than 45 days away. */
export function formatRelativeTime(at: Date, now: Date): string {
  const distanceMs = at.getTime() - now.getTime();
  if (Math.abs(distanceMs) < SOON_MS) return "just now";
  const step = STEPS.find(({ until }) => Math.abs(distanceMs) < until);
  if (step === undefined) return formatDay(at);
  // Rounds days, so that a lifetime of 30 days is still shown as 30 days shortly after.
  const round = step.unit === "day" ? Math.round : Math.trunc;
  return RELATIVE.format(round(distanceMs / step.ms), step.unit);
}
