import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const OLDEST = [3, 11] as const;

/** Why the tests in Python cannot be run on this machine; null where they can. */
const missing = whatIsMissing();

describe("the tests in Python", () => {
  // Reports the skip by name, so that a machine without Python does not count as a pass.
  if (missing !== null) console.warn(`examples/python-tests: test_digest.py WAS NOT RUN. ${missing}`);

  test.skipIf(missing !== null)(`pass against the command${missing === null ? "" : ` (NOT RUN: ${missing})`}`, () => {
    const { status, output } = python("-m", "unittest", "--verbose");
    expect(output).toMatch(/^OK$/m);
    expect(status).toBe(0);
    // All of them: a file that is not found would be a run of none.
    expect(output.match(/ \.\.\. ok$/gm)).toHaveLength(namesOfTests().length);
  });

  test.skipIf(missing !== null)("fail where the mock cannot be started", () => {
    const { status, output } = python("-m", "unittest", "test_digest", { SOCIAL_CONNECT_MOCKS: "false" });
    expect(output).toContain("the mock did not start (exit code 1)");
    expect(status).not.toBe(0);
  });

  test("are there, whether or not they can be run here", () => {
    expect(namesOfTests().length).toBeGreaterThan(10);
  });
});

function namesOfTests(): readonly string[] {
  const text = readFileSync(new URL("../test_digest.py", import.meta.url), "utf8");
  return [...text.matchAll(/^ {4}def (test_\w+)\(self\):/gm)].map(([, name = ""]) => name);
}

/** Runs Python in this folder with the mock from its source. Nothing is written beside the tests. */
function python(...given: readonly (string | Readonly<Record<string, string>>)[]) {
  const words = given.filter((part) => typeof part === "string");
  const overrides = given.find((part) => typeof part === "object") ?? {};
  const cli = fileURLToPath(new URL("src/cli.ts", import.meta.resolve("@social-connect/mocks/package.json")));
  const command = [process.execPath, "--conditions=@social-connect/source", cli];
  const run = spawnSync("python3", words, {
    cwd: FOLDER,
    encoding: "utf8",
    timeout: 150_000,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", SOCIAL_CONNECT_MOCKS: quoted(command), ...overrides },
  });
  return { status: run.status, output: `${run.stdout}${run.stderr}` };
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'"'"'`)}'`).join(" ");
}

function whatIsMissing(): string | null {
  const oldest = OLDEST.join(".");
  const { status, stdout } = spawnSync("python3", ["--version"], { encoding: "utf8", timeout: 60_000 });
  if (status !== 0) return `There is no python3 on this machine; ${oldest} or newer is needed`;
  const [, major, minor] = /^Python (\d+)\.(\d+)/.exec(stdout) ?? [];
  const isEnough = Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1];
  return isEnough ? null : `${stdout.trim()} is too old; ${oldest} or newer is needed`;
}
