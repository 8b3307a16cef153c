import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createOwnerFile } from "./ownerFile.ts";
import { identifyProcess, isStillRunning, type ProcessIdentity } from "./processIdentity.ts";

const TURN_POLL_MS = 5;

export class FolderInUseError extends Error {
  readonly pid: number;
  /** Whether commands may use the database that the process has started. */
  readonly isShared: boolean;

  constructor(folder: string, { pid, isShared }: Holder) {
    super(
      `the data in ${folder} is in use by process ${pid}; stop that process first, or set DATA_DIR (\`dev\`: --data) to another`,
    );
    this.name = "FolderInUseError";
    this.pid = pid;
    this.isShared = isShared;
  }
}

interface Holder extends ProcessIdentity {
  readonly isShared: boolean;
}

/**
 * Gives a data folder to one process at a time. The lock of a killed process is ignored: it `wasAbandoned`. A service says that it
 * shares its database with commands; a command's database ends with it.
 */
export async function lockFolder(folder: string, { isShared = false } = {}) {
  const file = join(folder, "lock");
  const content = JSON.stringify({ ...(await identifyProcess(process.pid)), isShared });
  const wasAbandoned = await alone(`${file}.taking`, content, () => take(file, content, folder)).catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === undefined) throw cause;
      throw new Error(
        `the data folder ${folder} cannot be written (${cause.code}); set DATA_DIR (\`dev\`: --data) to a folder that this user can write`,
        { cause },
      );
    },
  );
  return {
    wasAbandoned,
    release: async () => {
      if ((await readFile(file, "utf8").catch(() => null)) === content) await rm(file, { force: true });
    },
  };
}

/** Whether the process that locked a folder last has ended without unlocking it. */
export async function isAbandoned(folder: string): Promise<boolean> {
  const content = await readFile(join(folder, "lock"), "utf8").catch(() => null);
  const holder = content === null ? null : parse(content);
  return holder !== null && !(await isStillRunning(holder));
}

/** Checks the lock and replaces it atomically; true when its owner no longer runs. */
async function take(file: string, content: string, folder: string): Promise<boolean> {
  const seen = await readFile(file, "utf8").catch(() => null);
  const holder = seen === null ? null : parse(seen);
  if (holder !== null && (await isStillRunning(holder))) throw new FolderInUseError(folder, holder);
  await rm(file, { force: true });
  await createOwnerFile(file, content);
  return seen !== null;
}

/**
 * Runs `work` exclusively. Checking a lock and removing it are two steps: without this, of twenty processes that found
 * the same abandoned lock three got the folder, each having removed the previous lock. A turn takes milliseconds; if
 * its process was killed during it, the next process ends it.
 */
async function alone<T>(turn: string, content: string, work: () => Promise<T>): Promise<T> {
  while (!(await createOwnerFile(turn, content))) {
    const seen = await readFile(turn, "utf8").catch(() => null);
    const holder = seen === null ? null : parse(seen);
    if (seen !== null && (holder === null || !(await isStillRunning(holder)))) await rm(turn, { force: true });
    await delay(TURN_POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(turn, { force: true });
  }
}

function parse(content: string): Holder | null {
  try {
    const { pid, startedAt, isShared } = JSON.parse(content) as Partial<Holder>;
    const isWhole = typeof pid === "number" && typeof startedAt === "string";
    return isWhole ? { pid, startedAt, isShared: isShared === true } : null;
  } catch {
    return null;
  }
}
