/**
 * Compiles and runs real consumers of the packed packages, in a folder outside of the workspace: each kind of module and
 * resolution with each TypeScript, under every Node that is promised, Bun, Deno and in a worker, in ts-jest, in bundles for
 * browsers, and the service.
 *
 *     pnpm consumers --all                 all of this, with each compiler, Node and bundler
 *     pnpm consumers [NAME …]              the consumers of these packages, or of all
 *     pnpm consumers packages [NAME …]     contents, manifests and types of the tarballs
 *     pnpm consumers next                  an application of Next.js; --all: also in development, with cached components, and the template's
 *     pnpm consumers functions             the example on AWS Lambda, Netlify and Vercel, in their runtimes
 *     pnpm consumers samples               the samples of the documentation
 *     pnpm consumers templates [NAME …]    the applications of the templates, by the commands of the tutorial; --all: on each Node
 */
import { parseArgs } from "node:util";
import { proveInstalled } from "../consumers/consumers.ts";
import { proveDeployedFunctions } from "../consumers/deployedFunctions.ts";
import { proveNextApplication } from "../consumers/nextApplication.ts";
import { checkPackages } from "../packages/checkPackages.ts";
import { CommandError } from "../packages/commands.ts";
import { checkSamples } from "../samples/checkSamples.ts";
import { checkTemplates } from "../templates/checkTemplates.ts";

/** What is proved on its own, by name; see the file of each for its parameters. */
const PARTS: Readonly<Record<string, (parameters: readonly string[]) => Promise<void>>> = {
  packages: checkPackages,
  next: proveNextApplication,
  functions: proveDeployedFunctions,
  samples: checkSamples,
  templates: checkTemplates,
};

async function prove(parameters: readonly string[]): Promise<void> {
  const [first = "", ...rest] = parameters;
  if (Object.hasOwn(PARTS, first)) return PARTS[first]?.(rest);
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { all: { type: "boolean", default: false } },
  });
  await proveInstalled(positionals);
  if (values.all) for (const part of Object.values(PARTS)) await part([]);
}

prove(process.argv.slice(2)).catch((error: Error) => {
  console.error(error instanceof CommandError ? error.message : error);
  process.exitCode = 1;
});
