import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../packages/commands.ts";
import type { PackedPackage } from "../packages/pack.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { installPacked } from "./workspace.ts";

const TEST = fileURLToPath(new URL("./uses/mocks.vitest.ts", import.meta.url));

/** An integrator's folder: the packed mocks, MSW and vitest, and nothing else. */
export async function proveMocksInVitest(place: string, mocks: PackedPackage): Promise<void> {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    readonly devDependencies: { readonly vitest: string };
  };
  const { msw } = mocks.manifest.peerDependencies ?? {};
  await installPacked(place, [mocks], [`msw@${msw}`, `vitest@${devDependencies.vitest}`]);
  await writeFile(join(place, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await cp(TEST, join(place, "mocks.test.ts"));
  await run(process.execPath, [join(place, "node_modules", "vitest", "vitest.mjs"), "run"], { folder: place });
  // The command that other languages' tests start, as npx would find it.
  const command = join(
    place,
    "node_modules",
    "@social-connect",
    "mocks",
    mocks.manifest.bin?.["social-connect-mocks"] ?? "",
  );
  await run(process.execPath, [command, "help"], { folder: place });
}
