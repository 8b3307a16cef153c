/** Runs the rules of architecture.ts over every source file of the workspace. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkArchitecture } from "./architecture.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** What git knows or would take up: neither builds nor installed packages. */
const listed = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "*.ts", "*.tsx"],
  {
    cwd: ROOT,
    encoding: "utf8",
  },
);
const files = [...new Set(listed.split("\0"))]
  .filter(
    (path) =>
      path !== "" &&
      !path.endsWith(".d.ts") &&
      !/(?:^|\/)(?:tsup|codegen|prisma)\.config\.ts$|\/codegen\.ts$/.test(path),
  )
  .flatMap((path) => {
    try {
      return [{ path, text: readFileSync(`${ROOT}/${path}`, "utf8") }];
    } catch {
      // Deleted, and not yet told to git.
      return [];
    }
  });
const violations = checkArchitecture(files);
for (const { path, line, message } of violations) console.error(`${path}:${line}  ${message}`);
if (violations.length > 0) process.exitCode = 1;
else console.log(`${files.length} files keep to who may import whom`);
