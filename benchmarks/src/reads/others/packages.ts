import { execFile } from "node:child_process";
import { access, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL("../../../node_modules/.cache/others/", import.meta.url));
const PACKAGES = {
  postgraphile: "5.1.5",
  "@apollo/server": "5.5.1",
  graphql: "16.14.0",
  pg: "8.23.1",
};

/** Installs the servers to compare with into a separate folder; the workspace does not depend on them. */
export async function installOthers(): Promise<void> {
  const marker = join(FOLDER, `installed-${Object.values(PACKAGES).join("-")}`);
  const isInstalled = await access(marker).then(
    () => true,
    () => false,
  );
  if (isInstalled) return;
  await mkdir(FOLDER, { recursive: true });
  const manifest = { private: true, type: "module", dependencies: PACKAGES };
  await writeFile(join(FOLDER, "package.json"), JSON.stringify(manifest));
  await run("npm", ["install", "--prefix", FOLDER, "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: FOLDER });
  await writeFile(marker, "");
}

/** Imports a module of an installed package. */
export async function importOther<Module>(name: string): Promise<Module> {
  return import(pathToFileURL(createRequire(join(FOLDER, "package.json")).resolve(name)).href);
}
