import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { run } from "../packages/commands.ts";
import { expectRefusal } from "./bundlers.ts";

/**
 * Bundles an import of a package for browsers, as an application's front end would, and loads the bundle: in a page it has to
 * refuse, and in Node, where tests load such bundles too, it runs.
 */
export async function checkBrowserBuild(place: string, name: string): Promise<void> {
  const label = name.split("/")[1];
  const entry = join(place, `browser-${label}.js`);
  await writeFile(entry, `import * as sdk from "${name}";\nconsole.log(Object.keys(sdk));\n`);
  const outfile = join(place, `browser-${label}.bundle.mjs`);
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "browser", logLevel: "error" });
  await expectRefusal(outfile, place);
  await run(process.execPath, [outfile], { folder: place });
}
