import { readFileSync } from "node:fs";
import { refuseBrowsers } from "@social-connect/sdk-core";
import { describe, expect, it } from "vitest";
import * as sdk from "./index.ts";

const BELONGS = "This key belongs on a server";

describe("in the bundle of a browser", () => {
  it("loading the package throws and names the reason", async () => {
    await expect(import("./_generated/browser.ts")).rejects.toMatchObject({
      name: "ConfigurationError",
      message: expect.stringContaining(BELONGS),
    });
  });

  it("exports every name of the package, so that a bundler resolves all imports", () => {
    const source = readFileSync(new URL("_generated/browser.ts", import.meta.url), "utf8");
    const names = [...source.matchAll(/^export const (\w+) = refuse\(\);$/gm)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(Object.keys(sdk).toSorted());
  });
});

describe("the client itself", () => {
  const browser = { userAgent: "Mozilla/5.0 (X11; Linux x86_64)" };
  const node = { versions: { node: "24.0.0" } };

  it.each([
    ["a page", { window: {}, document: {}, navigator: browser }],
    ["a worker of a browser", { importScripts: () => undefined, navigator: browser }],
    ["a mobile app", { navigator: { product: "ReactNative" } }],
    ["the window of a desktop application", { window: {}, document: {}, process: { ...node, type: "renderer" } }],
  ])("refuses to run in %s", (_, surroundings) => {
    expect(() => refuseBrowsers(surroundings)).toThrow(BELONGS);
  });

  it.each([
    ["Node", { process: node, navigator: { userAgent: "Node.js/24" } }],
    ["a test that adds a document to Node", { window: {}, document: {}, process: node, navigator: browser }],
    ["Deno", { window: {}, navigator: { userAgent: "Deno/2.0.0" } }],
    ["Bun", { process: node, navigator: { userAgent: "Bun/1.2" } }],
    ["a worker of an edge platform", { navigator: { userAgent: "Cloudflare-Workers" } }],
    ["this very process", globalThis],
  ])("runs in %s", (_, surroundings) => {
    expect(() => refuseBrowsers(surroundings)).not.toThrow();
  });
});
