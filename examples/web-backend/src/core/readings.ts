import type { ContentItem } from "@social-connect/sdk";
import { RETENTION_MS } from "./accounts.ts";

/** The views of a post at one time. Null if the provider gave no number: a gap, never 0. */
export interface Reading {
  readonly at: string;
  /** Decimal digits without an upper limit. */
  readonly views: string | null;
}

/** More than one reading an hour for two weeks; older ones are dropped. */
const MAX_READINGS = 400;

/**
 * The numbers that this application saw, by connection and post. The service stores only the newest number of a post,
 * so an application that shows a history has to store one.
 */
export class Readings {
  readonly #byConnection = new Map<string, Map<string, readonly Reading[]>>();

  /** Stores the views of posts that were just read. A number that was already stored is not stored again. */
  record(connectionId: string, posts: readonly ContentItem[], now: Date): void {
    const byPost = this.#byConnection.get(connectionId) ?? new Map<string, readonly Reading[]>();
    this.#byConnection.set(connectionId, byPost);
    for (const { providerContentId, metrics } of posts) {
      const views = metrics.find(({ name }) => name === "VIEWS");
      if (views === undefined) continue;
      const readings = byPost.get(providerContentId) ?? [];
      if (readings.some(({ at }) => at === views.observedAt)) continue;
      const value = views.availability === "AVAILABLE" ? views.value : null;
      const added = [...readings, { at: views.observedAt, views: value }];
      byPost.set(providerContentId, added.filter((reading) => isKept(reading, now)).slice(-MAX_READINGS));
    }
  }

  /** Oldest first. */
  of(connectionId: string, providerContentId: string, now: Date): readonly Reading[] {
    const readings = this.#byConnection.get(connectionId)?.get(providerContentId) ?? [];
    return readings.filter((reading) => isKept(reading, now));
  }

  /** Called when the account is disconnected: its numbers are erased here too. */
  forget(connectionId: string): void {
    this.#byConnection.delete(connectionId);
  }
}

function isKept({ at }: Reading, now: Date): boolean {
  return now.getTime() - Date.parse(at) < RETENTION_MS;
}
