import { expect, test } from "vitest";
import { blocksOf, readPages } from "./pages.ts";

test("the marked blocks of a page are read, without the indentation of a list", () => {
  const list = "1. Text\n\n   <!-- live: one -->\n   ```sh\n   a\n     b\n   ```\n";
  const other = "```sh\nnot marked\n```\n<!-- live: two.env -->\n```js\nc\n```\n";
  expect(blocksOf(list + other)).toEqual([
    ["one", "a\n  b\n"],
    ["two.env", "c\n"],
  ]);
});

test("a block that is missing or never run is reported", async () => {
  const pages = await readPages();
  expect(() => pages.block("no such block")).toThrow("no page has the block no such block");
  expect(() => pages.requireAllUsed()).toThrow("these marked blocks were not run: install, secrets");
});

/** Settings and a program; a line for each of several terminals. */
const OTHER = ["live.env", "issuer.mjs", "issuer", "start", "start-with-metrics", "prometheus.yml"];

test("a block of several commands stops at the first failed command", async () => {
  const pages = await readPages();
  const isChained = (text: string) => {
    const lines = text.trim().replaceAll("\\\n", "").split("\n");
    return text.startsWith("(\n  set -e") || lines.slice(0, -1).every((line) => line.endsWith("&&"));
  };
  const loose = pages.names.filter((name) => !OTHER.includes(name) && !isChained(pages.block(name)));
  expect(loose).toEqual([]);
});

test("examples are replaced by values of this machine, in order", async () => {
  const pages = await readPages();
  pages.replacements.push(["https://connect.example.com", "https://localhost:9"], [/\b4401\b/g, "9401"]);
  expect(pages.block("live.env")).toContain("\nPUBLIC_URL=https://localhost:9\n");
  expect(pages.lines("start")[1]).toBe("PORT=9401 social-connect start --role api >> api.log");
});

test("the page of each provider has the addresses to register there", async () => {
  const pages = await readPages();
  expect([...pages.addresses("provider-c", "https://x")]).toEqual([
    ["Redirect URL", "https://x/api/connect/callback/provider-c"],
    ["Deauthorize callback", "https://x/api/connect/deauthorize/provider-c"],
    ["Data deletion request URL", "https://x/api/connect/provider-c/data-deletion"],
  ]);
});
