import { ConfigurationError } from "@social-connect/sdk-core";
import { connectionLost, jsonText, notConnected, proxyPage, refusal } from "@social-connect/sdk-core/testing/replies";
import { describe, expect, it } from "vitest";
import { CLIENT_ID, fakeWriter, NEW_CLIENT, SHOP } from "../testing/clients.ts";
import type { Fault } from "../testing/fakeAdmin.ts";
import { CHANGES, changeableShop, runChange } from "../testing/operationCalls.ts";
import type { AdminWriter } from "../writer.ts";

const NAMES = Object.keys(CHANGES) as (keyof typeof CHANGES)[];

/** Faults after which it is unknown whether the write was applied, each with and without its effect. */
const OPEN: readonly [string, (applied: boolean) => Fault][] = [
  ["the connection was lost", (applied) => (applied ? { after: connectionLost } : { before: connectionLost })],
  ["a gateway returned 502", (applied) => around(applied, () => proxyPage(502))],
  ["a gateway returned 504", (applied) => around(applied, () => proxyPage(504))],
  ["the service returned UPSTREAM_UNAVAILABLE", (applied) => around(applied, () => refusal("UPSTREAM_UNAVAILABLE"))],
  ["the service returned an unknown code", (applied) => around(applied, () => refusal("HALF_DONE"))],
  ["the response was truncated", (applied) => around(applied, () => jsonText('{"data":{"'))],
  ["the response had no data", (applied) => around(applied, () => jsonText('{"data":null}'))],
  ["the response was an HTML page with status 200", (applied) => around(applied, () => proxyPage(200))],
];

function around(applied: boolean, reply: () => Response): Fault {
  return applied ? { after: reply } : { reply };
}

describe.each(NAMES)("%s", (operation) => {
  const { done } = CHANGES[operation];
  const run = (admin: AdminWriter) => runChange(operation, admin);

  it("returns applied with the record, after one read and one write", async () => {
    const { api, admin } = changeableShop();
    const result = await run(admin);
    expect(result).toMatchObject({ outcome: "applied", client: done });
    expect(api.calls.map((call) => call.operation)).toEqual(["adminClient", operation]);
    expect(result.client).toEqual(api.clients.get(CLIENT_ID));
  });

  it("returns already with the record, and sends nothing, when the client has the values", async () => {
    const { api, admin } = changeableShop();
    const client = api.put({ ...done, id: CLIENT_ID });
    expect(await run(admin)).toEqual({ outcome: "already", client });
    expect(api.writes()).toEqual([]);
  });

  it.each(OPEN)("is sent once, and found applied by a read, when %s", async (_, fault) => {
    const { api, admin } = changeableShop();
    api.fail(operation, fault(true));
    expect(await run(admin)).toMatchObject({ outcome: "applied", client: done });
    expect(api.writes()).toEqual([operation]);
  });

  it.each(OPEN)(
    "is sent once, and unknown, with the record and the error, when %s and nothing changed",
    async (_, fault) => {
      const { api, admin } = changeableShop();
      const before = api.clients.get(CLIENT_ID);
      api.fail(operation, fault(false));
      const result = await run(admin);
      expect(result).toMatchObject({ outcome: "unknown", client: before, error: { operation } });
      expect(api.writes()).toEqual([operation]);
    },
  );

  it("is unknown without a record when the following read fails, too", async () => {
    const { api, admin } = changeableShop();
    api.fail(operation, { after: connectionLost });
    const looked = { reply: () => refusal("UPSTREAM_UNAVAILABLE") };
    // The first read is before the write.
    api.meanwhile = () => {
      api.meanwhile = () => undefined;
      api.fail("adminClient", looked, looked, looked);
    };
    const result = await run(admin);
    expect(result).toMatchObject({ outcome: "unknown", client: undefined, error: { name: "TransportError" } });
    expect(api.writes()).toEqual([operation]);
  });

  it("is found applied by the second read when it was still running at the first", async () => {
    const { api, admin, clock } = changeableShop();
    api.fail(operation, { before: connectionLost });
    let looks = 0;
    api.meanwhile = (call) => {
      if (call.operation === "adminClient") looks += 1;
      if (looks === 3) api.put({ ...done, id: CLIENT_ID });
    };
    expect(await run(admin)).toMatchObject({ outcome: "applied", client: done });
    expect(clock.sleeps).toEqual([1_000]);
    expect(api.writes()).toEqual([operation]);
  });

  it("is retried when the request was certainly not sent, or was rate limited", async () => {
    const { api, admin, clock } = changeableShop();
    api.fail(operation, { before: notConnected }, { reply: () => proxyPage(429, { "retry-after": "3" }) });
    expect(await run(admin)).toMatchObject({ outcome: "applied", client: done });
    expect(api.writes()).toEqual([operation, operation, operation]);
    expect(clock.sleeps[0]).toBeLessThan(1_000);
    expect(clock.sleeps[1]).toBeGreaterThanOrEqual(3_000);
  });

  it("is retried once when the row was busy", async () => {
    const { api, admin } = changeableShop();
    const busy = { reply: () => refusal("CONFLICT", { reason: "ROW_BUSY" }) };
    api.fail(operation, busy);
    expect(await run(admin)).toMatchObject({ outcome: "applied" });
    expect(api.writes()).toEqual([operation, operation]);

    const again = changeableShop();
    again.api.fail(operation, busy, busy, busy);
    await expect(run(again.admin)).rejects.toMatchObject({ name: "ConflictError", reason: "ROW_BUSY" });
    expect(again.api.writes()).toEqual([operation, operation]);
  });

  it.each([
    ["UNAUTHENTICATED", "UnauthenticatedError"],
    ["FORBIDDEN", "ForbiddenError"],
    ["BAD_USER_INPUT", "BadUserInputError"],
    ["CONFLICT", "ConflictError"],
  ])("throws %s as its own error without a retry", async (code, name) => {
    const { api, admin } = changeableShop();
    api.fail(operation, { reply: () => refusal(code) });
    await expect(run(admin)).rejects.toMatchObject({ name, code, operation, correlationId: expect.any(String) });
    expect(api.writes()).toEqual([operation]);
  });

  it.each([
    [301, "REDIRECTED"],
    [403, "UNEXPECTED_STATUS"],
    [404, "WRONG_ADDRESS"],
    [413, "BODY_TOO_LARGE"],
  ])("throws the refusal %i of a proxy", async (status, problem) => {
    const { api, admin } = changeableShop();
    api.fail(operation, { reply: () => proxyPage(status, { location: "https://elsewhere.example" }) });
    await expect(run(admin)).rejects.toMatchObject({ name: "ProtocolError", problem });
    expect(api.writes()).toEqual([operation]);
  });

  it("throws NOT_FOUND for an unknown client before it sends the write", async () => {
    const { api, admin } = fakeWriter();
    await expect(run(admin)).rejects.toMatchObject({ name: "NotFoundError", operation: "adminClient" });
    expect(api.writes()).toEqual([]);
  });
});

it("counts a removal or addition by another caller as already done", async () => {
  const { api, admin } = changeableShop();
  api.meanwhile = (call) => {
    if (call.operation === "removeClientTenantKey") api.put({ id: CLIENT_ID, tenantKeys: ["acme"] });
    if (call.operation === "addClientTenantKey") api.put({ id: CLIENT_ID, tenantKeys: ["acme", "initech"] });
  };
  expect(await admin.removeClientTenantKey(CLIENT_ID, "globex")).toMatchObject({ outcome: "already" });
  expect(await admin.addClientTenantKey(CLIENT_ID, "initech")).toMatchObject({ outcome: "already" });
});

it.each([
  [
    "the last origin",
    (admin: AdminWriter) => admin.removeClientOrigin(CLIENT_ID, "https://only.example"),
    "LAST_ORIGIN",
  ],
  [
    "the last return URL",
    (admin: AdminWriter) => admin.removeClientReturnUrl(CLIENT_ID, "https://only.example/r"),
    "LAST_RETURN_URL",
  ],
] as const)("%s cannot be removed, and the error names the reason", async (_, run, reason) => {
  const { api, admin } = fakeWriter();
  api.put({ ...SHOP, webOrigins: ["https://only.example"], returnUrls: ["https://only.example/r"] });
  await expect(run(admin)).rejects.toMatchObject({
    code: "CONFLICT",
    reason,
    message: expect.stringContaining("Add the new"),
  });
});

describe("createClient", () => {
  it("returns applied, then already for the same input, and SLUG_TAKEN for other settings", async () => {
    const { api, admin } = fakeWriter();
    expect(await admin.createClient(NEW_CLIENT)).toMatchObject({ outcome: "applied", client: { slug: "club" } });
    expect(await admin.createClient(NEW_CLIENT)).toMatchObject({ outcome: "already", client: { slug: "club" } });
    const other = admin.createClient({ ...NEW_CLIENT, displayName: "Another Club" });
    await expect(other).rejects.toMatchObject({ code: "CONFLICT", reason: "SLUG_TAKEN" });
    expect(api.clients.size).toBe(1);
  });

  it.each(OPEN)("does not mistake an existing client for its own result when %s", async (_, fault) => {
    const { api, admin } = fakeWriter();
    await admin.createClient(NEW_CLIENT);
    api.fail("createClient", fault(true));
    expect(await admin.createClient(NEW_CLIENT)).toMatchObject({ outcome: "already", client: { slug: "club" } });
    expect(api.writes()).toEqual(["createClient"]);
  });

  it.each(OPEN)("is sent once, and found by its slug on any page, when %s", async (_, fault) => {
    const { api, admin } = fakeWriter();
    for (const slug of ["a", "b", "c", "d", "e"]) api.put({ ...SHOP, id: slug, slug });
    api.fail("createClient", fault(true));
    expect(await admin.createClient(NEW_CLIENT)).toMatchObject({ outcome: "applied", client: { slug: "club" } });
    expect(api.writes()).toEqual(["createClient"]);
  });

  it.each(OPEN)("is sent once, and unknown without a record, when %s and nothing was created", async (_, fault) => {
    const { api, admin } = fakeWriter();
    api.fail("createClient", fault(false));
    expect(await admin.createClient(NEW_CLIENT)).toMatchObject({ outcome: "unknown", client: undefined });
    expect(api.writes()).toEqual(["createClient"]);
  });
});

describe("the confirmation of a return URL", () => {
  const notTrue: readonly unknown[] = [
    undefined,
    null,
    {},
    { confirmedNoOnwardRedirect: "true" },
    { confirmedNoOnwardRedirect: 1 },
    true,
    { confirmedNoOnwardRedirect: false },
  ];

  it.each(notTrue)("is only the literal true: %j sends nothing", async (confirmation) => {
    const { api, admin } = changeableShop();
    const adding: Promise<unknown> = Reflect.apply(admin.addClientReturnUrl, admin, [
      CLIENT_ID,
      "https://shop.example/new",
      confirmation,
    ]);
    await expect(adding).rejects.toBeInstanceOf(ConfigurationError);
    const given = typeof confirmation === "object" ? confirmation : {};
    const creating: Promise<unknown> = Reflect.apply(admin.createClient, admin, [
      { ...NEW_CLIENT, confirmedNoOnwardRedirect: undefined, ...given },
    ]);
    await expect(creating).rejects.toBeInstanceOf(ConfigurationError);
    expect(api.calls).toEqual([]);
  });
});

it("sends nothing after the deadline, and has no unknown outcome", async () => {
  const { api, admin, clock } = changeableShop();
  await expect(admin.setClientEnabled(CLIENT_ID, false, { deadline: clock.at(0) })).rejects.toMatchObject({
    code: "TIMED_OUT",
  });
  expect(api.calls).toEqual([]);
});

it("an abort ends a write with the caller's own reason", async () => {
  const { api, admin } = changeableShop();
  const stop = new AbortController();
  api.meanwhile = (call) => {
    if (call.operation === "setClientEnabled") stop.abort("changed my mind");
  };
  api.fail("setClientEnabled", { after: connectionLost });
  await expect(admin.setClientEnabled(CLIENT_ID, false, { signal: stop.signal })).rejects.toBe("changed my mind");
});
