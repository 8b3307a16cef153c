/**
 * `pnpm test:system wires`: tests the simulator with third-party clients of the providers' public APIs. Installs them from the
 * lockfile, compiles the journeys with their types and runs each with its own simulator. Exits with a code other than 0
 * if one fails.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pnpm, workspaceProgram } from "../packages/commands.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const JOURNEYS = fileURLToPath(new URL("./journeys/", import.meta.url));
const INSTALL_TIMEOUT_MS = 180_000;
/** One of them starts the service. */
const JOURNEY_TIMEOUT_MS = 180_000;

async function main(): Promise<number> {
  await pnpm(["install", "--frozen-lockfile", "--prefer-offline"], { folder: FOLDER, timeoutMs: INSTALL_TIMEOUT_MS });
  await workspaceProgram("tsc", ["-p", FOLDER]);
  const journeys = readdirSync(JOURNEYS).map((name) => JOURNEYS + name);
  const flags = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
  const tests = ["--test", `--test-timeout=${JOURNEY_TIMEOUT_MS}`, "--test-reporter=spec", ...journeys];
  const child = spawn(process.execPath, [...flags, ...tests], { stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
