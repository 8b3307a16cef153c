/**
 * Changes the public address of the repository everywhere: in package.json, which the published manifests take it from,
 * and in the links of the packages' READMEs.
 *
 *     pnpm release repository https://git.example.com/owner/name
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, repositoryOf } from "../packages/publishedPackages.ts";

const [wanted = ""] = process.argv.slice(2);
const next = wanted.replace(/(?:\.git)?\/?$/, "");
if (!/^https:\/\/[^/\s]+\/\S+$/.test(next)) {
  console.error("Pass the https address of the public repository, for example https://git.example.com/owner/name.");
  process.exitCode = 64;
} else {
  const current = repositoryOf(ROOT);
  const list = ["grep", "-lz", "--untracked", "--fixed-strings", current, "--", "*.md", "package.json"];
  const files = execFileSync("git", list, { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);
  for (const file of files) {
    const path = join(ROOT, file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(current, next));
    console.log(`wrote ${file}`);
  }
}
