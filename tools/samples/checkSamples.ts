/**
 * Takes each sample of the documentation literally, with the packed packages in an empty folder: type-checks the code, searches
 * the commands in the programs' own help, and runs the page for other languages. It finds the samples in the pages.
 *
 *     pnpm consumers samples
 */
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reservePort } from "../../packages/testkit/src/ports.ts";
import { npm, run } from "../packages/commands.ts";
import { CONSUMER_TYPES, installPacked, packPackages } from "../packages/pack.ts";
import { listPublished, ROOT } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";
import { checkCommands } from "./commands.ts";
import { COMPLETE, isTypeScript, listSamples, type Sample } from "./samples.ts";
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

const IN_A_SHELL = "docs/how-to/other-languages.md";
const SHELL_TIMEOUT_MS = 120_000;
/** A reader sees when the program is ready. */
const UNTIL_READY = "\nuntil [ -s mock.json ]; do sleep 0.2; done\n";
/** A call of the page's function. */
const READ_POSTS = `
import os
print(json.dumps(list(posts(os.environ["url"], os.environ["key"], json.loads(os.environ["scope"]), os.environ["connection"]))))
`;

/** Runs the page's blocks in order, as a reader types them, with another port; the posts are read before the disconnect. */
async function runInShell(folder: string, samples: readonly Sample[]): Promise<void> {
  const port = String(await reservePort());
  const blocks = samples.filter(({ page, language }) => page === IN_A_SHELL && /^(?:sh|python)$/.test(language));
  const lines = blocks.map(({ code, language }) =>
    language === "sh"
      ? code.replaceAll("4010", port)
      : "export url key scope connection\npython3 posts.py > posts.json",
  );
  const python = blocks.find(({ language }) => language === "python")?.code ?? "";
  await writeFile(join(folder, "posts.py"), python + READ_POSTS);
  const [start = "", ...rest] = lines;
  const script = ["set -eum; trap 'kill -- -$!' EXIT", start, UNTIL_READY, ...rest].join("\n");
  const output = await run("bash", ["-c", script], { folder, timeoutMs: SHELL_TIMEOUT_MS });
  const posts = JSON.parse(await readFile(join(folder, "posts.json"), "utf8")) as readonly object[];
  if (posts.length === 0) throw new Error(`${IN_A_SHELL} read no posts: ${output}`);
  if (!/"revokeJobId":"[^"]+"/.test(output)) throw new Error(`${IN_A_SHELL} disconnected nothing: ${output}`);
}

const BEFORE_RELEASE = "docs/how-to/before-the-first-release.md";

/** Runs the page's blocks. The clone is a link and is built already; the application that the reader has is empty. */
async function packAndInstall(folder: string, samples: readonly Sample[]): Promise<void> {
  const blocks = samples.filter(({ page, language }) => page === BEFORE_RELEASE && language === "sh");
  const own = join(folder, "own");
  await mkdir(own, { recursive: true });
  await symlink(ROOT, join(folder, "social-connect"), "junction");
  // The server's `prepare` would generate files that other programs are reading.
  const environment = { npm_config_ignore_scripts: "true", npm_config_prefer_offline: "true" };
  for (const [index, place] of [folder, folder, own].entries()) {
    const script = blocks[index]?.code.replaceAll(/^npx .* (?:install|build)$/gm, "") ?? "";
    await run("bash", ["-euc", script], { folder: place, environment });
  }
  await npm(["run", "types"], { folder: join(folder, "my-app") });
}
