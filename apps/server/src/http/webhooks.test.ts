import { beforeAll, describe, expect, test } from "vitest";
import { disconnect } from "../modules/testing/calls.ts";
import {
  applications,
  connect,
  newUser,
  register,
  seconds,
  securityLines,
  sendWebhook,
  server,
  service,
  signatureOf,
  snapshot,
  statusOf,
  useProviderMessages,
  webhook,
} from "./testing/providerMessages.ts";

useProviderMessages();

const SECRET = "webhook-secret";
const FOREIGN_SECRET = "foreign-secret";
const MAX_BYTES = 16_384;
const lineOf = (result: "refused" | "ignored", reason: string) => [
  { event: `webhook.${result}`, provider: "PROVIDER_B", reason, address: "127.0.0.1" },
];

let registration: string;
beforeAll(async () => {
  registration = await register("PROVIDER_B", "webhook-client", SECRET);
});

const removed = (user: string, fields: object = {}) => ({ client_key: "webhook-client", user_openid: user, ...fields });

describe("authorization.removed", () => {
  test("ends the grants of its user only, in every application and registration whose secret fits", async () => {
    const user = newUser();
    const renewed = await register("PROVIDER_B", "webhook-client", SECRET);
    const foreign = await register("PROVIDER_B", "foreign-client", FOREIGN_SECRET);
    const ended = [
      await connect("PROVIDER_B", registration, user),
      await connect("PROVIDER_B", registration, user, applications[1]),
      await connect("PROVIDER_B", renewed, user),
    ];
    const others = [
      await connect("PROVIDER_B", registration, newUser()),
      await connect("PROVIDER_B", foreign, user),
      await connect("PROVIDER_C", registration, newUser()),
    ];
    expect((await sendWebhook(webhook(removed(user), SECRET))).status).toBe(200);
    for (const one of ended) expect(await statusOf(one)).toBe("RECONNECT_REQUIRED");
    for (const one of others) expect(await statusOf(one)).toBe("CONNECTED");
    expect(securityLines()).toEqual([]);
    const audit = await service.prisma.auditEntry.findMany({ where: { targetId: { in: ended.map(({ id }) => id) } } });
    expect(audit.map(({ action, actor }) => [action, actor])).toEqual(
      ended.map(() => ["Authorization removed", "System"]),
    );
    expect(JSON.stringify(audit)).not.toContain(user);
  });

  test("leaves nothing to revoke for a later disconnect", async () => {
    const connection = await connect("PROVIDER_B", registration, newUser());
    await sendWebhook(webhook(removed(connection.providerAccountId), SECRET));
    const ended = await disconnect(service, applications[0], connection);
    expect(ended).toMatchObject({ creatorAction: null, upstreamRevocationPending: false });
  });

  test("changes nothing when it is repeated, later or while the first is handled", async () => {
    const connection = await connect("PROVIDER_B", registration, newUser());
    const message = webhook(removed(connection.providerAccountId), SECRET);
    const statuses = await Promise.all([sendWebhook(message), sendWebhook(message)]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
    expect(securityLines()).toEqual(lineOf("ignored", "repeated"));
    const before = await snapshot();
    service.clock.advance(60_000);
    expect((await sendWebhook(message)).status).toBe(200);
    expect(await snapshot()).toBe(before);
    expect(await service.prisma.auditEntry.count({ where: { targetId: connection.id } })).toBe(1);
  });

  test("changes nothing when its user has consented since", async () => {
    const connection = await connect("PROVIDER_B", registration, newUser());
    const before = await snapshot();
    const message = webhook(removed(connection.providerAccountId, { create_time: seconds(-60) }), SECRET);
    expect((await sendWebhook(message)).status).toBe(200);
    expect(await snapshot()).toBe(before);
    expect(securityLines()).toEqual(lineOf("ignored", "old"));
  });

  test("is accepted for a user without stored data", async () => {
    const before = await snapshot();
    expect((await sendWebhook(webhook(removed(newUser()), SECRET))).status).toBe(200);
    expect(await snapshot()).toBe(before);
    expect(securityLines()).toEqual([]);
  });

  test("is accepted with several signatures, of which one fits, and with an uppercase signature", async () => {
    for (const order of [0, 1]) {
      const connection = await connect("PROVIDER_B", registration, newUser());
      const { body } = webhook(removed(connection.providerAccountId), SECRET);
      const signatures = [signatureOf(body, SECRET, seconds()).toUpperCase(), signatureOf(body, "next", seconds())];
      if (order === 1) signatures.reverse();
      const header = `t=${seconds()}, s=${signatures.join(", s=")}`;
      expect((await sendWebhook({ body, header })).status).toBe(200);
      expect(await statusOf(connection)).toBe("RECONNECT_REQUIRED");
    }
  });
});

test("an event that the service does not use is acknowledged and changes nothing", async () => {
  const connection = await connect("PROVIDER_B", registration, newUser());
  const before = await snapshot();
  for (const event of ["video.publish.completed", "toString", "authorization.removed ".toUpperCase()]) {
    const message = webhook(removed(connection.providerAccountId, { event }), SECRET);
    expect((await sendWebhook(message)).status).toBe(200);
  }
  expect(await snapshot()).toBe(before);
  expect(securityLines()).toEqual([]);
});

type Message = { readonly body: string; readonly header?: string };
const REFUSED: Readonly<Record<string, readonly [reason: string, (user: string) => Message]>> = {
  "is signed with another secret": ["signature", (user) => webhook(removed(user), "forged")],
  "is signed by another client's secret": ["signature", (user) => webhook(removed(user), "client-secret-of-c")],
  "has no signature header": ["signature", (user) => ({ body: webhook(removed(user), SECRET).body })],
  "has an empty signature header": ["signature", (user) => ({ ...webhook(removed(user), SECRET), header: "" })],
  "was changed after it was signed": [
    "signature",
    (user) => ({ ...webhook(removed("somebody"), SECRET), body: webhook(removed(user), SECRET).body }),
  ],
  "has another time than it was signed with": [
    "signature",
    (user) => {
      const { body, header } = webhook(removed(user), SECRET, seconds(-600));
      return { body, header: header.replace(/^t=\d+/, `t=${seconds()}`) };
    },
  ],
  "has two times": [
    "signature",
    (user) => {
      const { body, header } = webhook(removed(user), SECRET, seconds(-600));
      return { body, header: `t=${seconds()},${header}` };
    },
  ],
  "has a signature of half the length": [
    "signature",
    (user) => {
      const { body, header } = webhook(removed(user), SECRET);
      return { body, header: header.slice(0, -32) };
    },
  ],
  "has more signatures than a change of a secret needs": [
    "signature",
    (user) => {
      const { body, header } = webhook(removed(user), SECRET);
      return { body, header: `${header}${`,s=${"0".repeat(64)}`.repeat(5)}` };
    },
  ],
  "is more than 5 minutes old": ["old", (user) => webhook(removed(user), SECRET, seconds(-301))],
  "is from the future": ["future", (user) => webhook(removed(user), SECRET, seconds(61))],
  "has no time of its event": ["untimed", (user) => webhook(removed(user, { create_time: undefined }), SECRET)],
  "has 0 as the time of its event": ["untimed", (user) => webhook(removed(user, { create_time: 0 }), SECRET)],
  "names another client": ["foreign", (user) => webhook(removed(user, { client_key: "foreign-client" }), SECRET)],
  "names no client": ["malformed", (user) => webhook(removed(user, { client_key: undefined }), SECRET)],
  "names no user": ["malformed", () => webhook({ client_key: "webhook-client" }, SECRET)],
  "is not JSON": [
    "malformed",
    () => ({ body: "{", header: `t=${seconds()},s=${signatureOf("{", SECRET, seconds())}` }),
  ],
  "is too large": ["malformed", (user) => webhook(removed(user, { padding: "a".repeat(MAX_BYTES) }), SECRET)],
};

test.each(Object.entries(REFUSED))(
  "a webhook that %s is refused with one line, and changes nothing",
  async (_, [reason, make]) => {
    const connection = await connect("PROVIDER_B", registration, newUser());
    const before = await snapshot();
    const response = await sendWebhook(make(connection.providerAccountId));
    expect([response.status, await response.text()]).toEqual([400, ""]);
    expect(securityLines()).toEqual(lineOf("refused", reason));
    expect(await snapshot()).toBe(before);
    // Control: the same webhook without the fault.
    expect((await sendWebhook(webhook(removed(connection.providerAccountId), SECRET))).status).toBe(200);
    expect(await statusOf(connection)).toBe("RECONNECT_REQUIRED");
  },
);

test("a webhook of exactly 5 minutes of age is accepted", async () => {
  const connection = await connect("PROVIDER_B", registration, newUser());
  const message = webhook(removed(connection.providerAccountId), SECRET);
  service.clock.advance(300_000);
  expect((await sendWebhook(message)).status).toBe(200);
  expect(await statusOf(connection)).toBe("RECONNECT_REQUIRED");
});

test.each([
  ["GET", 405],
  ["HEAD", 204],
  ["PUT", 405],
  ["OPTIONS", 405],
] as const)("%s of the webhook address changes nothing", async (method, status) => {
  const before = await snapshot();
  const response = await fetch(`${server.url}/api/connect/provider-b/webhook`, { method });
  expect(response.status).toBe(status);
  expect(await snapshot()).toBe(before);
});

test.each(["provider-a", "provider-c", "provider-z", "constructor"])("%s has no webhook address", async (provider) => {
  expect((await sendWebhook(webhook(removed(newUser()), SECRET), provider)).status).toBe(404);
  expect(securityLines()).toEqual([]);
});
