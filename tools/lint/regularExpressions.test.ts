import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lintExpressions } from "./regularExpressions.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "expressions-"));
});
afterEach(() => rm(root, { recursive: true }));

async function lint(text: string) {
  const folder = join(root, "packages/domain/src");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "a.ts"), text);
  return lintExpressions(root);
}

test.each([
  ["trades", String.raw`const a = /^(?:a+)+$/;`],
  ["moves", String.raw`const a = /\/+$/;`],
  ["is written with constants", ["const A = 'a+';", "const a = new RegExp(`^(?:$", "{A})+$`);"].join("")],
])("an expression that %s is slow", async (_, text) => {
  const { problems } = await lint(text);
  expect(problems).toEqual([expect.stringMatching(/^packages\/domain\/src\/a\.ts:1: .+ is slow/)]);
});

test("an expression that is only known at run time is refused", async () => {
  const { problems } = await lint("export const has = (name: string) => new RegExp(name);");
  expect(problems).toEqual([expect.stringContaining("is only known when the program runs")]);
});

test("an expression that takes linear time is accepted", async () => {
  expect(await lint("export const a = /^[a-z]{1,8}$/;")).toEqual({ problems: [], count: 1 });
});
