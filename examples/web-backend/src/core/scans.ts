import type { RefreshPoller, ScanSummary, SyncJob } from "@social-connect/sdk";
import { SocialConnectError } from "@social-connect/sdk";

/** The time span of a scan and of the gallery: so many days back from the moment it was asked for. */
export interface DaysBack {
  readonly days: number;
  readonly from: string;
  readonly to: string;
}

type Progress =
  | { readonly state: "running"; readonly job: SyncJob | undefined }
  | { readonly state: "ended"; readonly summary: ScanSummary }
  | { readonly state: "broken"; readonly code: string };

export type Scan = Progress & { readonly window: DaysBack };

/**
 * Scans that go on after the request that asked for them was answered, one a connection. Pages show how far one is;
 * `stop` ends all of them, so that the process can end.
 */
export class Scans {
  readonly #scans = new Map<string, Scan>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopper = new AbortController();

  of(connectionId: string): Scan | undefined {
    return this.#scans.get(connectionId);
  }

  /** Starts the scan, which rejects if the service does not take it, and leaves the rest to go on by itself. */
  async begin(connectionId: string, refresh: RefreshPoller, window: DaysBack, deadline: Date): Promise<void> {
    await refresh.start();
    const progressed = (progress: Progress) => this.#scans.set(connectionId, { ...progress, window });
    progressed({ state: "running", job: undefined });
    const running = this.#follow(refresh, deadline, progressed).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #follow(refresh: RefreshPoller, deadline: Date, progressed: (progress: Progress) => void): Promise<void> {
    try {
      const summary = await refresh.scanAll({
        deadline,
        signal: this.#stopper.signal,
        onProgress: (job) => progressed({ state: "running", job }),
      });
      progressed({ state: "ended", summary });
    } catch (error) {
      progressed({ state: "broken", code: SocialConnectError.is(error) ? error.code : "STOPPED" });
    }
  }

  forget(connectionId: string): void {
    this.#scans.delete(connectionId);
  }

  /** Resolves when no scan runs any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async stop(): Promise<void> {
    this.#stopper.abort();
    await this.idle();
  }
}
