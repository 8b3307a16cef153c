import type { CallFailure } from "./providerCall.ts";
import type { Observation } from "./state.ts";

export interface Observed {
  readonly item: Observation;
  readonly observedAt: Date;
}

/** What an attempt at a job has done so far. It is part of the state, so a snapshot in the middle of a scan goes on there. */
export interface JobRun {
  /** What is being waited for: an answer of the provider's, or the own work of an erasure. */
  readonly step: "list" | "read" | "lookup" | "profile" | "revoke" | "erase";
  /** How the call under way will fail; null when it is answered well, as far as could be known when it began. */
  readonly failure: CallFailure | null;
  /** What the counter of revocations stood at before a re-check asked. */
  readonly revocationsBefore?: number;
  /** Pages of a listing that were read. */
  readonly pages: number;
  readonly observed: readonly Observed[];
  /** Stored posts that a scan of their whole window did not show, and that have to be asked for by id. */
  readonly unseen: readonly string[];
  readonly deleted: readonly string[];
}

export const NOTHING_YET = { pages: 0, observed: [], unseen: [], deleted: [] } as const;
