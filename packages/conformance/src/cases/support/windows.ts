import type { CaseContext } from "../../harness/context.ts";

const DAY_MS = 86_400_000;

export interface Window {
  readonly publishedAfter: string;
  readonly publishedBefore: string;
}

/** A window in full days before now. A negative `toDaysAgo` is in the future. */
export function daysBack(now: Date, fromDaysAgo: number, toDaysAgo = -1): Window {
  return {
    publishedAfter: new Date(now.getTime() - fromDaysAgo * DAY_MS).toISOString(),
    publishedBefore: new Date(now.getTime() - toDaysAgo * DAY_MS).toISOString(),
  };
}

/** The service's time: its clock's, if available, otherwise this machine's. */
export async function serviceNow(t: CaseContext): Promise<Date> {
  return (await t.target.clock?.now()) ?? new Date();
}
