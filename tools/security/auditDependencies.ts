/** `pnpm check dependencies`: fails for a vulnerability of what is installed that is high or critical. */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ALLOWED_ADVISORIES } from "./allowedAdvisories.ts";
import { readAudit } from "./audit.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PATIENCE_MS = 60_000;

const { stdout, stderr } = spawnSync("pnpm", ["audit", "--json"], {
  cwd: ROOT,
  encoding: "utf8",
  timeout: PATIENCE_MS,
});
const result = readAudit(stdout || stderr || "", ALLOWED_ADVISORIES, new Date());
if (result.outcome === "not asked") {
  console.log(`NOT AUDITED: the registry did not answer the audit of dependencies (${result.why}).`);
  console.log("Before a release, run `pnpm check dependencies` with a registry that supports audits.");
} else {
  console.log(`${result.advisories.length} known vulnerabilities, ${result.problems.length} problems`);
  for (const problem of result.problems) console.error(`  ${problem}`);
  if (result.problems.length > 0) process.exitCode = 1;
}
