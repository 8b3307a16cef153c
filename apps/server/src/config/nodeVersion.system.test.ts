import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { NODE_RANGE, nodeVersionProblem } from "./nodeVersion.ts";

test.each(["10.24.1", "20.20.2", "22.11.0", "22.12.0", "22.14.0", "23.0.0", "23.11.1"])(
  "refuses Node %s",
  (version) => {
    expect(nodeVersionProblem(version)).toBe(
      `this is Node ${version}, and the service needs Node 22.15 or newer (22.x), or Node 24 or newer`,
    );
  },
);

test.each(["22.15.0", "22.23.3", "24.0.0", "24.21.0", "25.9.0", "26.10.0"])("accepts Node %s", (version) => {
  expect(nodeVersionProblem(version)).toBeNull();
});

test.each(["20.20.2", "22.14.9", "22.15.0", "22.99.0", "23.0.0", "23.99.0", "24.0.0", "25.1.0"])(
  "the range and the check agree about Node %s",
  (version) => {
    const alternatives = NODE_RANGE.split(" || ").map(
      (text) => /^(\^|>=)(\d+)\.(\d+)\.0$/.exec(text) ?? expect.fail(text),
    );
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const isInRange = alternatives.some(([, operator, first, second]) => {
      const isNewer = major > Number(first) || (major === Number(first) && minor >= Number(second));
      return isNewer && (operator === ">=" || major === Number(first));
    });
    expect(nodeVersionProblem(version) === null).toBe(isInRange);
  },
);

test("the published package requires the same Node as the program", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(manifest.engines.node).toBe(NODE_RANGE);
});

test("the command loads nothing before the check, and very old versions can parse it", async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../cli.ts", import.meta.url))],
    bundle: true,
    external: ["./src/cli/run.ts"],
    format: "esm",
    write: false,
  });
  const [{ text } = { text: "" }] = outputFiles;
  expect(text).toContain("needs Node");
  expect(text).not.toMatch(/^\s*(?:import|export)\b(?!\()/m);
  expect(text).not.toMatch(/\bawait\b|\?\?|\?\.|\*\*|#\w/);
});
