import { html } from "hono/html";
import type { Reading } from "../core/readings.ts";
import { moment, wholeNumber } from "./format.ts";
import type { Html } from "./layout.ts";

const WIDTH = 640;
const HEIGHT = 200;
const PADDING = 16;
/** Readings further apart are not joined: nothing is known about the time between them. */
const MAX_STEP_MS = 2 * 24 * 3_600_000;
const PRECISION = 10_000n;

/** The views of a post over time, drawn from stored readings, with the same numbers in a table. */
export function viewsChart(readings: readonly Reading[]): Html {
  const known = readings.filter(isKnown);
  const first = known[0];
  const last = known.at(-1);
  if (first === undefined || last === undefined) return html``;
  return html`<section class="history" aria-labelledby="history-title">
<h2 id="history-title">Views over time</h2>
${
  known.length < 2
    ? html`<p class="fine">There is one reading so far. The chart starts with the second.</p>`
    : html`${drawing(readings, known)}<p class="fine history-span"><span>${moment(first.at)}</span><span>${moment(last.at)}</span></p>`
}
<details><summary>Readings as a table</summary>
<table class="numbers">
<caption>Views at each reading, as the provider gave them</caption>
<thead><tr><th scope="col">Read</th><th scope="col">Views</th></tr></thead>
<tbody>${readings.map(({ at, views }) => html`<tr><th scope="row"><time datetime="${at}">${moment(at)}</time></th>${views === null ? html`<td class="missing">not given</td>` : html`<td class="known">${wholeNumber(views)}</td>`}</tr>`)}</tbody>
</table>
</details>
</section>`;
}

type KnownReading = Reading & { readonly views: string };

function isKnown(reading: Reading): reading is KnownReading {
  return reading.views !== null;
}

function drawing(readings: readonly Reading[], known: readonly KnownReading[]): Html {
  const place = placer(known);
  const [first, last] = [known[0], known.at(-1)];
  const summary = `From ${wholeNumber(first?.views ?? "")} on ${moment(first?.at ?? null)} to ${wholeNumber(last?.views ?? "")} on ${moment(last?.at ?? null)}. The table below has every reading.`;
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="chart-title chart-summary">
<title id="chart-title">Views over time</title><desc id="chart-summary">${summary}</desc>
${segments(readings).map((segment) => html`<polyline points="${segment.map((reading) => place(reading).join(",")).join(" ")}"/>`)}
${known.map((reading) => {
  const [x, y] = place(reading);
  return html`<circle cx="${x}" cy="${y}" r="3.5"/>`;
})}
</svg>`;
}

/** Runs of readings that belong together: a missing number or a long pause ends a run. */
export function segments(readings: readonly Reading[]): readonly (readonly KnownReading[])[] {
  const runs: KnownReading[][] = [];
  let previous: Reading | undefined;
  for (const reading of readings) {
    if (isKnown(reading)) {
      const isNear = previous !== undefined && Date.parse(reading.at) - Date.parse(previous.at) <= MAX_STEP_MS;
      const run = runs.at(-1);
      if (run !== undefined && isNear && previous?.views !== null) run.push(reading);
      else runs.push([reading]);
    }
    previous = reading;
  }
  return runs.filter((run) => run.length > 1);
}

/** Where a reading is drawn. Numbers have no upper limit, so they are scaled as BigInt. */
function placer(known: readonly KnownReading[]): (reading: KnownReading) => readonly [number, number] {
  const times = known.map(({ at }) => Date.parse(at));
  const [start, end] = [Math.min(...times), Math.max(...times)];
  const numbers = known.map(({ views }) => BigInt(views)).sort((one, other) => (one < other ? -1 : 1));
  const [lowest = 0n, highest = 0n] = [numbers[0], numbers.at(-1)];
  return ({ at, views }) => {
    const across = end === start ? 0.5 : (Date.parse(at) - start) / (end - start);
    const share = highest === lowest ? PRECISION / 2n : ((BigInt(views) - lowest) * PRECISION) / (highest - lowest);
    const up = Number(share) / Number(PRECISION);
    return [rounded(PADDING + across * (WIDTH - 2 * PADDING)), rounded(HEIGHT - PADDING - up * (HEIGHT - 2 * PADDING))];
  };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
