import { extname } from "node:path";

export interface PanelBuild {
  /** The folder of the panel's future build. */
  readonly folder: string;
  /** Rejects when the build fails. */
  readonly built: Promise<void>;
}

/** The panel's path in a clone of the repository. */
interface PanelSources {
  readonly beginPanelBuild: () => Promise<PanelBuild>;
}

/**
 * Starts to build the admin panel from its current sources, which is instant when they have not changed. null in the
 * published package, which contains the built panel. Found by path: the panel's sources are not part of the package.
 */
export async function beginPanelBuild(): Promise<PanelBuild | null> {
  if (extname(import.meta.url) !== ".ts") return null;
  const sources = new URL("../../../panel/src/build/ensurePanelBuilt.ts", import.meta.url);
  return ((await import(sources.href)) as PanelSources).beginPanelBuild();
}
