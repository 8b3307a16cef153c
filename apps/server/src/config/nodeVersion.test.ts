import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nodeVersionProblem, OLDEST_NODE } from "./nodeVersion.ts";

test("reports the current and the required version on an old Node", () => {
  expect(nodeVersionProblem("20.20.2")).toBe(
    `this is Node 20.20.2, and the service needs Node ${OLDEST_NODE} or newer`,
  );
  expect(nodeVersionProblem("22.11.0")).not.toBeNull();
  for (const version of ["22.12.0", "22.23.3", "24.0.0", "26.10.0"]) expect(nodeVersionProblem(version)).toBeNull();
});

test("the published package requires the same Node as the program", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(manifest.publishConfig.engines.node).toBe(`>=${OLDEST_NODE}`);
});
