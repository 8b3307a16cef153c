import { execFile } from "node:child_process";
import { readFile, readlink, realpath, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

/**
 * Whether a PostgreSQL of exactly this cluster still runs, orphaned by a killed parent. Its pid file may also name a
 * process that ended, or an unrelated process with the same number: then the file is removed, because PostgreSQL would
 * refuse to start, and no process is touched.
 *
 * @returns the orphan's process id, or null
 */
export async function findOrphan(clusterFolder: string): Promise<number | null> {
  const pidFile = join(clusterFolder, "postmaster.pid");
  const content = await readFile(pidFile, "utf8").catch(() => null);
  if (content === null) return null;
  const pid = Number.parseInt(content, 10);
  if (Number.isSafeInteger(pid) && pid > 1 && (await isPostgresOf(pid, clusterFolder))) return pid;
  await rm(pidFile, { force: true });
  return null;
}

async function isPostgresOf(pid: number, clusterFolder: string): Promise<boolean> {
  try {
    if (process.platform === "linux") {
      // PostgreSQL's working directory is its cluster, so pid and folder together identify one process.
      const [program, folder] = await Promise.all([readlink(`/proc/${pid}/exe`), readlink(`/proc/${pid}/cwd`)]);
      return basename(program) === "postgres" && folder === (await realpath(clusterFolder));
    }
    const { stdout } = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]);
    return stdout.includes("postgres") && stdout.includes(clusterFolder);
  } catch {
    return false;
  }
}
