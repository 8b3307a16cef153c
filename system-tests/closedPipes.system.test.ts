import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type Command, SERVICE_COMMAND, SOURCE_FLAGS } from "../packages/testkit/src/harness/startedProgram.ts";

const fromSource = (path: string): Command => [
  process.execPath,
  ...SOURCE_FLAGS,
  fileURLToPath(new URL(`../packages/${path}`, import.meta.url)),
];
const PROGRAMS = {
  service: SERVICE_COMMAND,
  mocks: fromSource("mocks/src/cli.ts"),
  conformance: fromSource("conformance/src/cli.ts"),
  admin: fromSource("admin-sdk/src/cli/start.ts"),
  create: fromSource("create/src/cli.ts"),
};

/** Programs print more than a pipe holds, or later than its reader ends. */
test.each<[keyof typeof PROGRAMS, string, number]>([
  ["service", "help", 0],
  ["service", "help client create", 0],
  ["mocks", "help", 0],
  ["mocks", "scenarios", 0],
  ["mocks", "serve --port 0 --json", 0],
  ["mocks", "serve --port 0", 0],
  ["conformance", "--list", 0],
  ["conformance", "--help", 0],
  ["admin", "--help", 0],
  ["create", "--help", 0],
])("%s %s ends quietly if the reader of its output has ended", async (program, parameters, code) => {
  const [first, ...flags] = PROGRAMS[program];
  const child = spawn(first, [...flags, ...parameters.split(" ")], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdout.destroy();
  const [printed, [exitCode]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect([printed, exitCode]).toEqual(["", code]);
});
