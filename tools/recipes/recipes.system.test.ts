import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listFiles } from "../repository/listFiles.ts";
import { filesOf, patchOf, RECIPES } from "./recipes.ts";

const ROOT = new URL("../../", import.meta.url);
const PAGE = new URL("docs/contributing/recipes.md", ROOT);

test.each(RECIPES)("the recipe $name applies to the code, touches few files, and its page lists them", (recipe) => {
  execFileSync("git", ["apply", "--check", "-C1", patchOf(recipe.name)], { cwd: ROOT });
  const files = filesOf(recipe);
  expect(files.length).toBeLessThanOrEqual(recipe.mostFiles);
  const region = new RegExp(`<!-- recipe: ${recipe.name} -->\n(.*?)<!-- /recipe -->`, "s");
  const [, text = ""] = region.exec(readFileSync(PAGE, "utf8")) ?? [];
  const listed = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+|\.env[\w.]*)`/g)].map(([, file]) => file);
  expect(listed.toSorted()).toEqual(files);
  expect(text).toContain(`\n${files.length} hand-written file`);
});

test("no code outside a provider's folders and the tests compares with its name", () => {
  const files = listFiles(fileURLToPath(ROOT), "apps", "packages", "examples").filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/(_generated|cases|provider-[a-z])\//.test(file),
  );
  const comparing = files.filter((file) =>
    /[!=]== "(PROVIDER_[A-Z]|provider-[a-z])"/.test(readFileSync(new URL(file, ROOT), "utf8")),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(comparing).toEqual([]);
});
