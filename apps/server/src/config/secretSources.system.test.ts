import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { folder, useFolderPerTest } from "../platform/testing/folderPerTest.ts";
import { readSecretCommand, SECRET_SETTINGS } from "./secretSources.ts";
import { readSettings, type Settings } from "./settings.ts";
import { settingsError } from "./testing/settingsError.ts";
import { SETTING_DEFAULTS } from "./variables.ts";

useFolderPerTest();

const KEY = Buffer.alloc(32, 7).toString("base64");
const DATABASE = { DATABASE_URL: "postgres://service:canary-password@db.example.com/service" };

test.each([
  ["DATABASE_URL", "postgres://s:canary@db/s", ({ databaseUrl }: Settings) => databaseUrl?.reveal()],
  ["DATABASE_DIRECT_URL", "postgres://s:canary@db/s", (settings: Settings) => settings.databaseDirectUrl?.reveal()],
  ["ENCRYPTION_KEYS", `k1:${KEY}`, ({ encryptionKeys: [key] }: Settings) => `${key?.id}:${key?.key.reveal()}`],
  ["ISSUER_CLIENT_SECRET", "canary secret", ({ issuer }: Settings) => issuer?.clientSecret.reveal()],
])("%s can be in a file, with or without a newline at its end", (name, value, read) => {
  const issuer = { ISSUER_URL: "https://id.example.com", ISSUER_CLIENT_ID: "service", ISSUER_CLIENT_SECRET: "other" };
  for (const text of [value, `${value}\n`, `${value}\r\n`]) {
    const path = write("secret", text);
    const all = { ...DATABASE, ENCRYPTION_KEYS: `other:${KEY}`, ...issuer, [name]: undefined, [`${name}_FILE`]: path };
    const settings = readSettings(all);
    expect(read(settings)).toBe(value);
    expect(inspect(settings, { depth: 10 }) + JSON.stringify(settings)).not.toContain("canary");
  }
});

test("every setting whose value is a secret can be in a file", () => {
  const secrets = Object.keys(SETTING_DEFAULTS).filter((name) =>
    /SECRET|_KEYS$|PASSWORD|TOKEN|DATABASE.*_URL$/.test(name),
  );
  expect([...SECRET_SETTINGS]).toEqual(secrets);
});

test("an empty file variable counts as unset", () => {
  expect(readSettings({ ISSUER_CLIENT_SECRET_FILE: " " })).toEqual(readSettings({}));
});

test.each([
  [
    "both variables",
    () => ({ DATABASE_URL: "canary", DATABASE_URL_FILE: write("a", "x") }),
    /DATABASE_URL is set, too/,
  ],
  ["a missing file", () => ({ DATABASE_URL_FILE: join(folder, "canary") }), /does not exist/],
  ["a folder", () => ({ DATABASE_URL_FILE: folder }), /does not name a file/],
  ["an empty file", () => ({ DATABASE_URL_FILE: write("empty", "\n") }), /is empty/],
  [
    "a very large file",
    () => ({ DATABASE_URL_FILE: write("large", "canary".repeat(20_000)) }),
    /larger than 65536 bytes/,
  ],
  [
    "the secret in place of the file's path",
    () => ({ DATABASE_URL_FILE: "postgres://a:canary@db/x" }),
    /does not exist/,
  ],
])("%s is refused with the reason, and without the value", (_, environment, expected) => {
  const { problems, message } = settingsError(environment());
  expect(problems.map(({ name }) => name)).toEqual(["DATABASE_URL_FILE"]);
  expect(message).toMatch(expected);
  expect(message).not.toContain("canary");
});

test.skipIf(process.getuid?.() === 0)("an unreadable file is refused with the reason", () => {
  const path = write("secret", "x");
  chmodSync(path, 0o000);
  expect(settingsError({ DATABASE_URL_FILE: path }).message).toMatch(/may not be read by the user/);
});

test("an invalid value in a file is reported under its setting, and not repeated", () => {
  const { problems, message } = settingsError({ DATABASE_URL_FILE: write("url", "canary://canary") });
  expect(problems.map(({ name }) => name)).toEqual(["DATABASE_URL"]);
  expect(message).not.toContain("canary");
});

test("an invalid value names the file or the command that it comes from", () => {
  const file = settingsError({ DATABASE_URL_FILE: write("url", "canary://canary") });
  expect(file.message).toMatch(/^DATABASE_URL: .*; its value comes from DATABASE_URL_FILE\./);
  const command = `${process.execPath} ${program("console.log('canary')")}`;
  const { message } = settingsError({ ...DATABASE, ENCRYPTION_KEYS_COMMAND: command });
  expect(message).toMatch(/^ENCRYPTION_KEYS: .*; its value comes from ENCRYPTION_KEYS_COMMAND\./);
  expect(message).not.toContain("canary");
  expect(settingsError({ ...DATABASE, ENCRYPTION_KEYS: "canary" }).message).not.toMatch(/comes from/);
});

test("a command prints the encryption keys; it runs without a shell and gets no secret of the service", () => {
  const print = program(`
    const { DATABASE_URL = "none", KMS = "", FROM = process.argv[2] } = process.env;
    if (DATABASE_URL !== "none" || KMS !== "region" || FROM !== "$(echo a b)") process.exit(3);
    console.log("k9:${KEY}");`);
  const command = JSON.stringify([process.execPath, print, "$(echo a b)"]);
  const settings = readSettings({ ...DATABASE, KMS: "region", ENCRYPTION_KEYS_COMMAND: command });
  expect(settings.encryptionKeys.map(({ id, key }) => [id, key.reveal()])).toEqual([["k9", KEY]]);
});

test("a command without quotes is separated at its spaces", () => {
  const print = program(`console.log(process.argv[2] + process.argv[3] + ":${KEY}");`);
  const settings = readSettings({ ...DATABASE, ENCRYPTION_KEYS_COMMAND: `${process.execPath} ${print}  a b` });
  expect(settings.encryptionKeys.map(({ id }) => id)).toEqual(["ab"]);
});

test.each([
  ["an exit code", "console.error('canary'); console.log('canary'); process.exit(7);", /exited with code 7/],
  ["a signal", "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);", /was ended by SIGTERM/],
  ["no output", "", /printed nothing/],
  ["too much output", "console.log('canary'.repeat(100_000));", /printed more than 65536 bytes/],
])("a command that ends with %s is refused, and its output is not repeated", (_, code, expected) => {
  const environment = { ...DATABASE, ENCRYPTION_KEYS_COMMAND: `${process.execPath} ${program(code)}` };
  const { problems, message } = settingsError(environment);
  expect(problems.map(({ name }) => name)).toEqual(["ENCRYPTION_KEYS_COMMAND"]);
  expect(message).toMatch(expected);
  expect(message).not.toContain("canary");
});

test("a command that does not end is killed", () => {
  const command = [process.execPath, program("setInterval(() => {}, 1000);")];
  expect(() => readSecretCommand("ENCRYPTION_KEYS_COMMAND", command, process.env, 50)).toThrow(
    /^the command did not end within 0\.05 seconds$/,
  );
});

test.each([
  ["a missing program", { ENCRYPTION_KEYS_COMMAND: "/canary/keys" }, /the command does not exist/],
  ["a folder", () => ({ ENCRYPTION_KEYS_COMMAND: folderNamed("keys") }), /may not be run/],
  ["an invalid array", { ENCRYPTION_KEYS_COMMAND: '["canary' }, /is not a command/],
  [
    "keys beside it",
    { ENCRYPTION_KEYS_COMMAND: "/canary", ENCRYPTION_KEYS: `k:${KEY}` },
    /ENCRYPTION_KEYS is set, too/,
  ],
  [
    "a file beside it",
    () => ({ ENCRYPTION_KEYS_COMMAND: "/canary", ENCRYPTION_KEYS_FILE: write("k", `k:${KEY}`) }),
    /_FILE is set/,
  ],
])("%s is refused", (_, environment, expected) => {
  const { message } = settingsError({
    ...DATABASE,
    ...(typeof environment === "function" ? environment() : environment),
  });
  expect(message).toMatch(expected);
  expect(message).toMatch(/^ENCRYPTION_KEYS_COMMAND: /);
  expect(message).not.toContain("canary");
});

test("a command that needs no encryption key does not run it", () => {
  const environment = { ...DATABASE, ENCRYPTION_KEYS_COMMAND: "/missing/program" };
  expect(readSettings(environment, { role: "both", needsNoEncryptionKey: true }).encryptionKeys).toEqual([]);
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function folderNamed(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

function program(code: string): string {
  return write("program.cjs", code);
}
