import { extname } from "node:path";

export interface PanelBuild {
  /** Where the panel will lie once it is built. */
  readonly folder: string;
  /** Rejects when it cannot be built. */
  readonly built: Promise<void>;
}

/** What a clone of the repository has beside this app. */
interface PanelSources {
  readonly beginPanelBuild: () => Promise<PanelBuild>;
}

/**
 * Begins to build the admin panel out of its sources as they are now, which takes no time when that was done before. null
 * in the published package, which has the panel in it. Found by its place: the panel's sources are no part of the package.
 */
export async function beginPanelBuild(): Promise<PanelBuild | null> {
  if (extname(import.meta.url) !== ".ts") return null;
  const sources = new URL("../../../panel/src/build/ensurePanelBuilt.ts", import.meta.url);
  return ((await import(sources.href)) as PanelSources).beginPanelBuild();
}
