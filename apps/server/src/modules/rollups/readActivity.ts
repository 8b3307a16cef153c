import type { SocialProvider } from "@social-connect/contract";
import { ACTIVITY_RANGES, type ActivityRange, ROLLUP_SERIES, type RollupSeries, stepsOf } from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import type { Service } from "../service.ts";
import { readSteps, WHOLE_SERVICE } from "./store.ts";

export interface ActivityFilter {
  readonly range: ActivityRange;
  /** null: the whole service. An unknown client has no counts. */
  readonly clientId: string | null;
  readonly provider: SocialProvider | null;
}

export interface ActivityCount {
  readonly series: RollupSeries;
  /** When the step begins. */
  readonly at: Date;
  readonly provider: SocialProvider | null;
  /** The code, status or result that the series is divided by; the budget of a quota. */
  readonly label: string | null;
  readonly count: number;
}

export interface Activity {
  readonly from: Date;
  readonly lastStepAt: Date;
  readonly stepSeconds: number;
  readonly counts: readonly ActivityCount[];
}

const CLIENT_SERIES: readonly RollupSeries[] = [
  ROLLUP_SERIES.apiCalls,
  ROLLUP_SERIES.clientVersions,
  ROLLUP_SERIES.connectAttempts,
  ROLLUP_SERIES.jobAttempts,
];

/** What was counted in a range: a bounded number of steps, of rows that are summed already. */
export async function readActivity(
  { reads, clock }: Pick<Service, "reads" | "clock">,
  { range, clientId, provider }: ActivityFilter,
): Promise<Activity> {
  const { from, last } = stepsOf(range, await clock.now());
  const { stepSeconds, source } = ACTIVITY_RANGES[range];
  const registrations = await reads.prisma.providerRegistration.findMany({
    where: provider === null ? {} : { provider },
    select: { id: true },
  });
  const owners = clientId === null ? [WHOLE_SERVICE, ...registrations.map(({ id }) => id)] : [asUuid(clientId)];
  const series = clientId === null ? Object.values(ROLLUP_SERIES) : CLIENT_SERIES;
  const rows = await readSteps(reads.pool, {
    series,
    seconds: source,
    owners: owners.filter((id) => id !== null),
    from,
    stepSeconds,
    provider,
  });
  return {
    from,
    lastStepAt: last,
    stepSeconds,
    counts: rows.map(({ provider: of, label, ...row }) => ({
      ...row,
      provider: (of || null) as SocialProvider | null,
      label: label || null,
    })),
  };
}
