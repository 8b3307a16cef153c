import type { ActivityQuery, ActivitySeries } from "../../_generated/activity.ts";
import { isExpectedFailure } from "../../ui/codeDescriptions.ts";
import { PROVIDER_NAMES } from "../../ui/labels.ts";

type Activity = ActivityQuery["activity"];

export interface ChartLine {
  readonly label: string;
  readonly tone: Tone;
  /** One value per step; null where nothing is known. */
  readonly values: readonly (number | null)[];
}

export type Tone = "good" | "bad" | "waiting" | "idle" | "ceiling";

export interface ChartData {
  /** When each step begins, in seconds since 1970. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
}

const BAD = /^(FAILED(?: .*)?|ERROR|RECONNECT_REQUIRED|UPSTREAM_UNAVAILABLE|http_5xx|timeout|unreachable|error)$/;
const GOOD = /^(OK|ok|COMPLETED|SUCCEEDED|CONNECTED)$/;
const WAITING = /^(QUEUED.*|RATE_LIMITED|http_429|SUSPENDED|EXPIRED)$/;

function toneOf(label: string): Tone {
  if (GOOD.test(label)) return "good";
  if (BAD.test(label)) return "bad";
  return WAITING.test(label) ? "waiting" : "idle";
}

export function timesOf({ from, lastStepAt, stepSeconds }: Activity): number[] {
  const [first, last] = [Date.parse(from) / 1_000, Date.parse(lastStepAt) / 1_000];
  return Array.from({ length: (last - first) / stepSeconds + 1 }, (_, step) => first + step * stepSeconds);
}

/** Counts of events by label, of all providers. A step without a count is 0. */
export function eventsOf(activity: Activity, series: ActivitySeries): ChartData {
  return collect(activity, series, 0, ({ label }) => eventLabel(label ?? ""));
}

/** The label of a job attempt is the job's status and its error, if it has one. */
function eventLabel(label: string): string {
  const [status = "", errorCode = null] = label.split(" ");
  return isExpectedFailure(status, errorCode) ? `Expected failure: ${errorCode}` : label;
}

/** States by label. A step in which the state was not read is unknown. */
export function statesOf(activity: Activity, series: ActivitySeries): ChartData {
  return collect(activity, series, null, ({ label }) => label ?? "");
}

/** The use of each budget, and its ceiling. */
export function quotasOf(activity: Activity): ChartData {
  const name = ({ provider, label }: Activity["counts"][number]) => {
    const budget = label?.split(" ").slice(1).join(" ");
    return `${provider === null ? "" : PROVIDER_NAMES[provider]}${budget === "client" ? "" : ` ${budget}`}`;
  };
  const used = collect(activity, "QUOTA_USED", null, (count) => `${name(count)}: used`);
  const units = collect(activity, "QUOTA_UNITS", null, (count) => `${name(count)}: limit`);
  return {
    times: used.times,
    lines: [...used.lines, ...units.lines.map((line) => ({ ...line, tone: "ceiling" as const }))],
  };
}

function collect(
  activity: Activity,
  series: ActivitySeries,
  missing: 0 | null,
  labelOf: (count: Activity["counts"][number]) => string,
): ChartData {
  const times = timesOf(activity);
  const step = new Map(times.map((time, index) => [time, index]));
  const lines = new Map<string, (number | null)[]>();
  for (const count of activity.counts) {
    const index = step.get(Date.parse(count.at) / 1_000);
    if (count.series !== series || index === undefined) continue;
    const label = labelOf(count);
    const values = lines.get(label) ?? times.map(() => missing);
    values[index] = (values[index] ?? 0) + count.count;
    lines.set(label, values);
  }
  return {
    times,
    lines: [...lines]
      .map(([label, values]) => ({ label, tone: toneOf(label), values }))
      .filter((line) => totalOf(line) > 0)
      .toSorted((left, right) => ORDER[left.tone] - ORDER[right.tone] || (left.label < right.label ? -1 : 1)),
  };
}

const ORDER: Readonly<Record<Tone, number>> = { good: 0, idle: 1, waiting: 2, bad: 3, ceiling: 4 };

export function totalOf({ values }: ChartLine): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** “83 % of 120 completed”; null without any count. */
export function rateText({ lines }: ChartData, label: string, verb: string): string | null {
  const total = lines.reduce((sum, line) => sum + totalOf(line), 0);
  if (total === 0) return null;
  const part = lines.filter((line) => line.label === label).reduce((sum, line) => sum + totalOf(line), 0);
  return `${Math.floor((part / total) * 100)} % of ${total.toLocaleString("en")} ${verb}`;
}
