import { type RefreshPoller, type ScanSummary, SocialConnectError, type SyncJob } from "@social-connect/sdk";

/** The time range of a scan and of the gallery, in days before the request. */
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
 * Scans that continue after the response to their request, one per connection. Pages show their progress; `stop` ends
 * all of them, so that the process can exit.
 */
export class Scans {
  readonly #scans = new Map<string, Scan>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopper = new AbortController();

  of(connectionId: string): Scan | undefined {
    return this.#scans.get(connectionId);
  }

  /** Starts the scan, which rejects if the service rejects it, and continues in the background. */
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

  /** Resolves when no scan is running. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async stop(): Promise<void> {
    this.#stopper.abort();
    await this.idle();
  }
}
