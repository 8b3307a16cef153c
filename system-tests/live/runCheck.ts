import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "../../tools/packages/commands.ts";

/** What a check of a deployment works with. */
export interface Check {
  /** Removed at the end. */
  readonly folder: string;
  /** What it adds is stopped at the end. */
  readonly shutdown: AsyncDisposableStack;
  /** Prints a line with the time since the start. */
  readonly say: (line: string) => void;
}

/** Runs a check and exits: with 0, or with 1 at the first expectation that does not hold. */
export async function runCheck(name: string, check: (context: Check) => Promise<void>): Promise<never> {
  const beganMs = performance.now();
  const say = (line: string) =>
    console.log(`${((performance.now() - beganMs) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
  const shutdown = new AsyncDisposableStack();
  try {
    const folder = await realpath(await mkdtemp(join(tmpdir(), `social-connect-${name}-`)));
    shutdown.defer(() => rm(folder, { recursive: true, force: true }));
    try {
      await Promise.race([check({ folder, shutdown, say }), interrupted()]);
    } finally {
      await shutdown.disposeAsync().catch(console.error);
    }
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : error);
    process.exit(1);
  }
  process.exit();
}

/** Rejects at the first signal, so that nothing that the check has started is left. */
function interrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () => reject(new Error(`interrupted by ${signal}`)));
    }
  });
}
