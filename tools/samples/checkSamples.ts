/**
 * Takes each sample of the documentation literally, with the packed packages in an empty folder: type-checks the code, searches
 * the commands in the programs' own help, and runs the page for other languages. It finds the samples in the pages.
 *
 *     pnpm consumers samples
 */
import { join } from "node:path";
import { CONSUMER_TYPES, installPacked } from "../consumers/workspace.ts";
import { packPackages } from "../packages/pack.ts";
import { listPublished } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";
import { checkCommands } from "./commands.ts";
import { IN_A_SHELL, packAndInstall, runInShell } from "./inShell.ts";
import { COMPLETE, isTypeScript, listSamples } from "./samples.ts";
import { typeCheck } from "./typeCheck.ts";

export async function checkSamples(): Promise<void> {
  await using folder = await scratchFolder("samples");
  const packages = await packPackages(listPublished(), join(folder.path, "packed"));
  const place = join(folder.path, "reader");
  await installPacked(place, packages, CONSUMER_TYPES);
  const samples = listSamples();
  const code = samples.filter(isTypeScript);
  const problems = [...(await typeCheck(place, code, COMPLETE)), ...(await checkCommands(place, samples))];
  for (const { sample, text } of problems) console.error(`${sample.page}:${sample.line}: ${text}`);
  if (problems.length > 0) throw new Error(`${problems.length} problems in samples`);
  console.log(`  ${code.length} samples of code type-check, and every command and option exists`);
  await runInShell(place, samples);
  console.log(`  ${IN_A_SHELL} links an account, reads its posts and disconnects, in a shell and Python`);
  await packAndInstall(join(folder.path, "before-release"), samples);
}
