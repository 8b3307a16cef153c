import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { real, service, useRealService } from "../../worker/testing/realTimeService.ts";
import { runCommand } from "../testing/commandLine.ts";

useRealService();

const KEYS = { old: Buffer.alloc(32, 1).toString("base64"), new: Buffer.alloc(32, 2).toString("base64") };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "export-"));
});
afterAll(() => rm(folder, { recursive: true }));

const withKeys = (keys: string) => ({ DATABASE_URL: real.databaseUrl, ENCRYPTION_KEYS: keys });
const OLD = `old:${KEYS.old}`;

async function run(parameters: readonly string[], keys = OLD) {
  const { exitCode, stdout, stderr } = await runCommand([...parameters, "--json"], withKeys(keys));
  return { exitCode, stderr, result: exitCode === 2 ? null : JSON.parse(stdout) };
}

const options = (to: string, reason = "ticket 1") => {
  const { tenantKey } = real.application;
  return [
    "export",
    "--application",
    "shop",
    "--tenant",
    tenantKey,
    "--subject",
    "user-42",
    "--reason",
    reason,
    "--to",
    to,
  ];
};

test("exports a user, and verifies the file with the key that signed it, also after a rotation", async () => {
  await real.connect({ externalSubjectId: "user-42", data: { displayName: "Mara\u2028K." } });
  const path = join(folder, "person.json");
  expect(await run(options(path))).toMatchObject({ exitCode: 0, result: { file: path, isStored: true } });
  const text = await readFile(path, "utf8");
  expect(JSON.parse(text)).toMatchObject({ about: { externalSubjectId: "user-42", isStored: true } });
  expect(text).toContain("Mara");
  const entry = await service.prisma.auditEntry.findFirstOrThrow({ where: { action: "Person exported" } });
  expect(entry).toMatchObject({ actor: "System", summary: expect.stringContaining("ticket 1") });

  const verify = (file: string, keys?: string) => run(["verify-export", file], keys);
  expect(await verify(path)).toMatchObject({ exitCode: 0, result: { isValid: true } });
  expect(await verify(path, `new:${KEYS.new},${OLD}`)).toMatchObject({ exitCode: 0, result: { isValid: true } });
  expect(await verify(path, `new:${KEYS.new}`)).toMatchObject({ exitCode: 3, result: { isValid: false } });
  const changed = join(folder, "changed.json");
  await writeFile(changed, text.replace("Mara", "Nora"));
  expect(await verify(changed)).toMatchObject({ exitCode: 3, result: { isValid: false } });
  await writeFile(changed, text.slice(0, -20));
  expect(await verify(changed)).toMatchObject({ exitCode: 3, result: { isValid: false } });
  await appendFile(path, "more\n");
  expect(await verify(path)).toMatchObject({ exitCode: 3, result: { isValid: false } });
});

test("writes over no file, and refuses a reason that names the user", async () => {
  const path = join(folder, "existing.json");
  await writeFile(path, "kept");
  expect((await runCommand(options(path), withKeys(OLD))).exitCode).not.toBe(0);
  expect(await readFile(path, "utf8")).toBe("kept");
  const named = await runCommand(options(join(folder, "other.json"), "asked by user-42"), withKeys(OLD));
  expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("without the user's id") });
});

test.each([
  ["--subject", "", /`--subject` must have 1 to 128 characters/],
  ["--subject", "x".repeat(129), /`--subject` must have 1 to 128 characters/],
  ["--tenant", "", /`--tenant` must have 1 to 128 characters/],
  ["--application", "nobody", /no client has the slug "nobody"/],
])("writes no file about a user who cannot exist: %s %s", async (option, value, message) => {
  const given = options(join(folder, "nobody.json"));
  given[given.indexOf(option) + 1] = value;
  const { exitCode, stderr } = await runCommand(given, withKeys(OLD));
  expect(exitCode).not.toBe(0);
  expect(stderr).toMatch(message);
  expect(await readdir(folder)).not.toContain("nobody.json");
});

test("leaves no incomplete file", async () => {
  await service.pool.query("ALTER TABLE audit_entry RENAME TO audit_entry_away");
  try {
    expect((await runCommand(options(join(folder, "incomplete.json")), withKeys(OLD))).exitCode).toBe(1);
  } finally {
    await service.pool.query("ALTER TABLE audit_entry_away RENAME TO audit_entry");
  }
  expect(await readdir(folder)).not.toContain("incomplete.json");
});
