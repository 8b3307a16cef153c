/**
 * Counts what a maintainer has to know: lines of source without tests and generated code, settings of the service, scripts
 * of the root package, and words of the documentation. Fails when there are more of the last three than the limits below.
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
const MOST_WORDS = 118_000;
const MOST_WRITTEN_WORDS = 82_000;
const GENERATED_PAGES = /^docs\/reference\/(?:(?:graphql|packages)\/|failed-requests\.md$)/;

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
const pages = execFileSync("git", ["ls-files", "-z", "docs/*.md"], { cwd: ROOT, encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "" && existsSync(join(ROOT, file)));
const wordsOf = (paths: readonly string[]) =>
  paths.reduce((total, path) => total + (readFileSync(join(ROOT, path), "utf8").match(/\S+/g)?.length ?? 0), 0);
const words = wordsOf(pages);
const writtenWords = wordsOf(pages.filter((path) => !GENERATED_PAGES.test(path)));
const sum = counts.reduce((total, [, lines]) => total + lines, 0);

console.log(`source lines: ${sum} (${counts.map(([folder, lines]) => `${folder} ${lines}`).join(", ")})`);
console.log(
  `settings: ${settings} (at most ${MOST_SETTINGS}), beside ${Object.keys(OPENTELEMETRY_VARIABLES).length} of OpenTelemetry's specification`,
);
console.log(`root scripts: ${scripts} (at most ${MOST_SCRIPTS})`);
console.log(
  `words of docs: ${words} (at most ${MOST_WORDS}), without generated pages ${writtenWords} (at most ${MOST_WRITTEN_WORDS})`,
);
if (settings > MOST_SETTINGS || scripts > MOST_SCRIPTS) process.exitCode = 1;
if (words > MOST_WORDS || writtenWords > MOST_WRITTEN_WORDS) process.exitCode = 1;
