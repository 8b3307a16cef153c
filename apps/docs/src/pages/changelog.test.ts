import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { changelogPage, hasReleases, parseChangeset } from "./changelog.ts";

const roots: string[] = [];

function repository(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "social-connect-changelog-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

test("a changeset has the largest size of its packages", () => {
  expect(
    parseChangeset('---\n"@social-connect/sdk": patch\n"@social-connect/contract": minor\n---\n\nText.\n'),
  ).toEqual({
    size: "minor",
    packages: ["@social-connect/sdk", "@social-connect/contract"],
    text: "\nText.\n",
  });
});

test("unreleased changes are listed by their size, and releases by their package", () => {
  const root = repository({
    ".changeset/README.md": "# Changesets",
    ".changeset/a.md": '---\n"@social-connect/sdk": patch\n---\n\nA fix.\n',
    ".changeset/b.md": '---\n"@social-connect/sdk": major\n---\n\nA removal.\n',
    "packages/sdk/package.json": '{ "name": "@social-connect/sdk" }',
    "packages/sdk/CHANGELOG.md": "# @social-connect/sdk\n\n## 0.2.0\n\n### Minor Changes\n\n- A field.\n",
  });
  expect(hasReleases(root)).toBe(true);
  expect(hasReleases(repository({ ".changeset/a.md": "" }))).toBe(false);
  const page = changelogPage(root);
  expect(page).toContain("### Breaking changes\n\n- A removal. (`sdk`)\n\n### Fixed\n\n- A fix. (`sdk`)\n");
  expect(page).toContain("\n## @social-connect/sdk\n\n### 0.2.0\n\n#### Minor Changes\n\n- A field.\n");
  expect(page).not.toContain("# Changesets");
});
