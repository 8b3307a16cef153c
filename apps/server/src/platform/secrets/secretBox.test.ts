import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Secret } from "./secret.ts";
import { createSecretBox, type EncryptionKey, SecretBoxError } from "./secretBox.ts";

const key = (id: string): EncryptionKey => ({ id, key: new Secret(randomBytes(32).toString("base64")) });
const oldKey = key("2025");
const newKey = key("2026");

test("an encrypted value decrypts for its own binding and reveals nothing", () => {
  const box = createSecretBox([oldKey]);
  const sealed = box.seal("canary-token é", "provider_grant/1/access_token");
  expect(sealed).toMatch(/^v1\.2025\./);
  expect(sealed).not.toContain("canary");
  expect(box.open(sealed, "provider_grant/1/access_token")).toBe("canary-token é");
  expect(box.seal("canary-token é", "provider_grant/1/access_token")).not.toBe(sealed);
});

test("an encrypted value moved to another row or column does not decrypt", () => {
  const box = createSecretBox([oldKey]);
  const sealed = box.seal("token", "provider_grant/1/access_token");
  expect(() => box.open(sealed, "provider_grant/2/access_token")).toThrow(SecretBoxError);
  expect(() => box.open(sealed, "provider_grant/1/refresh_token")).toThrow(SecretBoxError);
  expect(box.open(sealed, "provider_grant/1/access_token")).toBe("token");
});

test("a value altered anywhere does not decrypt, and the error reveals nothing", () => {
  const box = createSecretBox([oldKey, newKey]);
  const sealed = box.seal("token", "place");
  const parts = sealed.split(".");
  const alterations = [
    sealed.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    [parts[0], "2026", parts[2], parts[3]].join("."),
    [parts[0], "unknown", parts[2], parts[3]].join("."),
    ["v2", parts[1], parts[2], parts[3]].join("."),
    [parts[0], parts[1], parts[2], ""].join("."),
    [parts[0], parts[1], "AAAA", parts[3]].join("."),
    `${sealed}.x`,
    `${sealed}x`,
    `${sealed}=`,
    `${sealed} `,
    sealed.replace(/\.([^.]+)$/, ".!$1"),
    "",
  ];
  for (const altered of alterations) expect(() => box.open(altered, "place"), altered).toThrow(SecretBoxError);
  expect(box.open(sealed, "place")).toBe("token");
});

test("during a key rotation every row decrypts, re-encrypted or not", () => {
  const before = createSecretBox([oldKey]);
  const during = createSecretBox([newKey, oldKey]);
  const after = createSecretBox([newKey]);
  const rows = ["a", "b"].map((id) => ({ id, sealed: before.seal(`token of ${id}`, id) }));

  const [first, second] = rows as [(typeof rows)[0], (typeof rows)[0]];
  first.sealed = during.reencrypt(first.sealed, first.id);
  expect(rows.map(({ id, sealed }) => during.open(sealed, id))).toEqual(["token of a", "token of b"]);
  expect(rows.map(({ sealed }) => during.isStale(sealed))).toEqual([false, true]);
  expect(during.reencrypt(first.sealed, first.id)).toBe(first.sealed);

  expect(() => after.open(second.sealed, second.id)).toThrow(SecretBoxError);
  second.sealed = during.reencrypt(second.sealed, second.id);
  expect(rows.map(({ id, sealed }) => after.open(sealed, id))).toEqual(["token of a", "token of b"]);
});

test("rejects a box without a key, or with duplicate key ids", () => {
  expect(() => createSecretBox([])).toThrow(SecretBoxError);
  expect(() => createSecretBox([oldKey, oldKey])).toThrow(SecretBoxError);
});
