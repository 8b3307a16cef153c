import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { oldNodeProblem } from "./oldNode.ts";

test.each(["8.17.0", "14.21.3", "18.20.8", "21.7.3"])(
  "refuses Node %s with both versions and what to do",
  (version) => {
    expect(oldNodeProblem(version, 22)).toBe(
      `this is Node ${version}, and the command needs Node 22 or newer. Install it from https://nodejs.org, or select it with your version manager.`,
    );
  },
);

test.each(["22.0.0", "23.1.0", "24.21.0", "26.0.0"])("accepts Node %s", (version) => {
  expect(oldNodeProblem(version, 22)).toBeNull();
});

test.each([
  ["create/src/cli.ts", "./run.ts"],
  ["mocks/src/cli.ts", "./cli/main.ts"],
  ["admin-sdk/src/cli/start.ts", "./main.ts"],
])("the command %s loads nothing before the check, and very old versions can parse it", async (entry, rest) => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../${entry}`, import.meta.url))],
    bundle: true,
    external: [rest],
    format: "esm",
    write: false,
  });
  const [{ text } = { text: "" }] = outputFiles;
  expect(text).toContain("or newer. Install it");
  expect(text).not.toMatch(/^\s*(?:import|export)\b(?!\()/m);
  expect(text).not.toMatch(/\bawait\b|\?\?|\?\.|\*\*|#\w/);
});
