import { expect, test } from "vitest";
import { rewritePage } from "./rewritePage.ts";

const PLACES: Readonly<Record<string, string>> = {
  "docs/how-to/show-posts.md": "how-to/show-posts.md",
  "packages/sdk/README.md": "packages/sdk.md",
  "docs/images/a.png": "images/a.png",
  "docs/images/b.png": "images/b.png",
};

function rewrite(markdown: string, external: (path: string) => string | null = () => null): string {
  const locate = (path: string) => PLACES[path] ?? null;
  return rewritePage(markdown, { source: "docs/how-to/x.md", route: "how-to/x.md", locate, external });
}

test("links to pages lead to their place in the site, with the anchor", () => {
  expect(rewrite("[a](show-posts.md#metrics), [b](../../packages/sdk/README.md), [c](#here)")).toBe(
    "[a](./show-posts.md#metrics), [b](../packages/sdk.md), [c](#here)",
  );
});

test("links to other hosts are unchanged", () => {
  expect(rewrite("[a](https://example.com/x.md)")).toBe("[a](https://example.com/x.md)");
});

test("a link to code is text without an address of the repository, and a link with one", () => {
  expect(rewrite("see [`a.ts`](../../a.ts).")).toBe("see `a.ts`.");
  expect(rewrite("see [`a.ts`](../../a.ts).", (path) => `https://code.example/${path}`)).toBe(
    "see [`a.ts`](https://code.example/a.ts).",
  );
});

test("code is unchanged: fenced, indented, inline and in comments", () => {
  const code = [
    "```md\n[a](show-posts.md) <b> {{ c }}\n```",
    "Run\n\n    curl <id> [a](show-posts.md)\n    {{ c }}\n\nthen",
    "`[a](show-posts.md) <b> {{ c }}`",
    "<!-- snippet: [a](show-posts.md) -->",
  ];
  for (const markdown of code) expect(rewrite(markdown)).toBe(markdown);
});

test("inline code is on one line, so that an angle bracket never starts a line", () => {
  expect(rewrite("Run `erase\n  <id>` first")).toBe("Run `erase <id>` first");
});

test("text that Vue would interpret is escaped", () => {
  expect(rewrite("Promise<Page> and {{ value }}, a<br>b")).toBe("Promise&lt;Page> and &#123;&#123; value }}, a<br>b");
});

test("a picture for two color schemes becomes one image for each", () => {
  const picture = [
    "<picture>",
    '  <source media="(prefers-color-scheme: dark)" srcset="../images/b.png">',
    '  <img src="../images/a.png" alt="An account">',
    "</picture>",
  ].join("\n");
  expect(rewrite(picture)).toBe(
    '<img class="in-light" src="../images/a.png" alt="An account"><img class="in-dark" src="../images/b.png" alt="An account">',
  );
});
