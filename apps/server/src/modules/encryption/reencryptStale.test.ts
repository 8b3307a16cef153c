import { randomBytes } from "node:crypto";
import type { SocialProvider } from "@social-connect/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Secret } from "../../platform/secrets/secret.ts";
import {
  createSecretBox,
  type EncryptionKey,
  type SecretBox,
  SecretBoxError,
} from "../../platform/secrets/secretBox.ts";
import { revokeGrantOfConnection } from "../grants/revokeGrant.ts";
import { openTokens } from "../grants/sealTokens.ts";
import { findGrantOfConnection } from "../grants/store.ts";
import { withProviderSession } from "../grants/withProviderSession.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { createApplication, createRegistrations, type TestApplication } from "../testing/builders.ts";
import { createConnection } from "../testing/connections.ts";
import { whileLocked } from "../testing/outcomes.ts";
import { createConnectAttempt, createEventEndpoint, createIdentityAttempt } from "../testing/rows.ts";
import { startTestService, type TestService } from "../testing/testService.ts";
import { reencryptStale } from "./reencryptStale.ts";
import { SEALED_COLUMNS, SHORT_LIVED_SEALED_COLUMNS } from "./sealedColumns.ts";

const key = (id: string): EncryptionKey => ({ id, key: new Secret(randomBytes(32).toString("base64")) });
const [OLD, NEW] = [key("old"), key("new_key")];
const before = createSecretBox([OLD]);
const during = createSecretBox([NEW, OLD]);
const after = createSecretBox([NEW]);

let base: TestService;
/** Uses the keys of a process that was started with the new key first. */
let service: Service;
let registrations: Record<SocialProvider, string>;
let application: TestApplication;

beforeAll(async () => {
  base = await startTestService({ secretBox: before });
  service = { ...base, secretBox: during };
});
afterAll(() => base.close());
beforeEach(async () => {
  await base.pool.query("TRUNCATE application, provider_registration CASCADE");
  registrations = await createRegistrations(base);
  application = await createApplication(base);
});

test("covers every sealed column except short-lived ones", async () => {
  const { rows } = await base.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name LIKE '%\\_sealed' ORDER BY 1`,
  );
  const known = [...SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`), ...SHORT_LIVED_SEALED_COLUMNS];
  expect(rows.map(({ name }) => name)).toEqual(known.sort());
});

test("after a rotation, every value decrypts with only the new key", async () => {
  const plain = await sealEverywhere(3);
  const sealed = plain.size;
  expect(await reencryptStale(base)).toMatchObject({ reencrypted: 0, unreadable: 0, stale: 0 });
  expect(await reencryptStale(service, 2)).toMatchObject({ reencrypted: sealed, unreadable: 0, stale: 0 });
  expect(await openAll(after)).toEqual(plain);
  expect(await reencryptStale(service, 2)).toMatchObject({ reencrypted: 0, unreadable: 0, stale: 0 });
});

test("a single key does not make the values of others current, and a lost key's values are not counted", async () => {
  const sealed = (await sealEverywhere(1)).size;
  const alone = await reencryptStale({ ...base, secretBox: after });
  expect(alone).toMatchObject({ reencrypted: 0, unreadable: sealed, stale: sealed });
  expect(alone.searched["provider_grant.access_token_sealed"]).toEqual({ values: 1, stale: 1 });
  const lost = await reencryptStale({ ...base, secretBox: createSecretBox([NEW], ["old"]) });
  expect(lost).toMatchObject({ reencrypted: 0, unreadable: 0, stale: 0 });
});

test("the account of a credential under a lost key has to be connected again, and a disconnect asks the person", async () => {
  const connection = await createConnection(base, application, registrations);
  const lost = { ...service, secretBox: createSecretBox([NEW], ["old"]) };
  const read = withProviderSession(lost, connection, async () => "read");
  await expect(read).rejects.toMatchObject({ kind: "grant_gone" });
  expect(await revokeGrantOfConnection(lost, "PROVIDER_A", connection)).toBe("rejected");
  expect(await revokeGrantOfConnection(service, "PROVIDER_A", connection)).toBe("revoked");
});

test("if interrupted after any batch, every value decrypts and the next run completes the rotation", async () => {
  const plain = await sealEverywhere(2);
  let reencrypted = 0;
  for (let stops = 1; reencrypted < plain.size; stops += 1) {
    const stopping = crashingAfter(stops);
    await reencryptStale(stopping, 1).catch((error: Error) => expect(error.message).toBe("killed"));
    expect(await openAll(during)).toEqual(plain);
    reencrypted = [...(await values()).values()].filter((value) => value.startsWith(during.freshPrefix)).length;
  }
  expect(await openAll(after)).toEqual(plain);
});

test("allows credential use during re-encryption and skips locked rows until the next run", async () => {
  const connection = await createConnection(base, application, registrations);
  await createConnection(base, application, registrations, { accountId: "other" });
  const grant = await findGrantOfConnection(base.prisma, connection);
  const tokenWith = (secretBox: SecretBox) =>
    withProviderSession({ ...service, secretBox }, connection, async ({ accessToken }) => accessToken);
  await whileLocked(base, "SELECT 1 FROM provider_grant WHERE id = $1 FOR UPDATE", [grant?.id], async () => {
    expect((await reencryptStale(service)).stale).toBe(2);
    expect(await tokenWith(during)).toBe("access-1");
  });
  expect(await reencryptStale(service)).toMatchObject({ reencrypted: 2, unreadable: 0, stale: 0 });
  expect(await tokenWith(after)).toBe("access-1");
});

test("skips a token that was moved to another row or column", async () => {
  const one = await createConnection(base, application, registrations, { accountId: "one" });
  const two = await createConnection(base, application, registrations, { accountId: "two" });
  const grantOf = async (connection: RowKey) =>
    (await findGrantOfConnection(base.prisma, connection)) ?? expect.fail("no grant");
  const [first, second] = [await grantOf(one), await grantOf(two)];
  expect(openTokens(before, first).accessToken).toBe("access-1");

  const { accessTokenSealed } = second;
  for (const moved of [accessTokenSealed, first.refreshTokenSealed ?? ""]) {
    expect(() => openTokens(before, { ...first, accessTokenSealed: moved })).toThrow(SecretBoxError);
  }
  await base.prisma.grant.updateMany({ where: { id: first.id }, data: { accessTokenSealed } });
  await expect(withProviderSession(base, one, async () => "read")).rejects.toThrow(SecretBoxError);
  expect(await withProviderSession(base, two, async () => "read")).toBe("read");
  const counts = await reencryptStale(service);
  expect([counts.unreadable, counts.stale]).toEqual([1, 1]);
  expect((await grantOf(one)).accessTokenSealed).toBe(accessTokenSealed);
});

/** Fills every column of the list with sealed values, `count` rows per table; each value names its location. */
async function sealEverywhere(count: number): Promise<Map<string, string>> {
  for (let row = 0; row < count; row += 1) {
    await createConnection(base, application, registrations, { accountId: `account-${row}` });
    await createConnectAttempt(base, application, registrations, { status: "AUTHORIZING" });
    await createIdentityAttempt(base, application);
    await createEventEndpoint(base, application);
  }
  const texts = new Map<string, string>();
  for (const { table, column, binding } of SEALED_COLUMNS) {
    const { rows } = await base.pool.query<{ id: string }>(`SELECT id FROM ${table}`);
    for (const { id } of rows) {
      const text = randomBytes(8).toString("hex");
      texts.set(`${table}.${column} ${id}`, text);
      await base.pool.query(`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [before.seal(text, binding(id)), id]);
    }
  }
  return texts;
}

async function values(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { table, column } of SEALED_COLUMNS) {
    const { rows } = await base.pool.query<{ id: string; sealed: string }>(
      `SELECT id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    for (const { id, sealed } of rows) found.set(`${table}.${column} ${id}`, sealed);
  }
  return found;
}

async function openAll(secretBox: SecretBox): Promise<Map<string, string>> {
  const bindings = new Map(SEALED_COLUMNS.map(({ table, column, binding }) => [`${table}.${column}`, binding]));
  return new Map(
    [...(await values())].map(([place, sealed]) => {
      const [column = "", id = ""] = place.split(" ");
      return [place, secretBox.open(sealed, bindings.get(column)?.(id) ?? "")];
    }),
  );
}

/** A service that crashes after the given number of transactions. */
function crashingAfter(transactions: number): Service {
  let left = transactions;
  const prisma = new Proxy(service.prisma, {
    get(target, name) {
      if (name === "$transaction" && left-- <= 0) {
        return async () => {
          throw new Error("killed");
        };
      }
      return Reflect.get(target, name, target);
    },
  });
  return { ...service, prisma };
}
