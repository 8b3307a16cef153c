import { type ClientVersion, OTHER_VERSION } from "@social-connect/domain";
import { LRUCache } from "lru-cache";

/** Versions that metrics of a process name; the others share `other`. */
export const MOST_VERSIONS = 50;
/** Versions of one application. It can send any version, and must not use up the labels of the others. */
export const MOST_VERSIONS_OF_APPLICATION = 8;
const MOST_APPLICATIONS = 1_000;

/** Bounds the number of library versions that are counted: the first that this process sees of authenticated callers. */
export class ClientLabels {
  readonly #known = new Set<string>();
  readonly #byOwner = new LRUCache<string, Set<string>>({ max: MOST_APPLICATIONS });

  /** The version in metrics. `owner` is the authenticated caller; a caller without one adds no version. */
  versionOf(client: ClientVersion, owner: string | null): string {
    const ofOwner = this.versionOfOwner(client, owner);
    const { library, version } = client;
    const label = `${library} ${version}`;
    if (ofOwner === version && this.#known.size < MOST_VERSIONS) this.#known.add(label);
    return version === "" || this.#known.has(label) ? version : OTHER_VERSION;
  }

  /** The version in what is stored of one application. */
  versionOfOwner({ library, version }: ClientVersion, owner: string | null): string {
    if (version === "" || owner === null) return version === "" ? version : OTHER_VERSION;
    const versions = this.#byOwner.get(owner) ?? new Set();
    this.#byOwner.set(owner, versions);
    const label = `${library} ${version}`;
    if (versions.size < MOST_VERSIONS_OF_APPLICATION) versions.add(label);
    return versions.has(label) ? version : OTHER_VERSION;
  }
}
