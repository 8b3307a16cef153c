import { createHmac } from "node:crypto";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { providerAdapter } from "../../providers/registry/registry.ts";
import { sealClientSecret } from "../registrations/clientSecret.ts";
import { createConnection } from "../testing/connections.ts";
import { application, connect, registrations, service, useApplication } from "../testing/fixtures.ts";
import { receiveDeauthorization } from "./receiveDeauthorization.ts";

useApplication();

const connected = async (accountId: string, externalSubjectId: string) =>
  (await connect({ provider: "PROVIDER_C", accountId, externalSubjectId })).id;
const stored = (id: string) => service.prisma.connection.findFirstOrThrow({ where: { id } });
const statusOf = async (id: string) => (await stored(id)).status;

const ACCEPTED = { result: "accepted" };
const REFUSED = { result: "refused" };

/** Simulates a verified signature; the adapter's tests cover verification. */
function signedAt(issuedAt: Date | null, providerUserId: string): void {
  Object.assign(service.fakes.PROVIDER_C, { verifyDeauthorization: () => ({ providerUserId, issuedAt }) });
}

test("a signed deauthorization revokes the grant of its account only", async () => {
  const removed = await connected("removed", "a");
  const other = await connected("other", "a");
  signedAt(service.clock.current, "removed");
  expect(await receiveDeauthorization(service, "PROVIDER_C", "signed")).toMatchObject(ACCEPTED);
  expect(await statusOf(removed)).toBe("RECONNECT_REQUIRED");
  expect(await statusOf(other)).toBe("CONNECTED");
  expect((await stored(removed)).appRemovedAt).not.toBeNull();
});

test("ignores a deauthorization signed before the current consent", async () => {
  const id = await connected("again", "b");
  signedAt(service.clock.fromNow(-60_000), "again");
  expect(await receiveDeauthorization(service, "PROVIDER_C", "old")).toEqual({ result: "ignored", problem: "old" });
  expect(await statusOf(id)).toBe("CONNECTED");
});

test.each([
  ["without a time", null, "untimed"],
  ["from the future", 61_000, "future"],
] as const)("refuses a deauthorization %s", async (problem, offsetMs, reason) => {
  const id = await connected(problem, "c");
  signedAt(offsetMs === null ? null : service.clock.fromNow(offsetMs), problem);
  const outcome = await receiveDeauthorization(service, "PROVIDER_C", "signed");
  expect(outcome).toEqual({ result: "refused", problem: reason });
  expect(await statusOf(id)).toBe("CONNECTED");
});

test("rejects a deauthorization that no registration's secret signed, and providers without this feature", async () => {
  Object.assign(service.fakes.PROVIDER_C, { verifyDeauthorization: () => null });
  expect(await receiveDeauthorization(service, "PROVIDER_C", "forged")).toMatchObject(REFUSED);
  expect(await receiveDeauthorization(service, "PROVIDER_A", "signed")).toMatchObject(REFUSED);
});

/** A signature of PROVIDER_C. */
function signed(userId: string, clientSecret: string): string {
  const issuedAt = Math.floor(service.clock.current.getTime() / 1_000);
  const payload = { algorithm: "HMAC-SHA256", issued_at: issuedAt, user_id: userId };
  const encoded = Buffer.from(JSON.stringify(payload)).toString("base64url");
  return `${createHmac("sha256", clientSecret).update(encoded).digest("base64url")}.${encoded}`;
}

/** A registration of PROVIDER_C, with a connection of the account. */
async function registered(clientId: string, clientSecret: string, status: "PUBLISHED" | "DISABLED", accountId: string) {
  const stored = await service.prisma.providerRegistration.findUniqueOrThrow({
    where: { id: registrations.PROVIDER_C },
  });
  const columns = {
    ...stored,
    scopes: stored.scopes ?? {},
    addresses: stored.addresses ?? {},
    quota: {},
    callRefusals: {},
    clientId,
    status,
  };
  const row = { ...columns, id: newId() };
  const clientSecretSealed = sealClientSecret(service.secretBox, row, clientSecret);
  await service.prisma.providerRegistration.create({ data: { ...row, clientSecretSealed } });
  const of = Object.fromEntries(SOCIAL_PROVIDERS.map((provider) => [provider, row.id])) as typeof registrations;
  const subject = { externalSubjectId: row.id, accountId, provider: "PROVIDER_C" } as const;
  return { id: row.id, connection: (await createConnection(service, application, of, subject)).id };
}

test.each([
  ["the old one is disabled", "DISABLED", "PUBLISHED"],
  ["the new one is disabled", "PUBLISHED", "DISABLED"],
] as const)(
  "a callback that fits several registrations ends the grants of all, also if %s",
  async (_, first, second) => {
    const real = { ...service, provider: providerAdapter };
    const accountId = `shared-${first}`;
    const old = await registered("shared", "shared-secret", first, accountId);
    const foreign = await registered("foreign", "foreign-secret", "PUBLISHED", accountId);
    const renewed = await registered("shared", "shared-secret", second, accountId);

    expect(await receiveDeauthorization(real, "PROVIDER_C", signed(accountId, "forged"))).toMatchObject(REFUSED);
    expect(await statusOf(old.connection)).toBe("CONNECTED");
    expect(await receiveDeauthorization(real, "PROVIDER_C", signed(accountId, "shared-secret"))).toMatchObject(
      ACCEPTED,
    );
    expect(await statusOf(old.connection)).toBe("RECONNECT_REQUIRED");
    expect(await statusOf(renewed.connection)).toBe("RECONNECT_REQUIRED");
    expect(await statusOf(foreign.connection)).toBe("CONNECTED");
  },
);

test("a registration that cannot be read does not hide a callback from the others", async () => {
  const real = { ...service, provider: providerAdapter };
  const broken = await registered("shared", "shared-secret", "PUBLISHED", "beside-broken");
  const good = await registered("shared", "shared-secret", "PUBLISHED", "beside-broken");
  const addresses = {
    authorization: "https://thief.example",
    token: "https://thief.example",
    api: "https://thief.example",
  };
  await service.prisma.providerRegistration.update({ where: { id: broken.id }, data: { addresses } });
  expect(await receiveDeauthorization(real, "PROVIDER_C", signed("beside-broken", "shared-secret"))).toMatchObject(
    ACCEPTED,
  );
  expect(await statusOf(good.connection)).toBe("RECONNECT_REQUIRED");
});
