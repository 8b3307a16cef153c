/**
 * Checks comments, docs, messages and test titles for wording that is not plain English (phrases.ts).
 *
 *     node tools/language/lint.ts [PATH …]    all files, as `pnpm lint` does, or these files and folders
 */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { listFiles } from "../repository/listFiles.ts";
import { checkLanguage } from "./checkLanguage.ts";
import { CODE_EXTENSIONS } from "./prose.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Generated or released files, whose wording is changed at the source, and the list of the phrases. */
const EXCLUDED =
  /_generated\/|__fixtures__\/|\/migrations\/|CHANGELOG\.md$|pnpm-lock\.yaml$|^packages\/contract\/released\/|\.api\.md$|^llms\.txt$|^docs\/reference\/(?:packages\/|graphql\/(?:admin|consumer)\.md$)|language\/phrases\.ts$/;

const EXTENSIONS = new Set([".md", ...CODE_EXTENSIONS]);
const files = listFiles(ROOT, ...process.argv.slice(2)).filter(
  (path) => (EXTENSIONS.has(extname(path)) || path.startsWith(".ci/")) && !EXCLUDED.test(path),
);
const checked = await Promise.all(files.map((path) => checkLanguage(path, readFileSync(`${ROOT}/${path}`, "utf8"))));
const findings = checked.flat();
for (const { path, line, column, message } of findings) console.error(`${path}:${line}:${column}  ${message}`);
if (findings.length > 0) process.exitCode = 1;
console.log(`${files.length} files checked for plain English, ${findings.length} findings`);
