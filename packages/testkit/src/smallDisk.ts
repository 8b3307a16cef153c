import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PAGE_BYTES = 4_096;

export type SmallDisk = ReturnType<typeof mountDisk>;

/** A separate file system in memory, which can be full. */
export function mountDisk(bytes: number) {
  const path = mkdtempSync(join(tmpdir(), "social-connect-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=755`, "tmpfs", path]);
  const resize = (bytes: number): boolean => {
    const size = Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
    return spawnSync("mount", ["-o", `remount,size=${size}`, path]).status === 0;
  };
  const usedBytes = (): number => {
    const { blocks, bfree, bsize } = statfsSync(path);
    return (blocks - bfree) * bsize;
  };
  return {
    path,
    /** Leaves at most a few kilobytes free, because its size becomes what is used. */
    fill: (): void => {
      // The database may write in between, and a size below what is used is refused.
      while (!resize(usedBytes()));
    },
    /** Gives it another size, as an extension of the disk does. */
    extend: (bytes: number): void => {
      if (!resize(bytes)) throw new Error(`${path} cannot have ${bytes} bytes`);
    },
    [Symbol.dispose]: (): void => {
      execFileSync("umount", ["--lazy", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Whether this process may mount a disk: on Linux, root. */
export const canMountDisk = mountsDisk();

function mountsDisk(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const path = join(tmpdir(), `social-connect-mount-${process.pid}`);
  mkdirSync(path, { recursive: true });
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path]).status === 0;
  if (isMounted) execFileSync("umount", [path]);
  rmSync(path, { recursive: true, force: true });
  return isMounted;
}
