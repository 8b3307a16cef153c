import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { applyEdit, countedFiles, editedFiles } from "./edits.ts";
import { fillPage, PAGE, TRIALS } from "./recipes.ts";

const ROOT = new URL("../../", import.meta.url);

function read(file: string): string | null {
  const path = new URL(file, ROOT);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

test.each(TRIALS.map(({ recipe }) => recipe))(
  "the recipe $name applies to the code and touches few files",
  (recipe) => {
    const texts = editedFiles(recipe, read);
    for (const [file, text] of texts) expect(text).not.toBe(read(file));
    expect(countedFiles(recipe).length).toBeLessThanOrEqual(recipe.mostFiles);
  },
);

test("the recipes page lists the files of each recipe: `pnpm recipes --write` writes them", () => {
  const page = readFileSync(PAGE, "utf8");
  expect(page).toBe(fillPage(page));
});

test("no code outside a provider's folders and the tests compares with its name", () => {
  const files = execFileSync("git", ["ls-files", "-z", "apps", "packages", "examples"], { cwd: ROOT, encoding: "utf8" })
    .split("\0")
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/(_generated|cases|provider-[a-z])\//.test(file));
  const comparing = files.filter((file) => /[!=]== "(PROVIDER_[A-Z]|provider-[a-z])"/.test(read(file) ?? ""));
  expect(files.length).toBeGreaterThan(500);
  expect(comparing).toEqual([]);
});

test.each([
  ["nothing here", 0],
  ["one", 2],
])("an anchor that %j does not identify one line is an error", (anchor, lines) => {
  const edit = { step: "x", file: "x.ts", after: anchor, insert: "y" };
  expect(() => applyEdit("one\none two\n", edit)).toThrow(`${lines} lines contain the anchor`);
});

test("inserts after, before and in a line", () => {
  const at = { step: "x", file: "x.ts" };
  expect(applyEdit("a\nb\n", { ...at, after: "a", insert: "c" })).toBe("a\nc\nb\n");
  expect(applyEdit("a\nb\n", { ...at, before: "b", insert: "c" })).toBe("a\nc\nb\n");
  expect(applyEdit("a b\n", { ...at, replace: "b", by: "$&" })).toBe("a $&\n");
});
