import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatDay, formatTime } from "../../ui/dates.ts";
import type { ChartData } from "./chartData.ts";
import classes from "./TimeChart.module.css";

const HEIGHT = 150;
/** A line through few numbers shows each of them: one number has no line. */
const FEW = 24;

export interface TimeChartProps {
  /** For screen readers; the numbers are in the table. */
  readonly label: string;
  readonly data: ChartData;
  /** Counts are stacked bars, states are lines. */
  readonly isStacked: boolean;
  readonly colors: readonly string[];
  readonly scheme: "light" | "dark";
}

/** A chart over time on a canvas, which styles no element by an attribute. */
export function TimeChart({ label, data, isStacked, colors, scheme }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const text = scheme === "dark" ? "#c6cec9" : "#343a36";
    const grid = scheme === "dark" ? "#3d4541" : "#e4e7e3";
    const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    const values = isStacked ? stack(data) : data.lines.map((line) => [...line.values]);
    // The highest bar is drawn first, so that the lower ones stay visible.
    const order = data.lines.map((_, index) => (isStacked ? data.lines.length - 1 - index : index));
    const bars = uPlot.paths.bars?.({ size: [0.8, 24] });
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
        legend: { show: false },
        cursor: { show: false },
        scales: { y: { range: (_chart, _least, most) => [0, Math.max(1, most * 1.05)] } },
        axes: [
          { ...axis, values: (_chart, ticks) => ticks.map((tick, index) => axisText(tick, ticks[index - 1])) },
          {
            ...axis,
            size: 52,
            values: (_chart, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? tick.toLocaleString("en") : "")),
          },
        ],
        series: [
          {},
          ...order.map((index): uPlot.Series => {
            const color = colors[index] ?? text;
            const isCeiling = data.lines[index]?.tone === "ceiling";
            return isStacked && bars
              ? { stroke: color, fill: color, width: 0, paths: bars, points: { show: false } }
              : {
                  stroke: color,
                  width: 2,
                  spanGaps: true,
                  points: { show: (values[index] ?? []).filter((value) => value !== null).length <= FEW, size: 5 },
                  ...(isCeiling && { dash: [6, 4] }),
                };
          }),
        ],
      },
      [[...data.times], ...order.map((index) => values[index] ?? [])],
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [data, isStacked, colors, scheme]);
  return <div ref={frame} role="img" aria-label={label} className={classes.chart} />;
}

/** The time of day, and below it the day where it begins. */
function axisText(seconds: number, before: number | undefined): string {
  const at = new Date(seconds * 1_000);
  const isNewDay = before === undefined || formatDay(new Date(before * 1_000)) !== formatDay(at);
  return isNewDay ? `${formatTime(at)}\n${formatDay(at).slice(0, -5)}` : formatTime(at);
}

/** Adds to each line the values of the lines below it. */
function stack({ times, lines }: ChartData): number[][] {
  const below = times.map(() => 0);
  return lines.map(({ values }) =>
    values.map((value, index) => {
      below[index] = (below[index] ?? 0) + (value ?? 0);
      return below[index];
    }),
  );
}
