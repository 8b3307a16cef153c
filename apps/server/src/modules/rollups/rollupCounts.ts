import type { RollupSeries } from "@social-connect/domain";

/** What a count is of. A part that does not apply is empty. */
export interface CountLabels {
  /** The client; null without one. */
  readonly applicationId?: string | null;
  /** The registration under which it happened; null without one. */
  readonly registrationId?: string | null;
  readonly provider?: string;
  readonly kind?: string;
  readonly outcome?: string;
  readonly code?: string;
}

export interface Count extends Required<CountLabels> {
  readonly series: RollupSeries;
  readonly count: number;
}

/** Beyond this number of different counts in a batch, events are counted for the whole service, but not by client. */
const MOST_COUNTS = 5_000;
/** In no label: they are ids and codes. */
const SEPARATOR = "\n";

/** Counts the events of a process in memory until they are taken. */
export class RollupCounts {
  #counts = new Map<string, number>();

  add(series: RollupSeries, labels: CountLabels): void {
    const key = keyOf(series, labels);
    const count = this.#counts.get(key);
    if (count !== undefined) this.#counts.set(key, count + 1);
    else if (labels.applicationId && this.#counts.size >= MOST_COUNTS)
      this.add(series, { ...labels, applicationId: null });
    else this.#counts.set(key, 1);
  }

  /** Returns what was counted since the last call. */
  take(): Count[] {
    const taken = [...this.#counts].map(([key, count]): Count => {
      const [series, application, registration, ...labels] = key.split(SEPARATOR) as [RollupSeries, ...Labels];
      const [provider, kind, outcome, code] = labels;
      const owners = { applicationId: application || null, registrationId: registration || null };
      return { series, ...owners, provider, kind, outcome, code, count };
    });
    this.#counts = new Map();
    return taken;
  }
}

type Labels = [string, string, string, string, string, string];

function keyOf(
  series: RollupSeries,
  { applicationId, registrationId, provider = "", kind = "", outcome = "", code = "" }: CountLabels,
): string {
  return [series, applicationId ?? "", registrationId ?? "", provider, kind, outcome, code].join(SEPARATOR);
}
