import { spawnSync } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { workspaceProgram } from "../packages/commands.ts";
import { installPacked, packPackages } from "../packages/pack.ts";
import { choosePublished, ROOT } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";

/** The runtime that AWS publishes, which npm compiles, and what routes requests to functions on a developer's machine. */
const RUNTIMES = ["aws-lambda-ric@4.0.2", "@netlify/dev@5.1.3", "vercel@60.1.3"];
const EXAMPLE = "examples/hono-app/src";

/** The example's handlers for functions, with the packed SDK, in the runtimes of their platforms. Vercel guesses a framework from the dependencies. */
export async function proveDeployedFunctions(): Promise<void> {
  if (spawnSync("cmake").error) return console.log(`SKIPPED: ${RUNTIMES.join(", ")}, because cmake is not installed`);
  await using scratch = await scratchFolder("functions");
  const packages = await packPackages(choosePublished(["sdk"]), join(scratch.path, "packed"));
  const folder = join(scratch.path, "application");
  await installPacked(folder, packages, ["hono@4", ...RUNTIMES]);
  await writeFile(join(folder, "package.json"), '{"type":"module","dependencies":{"hono":"4"}}');
  await cp(join(ROOT, EXAMPLE), join(folder, "src"), { recursive: true });
  const environment = { FUNCTIONS_FOLDER: folder, NO_COLOR: "1" };
  const tests = ["run", `${EXAMPLE}/deployments`, "--testNamePattern", "in the runtime"];
  const said = await workspaceProgram("vitest", tests, { environment });
  if (!/Tests +3 passed/.test(said)) throw new Error(`not every runtime has run the example: ${said}`);
  console.log("  functions: AWS Lambda, Netlify and Vercel run the example in their runtimes, and link an account");
}
