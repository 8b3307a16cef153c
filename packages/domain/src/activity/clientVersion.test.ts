import { expect, test } from "vitest";
import { readClientVersion, versionSortKey } from "./clientVersion.ts";

test.each([
  ["sdk/0.1.0", { library: "sdk", version: "0.1.0" }],
  ["admin-sdk/12.345.6789", { library: "admin-sdk", version: "12.345.6789" }],
  ["sdk/2.0.0-beta.1", { library: "sdk", version: "2.0.0-beta.1" }],
  [null, { library: "none", version: "" }],
  ["", { library: "none", version: "" }],
])("reads %j", (header, client) => {
  expect(readClientVersion(header)).toEqual(client);
});

test.each([
  "sdk",
  "sdk/",
  "sdk/1",
  "sdk/1.2",
  "sdk/1.2.3.4",
  "sdk/1.2.12345",
  "SDK/1.2.3",
  "unknown/1.2.3",
  "sdk/1.2.3 ",
  " sdk/1.2.3",
  "sdk/1.2.3\nsdk/1.2.3",
  "sdk/1.2.3-",
  `sdk/1.2.3-${"a".repeat(21)}`,
  "sdk/1.2.3-A",
  "sdk/1.2.3, sdk/1.2.4",
  '<script>alert("x")</script>',
  "sdk/1.2.3-".repeat(10_000),
])("counts %j as other", (header) => {
  expect(readClientVersion(header)).toEqual({ library: "other", version: "" });
});

test("versions sort by precedence, not by their characters", () => {
  const versions = [
    "0.9.0",
    "0.10.0-alpha",
    "0.10.0-alpha.1",
    "0.10.0-alpha.beta",
    "0.10.0-alphabet",
    "0.10.0-beta.2",
    "0.10.0-beta.11",
    "0.10.0-rc-1",
    "0.10.0",
    "0.10.1",
    "1.0.0",
    "9999.0.0",
  ];
  const shuffled = versions.toSorted((one, other) => (one < other ? -1 : 1));
  expect(shuffled).not.toEqual(versions);
  expect(shuffled.toSorted((one, other) => (versionSortKey(one) < versionSortKey(other) ? -1 : 1))).toEqual(versions);
});
