import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PAGE_BYTES = 4_096;

/** A separate file system in memory, which can be full. */
export class SmallDisk {
  readonly path: string;

  /** Whether this process may mount one: on Linux, root. */
  static readonly isPossible = canMount();

  private constructor(path: string) {
    this.path = path;
  }

  static mount(bytes: number): SmallDisk {
    const path = mkdtempSync(join(tmpdir(), "social-connect-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=755`, "tmpfs", path]);
    return new SmallDisk(path);
  }

  /** Leaves at most a few kilobytes free, because its size becomes what is used. */
  fill(): void {
    const usedBytes = (): number => {
      const { blocks, bfree, bsize } = statfsSync(this.path);
      return (blocks - bfree) * bsize;
    };
    // The database may write in between, and a size below what is used is refused.
    while (!this.#resize(usedBytes()));
  }

  /** Gives it another size, as an extension of the disk does. */
  extend(bytes: number): void {
    if (!this.#resize(bytes)) throw new Error(`${this.path} cannot have ${bytes} bytes`);
  }

  [Symbol.dispose](): void {
    execFileSync("umount", ["--lazy", this.path]);
    rmSync(this.path, { recursive: true, force: true });
  }

  #resize(bytes: number): boolean {
    const size = Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
    return spawnSync("mount", ["-o", `remount,size=${size}`, this.path]).status === 0;
  }
}

function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const path = join(tmpdir(), `social-connect-mount-${process.pid}`);
  mkdirSync(path, { recursive: true });
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path]).status === 0;
  if (isMounted) execFileSync("umount", [path]);
  rmSync(path, { recursive: true, force: true });
  return isMounted;
}
