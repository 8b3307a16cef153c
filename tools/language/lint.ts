/**
 * Checks comments, docs, messages and test titles for wording that is not plain English (phrases.ts).
 *
 *     node tools/language/lint.ts [PATH …]    all files, as `pnpm lint` does, or these files and folders
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { checkLanguage } from "./checkLanguage.ts";
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
    (path) => (extensions.has(extname(path)) || path.startsWith(".ci/")) && !EXCLUDED.test(path),
  );
}

const paths = process.argv.slice(2);
// A deleted file may still be in git's index.
const files = listFiles(paths.length > 0 ? paths : ["."]).filter((path) => existsSync(`${ROOT}/${path}`));
const checked = await Promise.all(files.map((path) => checkLanguage(path, readFileSync(`${ROOT}/${path}`, "utf8"))));
const findings = checked.flat();
for (const { path, line, column, message } of findings) console.error(`${path}:${line}:${column}  ${message}`);
if (findings.length > 0) process.exitCode = 1;
console.log(`${files.length} files checked for plain English, ${findings.length} findings`);
