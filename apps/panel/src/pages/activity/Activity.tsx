import { SegmentedControl, Skeleton, Text, useComputedColorScheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { SocialProvider } from "@social-connect/contract";
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useEffect, useMemo, useState } from "react";
import { ActivityDocument, type ActivityQuery, type ActivityRange } from "../../_generated/activity.ts";
import { request } from "../../api/request.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { formatDayAndTime, formatExactTime } from "../../ui/dates.ts";
import { Loaded } from "../../ui/Loaded.tsx";
import { Section } from "../../ui/Section.tsx";
import { useEntryState } from "../../ui/useEntryState.ts";
import { useLive } from "../../ui/useLive.ts";
import { ActivityPart } from "./ActivityPart.tsx";
import { ChartsFailed } from "./ChartsFailed.tsx";
import { ClientVersions } from "./ClientVersions.tsx";
import { type ChartData, type ChartLine, eventsOf, quotasOf, rateText, statesOf, totalOf } from "./chartData.ts";
import classes from "./TimeChart.module.css";
import type { TimeChartProps } from "./TimeChart.tsx";

const RANGES: readonly { readonly value: ActivityRange; readonly label: string }[] = [
  { value: "HOUR", label: "1 h" },
  { value: "DAY", label: "24 h" },
  { value: "WEEK", label: "7 d" },
  { value: "MONTH", label: "30 d" },
];

export interface ActivityProps {
  readonly clientId?: string;
  readonly provider?: SocialProvider;
}

/** What the service counted, of everything or of one client or provider: charts, and tables of their numbers. */
export function Activity({ clientId, provider }: ActivityProps) {
  const [range, setRange] = useEntryState<ActivityRange>("range", "DAY");
  const query = useQuery({
    queryKey: ["activity", range, clientId ?? null, provider ?? null],
    queryFn: async () => {
      const variables = { range, clientId: clientId ?? null, provider: provider ?? null };
      return (await request(ActivityDocument, variables)).activity;
    },
  });
  useLive(query);
  return (
    <Section
      title="Activity"
      description="Counted by every process and stored within ten seconds. Counts are lost only when a process is killed."
      actions={
        <SegmentedControl
          aria-label="Range"
          size="xs"
          data={[...RANGES]}
          value={range}
          onChange={(value) => setRange(value as ActivityRange)}
        />
      }
    >
      <Loaded query={query} lines={8}>
        {(activity) => (
          <Charts activity={activity} isOfClient={clientId !== undefined} isOfProvider={provider !== undefined} />
        )}
      </Loaded>
    </Section>
  );
}

interface ChartsProps {
  readonly activity: ActivityQuery["activity"];
  /** Without calls to providers, quotas and connections, which are counted for the whole service. */
  readonly isOfClient: boolean;
  /** Without calls to the API. */
  readonly isOfProvider: boolean;
}

function Charts({ activity, isOfClient, isOfProvider }: ChartsProps) {
  const library = useTimeChart();
  const data = useMemo(
    () => ({
      attempts: eventsOf(activity, "CONNECT_ATTEMPTS"),
      calls: eventsOf(activity, "API_CALLS"),
      versions: eventsOf(activity, "CLIENT_VERSIONS"),
      jobs: eventsOf(activity, "JOB_ATTEMPTS"),
      providers: eventsOf(activity, "PROVIDER_CALLS"),
      quotas: quotasOf(activity),
      connections: statesOf(activity, "CONNECTIONS"),
    }),
    [activity],
  );
  const completed = rateText(data.attempts, "COMPLETED", "completed");
  const ok = rateText(data.calls, "OK", "succeeded");
  const provider = rateText(data.providers, "ok", "succeeded");
  return (
    <>
      {library === "failed" && (
        <div className={classes.part}>
          <ChartsFailed message="The charts could not be loaded. The tables have their numbers." />
        </div>
      )}
      {isOfClient && <ClientVersions data={data.versions} />}
      <div className={classes.grid}>
        <Chart {...{ library }} title="Connect attempts" note={completed} data={data.attempts} isStacked />
        {!isOfProvider && <Chart {...{ library }} title="API calls by code" note={ok} data={data.calls} isStacked />}
        <Chart {...{ library }} title="Job attempts by outcome and wait" note={null} data={data.jobs} isStacked />
        {!isOfClient && (
          <>
            <Chart {...{ library }} title="Calls to providers" note={provider} data={data.providers} isStacked />
            <Chart
              {...{ library }}
              title="Quota"
              note="Units used in the window of each shared quota, and its limit."
              data={data.quotas}
            />
            <Chart {...{ library }} title="Connections by status" note="Read once an hour." data={data.connections} />
          </>
        )}
      </div>
    </>
  );
}

/** The component that draws charts, or the state of its library. */
type ChartLibrary = ComponentType<TimeChartProps> | "pending" | "failed";

/** Loads with this module, while the numbers load. The numbers are useful without it. */
const loading = import("./TimeChart.tsx").then(
  ({ TimeChart }): ChartLibrary => TimeChart,
  (): ChartLibrary => "failed",
);

function useTimeChart(): ChartLibrary {
  const [library, setLibrary] = useState<ChartLibrary>("pending");
  useEffect(() => void loading.then((loaded) => setLibrary(() => loaded)), []);
  return library;
}

const LIGHT = { good: "#127558", bad: "#b93a20", waiting: "#9a6700", ceiling: "#737c76" } as const;
const DARK = { good: "#5fcfab", bad: "#ff9d87", waiting: "#f0c165", ceiling: "#a5afa9" } as const;
/** For codes that are neither good nor bad. */
const OTHERS = {
  light: ["#3b5bdb", "#862e9c", "#087f9b", "#5f6b00"],
  dark: ["#91a7ff", "#da77f2", "#66d9e8", "#c0d000"],
};

function colorsOf(lines: readonly ChartLine[], scheme: "light" | "dark"): string[] {
  const tones = scheme === "dark" ? DARK : LIGHT;
  const others = OTHERS[scheme];
  let next = 0;
  return lines.map(({ tone }) => {
    if (tone !== "idle") return tones[tone];
    next += 1;
    return others[(next - 1) % others.length] ?? tones.ceiling;
  });
}

/** With forced colors, the background follows the system's setting, not the panel's. */
function useChartScheme(): "light" | "dark" {
  const scheme = useComputedColorScheme();
  const isForced = useMediaQuery("(forced-colors: active)");
  const isDark = useMediaQuery("(prefers-color-scheme: dark)");
  if (!isForced) return scheme;
  return isDark ? "dark" : "light";
}

interface ChartProps {
  readonly library: ChartLibrary;
  readonly title: string;
  readonly note: string | null;
  readonly data: ChartData;
  readonly isStacked?: boolean;
}

function Chart({ library: TimeChart, title, note, data, isStacked = false }: ChartProps) {
  const scheme = useChartScheme();
  const colors = useMemo(() => colorsOf(data.lines, scheme), [data, scheme]);
  return (
    <ActivityPart title={title} note={note} isEmpty={!data.lines.some(({ tone }) => tone !== "ceiling")}>
      {TimeChart === "pending" && <Skeleton className={classes.chart} aria-hidden />}
      {typeof TimeChart !== "string" && (
        <TimeChart
          label={`Chart: ${title}. The table below has its numbers.`}
          {...{ data, isStacked, colors, scheme }}
        />
      )}
      <ul className={classes.legend}>
        {data.lines.map((line, index) => (
          <li key={line.label}>
            <span className={classes.swatch} style={{ backgroundColor: colors[index] }} aria-hidden />
            {line.label}
            {isStacked && <Text span size="sm" c="dimmed">{`${totalOf(line).toLocaleString("en")}`}</Text>}
          </li>
        ))}
      </ul>
      <details open={TimeChart === "failed"}>
        <summary>{title}: numbers</summary>
        <Numbers title={title} data={data} />
      </details>
    </ActivityPart>
  );
}

/** The steps with numbers, the latest first. */
function Numbers({ title, data: { times, lines } }: Pick<ChartProps, "title" | "data">) {
  const steps = times
    .map((time, index) => ({ time, index }))
    .filter(({ index }) => lines.some(({ values }) => (values[index] ?? 0) !== 0))
    .toReversed();
  return (
    <DataTable
      caption={`${title} by time`}
      rows={steps}
      rowKey={({ time }) => String(time)}
      columns={[
        {
          header: "From",
          cell: ({ time }) => {
            const at = new Date(time * 1_000);
            return <time title={formatExactTime(at)}>{formatDayAndTime(at)}</time>;
          },
        },
        ...lines.map(({ label, values }) => ({
          header: label,
          cell: ({ index }: { readonly index: number }) => values[index]?.toLocaleString("en") ?? "unknown",
        })),
      ]}
    />
  );
}
