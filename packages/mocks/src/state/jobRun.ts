import type { ContentObservation } from "@social-connect/domain";
import type { CallFailure } from "./providerCall.ts";

export interface Observed {
  readonly item: ContentObservation;
  readonly observedAt: Date;
}

/** The progress of a job attempt. It is part of the state, so a snapshot taken during a scan resumes it. */
export interface JobRun {
  readonly step: "list" | "read" | "lookup" | "profile" | "revoke" | "erase";
  /** The failure of the pending call; null when it will succeed, unless the grant ends first. */
  readonly failure: CallFailure | null;
  /** The revocation counter before the recheck's call. */
  readonly revocationsBefore?: number;
  readonly pages: number;
  readonly observed: readonly Observed[];
  /** Stored posts that a complete scan of their window did not return; they are read by id. */
  readonly unseen: readonly string[];
  readonly deleted: readonly string[];
  /** The provider returned the account of a connection that refusals had ended. */
  readonly isRevived?: boolean;
}

export const NOTHING_YET = { pages: 0, observed: [], unseen: [], deleted: [] } as const;
