import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isStillTrue, overBudget, sizesReport } from "./bundleSizes.ts";
import { llmsText, pagesOf } from "./llmsText.ts";

const SIZE = { package: "@social-connect/thing", what: "everything", minifiedBytes: 50_000, brotliBytes: 14_000 };

test("reports a bundle above its budget, and accepts one at its budget", () => {
  const [over, at] = [20_001, 20_000].map((gzipBytes) => ({ ...SIZE, gzipBytes, mostGzipBytes: 20_000 }));
  expect(overBudget([over, at].filter((size) => size !== undefined))).toEqual([
    "@social-connect/thing (everything) has 20001 bytes, and its budget is 20000: make it smaller, or give it a new budget with 5 % of room in tools/reports/bundleSizes.ts, and the reason there",
  ]);
});

test("accepts committed sizes within the tolerance only", () => {
  const report = (gzipBytes: number) => sizesReport([{ ...SIZE, gzipBytes, mostGzipBytes: 20_000 }]).text;
  expect(isStillTrue(report(15_000), report(15_150))).toBe(true);
  expect(isStillTrue(report(15_000), report(16_000))).toBe(false);
  expect(isStillTrue(report(15_000), report(15_000).replace("everything", "nothing"))).toBe(false);
  expect(isStillTrue("", report(15_000))).toBe(false);
});

test("finds pages in lists and tables, with their descriptions", () => {
  const index = [
    "# Guides",
    "Read [this](elsewhere.md) first.",
    "1. [Quick start](quick-start.md): everything running,",
    "   and a [tour](x.md)",
    "- [Sealed cursors](sealed-cursors.md)",
    "| [NOT_FOUND](NOT_FOUND.md) | it does not exist |",
    "| Code | In short |",
  ].join("\n");
  expect(pagesOf("docs/how-to/README.md", index)).toEqual([
    {
      title: "Quick start",
      path: "docs/how-to/quick-start.md",
      description: "everything running, and a tour",
    },
    { title: "Sealed cursors", path: "docs/how-to/sealed-cursors.md", description: "" },
    { title: "NOT_FOUND", path: "docs/how-to/NOT_FOUND.md", description: "it does not exist" },
  ]);
});

test("llms.txt has a title, a summary, and links under each heading", () => {
  const { text } = llmsText(
    (path) => (path === "README.md" ? "# X\n\nOne\nline.\n\nMore." : "- [Page](page.md): about it\n"),
    [{ title: "@social-connect/thing", path: "packages/thing/README.md", description: "A thing" }],
  );
  expect(text).toMatch(/^# Social Connect\n\n> One line\.\n\n/);
  expect(text).toContain("## Packages\n\n- [@social-connect/thing](packages/thing/README.md): A thing\n");
  expect(text).toContain("\n## How-to guides\n\n- [Page](docs/how-to/page.md): about it\n");
});

test.each(["sdk", "admin-sdk"])("the page of %s shows the members of types that the bundler renamed", (name) => {
  const page = readFileSync(new URL(`../../docs/reference/packages/${name}.md`, import.meta.url), "utf8");
  expect(page).not.toMatch(/^type .*\$\d/m);
  expect(page).toMatch(/^interface ResponseEvent extends RequestEvent \{\n.*\n {2}readonly durationMs: number;/m);
});
