import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findSecrets, readAllowedPaths, readRules } from "./secretScan.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONFIGURATION = readFileSync(`${ROOT}/.gitleaks.toml`, "utf8");
const rules = readRules(CONFIGURATION);
const secret = () => randomBytes(32).toString("hex");

test.each([
  ["social-connect-application-key", () => `${randomUUID()}.${secret()}`],
  ["social-connect-admin-key", () => `scadm_${randomUUID()}.${secret()}`],
])("finds %s in any file", (rule, key) => {
  for (const text of [key(), `KEY="${key()}"\n`, `a\nb\nconst key = '${key()}';`, `Authorization: Bearer ${key()}`]) {
    expect(findSecrets("file", text, rules).map((one) => one.rule)).toContain(rule);
  }
});

test.each([
  ["a hash", secret()],
  ["an id", randomUUID()],
  ["a key with a secret of another length", `${randomUUID()}.${secret().slice(1)}`],
  ["a key that a test made up", `${randomUUID()}.${"c0ffee00".repeat(8)}`],
])("ignores %s", (_, text) => {
  expect(findSecrets("file", text, rules)).toEqual([]);
});

test("the documented patterns are those of the configuration", () => {
  const page = readFileSync(`${ROOT}/docs/security/leaked-keys.md`, "utf8");
  for (const { expression } of rules) expect(page).toContain(`\`${expression.source}\``);
});

test("no tracked file holds a key", () => {
  const allowed = readAllowedPaths(CONFIGURATION).map((path) => new RegExp(path));
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  const paths = files
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "" && !allowed.some((one) => one.test(path)));
  expect(paths.length).toBeGreaterThan(500);
  const found = paths.flatMap((path) => findSecrets(path, textOf(path), rules));
  expect(found).toEqual([]);
});

function textOf(path: string): string {
  try {
    return readFileSync(`${ROOT}/${path}`, "latin1");
  } catch {
    return ""; // Deleted, and not committed yet.
  }
}
