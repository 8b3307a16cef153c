import { expect, test } from "vitest";
import { checkArchitecture } from "./architecture.ts";

function messages(path: string, text: string): string[] {
  return checkArchitecture([{ path, text }]).map(({ message }) => message);
}

test.each([
  ["apps/server/src/graphql/consumer/status.ts", 'import { x } from "../../modules/status/readStatus.ts";'],
  ["apps/server/src/modules/connect/a.ts", 'import { x } from "../connections/readConnection.ts";'],
  ["apps/server/src/modules/connect/a.ts", 'import { x } from "./store.ts";'],
  ["apps/server/src/modules/connect/a.ts", 'import type { ProviderAdapter } from "../../providers/contract.ts";'],
  ["apps/server/src/providers/provider-a/adapter.ts", 'import { x } from "../../platform/egress.ts";'],
  ["packages/domain/src/a.ts", 'import { LIMITS } from "@social-connect/contract";'],
  ["examples/demo/src/main.ts", 'import { SocialConnect } from "@social-connect/sdk";'],
  ["packages/domain/src/a.test.ts", 'import fc from "fast-check";'],
  ["apps/server/src/main.ts", 'import { x } from "./jobs/worker.ts";'],
])("%s may write %s", (path, text) => {
  expect(messages(path, text)).toEqual([]);
});

test.each([
  [
    "apps/server/src/modules/connect/a.ts",
    'import { x } from "../../graphql/consumer/builder.ts";',
    /must not import graphql/,
  ],
  ["apps/server/src/modules/connect/a.ts", 'import { x } from "../../http/server.ts";', /must not import http/],
  ["apps/server/src/modules/connect/a.ts", 'import { x } from "../connections/store.ts";', /store of connections/],
  [
    "apps/server/src/modules/connect/a.ts",
    'import { x } from "../../providers/provider-a/adapter.ts";',
    /must not know provider-a/,
  ],
  ["apps/server/src/modules/connect/a.ts", 'const x = await import("../../jobs/worker.ts");', /must not import jobs/],
  [
    "apps/server/src/graphql/consumer/a.ts",
    'import { x } from "../../providers/registry.ts";',
    /must not import providers/,
  ],
  [
    "apps/server/src/providers/provider-a/a.ts",
    'import { x } from "../provider-b/a.ts";',
    /must not import provider-b/,
  ],
  [
    "apps/server/src/providers/provider-a/a.ts",
    'import { x } from "../../modules/service.ts";',
    /must not import modules/,
  ],
  [
    "apps/server/src/providers/provider-a/a.ts",
    'import { x } from "../../_generated/prisma/client.ts";',
    /must not import generated/,
  ],
  ["packages/domain/src/a.ts", 'import { z } from "zod";', /domain is pure/],
  ["packages/domain/src/a.ts", 'import { readFile } from "node:fs/promises";', /domain is pure/],
  ["packages/sdk/src/a.ts", 'import { x } from "@social-connect/domain";', /must not import domain/],
  ["packages/testkit/src/a.ts", 'export { x } from "../../../apps/server/src/main.ts";', /must not import composition/],
  ["examples/demo/src/a.ts", 'import {\n  x,\n} from "@social-connect/simulator";', /must not import simulator/],
  ["apps/elsewhere/src/a.ts", "", /no rule says/],
])("%s must not write %s", (path, text, message) => {
  expect(messages(path, text)).toEqual([expect.stringMatching(message)]);
});

test("modules, jobs, schema and rules look at no clock of their own", () => {
  for (const path of ["apps/server/src/modules/a/b.ts", "apps/server/src/jobs/a.ts", "packages/domain/src/a.ts"]) {
    expect(messages(path, "const now = Date.now();")).toEqual(["time comes from the clock that is passed in"]);
    expect(messages(path, "const now = new Date();")).toEqual(["time comes from the clock that is passed in"]);
    expect(messages(path, "const then = new Date(moment); // not new Date()")).toEqual([]);
  }
  expect(messages("apps/server/src/platform/clock.ts", "const now = Date.now();")).toEqual([]);
  expect(messages("apps/server/src/modules/a/b.test.ts", "const now = Date.now();")).toEqual([]);
});

test("a violation names its line", () => {
  const text = 'import { a } from "./a.ts";\n\nimport {\n  x,\n} from "../../http/server.ts";';
  expect(checkArchitecture([{ path: "apps/server/src/modules/connect/b.ts", text }])).toMatchObject([{ line: 5 }]);
});
