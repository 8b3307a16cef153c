import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { launchBrowser, sampled } from "@social-connect/testkit";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const BELONGS = "This key belongs on a server";
const PACKAGES: readonly (readonly [name: string, entry: string, shown: string])[] = [
  ["sdk", "./index.ts", BELONGS],
  ["admin-sdk", "../../admin-sdk/src/index.ts", BELONGS],
  // The control: what holds no key loads.
  ["contract", "../../contract/src/index.ts", "loaded"],
];
let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

const IMPORT = 'import("/bundle.js").then(() => show("loaded"), (error) => show(error.message));';
const COPY = '{ versions: { node: "24.0.0" }, [Symbol.toStringTag]: "process" }';

/** A page that loads a bundle in itself, in a worker or in a module worker, and shows what happened. */
const PAGES = {
  page: IMPORT,
  "page with a copy of Node's process": `globalThis.process = ${COPY}; ${IMPORT}`,
  worker: 'const worker = new Worker("/script.js");',
  "module worker": 'const worker = new Worker("/bundle.js", { type: "module" });',
  "worker with a copy of Node's process": 'const worker = new Worker("/copy.js");',
};
const LISTEN = `
  if (typeof worker !== "undefined") {
    worker.onmessage = () => show("loaded");
    worker.onerror = (event) => show(event.message);
  }`;

async function bundleFor(entry: string, format: "esm" | "iife"): Promise<string> {
  const code = `import * as sdk from ${JSON.stringify(fileURLToPath(new URL(entry, import.meta.url)))};
globalThis.postMessage?.(Object.keys(sdk).length, { targetOrigin: "*" });`;
  const stdin = { contents: code, resolveDir: fileURLToPath(new URL(".", import.meta.url)) };
  const conditions = ["@social-connect/source", "browser"];
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format, platform: "browser", conditions });
  return outputFiles[0]?.text ?? "";
}

describe.each(PACKAGES)("%s", (_, entry, shown) => {
  const pages = sampled(Object.entries(PAGES), entry, 2);
  it.each(pages)("loads or refuses to load in a %s of a browser", async (__, script) => {
    const [bundle, iife] = await Promise.all([bundleFor(entry, "esm"), bundleFor(entry, "iife")]);
    const page = `<p></p><script type="module">
      const show = (text) => { document.querySelector("p").textContent = text; };
      ${script}${LISTEN}</script>`;
    const files: Readonly<Record<string, string>> = {
      "/bundle.js": bundle,
      "/script.js": iife,
      "/copy.js": `self.process = ${COPY};${iife}`,
    };
    const { url, close } = await listening(
      createServer(({ url: path = "" }, response) => {
        response.setHeader("content-type", path in files ? "text/javascript" : "text/html");
        response.end(files[path] ?? page);
      }),
    );
    onTestFinished(close);
    const tab = await browser.newPage();
    await tab.goto(url);
    await tab.locator("p:not(:empty)").waitFor({ state: "attached" });
    expect(await tab.locator("p").textContent()).toContain(shown);
    await tab.close();
  });
});
