import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkLinks } from "./checkLinks.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "social-connect-links-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function site(files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return checkLinks(folder, "/docs/");
}

test("accepts links to pages, folders and anchors below the base path", () => {
  const { pages, links, problems } = site({
    "index.html": '<a href="/docs/a/b.html#one">b</a> <a href="/docs/a/">a</a> <a href="#top">top</a><p id="top">',
    "a/index.html": '<a href="../">home</a><a href="https://example.com/">elsewhere</a>',
    "a/b.html": '<h2 id="one">One</h2><img src="/docs/x.png">',
    "x.png": "",
  });
  expect({ pages, links, problems }).toEqual({ pages: 3, links: 6, problems: [] });
});

test.each([
  ['<a href="/docs/missing.html">', "does not exist"],
  ['<a href="/docs/index.html#missing">', "has no such anchor"],
  ['<a href="/index.html">', "leaves the site"],
  ['<script src="https://example.com/a.js">', "loads https://example.com/a.js"],
  ['<img alt="a" src="//example.com/a.png">', "loads //example.com/a.png"],
])("reports %s", (html, problem) => {
  expect(site({ "index.html": html }).problems).toEqual([expect.stringContaining(problem)]);
});

test("reports styles of another host, and a missing page of llms.txt", () => {
  const { problems } = site({
    "index.html": "",
    "a.css": "@font-face { src: url(https://example.com/a.woff2) }",
    "llms.txt": "- [A](/docs/a.md)",
  });
  expect(problems).toEqual([expect.stringContaining("a.css"), "llms.txt: /docs/a.md does not exist"]);
});
