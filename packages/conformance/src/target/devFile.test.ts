import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTargetFile } from "./devFile.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "social-connect-target-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const START = "start `social-connect dev`";
/** Larger than any process id of Linux. */
const NO_PROCESS = 2 ** 22 + 1;

test.each([
  ["missing", null],
  ["damaged", '{"consumer":{"key":"secret"'],
  ["of an environment that has ended", JSON.stringify({ pid: NO_PROCESS })],
])("a file that is %s says how to start an environment, and no part of it", async (_, text) => {
  const path = join(folder, "dev.json");
  if (text !== null) await writeFile(path, text);
  const reading = openTargetFile(path);
  await expect(reading).rejects.toThrow(`${path} is of no service that runs: ${START}`);
  await expect(reading).rejects.not.toThrow("secret");
});

test.each([{ pid: process.pid }, {}])("a file of a service that runs is read: %o", async (content) => {
  const path = join(folder, "dev.json");
  await writeFile(path, JSON.stringify({ ...content, consumer: { tenantKeys: [] } }));
  await expect(openTargetFile(path)).rejects.toThrow(`${path} names no tenant key of the application`);
});
