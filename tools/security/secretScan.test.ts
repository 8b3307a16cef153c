import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createEngine } from "@secretlint/node";
import { expect, test } from "vitest";
import { listFiles } from "../repository/listFiles.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const engine = await createEngine({ cwd: ROOT, formatter: "unix", color: false });
const secret = () => randomBytes(32).toString("hex");
const scan = (content: string) => engine.executeOnContent({ content, filePath: `${ROOT}/file.ts` });

test.each([
  ["an application key", () => `${randomUUID()}.${secret()}`],
  ["an admin key", () => `scadm_${randomUUID()}.${secret()}`],
  ["a secret of an event endpoint", () => `whsec_${randomBytes(32).toString("base64")}`],
  ["a secret of another service", () => `ghp_${"A1b2".repeat(9)}`],
])("finds %s in any file", async (_, key) => {
  for (const text of [key(), `KEY="${key()}"\n`, `a\nb\nconst key = '${key()}';`, `Authorization: Bearer ${key()}`]) {
    expect(await scan(text)).toMatchObject({ ok: false });
  }
});

test.each([
  ["a hash", secret()],
  ["an id", randomUUID()],
  ["a key with a secret of another length", `${randomUUID()}.${secret().slice(1)}`],
  ["a key that a test made up", `${randomUUID()}.${"c0ffee00".repeat(8)}`],
])("ignores %s", async (_, text) => {
  expect(await scan(text)).toEqual({ ok: true, output: "" });
});

test("the documented patterns are those of the configuration for other scanners", () => {
  const page = readFileSync(`${ROOT}/docs/security/leaked-keys.md`, "utf8");
  const patterns = [...readFileSync(`${ROOT}/.gitleaks.toml`, "utf8").matchAll(/^regex = '''(.+)'''$/gm)];
  expect(patterns).toHaveLength(3);
  for (const [, pattern] of patterns) expect(page).toContain(`\`${pattern}\``);
});

test("no tracked file holds a secret", async () => {
  const paths = listFiles(ROOT);
  expect(paths.length).toBeGreaterThan(500);
  expect(await engine.executeOnFiles({ filePathList: paths.map((path) => `${ROOT}/${path}`) })).toEqual({
    ok: true,
    output: "",
  });
});
