import { quotaWindow } from "@social-connect/domain";
import { HOUR_MS, MINUTE_MS, type TimeSource } from "../shared/clock.ts";

/** Limits per application. The defaults are the real ones. */
export interface LimitSettings {
  /** Provider A: units per day, which starts at midnight in Los Angeles. */
  unitsPerDay: number;
  /** Provider B: calls per endpoint within any 60 seconds. */
  callsPerMinute: number;
  /** Provider C: calls within any 60 minutes that correspond to 100 percent in the usage header. */
  callsPerHour: number;
}

export const DEFAULT_LIMITS: LimitSettings = { unitsPerDay: 10_000, callsPerMinute: 600, callsPerHour: 4_800 };

export type Limits = ReturnType<typeof createLimits>;

export function createLimits(clock: TimeSource, initial: LimitSettings) {
  const settings = { ...initial };
  const units = new Map<string, number>();
  const recent = new Map<string, number[]>();

  const within = (key: string, spanMs: number): number[] => {
    const nowMs = clock.now().getTime();
    const kept = (recent.get(key) ?? []).filter((atMs) => atMs > nowMs - spanMs && atMs <= nowMs);
    recent.set(key, kept);
    return kept;
  };

  return {
    settings,
    /** Takes a unit of the daily quota; false if it is exhausted. */
    takeUnit: (clientId: string): boolean => {
      const key = `${quotaWindow("pacific-day", clock.now()).start.toISOString()} ${clientId}`;
      const used = units.get(key) ?? 0;
      if (used >= settings.unitsPerDay) return false;
      units.set(key, used + 1);
      return true;
    },
    /** Counts a call in a sliding minute; false if it exceeds the limit. */
    takeCallOfMinute: (key: string): boolean => {
      const calls = within(`minute ${key}`, MINUTE_MS);
      if (calls.length >= settings.callsPerMinute) return false;
      calls.push(clock.now().getTime());
      return true;
    },
    /** Counts a call in a sliding hour; returns the usage in percent. */
    takeCallOfHour: (key: string): number => {
      const calls = within(`hour ${key}`, HOUR_MS);
      calls.push(clock.now().getTime());
      return Math.min(100, Math.floor((calls.length / settings.callsPerHour) * 100));
    },
    reset: () => {
      Object.assign(settings, initial);
      units.clear();
      recent.clear();
    },
  };
}
