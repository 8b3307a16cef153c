import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Change {
  readonly size: "major" | "minor" | "patch";
  readonly packages: readonly string[];
  readonly text: string;
}

const SIZES = ["major", "minor", "patch"] as const;
const TITLES = { major: "Breaking changes", minor: "New", patch: "Fixed" };

/** The page of changes: what the changesets announce for the next release, then the change log of each package. */
export function changelogPage(root: string): string {
  const lines = [
    "# Changelog",
    "",
    "All packages share one version number and are released together. See",
    "[deprecation and support](docs/reference/deprecation-and-support.md) for what a version number promises.",
    "",
    "## Unreleased",
  ];
  const changes = readChangesets(root);
  if (changes.length === 0) lines.push("", "Nothing yet.");
  for (const size of SIZES) {
    const ofSize = changes.filter((change) => change.size === size);
    if (ofSize.length === 0) continue;
    lines.push("", `### ${TITLES[size]}`, "", ...ofSize.map(listItem));
  }
  for (const { name, text } of readChangelogs(root)) {
    const released = text
      .replace(/^# .*\n/, "")
      .replaceAll(/^(#+) /gm, "#$1 ")
      .trim();
    lines.push("", `## ${name}`, "", released);
  }
  return `${lines.join("\n")}\n`;
}

function listItem({ text, packages }: Change): string {
  const names = packages.map((name) => `\`${name.replace("@social-connect/", "")}\``).join(", ");
  return `- ${text.trim().replaceAll(/\n+/g, "\n  ")} (${names})`;
}

function readChangesets(root: string): readonly Change[] {
  return globSync(".changeset/*.md", { cwd: root })
    .filter((path) => !path.endsWith("README.md"))
    .toSorted()
    .map((path) => parseChangeset(readFileSync(join(root, path), "utf8")));
}

/** The front matter of a changeset names packages and the size of their change. */
export function parseChangeset(source: string): Change {
  const [, head = "", text = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source.replaceAll("\r\n", "\n")) ?? [];
  const bumps = [...head.matchAll(/^["']?([^"':]+)["']?:\s*(major|minor|patch)$/gm)];
  const size = SIZES.find((each) => bumps.some(([, , bump]) => bump === each)) ?? "patch";
  return { size, packages: bumps.map(([, name = ""]) => name), text };
}

/** Before the first release there is nothing that a reader could have and lack. */
export function hasReleases(root: string): boolean {
  return readChangelogs(root).length > 0;
}

function readChangelogs(root: string): readonly { readonly name: string; readonly text: string }[] {
  return globSync("{packages,apps}/*/CHANGELOG.md", { cwd: root })
    .toSorted()
    .map((path) => {
      const manifest = join(root, path, "../package.json");
      const name = existsSync(manifest) ? String(JSON.parse(readFileSync(manifest, "utf8")).name) : path;
      return { name, text: readFileSync(join(root, path), "utf8") };
    });
}
