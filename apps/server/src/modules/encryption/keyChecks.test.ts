import { randomBytes } from "node:crypto";
import type { SocialProvider } from "@social-connect/contract";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../platform/database/database.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { createSecretBox, type EncryptionKey } from "../../platform/secrets/secretBox.ts";
import { recordingLogger } from "../../platform/testing/recordingLogger.ts";
import { createApplication, createRegistrations } from "../testing/builders.ts";
import { createConnection } from "../testing/connections.ts";
import { startTestService, type TestService } from "../testing/testService.ts";
import {
  ALL_ROWS,
  checkKeys,
  findMissingKeys,
  MissingEncryptionKeyError,
  requireCorrectKeys,
  WrongEncryptionKeyError,
} from "./keyChecks.ts";
import { MISSING_KEY_MESSAGE, newKeyCheck } from "./watchNewKeys.ts";

const key = (id: string): EncryptionKey => ({ id, key: new Secret(randomBytes(32).toString("base64")) });
const [RIGHT, WRONG, OTHER] = [key("k1"), key("k1"), key("k2")];

let service: TestService;
let registrations: Record<SocialProvider, string>;
beforeAll(async () => {
  service = await startTestService({ secretBox: createSecretBox([RIGHT]) });
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.pool.query("TRUNCATE encryption_key_check, application, provider_registration CASCADE");
});

const recordedIds = async () =>
  (await service.pool.query<{ id: string }>("SELECT key_id AS id FROM encryption_key_check ORDER BY 1")).rows.map(
    ({ id }) => id,
  );

test("a running process reports once that another process encrypts with a key that it lacks", async () => {
  await requireCorrectKeys(service, [RIGHT]);
  const { logger, lines } = recordingLogger("error");
  const check = await newKeyCheck({ ...service, logger }, [RIGHT.id]);
  await check();
  expect(lines).toEqual([]);
  await requireCorrectKeys(service, [RIGHT, OTHER]);
  await check();
  await check();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: "error", keyId: OTHER.id, msg: MISSING_KEY_MESSAGE }),
  ]);
});

test("the first use of a key records it, and another key under its id is refused without showing either", async () => {
  await requireCorrectKeys(service, [RIGHT]);
  await requireCorrectKeys(service, [RIGHT]);
  const refused = await requireCorrectKeys(service, [OTHER, WRONG]).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(WrongEncryptionKeyError);
  expect(String(refused)).toMatch(/the encryption key with the id "k1" is not the key that encrypted this database/);
  for (const { key } of [RIGHT, WRONG, OTHER]) expect(String(refused)).not.toContain(key.reveal());
  expect(await recordedIds()).toEqual(["k1"]);
});

test("of processes that start together with different keys under a new id, one succeeds", async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => requireCorrectKeys(service, [key("new")])),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const same = key("same");
  await Promise.all(Array.from({ length: 10 }, () => requireCorrectKeys(service, [same])));
});

test("a rotation adds the new key, and the old id stays taken after its key was removed", async () => {
  await requireCorrectKeys(service, [RIGHT]);
  await requireCorrectKeys(service, [OTHER, RIGHT]);
  await requireCorrectKeys(service, [OTHER]);
  expect(await recordedIds()).toEqual(["k1", "k2"]);
  await expect(requireCorrectKeys(service, [OTHER, WRONG])).rejects.toThrow(/"k1"/);
  await requireCorrectKeys(service, [OTHER, key("k3")]);
});

test("in a database without check values, stored values decide, and a wrong key does not take the id", async () => {
  await seal();
  await expect(requireCorrectKeys(service, [WRONG])).rejects.toThrow(WrongEncryptionKeyError);
  expect(await recordedIds()).toEqual([]);
  expect(await checkKeys(service.pool, [WRONG, OTHER])).toEqual([
    { id: "k1", state: "wrong", isRecorded: false },
    { id: "k2", state: "unused", isRecorded: false },
  ]);
  await requireCorrectKeys(service, [RIGHT]);
  expect(await checkKeys(service.pool, [RIGHT])).toEqual([{ id: "k1", state: "correct", isRecorded: true }]);
});

test("a damaged value among others does not make the key wrong", async () => {
  await seal();
  const damaged = createSecretBox([WRONG]).seal("token", "elsewhere");
  await service.pool.query("UPDATE provider_grant SET access_token_sealed = $1", [damaged]);
  await requireCorrectKeys(service, [RIGHT]);
});

test("finds the keys that stored values need and that are not configured, with the place and number of the values", async () => {
  expect(await findMissingKeys(service.pool, ["k2"])).toEqual([]);
  await seal();
  const values = {
    "provider_registration.client_secret_sealed": 3,
    "provider_grant.access_token_sealed": 1,
    "provider_grant.refresh_token_sealed": 1,
  };
  expect(await findMissingKeys(service.pool, ["k2"], ALL_ROWS)).toEqual([{ id: "k1", values }]);
  expect(await findMissingKeys(service.pool, ["k2"], 1)).toMatchObject([{ id: "k1" }]);
  expect(await findMissingKeys(service.pool, ["k2", "k1"])).toEqual([]);
});

test("a damaged check value refuses the key", async () => {
  await requireCorrectKeys(service, [RIGHT]);
  await service.pool.query("UPDATE encryption_key_check SET sealed = 'nonsense'");
  await expect(requireCorrectKeys(service, [RIGHT])).rejects.toThrow(WrongEncryptionKeyError);
});

test.each([
  ["may only read", "-c role=pg_read_all_data"],
  ["is in a read-only transaction", "-c default_transaction_read_only=on"],
])("a database user that %s checks the keys, and warns instead of recording them", async (_, options) => {
  await seal();
  const url = new URL((service.pool.options as { connectionString?: string }).connectionString ?? "");
  url.searchParams.set("options", options);
  const { pool, close } = openDatabase({ url: url.href, poolSize: 1 });
  onTestFinished(close);
  const { logger, lines } = recordingLogger("warn");
  await requireCorrectKeys({ pool, clock: service.clock, logger }, [RIGHT]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "warn", keyIds: ["k1"] }]);
  await expect(requireCorrectKeys({ pool, clock: service.clock, logger }, [WRONG])).rejects.toThrow(/"k1"/);
  expect(await recordedIds()).toEqual([]);
});

async function seal(): Promise<void> {
  registrations = await createRegistrations(service);
  const application = await createApplication(service);
  await createConnection(service, application, registrations);
}

test("a start without the key of stored values is refused, until the key is added or declared lost", async () => {
  await seal();
  await requireCorrectKeys(service, [OTHER, RIGHT]);
  const refused = await requireCorrectKeys(service, [OTHER]).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(MissingEncryptionKeyError);
  expect(String(refused)).toMatch(
    /the encryption key "k1" is missing, .*provider_grant\.access_token_sealed \(1\).* <id>:lost/,
  );
  await requireCorrectKeys(service, [OTHER], ["k1"]);
});
