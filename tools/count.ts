/**
 * Counts what a maintainer has to know: lines of source without tests and generated code, settings of the service, and scripts
 * of the root package. Fails when there are more settings or scripts than the limits below.
 *
 *     pnpm check counts
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OPENTELEMETRY_VARIABLES, SERVICE_VARIABLES } from "../apps/server/src/config/variables.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["apps", "packages", "tools"];
const SOURCE = /\.(?:ts|tsx|mjs|css|prisma|sql)$/;
const NO_SOURCE = /\/_generated\/|\.test\.tsx?$/;
const MOST_SETTINGS = 36;
const MOST_SCRIPTS = 30;

const files = execFileSync("git", ["ls-files", "-z", ...FOLDERS], { cwd: ROOT, encoding: "utf8" }).split("\0");
const linesIn = (folder: string) =>
  files
    .filter(
      (file) =>
        file.startsWith(`${folder}/`) && SOURCE.test(file) && !NO_SOURCE.test(file) && existsSync(join(ROOT, file)),
    )
    .map((file) => readFileSync(join(ROOT, file), "utf8").split("\n").length - 1)
    .reduce((sum, lines) => sum + lines, 0);
const counts = FOLDERS.map((folder) => [folder, linesIn(folder)] as const);
const settings = Object.keys(SERVICE_VARIABLES).length;
const scripts = Object.keys(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts).length;
const sum = counts.reduce((total, [, lines]) => total + lines, 0);

console.log(`source lines: ${sum} (${counts.map(([folder, lines]) => `${folder} ${lines}`).join(", ")})`);
console.log(
  `settings: ${settings} (at most ${MOST_SETTINGS}), beside ${Object.keys(OPENTELEMETRY_VARIABLES).length} of OpenTelemetry's specification`,
);
console.log(`root scripts: ${scripts} (at most ${MOST_SCRIPTS})`);
if (settings > MOST_SETTINGS || scripts > MOST_SCRIPTS) process.exitCode = 1;
