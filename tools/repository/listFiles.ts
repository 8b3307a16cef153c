import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The files that git tracks or would add: all of them, or those of these paths. By their paths from the root, with forward slashes. */
export function listFiles(root: string, ...paths: readonly string[]): string[] {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z", "--", ...paths];
  const listed = execFileSync("git", list, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 25 });
  // A deleted file may still be in git's index.
  return listed.split("\0").filter((file) => file !== "" && existsSync(join(root, file)));
}
