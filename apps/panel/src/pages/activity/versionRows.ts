import { type ChartData, type ChartLine, totalOf } from "./chartData.ts";

export interface VersionRow {
  readonly library: string;
  /** `unknown` for a library that the service does not know and for requests without a name. */
  readonly version: string;
  /** The step in which the latest call was counted. */
  readonly lastSeenAt: string | null;
  readonly line: ChartLine;
}

const LIBRARIES: Readonly<Record<string, string>> = {
  sdk: "SDK",
  "admin-sdk": "Admin SDK",
  none: "Not named",
  other: "Another library",
};

/** The libraries and versions in a range, the most frequent first. */
export function versionsOf({ times, lines }: ChartData): readonly VersionRow[] {
  return lines
    .toSorted((one, other) => totalOf(other) - totalOf(one))
    .map((line) => {
      const [library = "", version = "unknown"] = line.label.split(" ");
      const time = times[line.values.findLastIndex((value) => (value ?? 0) > 0)];
      const lastSeenAt = time === undefined ? null : new Date(time * 1_000).toISOString();
      return { library: LIBRARIES[library] ?? library, version, lastSeenAt, line };
    });
}
