import { refuseBrowsers } from "@social-connect/sdk-core";
import { describe, expect, it } from "vitest";

const BELONGS = "This key belongs on a server";

describe("the package", () => {
  const browser = { userAgent: "Mozilla/5.0 (X11; Linux x86_64)" };
  const node = { versions: { node: "24.0.0" } };

  it.each([
    ["a page", { window: {}, document: {}, navigator: browser }],
    ["a worker of a browser", { importScripts: () => undefined, navigator: browser }],
    ["a mobile app", { navigator: { product: "ReactNative" } }],
    ["a worker of a desktop application", { process: { ...node, type: "worker" } }],
    ["the window of a desktop application", { window: {}, document: {}, process: { ...node, type: "renderer" } }],
  ])("refuses to run in %s", (_, surroundings) => {
    expect(() => refuseBrowsers(surroundings)).toThrow(BELONGS);
  });

  it.each([
    ["Node", { process: node, navigator: { userAgent: "Node.js/24" } }],
    ["a test that adds a document to Node", { window: {}, document: {}, process: node, navigator: browser }],
    [
      "a worker of an edge platform with a document",
      { window: {}, document: {}, navigator: { userAgent: "Cloudflare-Workers" } },
    ],
    ["a test that adds a document to Deno", { window: {}, document: {}, navigator: { userAgent: "Deno/2.0.0" } }],
    ["the main process of a desktop application", { process: { ...node, type: "browser" } }],
    ["Deno", { window: {}, navigator: { userAgent: "Deno/2.0.0" } }],
    ["Bun", { process: node, navigator: { userAgent: "Bun/1.2" } }],
    ["a worker of an edge platform", { navigator: { userAgent: "Cloudflare-Workers" } }],
    ["this very process", globalThis],
  ])("runs in %s", (_, surroundings) => {
    expect(() => refuseBrowsers(surroundings)).not.toThrow();
  });
});
