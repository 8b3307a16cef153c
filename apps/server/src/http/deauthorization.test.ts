import { beforeAll, expect, test } from "vitest";
import {
  connect,
  newUser,
  register,
  seconds,
  securityLines,
  server,
  service,
  signedRequest,
  snapshot,
  statusOf,
  useProviderMessages,
} from "./testing/providerMessages.ts";

useProviderMessages();

const SECRET = "deauthorization-secret";
let registration: string;
beforeAll(async () => {
  registration = await register("PROVIDER_C", "deauthorization-client", SECRET);
});

const line = (result: "refused" | "ignored", reason: string) => [
  { event: `deauthorization.${result}`, provider: "PROVIDER_C", reason, address: "127.0.0.1" },
];
const request = (user: string, fields: object = {}) => signedRequest({ user_id: user, ...fields }, SECRET);
const send = async (signed: string) => {
  const body = new URLSearchParams({ signed_request: signed });
  return (await fetch(`${server.url}/api/connect/deauthorize/provider-c`, { method: "POST", body })).status;
};

test("a deauthorize callback that is sent again after a new consent changes nothing", async () => {
  const connection = await connect("PROVIDER_C", registration, newUser());
  const signed = request(connection.providerAccountId);
  expect(await send(signed)).toBe(204);
  expect(await statusOf(connection)).toBe("RECONNECT_REQUIRED");
  service.clock.advance(60_000);
  const where = { connectionId: connection.id };
  await service.prisma.grant.updateMany({ where, data: { status: "ACTIVE", updatedAt: service.clock.current } });
  const before = await snapshot();
  expect(await send(signed)).toBe(204);
  expect(await snapshot()).toBe(before);
  expect(securityLines()).toEqual(line("ignored", "old"));
});

test.each<[string, string, (user: string) => string]>([
  ["is signed with another secret", "signature", (user) => signedRequest({ user_id: user }, "forged")],
  ["has no time", "untimed", (user) => request(user, { issued_at: undefined })],
  ["has null as its time", "untimed", (user) => request(user, { issued_at: null })],
  ["has 0 as its time", "untimed", (user) => request(user, { issued_at: 0 })],
  ["has a word as its time", "untimed", (user) => request(user, { issued_at: "now" })],
  ["is from the future", "future", (user) => request(user, { issued_at: seconds(61) })],
])("a deauthorize callback that %s is refused with one line, and changes nothing", async (_, reason, make) => {
  const connection = await connect("PROVIDER_C", registration, newUser());
  const before = await snapshot();
  expect(await send(make(connection.providerAccountId))).toBe(400);
  expect(securityLines()).toEqual(line("refused", reason));
  expect(await snapshot()).toBe(before);
  // Control: the same callback without the fault, with its time as text.
  expect(await send(request(connection.providerAccountId, { issued_at: String(seconds()) }))).toBe(204);
  expect(await statusOf(connection)).toBe("RECONNECT_REQUIRED");
});
