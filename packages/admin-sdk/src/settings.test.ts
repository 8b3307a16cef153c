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
  value: { template: "https://{label}.preview.example.app" },
});

it.each([undefined, "read", "ADMIN"])("rejects the scope %s", (scope) => {
  expect(() => Reflect.apply(createAdmin, null, [{ ...GOOD, scope }])).toThrow(ConfigurationError);
});
