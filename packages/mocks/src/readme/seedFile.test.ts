import { readFileSync } from "node:fs";
import { readSeedFile } from "@social-connect/mocks/node";
import { expect, test } from "vitest";
import { fileOf, messageFor } from "../testing/seedFiles.ts";

const GUIDE = readFileSync(new URL("../../../../docs/how-to/test-with-mocks.md", import.meta.url), "utf8");
const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
/** Fenced in the guide, indented in the README. */
const EXAMPLES = [GUIDE, README].map((page) => {
  const [, indent = "", body = ""] = /^( *)(# yaml-language-server: [\s\S]*?)(?=\n```|\n\n)/m.exec(page) ?? [];
  return body.replaceAll(`\n${indent}`, "\n");
});

test.each([
  [EXAMPLES[0] ?? "", 2],
  [EXAMPLES[1] ?? "", 1],
])("the seed file of the documentation is valid: %s", async (text, connections) => {
  const seed = await readSeedFile(await fileOf("seed.yaml", text));
  expect(seed.connections).toHaveLength(connections);
});

test("the message in the guide is the one for its file with another account", async () => {
  const [example = ""] = EXAMPLES;
  const [, quoted = ""] = /```text\n(seed\.yaml:.*)\n```/.exec(GUIDE) ?? [];
  expect(await messageFor("seed.yaml", example.replace("account: harbor-workshop", "account: not-a-tester"))).toBe(
    quoted,
  );
});

test("the line in the README is that of a wrong provider in its file", async () => {
  const [, example = ""] = EXAMPLES;
  const [, quoted = "missing"] = /`(seed\.yaml:\d+:\d+: connections\[0\]\.provider: )…`/.exec(README) ?? [];
  expect(await messageFor("seed.yaml", example.replace("PROVIDER_A", "PROVIDER_Z"))).toContain(quoted);
});
