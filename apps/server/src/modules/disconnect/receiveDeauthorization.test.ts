import { expect, test } from "vitest";
import { connect, service } from "../testing/applicationOfFile.ts";
import { receiveDeauthorization } from "./receiveDeauthorization.ts";

const connected = async (accountId: string, externalSubjectId: string) =>
  (await connect({ provider: "PROVIDER_C", accountId, externalSubjectId })).id;
const stored = (id: string) => service.prisma.connection.findFirstOrThrow({ where: { id } });
const statusOf = async (id: string) => (await stored(id)).status;

/** Simulates a verified signature; the adapter's tests cover verification. */
function signedAt(issuedAt: Date | null, providerUserId: string): void {
  Object.assign(service.fakes.PROVIDER_C, { verifyDeauthorization: () => ({ providerUserId, issuedAt }) });
}

test("a signed deauthorization revokes the grant of its account only", async () => {
  const removed = await connected("removed", "a");
  const other = await connected("other", "a");
  signedAt(service.clock.current, "removed");
  expect(await receiveDeauthorization(service, "PROVIDER_C", "signed")).toBe(true);
  expect(await statusOf(removed)).toBe("RECONNECT_REQUIRED");
  expect(await statusOf(other)).toBe("CONNECTED");
  expect((await stored(removed)).appRemovedAt).not.toBeNull();
});

test("ignores a deauthorization signed before the current consent", async () => {
  const id = await connected("again", "b");
  signedAt(service.clock.fromNow(-60_000), "again");
  expect(await receiveDeauthorization(service, "PROVIDER_C", "old")).toBe(true);
  expect(await statusOf(id)).toBe("CONNECTED");
});

test("rejects a deauthorization that no registration's secret signed, and providers without this feature", async () => {
  Object.assign(service.fakes.PROVIDER_C, { verifyDeauthorization: () => null });
  expect(await receiveDeauthorization(service, "PROVIDER_C", "forged")).toBe(false);
  expect(await receiveDeauthorization(service, "PROVIDER_A", "signed")).toBe(false);
});
