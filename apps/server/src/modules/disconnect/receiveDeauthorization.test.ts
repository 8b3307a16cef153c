import { afterAll, beforeAll, expect, test } from "vitest";
import { createApplication, createRegistrations } from "../testing/builders.ts";
import { createConnection } from "../testing/connections.ts";
import type { TestService } from "../testing/testService.ts";
import { startTestService } from "../testing/testService.ts";
import { receiveDeauthorization } from "./receiveDeauthorization.ts";

let service: TestService;
let registrations: Awaited<ReturnType<typeof createRegistrations>>;
let connect: (options: Parameters<typeof createConnection>[3]) => Promise<string>;

beforeAll(async () => {
  service = await startTestService();
  registrations = await createRegistrations(service);
  const application = await createApplication(service);
  connect = async (options) =>
    (await createConnection(service, application, registrations, { provider: "PROVIDER_C", ...options })).id;
});
afterAll(() => service.close());

const statusOf = async (id: string) => (await service.prisma.connection.findUniqueOrThrow({ where: { id } })).status;

/** Simulates a verified signature; the adapter's tests cover verification. */
function signedAt(issuedAt: Date | null, providerUserId: string): void {
  Object.assign(service.fakes.PROVIDER_C, { verifyDeauthorization: () => ({ providerUserId, issuedAt }) });
}

test("a signed deauthorization revokes the grant of its account only", async () => {
  const removed = await connect({ accountId: "removed", externalSubjectId: "a" });
  const other = await connect({ accountId: "other", externalSubjectId: "a" });
  signedAt(service.clock.current, "removed");
  expect(await receiveDeauthorization(service, "PROVIDER_C", "signed")).toBe(true);
  expect(await statusOf(removed)).toBe("RECONNECT_REQUIRED");
  expect(await statusOf(other)).toBe("CONNECTED");
  expect((await service.prisma.connection.findUniqueOrThrow({ where: { id: removed } })).appRemovedAt).not.toBeNull();
});

test("ignores a deauthorization signed before the current consent", async () => {
  const id = await connect({ accountId: "again", externalSubjectId: "b" });
  signedAt(new Date(service.clock.current.getTime() - 60_000), "again");
  expect(await receiveDeauthorization(service, "PROVIDER_C", "old")).toBe(true);
  expect(await statusOf(id)).toBe("CONNECTED");
});

test("rejects a deauthorization that no registration's secret signed, and providers without this feature", async () => {
  Object.assign(service.fakes.PROVIDER_C, { verifyDeauthorization: () => null });
  expect(await receiveDeauthorization(service, "PROVIDER_C", "forged")).toBe(false);
  expect(await receiveDeauthorization(service, "PROVIDER_A", "signed")).toBe(false);
});
