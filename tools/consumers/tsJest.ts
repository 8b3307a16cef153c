import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../packages/commands.ts";
import type { PackedPackage } from "../packages/pack.ts";
import { installPacked } from "./workspace.ts";

const MOCKS = "@social-connect/mocks";
const TEST = fileURLToPath(new URL("./uses/mocks.ts", import.meta.url));
const TIME = fileURLToPath(new URL("./uses/changedTime.ts", import.meta.url));
const SERVICE = fileURLToPath(new URL("./uses/service.ts", import.meta.url));

/** Jest with TypeScript as its users have it: CommonJS, types checked, and the resolution that ignores `exports`. */
export async function proveTsJest(place: string, packages: readonly PackedPackage[]): Promise<void> {
  const wanted = packages.filter(({ name }) =>
    [MOCKS, "@social-connect/sdk", "@social-connect/contract"].includes(name),
  );
  if (!wanted.some(({ name }) => name === MOCKS)) return;
  const tools = ["jest@30.5.2", "ts-jest@29.4.15", "typescript@5.9.3", "@types/jest@30", "@types/node@20"];
  await installPacked(place, wanted, tools);
  for (const file of [SERVICE, TEST, TIME]) {
    const text = await readFile(file, "utf8");
    await writeFile(join(place, basename(file)), text.replaceAll(/(from "\.\/\w+)\.ts"/g, '$1"'));
  }
  const test =
    'import { use } from "./mocks";\ntest("links an account", () => use({ url: "", applicationKey: "", adminKey: "" }));\n';
  await writeFile(join(place, "accounts.test.ts"), test);
  await writeFile(
    join(place, "time.test.ts"),
    'import { useChangedTime } from "./changedTime";\ntest("uses dates from before fake timers", () => useChangedTime((now) => jest.useFakeTimers({ now })));\n',
  );
  for (const [module, moduleResolution] of [
    ["commonjs", "node10"],
    ["node16", "node16"],
  ]) {
    const compilerOptions = { module, moduleResolution, target: "es2022", strict: true };
    const transform = { "\\.ts$": ["ts-jest", { tsconfig: compilerOptions }] };
    const settings = { transform, testEnvironment: "node" };
    await writeFile(join(place, "jest.config.json"), JSON.stringify(settings));
    await run(process.execPath, [join("node_modules", "jest", "bin", "jest.js"), "--config", "jest.config.json"], {
      folder: place,
    });
  }
  console.log("  ts-jest: checks the types and runs tests, also with changed time, with node10 and node16 resolution");
}
