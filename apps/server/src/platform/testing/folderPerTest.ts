import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach } from "vitest";

export let folder: string;

export function useFolderPerTest(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "social-connect-test-"));
    return () => rm(folder, { recursive: true, force: true });
  });
}
