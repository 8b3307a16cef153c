/**
 * Tests the simulator with third-party clients of the providers' public APIs. Installs them from the lockfile, compiles the journeys
 * with their types and runs each with its own simulator.
 *
 * @module-tag nightly
 */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, test } from "vitest";
import { pnpm, run, workspaceProgram } from "../packages/commands.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const JOURNEYS = fileURLToPath(new URL("./journeys/", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning", "--test"];
/** Ends hangs: the clients are downloaded, and one journey starts the service. */
const HANGS_AFTER_MS = 600_000;

beforeAll(async () => {
  await pnpm(["install", "--frozen-lockfile", "--prefer-offline"], { folder: FOLDER, timeoutMs: HANGS_AFTER_MS });
  await workspaceProgram("tsc", ["-p", FOLDER]);
}, HANGS_AFTER_MS);

test.each(readdirSync(JOURNEYS))(
  "the simulator passes the journeys with third-party clients in %s",
  async (name) =>
    void (await run(process.execPath, [...FLAGS, JOURNEYS + name], { folder: FOLDER, timeoutMs: HANGS_AFTER_MS })),
  HANGS_AFTER_MS,
);
