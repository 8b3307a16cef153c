import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTargetFile } from "./devFile.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "social-connect-target-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const START = "start it with `social-connect dev`.";
/** Larger than any process id of Linux. */
const NO_PROCESS = 2 ** 22 + 1;

test.each([
  ["missing", null, "does not exist"],
  ["damaged", '{"consumer":{"key":"secret"', "is not JSON"],
  ["of an environment that has ended", JSON.stringify({ pid: NO_PROCESS }), "does not run any more"],
])("a file that is %s says how to start an environment, and no part of it", async (_, text, problem) => {
  const path = join(folder, "dev.json");
  if (text !== null) await writeFile(path, text);
  const reading = readTargetFile(path);
  await expect(reading).rejects.toThrow(problem);
  await expect(reading).rejects.toThrow(START);
  await expect(reading).rejects.not.toThrow("secret");
});

test.each([{ pid: process.pid }, {}])("a file of a service that runs is read: %o", async (content) => {
  const path = join(folder, "dev.json");
  await writeFile(path, JSON.stringify(content));
  expect(await readTargetFile(path)).toEqual(content);
});
