import { type ChartData, type ChartLine, totalOf } from "./chartData.ts";

export interface VersionRow {
  readonly library: string;
  /** `unknown` for a library that the service does not know and for requests without a name. */
  readonly version: string;
  /** The end of the step in which the latest call was counted: the call may have been that much earlier. */
  readonly seenUntil: string;
  readonly line: ChartLine;
}

const LIBRARIES: Readonly<Record<string, string>> = {
  sdk: "SDK",
  "admin-sdk": "Admin SDK",
  none: "Unknown library",
  other: "Another library",
};

/** The resolution of these counts is an hour, also in a range with shorter steps. */
const HOUR_SECONDS = 3_600;

export function versionStepSeconds([first = 0, second = 0]: ChartData["times"]): number {
  return Math.max(second - first, HOUR_SECONDS);
}

/** The libraries and versions in a range, the most frequent first. */
export function versionsOf({ times, lines }: ChartData): readonly VersionRow[] {
  return lines
    .toSorted((one, other) => totalOf(other) - totalOf(one))
    .map((line) => {
      const [library = "", version = "unknown"] = line.label.split(" ");
      const begunAt = times[line.values.findLastIndex((value) => (value ?? 0) > 0)] ?? 0;
      const seenUntil = new Date((begunAt + versionStepSeconds(times)) * 1_000).toISOString();
      return { library: LIBRARIES[library] ?? library, version, seenUntil, line };
    });
}
