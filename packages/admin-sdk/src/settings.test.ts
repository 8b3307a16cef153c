import { ConfigurationError } from "@social-connect/sdk-core";
import { describeSettings } from "@social-connect/sdk-core/testing/settingsSuite";
import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { createAdmin } from "./createAdmin.ts";
import { HOST, KEY } from "./testing/fakeAdmin.ts";

const GOOD = { host: HOST, key: KEY, scope: "READ" } as const;

describeSettings({
  addressOption: "host",
  path: "/api/admin/graphql",
  key: KEY,
  client: `admin-sdk/${manifest.version}`,
  malformedKeys: [
    ...["", KEY.slice(1), KEY.slice(6), `${KEY}0`, `${KEY}\n`, `Bearer ${KEY}`],
    ...[KEY.replace("c0ffee", "C0FFEE"), KEY.replace(".", ":"), undefined, {}],
  ],
  make: (options) => {
    const isObject = typeof options === "object" && options !== null;
    const admin = createAdmin((isObject ? { scope: "READ", ...options } : options) as typeof GOOD);
    return (callOptions) => admin.previewTemplate(callOptions);
  },
  operation: "previewTemplate",
  value: { template: "https://{label}.preview.example.app", allowsLoopbackHttp: true },
});

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
