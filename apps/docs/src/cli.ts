/**
 * The documentation site.
 *
 *     pnpm run docs                  serves it, and shows changes of docs/ immediately
 *     pnpm run docs build [OPTION …] builds it into apps/docs/dist and checks every link
 *
 *     --base /docs/            the path at which it is served; default /
 *     --out DIR                another folder
 *     --name 0.2.0             the version's name in the switch; default the packages' version
 *     --release NAME=REF       adds an earlier release: its name, and a commit, tag or folder
 *     --repository URL         links to code lead there; without it they are text
 *     --root DIR               another copy of the repository
 *     --port 4410              the port at which it is served
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildSite } from "./build/buildSite.ts";
import { serveSite } from "./build/serveSite.ts";
import { checkLinks } from "./check/checkLinks.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const OUT_DIR = fileURLToPath(new URL("../dist", import.meta.url));

const OPTIONS = {
  base: { type: "string", default: "/" },
  out: { type: "string", default: OUT_DIR },
  name: { type: "string" },
  port: { type: "string", default: "4410" },
  release: { type: "string", multiple: true, default: [] as string[] },
  repository: { type: "string" },
  root: { type: "string", default: ROOT },
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

/** The version of the packages, and whether the repository has changes that are not released. */
function versionName(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, "packages/sdk/package.json"), "utf8"));
  const isReleased = readdirSync(join(ROOT, ".changeset")).every(
    (name) => !name.endsWith(".md") || name === "README.md",
  );
  return isReleased ? version : "next";
}

/** The documents of an earlier commit, in a temporary folder. */
async function extract(ref: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "social-connect-docs-"));
  const found = spawnSync("git", ["rev-parse", "--verify", `${ref}^{commit}`], { cwd: ROOT, encoding: "utf8" });
  if (found.status !== 0) throw new Error(`--release: ${ref} is not a commit, tag, branch or folder.`);
  const commit = found.stdout.trim();
  const archive = spawn("git", ["archive", commit], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const unpacked = spawn("tar", ["-x", "-C", folder], { stdio: [archive.stdout, "inherit", "inherit"] });
  const [code] = await once(unpacked, "close");
  if (code !== 0) throw new Error(`${ref} cannot be read`);
  return folder;
}

async function build(values: Values): Promise<void> {
  const base = `/${values.base.replaceAll(/^\/+|\/+$/g, "")}/`.replace("//", "/");
  const outDir = resolve(values.out);
  const temporary: string[] = [];
  try {
    const releases = [];
    for (const release of values.release) {
      const [name = "", ref = ""] = release.split(/=(.*)/s);
      if (name === "" || ref === "") throw new Error(`--release must be NAME=REF, not ${release}.`);
      const isFolder = existsSync(ref) && statSync(ref).isDirectory();
      const root = isFolder ? resolve(ref) : await extract(ref);
      if (!isFolder) temporary.push(root);
      releases.push({ name, root });
    }
    const current = { name: values.name ?? versionName(), root: resolve(values.root) };
    const repository = values.repository ?? process.env["SOCIAL_CONNECT_REPOSITORY"] ?? null;
    await buildSite({ current, releases, outDir, base, repository });
  } finally {
    for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
  }
  const { pages, links, problems } = checkLinks(outDir, base);
  for (const problem of problems) console.error(problem);
  console.log(`${pages} pages in ${outDir}, ${links} links checked, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}

async function serve({ root, port }: Values): Promise<void> {
  const number = /^\d+$/.test(port) ? Number(port) : Number.NaN;
  if (!(number <= 65_535)) throw new Error("--port must be a port from 0 to 65535.");
  await serveSite(resolve(root), number);
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
  const [command = "serve"] = positionals;
  if (!existsSync(join(values.root, "docs"))) throw new Error("--root must be a copy of this repository.");
  if (command === "build") await build(values);
  else if (command === "serve") await serve(values);
  else throw new Error(`Unknown command: ${command}. Use build or serve.`);
}

await run().catch((error: Error) => {
  console.error(error.message);
  process.exit(64);
});
