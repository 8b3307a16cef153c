import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as server from "./index.ts";

it("throws with the reason when it is loaded in a browser's bundle", async () => {
  await expect(import("./_generated/browser.ts")).rejects.toMatchObject({
    name: "ConfigurationError",
    message: expect.stringContaining("belongs on a server"),
  });
});

it("the browser bundle exports every name of the package, so that a bundler resolves all imports", () => {
  const source = readFileSync(new URL("_generated/browser.ts", import.meta.url), "utf8");
  const names = [...source.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(Object.keys(server).toSorted());
});
