import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listPublished, ROOT, repositoryOf } from "./publishedPackages.ts";
import { readmeProblems } from "./readmeLinks.ts";

const REPOSITORY = repositoryOf(ROOT);
const exists = (path: string) => existsSync(join(ROOT, path));

test.each(listPublished())("the README of $name is complete on a registry page", ({ folder }) => {
  const readme = readFileSync(join(ROOT, folder, "README.md"), "utf8");
  expect(readmeProblems(readme, REPOSITORY, exists)).toEqual([]);
});

test("finds links that need the files beside a README, and links to missing files", () => {
  const markdown = [
    "[a](../a.md) ![b](b.png) [c]: ./c",
    "[d]: d.md",
    `[e](${REPOSITORY}/blob/main/no/such.md#x) [f](${REPOSITORY}/blob/main/README.md#x) [g](#here)`,
    "`[h](h.md)`",
    "```md\n[i](i.md)\n```",
    '<img src="j.png">',
  ].join("\n");
  const found = readmeProblems(markdown, REPOSITORY, exists).map((problem) => problem.match(/links to ([^,]+)/)?.[1]);
  expect(found.toSorted()).toEqual(["../a.md", "b.png", "d.md", "j.png", "no/such.md"]);
});
