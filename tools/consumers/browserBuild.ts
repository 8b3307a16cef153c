import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { CommandError, run } from "../packages/commands.ts";

/**
 * Bundles an import of a package for browsers, as an application's front end would, and loads the bundle. It has to
 * refuse, and to say that the key belongs on a server.
 */
export async function checkBrowserBuild(place: string, name: string): Promise<void> {
  const label = name.split("/")[1];
  const entry = join(place, `browser-${label}.js`);
  await writeFile(entry, `import * as sdk from "${name}";\nconsole.log(Object.keys(sdk));\n`);
  const outfile = join(place, `browser-${label}.bundle.mjs`);
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "browser", logLevel: "error" });
  const refusal = await run(process.execPath, [outfile], { folder: place }).then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal === null) throw new Error(`${name} can be loaded in a browser`);
  if (!(refusal instanceof CommandError && /\bserver\b/.test(refusal.message))) throw refusal;
}

/**
 * Loads a package as tools do that set the conditions of browsers and apps, such as Jest with jsdom: with `import` and with
 * `require`. Both have to find the file that refuses, in the right module format.
 */
export async function checkBrowserConditions(place: string, name: string): Promise<void> {
  const ways = { module: `await import("${name}");`, commonjs: `require("${name}");` };
  for (const condition of ["browser", "react-native"]) {
    for (const [type, code] of Object.entries(ways)) {
      const parameters = [`--conditions=${condition}`, `--input-type=${type}`, "--eval", code];
      const refusal = await run(process.execPath, parameters, { folder: place }).then(
        () => null,
        (error: unknown) => error,
      );
      if (!(refusal instanceof CommandError && refusal.message.includes("This key belongs on a server"))) {
        throw new Error(`${name} (${condition}, ${type}) does not refuse: ${String(refusal)}`);
      }
    }
  }
}
