import { ConfigurationError, Secret } from "@social-connect/sdk-core";
import { describe, expect, it } from "vitest";
import { createAdmin } from "./createAdmin.ts";
import { CLIENT_ID, SHOP } from "./testing/clients.ts";
import { FakeAdmin, HOST, KEY } from "./testing/fakeAdmin.ts";

function refused(make: () => unknown): ConfigurationError {
  try {
    make();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  return expect.fail("the options were expected to be refused");
}

const good = { host: HOST, key: KEY, scope: "READ" } as const;

describe("host", () => {
  it.each([
    ["https://admin.example.com", "https://admin.example.com/api/admin/graphql"],
    ["https://admin.example.com/", "https://admin.example.com/api/admin/graphql"],
    ["http://127.0.0.1:4400", "http://127.0.0.1:4400/api/admin/graphql"],
    ["http://[::1]:4400", "http://[::1]:4400/api/admin/graphql"],
  ])("sends requests for %s to the endpoint", async (host, endpoint) => {
    const api = new FakeAdmin();
    await createAdmin({ ...good, host, fetch: api.fetch }).previewTemplate();
    expect(api.calls.map((call) => call.url)).toEqual([endpoint]);
  });

  it.each([
    "",
    "admin.example.com",
    "http://admin.example.com",
    "http://localhost.example.com",
    "https://user:pass@admin.example.com",
    "https://admin.example.com?x=1",
    "https://admin.example.com/api/admin/graphql",
    "https://admin.example.com\n",
    "https:admin.example.com",
    "https://admin.example.com\\@elsewhere.example",
    undefined,
    7,
  ])("rejects %s", (host) => {
    expect(refused(() => Reflect.apply(createAdmin, null, [{ ...good, host }])).message).toContain("host");
  });
});

describe("key", () => {
  it.each([
    "",
    KEY.slice(1),
    KEY.slice(6),
    `${KEY}0`,
    `${KEY}\n`,
    `Bearer ${KEY}`,
    KEY.replace("c0ffee", "C0FFEE"),
    KEY.replace(".", ":"),
    undefined,
    {},
  ])("is rejected at construction if malformed, without being repeated", (key) => {
    const error = refused(() => Reflect.apply(createAdmin, null, [{ ...good, key }]));
    expect(`${error.message} ${error.stack}`).not.toMatch(/c0ffee/i);
  });

  it("is sent as the only credential, and may be a Secret", async () => {
    const api = new FakeAdmin();
    await createAdmin({ ...good, key: new Secret(KEY), fetch: api.fetch }).previewTemplate();
    expect(api.calls[0]?.headers.get("authorization")).toBe(`Bearer ${KEY}`);
    expect([...(api.calls[0]?.headers.keys() ?? [])].toSorted()).toEqual(["accept", "authorization", "content-type"]);
  });

  it("calls a key function before each request, so that the key can be replaced at run time", async () => {
    const api = new FakeAdmin();
    api.put(SHOP);
    const next = KEY.replace("11111111", "33333333");
    const keys = [KEY, next];
    const admin = createAdmin({ ...good, key: async () => keys.shift() ?? "none", fetch: api.fetch });
    await admin.client(CLIENT_ID);
    await admin.client(CLIENT_ID);
    expect(api.calls.map((call) => call.headers.get("authorization"))).toEqual([`Bearer ${KEY}`, `Bearer ${next}`]);
    await expect(admin.client(CLIENT_ID)).rejects.toBeInstanceOf(ConfigurationError);
    expect(api.calls).toHaveLength(2);
  });
});

it.each([
  { scope: undefined },
  { scope: "read" },
  { scope: "ADMIN" },
  { timeoutMs: 0 },
  { retries: -1 },
  { retries: 1.5 },
  { fetch: "fetch" },
  { random: 1 },
  { clock: Date },
  { clock: { now: Date.now } },
  { hooks: () => undefined },
  { hooks: { onRequest: true } },
])("rejects %o", (options) => {
  refused(() => Reflect.apply(createAdmin, null, [{ ...good, ...options }]));
});

it.each([undefined, null, "options"])("rejects options that are %s", (options) => {
  refused(() => Reflect.apply(createAdmin, null, [options]));
});
