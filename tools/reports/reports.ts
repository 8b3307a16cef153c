/**
 * What is told about the published packages, made from their build: the public surface of each as a file for reviews, the
 * reference, the sizes of bundles, and `llms.txt`.
 *
 *     pnpm reports [name …]            writes the files that differ
 *     pnpm reports --check [name …]    fails when one does, or when a bundle is above its budget
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildPackages } from "../packages/pack.ts";
import type { WorkspacePackage } from "../packages/publishedPackages.ts";
import { choosePublished, listPublished, ROOT } from "../packages/publishedPackages.ts";
import { apiReports } from "./apiReport.ts";
import { measureBundles } from "./bundleSizes.ts";
import { llmsText } from "./llmsText.ts";
import { referenceOf } from "./reference.ts";
import type { ReportFile } from "./reportFile.ts";
import { isStillTrue, overBudget, SIZES_PATH, sizesReport } from "./sizesReport.ts";

const REFERENCE = "docs/reference/packages";

async function main(names: readonly string[], isCheck: boolean): Promise<void> {
  const packages = choosePublished(names);
  await buildPackages(packages);
  const sizes = await measureBundles(packages);
  const references = packages.map(referenceOf);
  const files: ReportFile[] = [
    ...(await Promise.all(packages.map(apiReports))).flat(),
    ...references,
    ...(names.length === 0 ? [sizesReport(sizes)] : []),
    referenceIndex(),
  ];
  const readNew = (path: string) => files.find((file) => file.path === path)?.text ?? read(path) ?? "";
  files.push(llmsText(readNew, listPublished().map(asPage)));

  for (const path of names.length === 0 ? leftOver(files) : []) settle(path, isCheck, () => rmSync(join(ROOT, path)));
  for (const { path, text } of files) {
    const committed = read(path);
    const isSame = committed === text || (path === SIZES_PATH && committed !== null && isStillTrue(committed, text));
    if (!isSame) settle(path, isCheck, () => write(path, text));
  }
  const problems = [
    ...overBudget(sizes),
    ...references.flatMap(({ undescribed }) => undescribed.map((name) => `${name} has no description`)),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

function settle(path: string, isCheck: boolean, mend: () => void): void {
  if (isCheck) {
    process.exitCode = 1;
    console.error(`${path} is not what the build says; \`pnpm reports\` writes it`);
  } else {
    mend();
    console.log(`wrote ${path}`);
  }
}

function referenceIndex(): ReportFile {
  const pages = listPublished().map(
    ({ name, manifest }) => `- [${name}](${name.split("/")[1]}.md): ${manifest.description ?? ""}`,
  );
  const lines = [
    "# Exports of the packages",
    "",
    "<!-- Made by `pnpm reports` from the build. Not to be edited. -->",
    "",
    "What each published package exports, from the declarations that a consumer's compiler reads.",
    "",
    ...pages,
    "- [Sizes](sizes.md): how much each import adds to a bundle",
  ];
  return { path: `${REFERENCE}/README.md`, text: `${lines.join("\n")}\n` };
}

function asPage({ name, folder, manifest }: WorkspacePackage) {
  return { title: name, path: `${folder}/README.md`, description: manifest.description ?? "" };
}

/** Reports of what is published no more. */
function leftOver(files: readonly ReportFile[]): readonly string[] {
  const made = new Set(files.map(({ path }) => path));
  const folders = [REFERENCE, ...listPublished().map(({ folder }) => `${folder}/etc`)];
  return folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => !made.has(path));
}

function read(path: string): string | null {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

function write(path: string, text: string): void {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const parameters = process.argv.slice(2);
await main(
  parameters.filter((parameter) => parameter !== "--check"),
  parameters.includes("--check"),
);
