import { addMs, hasPassed } from "@social-connect/domain";
import type { SweepState } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";

/** A sweep that did not succeed for this many of its intervals needs attention. */
const MOST_INTERVALS = 2;

export interface KnownSweep {
  readonly name: string;
  readonly intervalMs: number;
}

export interface SweepShown extends Omit<SweepState, "name"> {
  readonly name: string;
  readonly isHealthy: boolean;
}

/** Every sweep of this version. A sweep that never ran has no times and is not healthy. */
export async function readSweeps(
  { prisma, clock }: Pick<Service, "prisma" | "clock">,
  known: readonly KnownSweep[],
): Promise<SweepShown[]> {
  const now = await clock.now();
  const states = new Map((await prisma.sweepState.findMany()).map((state) => [state.name, state]));
  return known.map(({ name, intervalMs }) => {
    const { ranAt, succeededAt, failedAt, error, handled, remaining } = states.get(name) ?? NEVER_RAN;
    const isHealthy = succeededAt !== null && !hasPassed(addMs(succeededAt, MOST_INTERVALS * intervalMs), now);
    return { name, isHealthy, ranAt, succeededAt, failedAt, error, handled, remaining } as SweepShown;
  });
}

const NEVER_RAN = { ranAt: null, succeededAt: null, failedAt: null, error: null, handled: 0, remaining: null };
