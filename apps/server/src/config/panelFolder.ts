import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the panel's build lies beside this code: in the published package, and in a clone of the repository. */
const PACKAGED = new URL("./panel/", import.meta.url);
const CLONED = new URL("../../../panel/dist/", import.meta.url);

/** The folder of the panel that comes with the server. It need not be there: a clone has it once it was built. */
export function ownPanelFolder(): string {
  return fileURLToPath(existsSync(new URL("index.html", PACKAGED)) ? PACKAGED : CLONED);
}
