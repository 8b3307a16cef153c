import type { TimeSource } from "../shared/clock.ts";
import { HOUR_MS, MINUTE_MS } from "../shared/clock.ts";

/** How much an application may ask. The defaults are the real ones. */
export interface LimitSettings {
  /** Provider A: units an application has for a day, which begins at midnight in Los Angeles. */
  unitsPerDay: number;
  /** Provider B: calls to one endpoint within any 60 seconds. */
  callsPerMinute: number;
  /** Provider C: calls within any 60 minutes that count as 100 percent in the usage header. */
  callsPerHour: number;
}

export const DEFAULT_LIMITS: LimitSettings = { unitsPerDay: 10_000, callsPerMinute: 600, callsPerHour: 4_800 };

export interface Limits {
  readonly settings: LimitSettings;
  /** Takes a unit of the day; false when none is left. */
  takeUnit(clientId: string): boolean;
  /** Counts a call of a sliding minute; false when it is one too many. */
  takeCallOfMinute(key: string): boolean;
  /** Counts a call of a sliding hour; the share used, in percent. */
  takeCallOfHour(key: string): number;
  /** Forgets every call, and changes of the settings too. */
  reset(): void;
}

export function createLimits(clock: TimeSource, initial: LimitSettings): Limits {
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
    takeUnit: (clientId) => {
      const key = `${pacificDay(clock.now())} ${clientId}`;
      const used = units.get(key) ?? 0;
      if (used >= settings.unitsPerDay) return false;
      units.set(key, used + 1);
      return true;
    },
    takeCallOfMinute: (key) => {
      const calls = within(`minute ${key}`, MINUTE_MS);
      if (calls.length >= settings.callsPerMinute) return false;
      calls.push(clock.now().getTime());
      return true;
    },
    takeCallOfHour: (key) => {
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

const pacific = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles", dateStyle: "short" });

function pacificDay(now: Date): string {
  return pacific.format(now);
}
