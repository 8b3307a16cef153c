import { refuseBrowsers } from "@social-connect/sdk-core";
import { describe, expect, it } from "vitest";

const BELONGS = "This key belongs on a server";

describe("the package", () => {
  const browser = { userAgent: "Mozilla/5.0 (X11; Linux x86_64)" };
  const shim = { versions: { node: "24.0.0" } };
  const node = { ...shim, [Symbol.toStringTag]: "process" };
  const ownDocument = { constructor: { toString: () => "function HTMLDocument() { [native code] }" } };
  const simulatedDocument = { constructor: class Document {} };
  const desktop = { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Electron/38.0.0" };
  const importScripts = () => undefined;

  it.each([
    ["a page", { document: ownDocument, navigator: browser }],
    ["a page with copies of Node's globals", { document: ownDocument, process: shim, navigator: browser }],
    ["a page with a copy that calls itself a process", { document: ownDocument, process: node, navigator: browser }],
    ["a simulated page with a copy", { document: simulatedDocument, process: shim, navigator: browser }],
    ["a worker of a browser", { importScripts, navigator: browser }],
    ["a worker of a browser with copies of Node's globals", { importScripts, process: node, navigator: browser }],
    ["a service worker of a desktop application", { importScripts, process: node, navigator: desktop }],
    ["a service worker whose process has a type", { process: { ...node, type: "service-worker" }, navigator: desktop }],
    ["a window of a desktop application without a type", { document: ownDocument, process: node, navigator: desktop }],
    ["a mobile app", { navigator: { product: "ReactNative" } }],
    ["a worker of a desktop application", { process: { ...node, type: "worker" } }],
    ["the window of a desktop application", { document: ownDocument, process: { ...node, type: "renderer" } }],
  ])("refuses to run in %s", (_, surroundings) => {
    expect(() => refuseBrowsers(surroundings)).toThrow(BELONGS);
  });

  it.each([
    ["Node", { process: node, navigator: { userAgent: "Node.js/24" } }],
    ["a test that adds a document to Node", { document: simulatedDocument, process: node, navigator: browser }],
    ["a test that adds an object to Node", { document: {}, process: node, navigator: browser }],
    ["a worker of an edge platform with a document", { document: {}, navigator: { userAgent: "Cloudflare-Workers" } }],
    ["an edge runtime with a copy of a process", { process: shim, navigator: { userAgent: "Edge Runtime" } }],
    ["a test that adds a document to Deno", { document: simulatedDocument, navigator: { userAgent: "Deno/2.0.0" } }],
    ["the main process of a desktop application", { process: { ...node, type: "browser" } }],
    ["a utility process of a desktop application", { process: { ...node, type: "utility" } }],
    ["Deno", { navigator: { userAgent: "Deno/2.0.0" } }],
    ["Bun", { process: node, navigator: { userAgent: "Bun/1.2" } }],
    ["a worker of an edge platform", { navigator: { userAgent: "Cloudflare-Workers" } }],
    ["this very process", globalThis],
  ])("runs in %s", (_, surroundings) => {
    expect(() => refuseBrowsers(surroundings)).not.toThrow();
  });
});
