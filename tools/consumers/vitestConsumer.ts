import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { cleanEnvironment } from "../../packages/testkit/src/harness/startedProgram.ts";
import { run } from "../packages/commands.ts";
import type { PackedPackage } from "../packages/pack.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { firstSnippet } from "./readmeSnippets.ts";
import { TRIES_ALL } from "./toolchain.ts";
import { installPacked } from "./workspace.ts";

const TEST = fileURLToPath(new URL("./uses/mocks.vitest.ts", import.meta.url));
const TIME = fileURLToPath(new URL("./uses/changedTime.ts", import.meta.url));
const SERVICE = fileURLToPath(new URL("./uses/service.ts", import.meta.url));

/** An integrator's folder: only the packed mocks, MSW and vitest. The README's first test is copied into it. */
export async function proveMocksInVitest(place: string, mocks: PackedPackage): Promise<void> {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    readonly devDependencies: { readonly vitest: string };
  };
  const snippet = firstSnippet(await readFile(join(mocks.folder, "README.md"), "utf8"));
  if (snippet === null) throw new Error("the README of the mocks does not begin with a test");
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "accounts.test.ts"), snippet);
  await cp(TEST, join(place, "mocks.test.ts"));
  // The oldest and the newest of each MSW that is promised, or of all; what the folder is left with is the newest of all.
  const ranges = (mocks.manifest.peerDependencies?.["msw"] ?? "").split(" || ");
  const versions = ranges.flatMap((range) => [range.replace("^", ""), range]);
  for (const version of TRIES_ALL ? versions : [versions.at(0), versions.at(-1)]) {
    await installPacked(place, [mocks], [`msw@${version}`, `vitest@${devDependencies.vitest}`]);
    await run(process.execPath, [join(place, "node_modules", "vitest", "vitest.mjs"), "run"], { folder: place });
  }
  // The command that other languages' tests start, as npx would find it.
  const command = join(
    place,
    "node_modules",
    "@social-connect",
    "mocks",
    mocks.manifest.bin?.["social-connect-mocks"] ?? "",
  );
  await proveCommand(command, place);
}

/** Both ways of Vitest to change the time: with fake timers, and without, which replaces Date by another class. */
export async function proveChangedTime(place: string, packages: readonly PackedPackage[]): Promise<void> {
  const wanted = packages.filter(({ name }) => /\/(mocks|sdk|contract)$/.test(name));
  await installPacked(place, wanted, ["vitest@3"]);
  for (const file of [TIME, SERVICE]) await cp(file, join(place, basename(file)));
  const lines = [
    'import { afterEach, test, vi } from "vitest";',
    'import { useChangedTime } from "./changedTime.ts";',
    "afterEach(() => void vi.useRealTimers());",
    'test("without fake timers", () => useChangedTime((now) => vi.setSystemTime(now)));',
    'test("with fake timers", () => useChangedTime((now) => vi.useFakeTimers({ now })));',
  ];
  await writeFile(join(place, "time.test.ts"), lines.join("\n"));
  await run(process.execPath, [join(place, "node_modules", "vitest", "vitest.mjs"), "run"], { folder: place });
}

/** Serves a mock and holds it against the mocks that the command has with it. */
async function proveCommand(command: string, folder: string): Promise<void> {
  const served = spawn(process.execPath, [command, "serve", "--port", "0", "--json"], {
    cwd: folder,
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(createInterface(served.stdout), "line")) as [string];
    const { baseUrl, key, tenantKeys } = JSON.parse(line) as {
      readonly baseUrl: string;
      readonly key: string;
      readonly tenantKeys: readonly string[];
    };
    const parameters = [command, "drift", "--url", baseUrl, "--tenant", tenantKeys[0] ?? ""];
    const said = await run(process.execPath, parameters, { folder, environment: { SOCIAL_CONNECT_KEY: key } });
    if (!said.startsWith("No differences")) throw new Error(`the packed mocks have drifted from themselves: ${said}`);
  } finally {
    served.kill();
  }
}
