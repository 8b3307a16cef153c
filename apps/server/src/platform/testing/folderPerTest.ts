import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** The folder of the running test. */
export let folder: string;

/** Creates an empty folder for each test of a file. */
export function useFolderPerTest(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "social-connect-test-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
}
