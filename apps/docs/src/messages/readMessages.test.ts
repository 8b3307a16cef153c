import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { listMessages } from "./messagePages.ts";

const root = mkdtempSync(join(tmpdir(), "social-connect-messages-"));
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

test("finds what a source refuses with, and the page of its code or place", () => {
  write("docs/reference/errors/CONFLICT.md", "# CONFLICT\n");
  write("docs/reference/errors/NOT_FOUND.md", "# NOT_FOUND\n");
  write(
    "apps/shop/messagePages.json",
    '{ "errors": { "src/": "how-to/shop" }, "sentences": { "src/rules/": "how-to/rules" } }',
  );
  write(
    "apps/shop/src/sell.ts",
    `const BUSY = conflict("ROW_BUSY", "Another sale is in progress.");
     const NAME = \`the shop \${name} is closed\`;
     export const a = refuse("NOT_FOUND", "No such shop here.");
     export const b = { ...BUSY, message: "The price was changed meanwhile." };
     export const c = () => { throw new UsageError(open ? NAME : "the shop is open"); };
     export const d = new NotFoundError("There is no such price.");
     export const e = "No message, because no rule has it.";`,
  );
  write(
    "apps/shop/src/rules/price.ts",
    `export const price = (n: number) => (n > 1 ? null : \`A price is \${n} or more.\`);`,
  );
  write("apps/shop/src/rules/audit.ts", 'export const entry = "Changed the price of a shop.";');
  write("apps/shop/src/rules/price.test.ts", 'export const title = "A test has no messages.";');
  write("apps/other/src/other.ts", 'throw new UsageError("no page explains this project");');

  const found = listMessages(root).map(({ text, page }) => `${page}: ${text}`);
  expect(found.toSorted()).toEqual([
    "how-to/rules: A price is … or more.",
    "how-to/shop: the shop is open",
    "how-to/shop: the shop … is closed",
    "reference/errors/CONFLICT: Another sale is in progress.",
    "reference/errors/CONFLICT: The price was changed meanwhile.",
    "reference/errors/NOT_FOUND: No such shop here.",
    "reference/errors/NOT_FOUND: There is no such price.",
  ]);
});
