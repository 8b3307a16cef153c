import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The paths of the panel's build relative to this code: in the published package, and in a clone of the repository. */
const PACKAGED = new URL("./panel/", import.meta.url);
const CLONED = new URL("../../../panel/dist/", import.meta.url);

/** The folder of the panel that belongs to the server. It may not exist: a clone has it only after a build. */
export function ownPanelFolder(): string {
  return fileURLToPath(existsSync(new URL("index.html", PACKAGED)) ? PACKAGED : CLONED);
}
