import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listMessages } from "../messages/messagePages.ts";
import { stageSite } from "../pages/stageSite.ts";
import type { PublishedVersion, SiteSettings } from "../site/siteConfig.ts";
import { writeLlmsFiles } from "./llms.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
/** Inside the package, so that the staged site finds its dependencies. */
const WORK_FOLDER = join(PACKAGE, ".site");

export interface Version {
  /** As the version switch shows it. */
  readonly name: string;
  /** A copy of the repository at this version. */
  readonly root: string;
}

export interface SiteOptions {
  readonly current: Version;
  /** Earlier releases, which get a folder with their name. */
  readonly releases: readonly Version[];
  readonly outDir: string;
  /** The path at which the site is served, with a slash at both ends. */
  readonly base: string;
  /** The web address of the repository, for links to code. */
  readonly repository: string | null;
}

/** Builds the site with all its versions. */
export async function buildSite({ current, releases, outDir, base, repository }: SiteOptions): Promise<void> {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const versions = [{ ...current, path: "" }, ...releases.map((release) => ({ ...release, path: `${release.name}/` }))];
  for (const { name, root, path } of versions) {
    const place = { outDir: join(outDir, path), base: `${base}${path}` };
    await buildVersion({ name, root, siteBase: base, repository, ...place });
  }
  const published: readonly PublishedVersion[] = versions.map(({ name, path }) => ({ name, path }));
  writeFileSync(join(outDir, "versions.json"), `${JSON.stringify(published)}\n`);
}

interface VersionBuild extends Version {
  readonly outDir: string;
  readonly base: string;
  readonly siteBase: string;
  readonly repository: string | null;
}

async function buildVersion({ name, root, outDir, base, siteBase, repository }: VersionBuild): Promise<void> {
  const folder = makeWorkFolder();
  try {
    const fileUrl = repository === null ? null : (path: string) => `${repository}/blob/HEAD/${path}`;
    const { pages, bar, sidebar } = stageSite({ root, folder, fileUrl, messages: listMessages(root) });
    writeSettings(folder, { outDir, base, siteBase, version: name, bar, sidebar });
    await runVitePress(["build", folder]);
    writeLlmsFiles({ root, folder, outDir, base, pages });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function makeWorkFolder(): string {
  mkdirSync(WORK_FOLDER, { recursive: true });
  return mkdtempSync(join(WORK_FOLDER, "build-"));
}

/** The configuration and the theme are code of this package; a staged site refers to them. */
export function writeSettings(folder: string, settings: SiteSettings): void {
  mkdirSync(join(folder, ".vitepress/theme"), { recursive: true });
  writeFileSync(
    join(folder, ".vitepress/config.ts"),
    [
      'import { siteConfig } from "../../../src/site/siteConfig.ts";',
      `export default siteConfig(${JSON.stringify(settings)});`,
      "",
    ].join("\n"),
  );
  const theme = 'export { default } from "../../../../src/site/theme/index.ts";\n';
  writeFileSync(join(folder, ".vitepress/theme/index.ts"), theme);
}

async function runVitePress(parameters: readonly string[]): Promise<void> {
  const program = fileURLToPath(new URL("../../bin/vitepress.js", import.meta.resolve("vitepress")));
  const child = spawn(process.execPath, [program, ...parameters], {
    cwd: PACKAGE,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", NODE_OPTIONS: "" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`VitePress failed:\n${output}`);
}
