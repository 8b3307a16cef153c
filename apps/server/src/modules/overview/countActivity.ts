import { addMs } from "@social-connect/domain";
import type { Service } from "../service.ts";
import type { ConnectAttemptCount, ConnectionCount, JobCount } from "./store.ts";
import * as store from "./store.ts";

export type { ConnectAttemptCount, ConnectionCount, JobCount } from "./store.ts";

type Reader = Pick<Service, "pool" | "clock">;

const DAY_MS = 86_400_000;
/** A worker takes a due job within seconds, and a dead worker's within a minute: after this nobody does. */
export const OVERDUE_AFTER_MS = 5 * 60_000;

/** Jobs created in the last 24 hours, by what they are and how they stand. Counts, never whose they are. */
export async function countJobs({ pool, clock }: Reader): Promise<JobCount[]> {
  return store.countJobs(pool, addMs(await clock.now(), -DAY_MS));
}

/** Jobs that have been due for longer than any worker takes to come by. */
export async function countOverdueJobs({ pool, clock }: Reader): Promise<number> {
  return store.countJobsDueSince(pool, addMs(await clock.now(), -OVERDUE_AFTER_MS));
}

export function countConnections({ pool }: Reader): Promise<ConnectionCount[]> {
  return store.countConnections(pool);
}

/** Connect attempts of the last 24 hours, by how they ended or stand. */
export async function countConnectAttempts({ pool, clock }: Reader): Promise<ConnectAttemptCount[]> {
  return store.countConnectAttempts(pool, await clock.now());
}
