/**
 * Checks comments, docs, messages and test titles for wording that is not plain English (phrases.ts).
 *
 *     pnpm check language                   all files; part of `pnpm lint`
 *     pnpm check language PATH …            these files and folders
 *     pnpm check language --count PATH …    occurrences per 10,000 words, by folder; never fails
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Checked, checkLanguage } from "./checkLanguage.ts";
import { CODE_EXTENSIONS } from "./prose.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Generated or released files, whose wording is changed at the source, and the list of the phrases. */
const EXCLUDED =
  /_generated\/|__fixtures__\/|\/migrations\/|CHANGELOG\.md$|pnpm-lock\.yaml$|^packages\/contract\/released\/|\.api\.md$|^llms\.txt$|^docs\/reference\/(?:packages\/|graphql\/(?:admin|consumer)\.md$)|language\/phrases\.ts$/;

function listFiles(paths: readonly string[]): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ...paths], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const extensions = new Set([".md", ...CODE_EXTENSIONS]);
  return [...new Set(listed.split("\0"))].filter(
    (path) => (extensions.has(extname(path)) || path === ".ci/run") && !EXCLUDED.test(path),
  );
}

async function checkFile(path: string): Promise<Checked> {
  try {
    return await checkLanguage(path, readFileSync(`${ROOT}/${path}`, "utf8"), { countsWords: isCount });
  } catch (error) {
    // Deleted, but still in git's index.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { words: 0, findings: [] };
    throw error;
  }
}

/** `packages/mocks` of `packages/mocks/src/a.ts`, `docs` of `docs/a.md`. */
function areaOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return ["apps", "packages", "examples", "docs"].includes(first) ? `${first}/${second}` : first;
}

function printCounts(checked: readonly (Checked & { readonly path: string })[]): void {
  const areas = [...new Set(checked.map(({ path }) => areaOf(path)))];
  for (const area of [...areas, "all"]) {
    const files = checked.filter(({ path }) => area === "all" || areaOf(path) === area);
    const words = files.reduce((sum, file) => sum + file.words, 0);
    const found = files.reduce((sum, { findings }) => sum + findings.length, 0);
    const density = words === 0 ? 0 : (10_000 * found) / words;
    console.log(
      `${area.padEnd(28)}${String(words).padStart(8)} words${String(found).padStart(7)} found${density.toFixed(1).padStart(8)} per 10,000`,
    );
  }
}

const paths = process.argv.slice(2).filter((argument) => argument !== "--count");
const isCount = process.argv.includes("--count");
const files = listFiles(paths.length > 0 ? paths : ["."]);
const checked = await Promise.all(files.map(async (path) => ({ path, ...(await checkFile(path)) })));
if (isCount) printCounts(checked);
else {
  const findings = checked.flatMap((file) => file.findings);
  for (const { path, line, column, message } of findings) console.error(`${path}:${line}:${column}  ${message}`);
  if (findings.length > 0) process.exitCode = 1;
  console.log(`${files.length} files checked for plain English, ${findings.length} findings`);
}
