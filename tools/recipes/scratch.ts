import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SOURCE_FLAGS } from "../../packages/testkit/src/harness/startedProgram.ts";
import { listFiles } from "../repository/listFiles.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Where packages of the workspace have installed theirs. */
const INSTALLED = ["{apps,packages,examples}/*/node_modules", "{benchmarks,system-tests}/node_modules"];

export type Scratch = ReturnType<typeof makeScratch>;

/**
 * A copy of the working tree in a temporary folder, with the installed packages of this one. Commands of pnpm would install
 * the packages again, so generators and checks are started by their own programs.
 */
export function makeScratch() {
  const root = mkdtempSync(join(tmpdir(), "social-connect-recipe-"));
  const at = (...path: readonly string[]) => join(root, ...path);
  const read = (file: string): string | null => (existsSync(at(file)) ? readFileSync(at(file), "utf8") : null);
  const attempt = (program: string, args: readonly string[], folder = ".") => {
    const path = [at(folder, "node_modules/.bin"), at("node_modules/.bin"), process.env.PATH];
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      cwd: at(folder),
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, PATH: path.join(delimiter), NO_COLOR: "1" },
    });
    return { status: error ? 1 : (status ?? 1), output: `${stdout}${stderr}${error?.message ?? ""}` };
  };
  /** Runs a program and throws with its output if it fails. */
  const run = (program: string, args: readonly string[], folder = ".") => {
    const { status, output } = attempt(program, args, folder);
    if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed in ${folder}:\n${output}`);
  };
  const runScript = (file: string, ...args: readonly string[]) =>
    run(process.execPath, [...SOURCE_FLAGS, file, ...args]);
  const commit = () => {
    const author = ["-c", "user.name=recipe", "-c", "user.email="];
    run("git", [...author, "commit", "--quiet", "--all", "--message=A state of the code"]);
  };
  for (const file of listFiles(ROOT)) cpSync(join(ROOT, file), at(file));
  run("git", ["init", "--quiet"]);
  run("git", ["add", "--all", "--force"]);
  commit();
  symlinkSync(join(ROOT, "node_modules"), at("node_modules"));
  // Their links are relative: those to packages of the workspace lead to the copies.
  for (const installed of globSync(INSTALLED, { cwd: ROOT }))
    cpSync(join(ROOT, installed), at(installed), { recursive: true, verbatimSymlinks: true });
  return {
    at,
    read,
    attempt,
    runScript,
    /** Applies a patch of git. Other lines around a change may have changed, except those next to it. */
    patch: (file: string) => run("git", ["apply", "-C1", file]),
    /** Replaces text that a file contains once. */
    replace: (file: string, text: string, other: string) => {
      const parts = (read(file) ?? "").split(text);
      if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times: ${text}`);
      writeFileSync(at(file), parts.join(other));
    },
    /** Copies a file, or a folder with its files, and replaces names in them. */
    copy: (from: string, to: string, names: readonly (readonly [string, string])[]) => {
      const renamed = (text: string) => names.reduce((result, [name, other]) => result.replaceAll(name, other), text);
      const files = from.endsWith("/") ? globSync("**/*.*", { cwd: at(from) }) : [""];
      for (const file of files) {
        const target = at(to, renamed(file));
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, renamed(readFileSync(at(from, file), "utf8")));
      }
    },
    /** Writes the migration from the schema.prisma of the last commit, and commits the schema for the next one. */
    addMigration: (name: string) => {
      runScript("apps/server/tools/migrations/makeMigration.ts", name);
      commit();
    },
    /** What `pnpm generate` runs, in its order. */
    generate: () => {
      for (const project of ["apps/server", "packages/codegen"]) {
        const { scripts } = JSON.parse(read(`${project}/package.json`) ?? "{}");
        run("sh", ["-c", scripts.generate], project);
      }
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
