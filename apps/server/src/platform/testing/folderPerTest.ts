import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** An empty folder for each test of the file that imports it. */
export let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "social-connect-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
