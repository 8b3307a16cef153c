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

/**
 * A copy of the working tree in a temporary folder, with the installed packages of this one. Commands of pnpm would install
 * the packages again, so generators and checks are started by their own programs.
 */
export class Scratch {
  readonly folder: string;

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "social-connect-recipe-"));
    for (const file of listFiles(ROOT)) {
      mkdirSync(join(this.folder, dirname(file)), { recursive: true });
      cpSync(join(ROOT, file), join(this.folder, file));
    }
    this.run("git", ["init", "--quiet"]);
    this.run("git", ["add", "--all", "--force"]);
    this.#commit();
    symlinkSync(join(ROOT, "node_modules"), join(this.folder, "node_modules"));
    // Their links are relative: those to packages of the workspace lead to the copies.
    for (const installed of globSync(INSTALLED, { cwd: ROOT })) {
      cpSync(join(ROOT, installed), join(this.folder, installed), { recursive: true, verbatimSymlinks: true });
    }
  }

  #commit(): void {
    const author = ["-c", "user.name=recipe", "-c", "user.email="];
    this.run("git", [...author, "commit", "--quiet", "--all", "--message=A state of the code"]);
  }

  read(file: string): string | null {
    const path = join(this.folder, file);
    return existsSync(path) ? readFileSync(path, "utf8") : null;
  }

  /** Applies a patch of git. Other lines around a change may have changed, except those next to it. */
  patch(file: string): void {
    this.run("git", ["apply", "-C1", file]);
  }

  /** Replaces text that a file contains once. */
  replace(file: string, text: string, other: string): void {
    const parts = (this.read(file) ?? "").split(text);
    if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times: ${text}`);
    writeFileSync(join(this.folder, file), parts.join(other));
  }

  /** Copies a file, or a folder with its files, and replaces names in them. */
  copy(from: string, to: string, names: readonly (readonly [string, string])[]): void {
    const renamed = (text: string) => names.reduce((result, [name, other]) => result.replaceAll(name, other), text);
    const source = join(this.folder, from);
    const files = from.endsWith("/") ? globSync("**/*.*", { cwd: source }) : [""];
    for (const file of files) {
      const target = join(this.folder, to, renamed(file));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, renamed(readFileSync(join(source, file), "utf8")));
    }
  }

  /** Runs a program and throws with its output if it fails. */
  run(program: string, args: readonly string[], folder = "."): void {
    const { status, output } = this.attempt(program, args, folder);
    if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed in ${folder}:\n${output}`);
  }

  attempt(
    program: string,
    args: readonly string[],
    folder = ".",
  ): { readonly status: number; readonly output: string } {
    const cwd = join(this.folder, folder);
    const path = [join(cwd, "node_modules/.bin"), join(this.folder, "node_modules/.bin"), process.env.PATH];
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      cwd,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, PATH: path.join(delimiter), NO_COLOR: "1" },
    });
    return { status: error ? 1 : (status ?? 1), output: `${stdout}${stderr}${error?.message ?? ""}` };
  }

  runScript(file: string, ...args: readonly string[]): void {
    this.run(process.execPath, [...SOURCE_FLAGS, file, ...args]);
  }

  /** Writes the migration from the schema.prisma of the last commit, and commits the schema for the next one. */
  addMigration(name: string): void {
    this.runScript("apps/server/tools/migrations/makeMigration.ts", name);
    this.#commit();
  }

  /** What `pnpm generate` runs, in its order. */
  generate(): void {
    for (const project of ["apps/server", "packages/codegen"]) {
      const { scripts } = JSON.parse(this.read(`${project}/package.json`) ?? "{}");
      this.run("sh", ["-c", scripts.generate], project);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
