import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { run } from "../packages/commands.ts";
import { installPacked, type PackedPackage } from "../packages/pack.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { copyUses } from "./runtimes.ts";
import { TRIES_ALL } from "./toolchain.ts";
import { firstSnippet } from "./workspace.ts";

const MSW_TEST = fileURLToPath(new URL("./uses/mocks.vitest.ts", import.meta.url));

/** Jest with TypeScript as its users have it: CommonJS, types checked, and the resolution that ignores `exports`. */
export async function proveTsJest(place: string, packages: readonly PackedPackage[]): Promise<void> {
  const tools = ["jest@30.5.2", "ts-jest@29.4.15", "typescript@5.9.3", "@types/jest@30", "@types/node@20"];
  await installPacked(place, packages, tools);
  await copyUses(place, ["service", "mocks"], "");
  const test = `import { use } from "./mocks";
test.each([false, true])("links an account; with fake timers: %s", (areFake) => {
  if (areFake) jest.useFakeTimers();
  return use({ url: "", applicationKey: "", adminKey: "" });
});
`;
  await writeFile(join(place, "accounts.test.ts"), test);
  for (const [module, moduleResolution] of [
    ["commonjs", "node10"],
    ["node16", "node16"],
  ]) {
    const compilerOptions = { module, moduleResolution, target: "es2022", strict: true };
    const transform = { "\\.ts$": ["ts-jest", { tsconfig: compilerOptions }] };
    await writeFile(join(place, "jest.config.json"), JSON.stringify({ transform, testEnvironment: "node" }));
    const jest = join("node_modules", "jest", "bin", "jest.js");
    await run(process.execPath, [jest, "--config", "jest.config.json"], { folder: place });
  }
  console.log("  ts-jest: checks the types and runs tests, also with fake timers, with node10 and node16 resolution");
}

/** An integrator's folder: only the packed mocks, MSW and vitest. The README's first test is copied into it. */
export async function proveMocksInVitest(place: string, mocks: PackedPackage): Promise<void> {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const snippet = firstSnippet(await readFile(join(mocks.folder, "README.md"), "utf8"));
  if (snippet === null) throw new Error("the README of the mocks does not begin with a test");
  // The oldest and the newest of each MSW that is promised, or of all; what the folder is left with is the newest of all.
  const ranges = (mocks.manifest.peerDependencies?.["msw"] ?? "").split(" || ");
  const versions = ranges.flatMap((range) => [range.replace("^", ""), range]);
  for (const version of TRIES_ALL ? versions : [versions.at(0), versions.at(-1)]) {
    await installPacked(place, [mocks], [`msw@${version}`, `vitest@${devDependencies.vitest}`]);
    await writeFile(join(place, "accounts.test.ts"), snippet);
    await cp(MSW_TEST, join(place, "mocks.test.ts"));
    await run(process.execPath, [join(place, "node_modules", "vitest", "vitest.mjs"), "run"], { folder: place });
  }
  await proveCommand(
    join(place, "node_modules", mocks.name, mocks.manifest.bin?.["social-connect-mocks"] ?? ""),
    place,
  );
  console.log(`  ${mocks.name}: works in a folder with MSW and vitest, the README's first test and \`drift\` too`);
}

/** Serves a mock by the command that other languages' tests start, and holds it against the mocks that the command has with it. */
async function proveCommand(command: string, folder: string): Promise<void> {
  const lines: string[] = [];
  const served = startProgram({
    ...{ name: "serve", command: [process.execPath, command, "serve", "--port", "0", "--json"], folder },
    onLine: (line) => void lines.push(line),
  });
  try {
    await served.until(async () => lines.length > 0);
    const { baseUrl, key, tenantKeys } = JSON.parse(lines.join());
    const drift = [command, "drift", "--url", baseUrl, "--tenant", tenantKeys[0]];
    const said = await run(process.execPath, drift, { folder, environment: { SOCIAL_CONNECT_KEY: key } });
    if (!said.startsWith("No differences")) throw new Error(`the packed mocks have drifted from themselves: ${said}`);
  } finally {
    await served.kill();
  }
}
