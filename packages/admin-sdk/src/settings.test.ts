import { ConfigurationError } from "@social-connect/sdk-core";
import { expect, it } from "vitest";
import { createAdmin } from "./createAdmin.ts";
import { HOST, KEY } from "./testing/fakeAdmin.ts";

const GOOD = { host: HOST, key: KEY, scope: "READ" } as const;

it.each([undefined, "read", "ADMIN"])("rejects the scope %s", (scope) => {
  expect(() => Reflect.apply(createAdmin, null, [{ ...GOOD, scope }])).toThrow(ConfigurationError);
});

it("refuses options of lists before it sends anything", () => {
  const fetch = () => expect.fail("A request was sent.");
  const admin = createAdmin({ ...GOOD, fetch });
  expect(() => admin.clients({ pageSize: 101 })).toThrow("pageSize must be a whole number from 1 to 100.");
  expect(() => admin.clients({ pagesize: 5 } as object)).toThrow("Unknown option `pagesize`. Did you mean `pageSize`?");
  expect(() => admin.audit({ pageSize: 0 })).toThrow("pageSize must be a whole number from 1 to 100.");
  expect(() => admin.audit({ keyId: "k" } as object)).toThrow("Unknown option `keyId`. Did you mean `apiKeyId`?");
  expect(() => admin.audit({ apiKeyId: KEY })).toThrow("apiKeyId must be the UUID in a key");
});

it("says what a cursor must be", async () => {
  const fetch = async () => Response.json({ errors: [{ message: "", extensions: { code: "BAD_USER_INPUT" } }] });
  const admin = createAdmin({ ...GOOD, fetch });
  for (const list of [admin.clients(), admin.audit()]) {
    await expect(list.page("of-another-list")).rejects.toThrow("A cursor is valid only for its list and filter.");
  }
});
