import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newId, newSecretHex } from "../platform/ids.ts";
import { openSession } from "./admin-sessions/openSession.ts";
import { authenticateApiKey } from "./api-keys/authenticateApiKey.ts";
import { mintApiKey } from "./api-keys/changeApiKeys.ts";
import { authenticate } from "./applications/checkKey.ts";
import { issueClientCredential } from "./clients/credentials.ts";
import { createAdminMember, sessionOf } from "./testing/admins.ts";
import { createApplication, createRegistrations, type TestApplication } from "./testing/builders.ts";
import { startConnect, startIdentity } from "./testing/calls.ts";
import { dumpDatabase, encodingsOf } from "./testing/databaseDump.ts";
import { statementsOf } from "./testing/statements.ts";
import { startTestService, type TestService } from "./testing/testService.ts";

const work = vi.hoisted(() => ({ hashes: 0, comparisons: 0 }));
vi.mock(import("../platform/secrets/hash.ts"), async (original) => {
  const { sha256, equalHashes } = await original();
  return {
    sha256: (value) => {
      work.hashes += 1;
      return sha256(value);
    },
    equalHashes: (left, right) => {
      work.comparisons += 1;
      return equalHashes(left, right);
    },
  };
});

let service: TestService;
let application: TestApplication;

beforeAll(async () => {
  service = await startTestService({
    issuer: { url: "https://issuer.example", clientId: "c", clientSecret: { reveal: () => "s" } as never },
  });
  await createRegistrations(service);
  application = await createApplication(service, "shop", { idpIdentityEnabled: true });
});
afterAll(() => service.close());

/** Keys of each API that must be indistinguishable, and a valid key. */
async function keysOf(api: "application" | "admin"): Promise<Readonly<Record<string, string>>> {
  const actor = sessionOf(service, await createAdminMember(service));
  const key = async (lifetimeDays: number): Promise<string> => {
    if (api === "admin") {
      return (await mintApiKey(service, actor, { label: "k", scope: "READ", lifetimeDays })).key.reveal();
    }
    return (await issueClientCredential(service, actor, application.id, lifetimeDays)).key.reveal();
  };
  const id = (text: string) => text.replace("scadm_", "").split(".")[0] as string;
  const table = api === "admin" ? "admin_api_key" : "application_key";
  if (api === "application") await service.prisma.applicationKey.deleteMany();
  const revoked = await key(9);
  await service.pool.query(`UPDATE ${table} SET revoked_at = created_at WHERE id = $1`, [id(revoked)]);
  const expired = await key(1);
  await service.pool.query(`UPDATE ${table} SET expires_at = created_at WHERE id = $1`, [id(expired)]);
  const good = await key(9);
  const prefix = api === "admin" ? "scadm_" : "";
  return {
    unknown: `${prefix}${newId()}.${newSecretHex()}`,
    wrong: `${prefix}${id(good)}.${newSecretHex()}`,
    revoked,
    expired,
    good,
  };
}

const refusals = ["unknown", "wrong", "revoked", "expired"] as const;
const call = (api: "application" | "admin", key: string) =>
  api === "admin" ? authenticateApiKey(service, `Bearer ${key}`) : authenticate(service, [`Bearer ${key}`]);
const refused = (api: "application" | "admin", key: string) =>
  call(api, key).then(
    () => expect.fail("it was accepted"),
    (error: Error) => error,
  );

test("a dump of the database contains no issued secret, only its hash", async () => {
  const member = await createAdminMember(service);
  const now = service.clock.current;
  const admin = (await keysOf("admin"))["good"] as string;
  const consumer = (await keysOf("application"))["good"] as string;
  const connect = await startConnect(service, application);
  const identity = await startIdentity(service, application);
  const secrets = {
    "application key": consumer.split(".")[1] as string,
    "admin key": admin.split(".")[1] as string,
    "launch token": connect.launchToken.reveal(),
    "identity launch token": identity.launchToken.reveal(),
    "result proof": identity.resultProof.reveal(),
    "session of the panel": (await openSession(service, member, now, now)).token.reveal(),
  };
  const dump = (await dumpDatabase(service.pool)).join("\n").toLowerCase();
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret, name).toMatch(/^[0-9a-f]{64}$/);
    for (const writing of encodingsOf(secret)) expect(dump.includes(writing.toLowerCase()), name).toBe(false);
    // The control: the searched dump contains the secrets' hashes.
    expect(dump, name).toContain(createHash("sha256").update(secret).digest("hex"));
  }
});

test.each(["application", "admin"] as const)("an unknown %s key takes as long as a known one", async (api) => {
  const keys = await keysOf(api);
  const costs = new Map<string, unknown>();
  for (const kind of refusals) {
    Object.assign(work, { hashes: 0, comparisons: 0 });
    const statements = await statementsOf(() => refused(api, keys[kind] as string));
    costs.set(kind, { ...work, statements: statements.map(({ text }) => text) });
  }
  expect(costs.get("unknown")).toMatchObject({ hashes: 1, comparisons: 1 });
  for (const kind of refusals) expect(costs.get(kind), kind).toEqual(costs.get("unknown"));
  await expect(call(api, keys["good"] as string)).resolves.toMatchObject({ keyId: expect.any(String) });
});

test.each(["application", "admin"] as const)("all rejected %s keys get the same response", async (api) => {
  const keys = await keysOf(api);
  const errors = await Promise.all(refusals.map((kind) => refused(api, keys[kind] as string)));
  // `security` is only for the security log.
  const shown = errors.map((error) => ({ ...error, message: error.message, name: error.name, security: null }));
  for (const error of shown) expect(error).toEqual(shown[0]);
});
