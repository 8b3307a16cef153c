import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { MIGRATIONS_FOLDER } from "../../apps/server/src/platform/migrations.ts";
import type { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { readRelease } from "../migrations/release.ts";
import { run } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import type { Release } from "./deployment.ts";

const FLAGS = "--conditions=@social-connect/source --disable-warning=ExperimentalWarning";
const MIGRATIONS = "apps/server/prisma/migrations";

/**
 * Checks out the previous release into a folder, and installs what it needs: the last commit before the first migration that is not
 * part of the recorded release.
 *
 * @throws in a clone without history
 */
export async function installPreviousRelease(folder: string, shutdown: Shutdown): Promise<string> {
  const { migration } = await readRelease();
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => /^\d{14}_/.test(name)).toSorted();
  const next = names.find((name) => name > migration);
  if (next === undefined) throw new Error(`there is no migration after ${migration}, so there is nothing to upgrade`);
  const added = await run("git", ["log", "--diff-filter=A", "--format=%H", "--", `${MIGRATIONS}/${next}`], {
    folder: ROOT,
  });
  const commit = added.trim().split("\n").at(-1) ?? "";
  const parent = await run("git", ["rev-parse", "--verify", `${commit}^`], { folder: ROOT }).catch(() => null);
  if (commit === "" || parent === null) {
    throw new Error(
      "this clone does not have the history of the previous release. Run `git fetch --unshallow`, or use --previous",
    );
  }
  const place = join(folder, "previous");
  shutdown.add(async () => void (await run("git", ["worktree", "remove", "--force", place], { folder: ROOT })));
  await run("git", ["worktree", "add", "--detach", place, parent.trim()], { folder: ROOT });
  await run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { folder: place });
  return place;
}

/** The release in a checkout whose packages are installed. */
export async function releaseIn(checkout: string, folder: string): Promise<Release> {
  const source = join(checkout, "apps", "server", "src");
  const load = (path: string) => import(pathToFileURL(join(source, path)).href);
  const { openDatabase } = await load("platform/database.ts");
  const { seed } = await load("dev/seed.ts");
  const { serveOperations = null } = await load("observability/operations.ts").catch(() => ({}));
  return {
    command: await writeCommand(join(source, "cli", "cli.ts"), join(folder, "previous-command")),
    ...{ openDatabase, seed },
    ...{ hasProbes: serveOperations !== null, isCurrent: false },
  };
}

/** A program that runs a command line from its source. */
export async function writeCommand(source: string, path: string): Promise<string> {
  await writeFile(path, `#!/bin/sh\nexec "${process.execPath}" ${FLAGS} "${source}" "$@"\n`, { mode: 0o755 });
  return path;
}
