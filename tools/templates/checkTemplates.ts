/**
 * Creates each template's application with the packed packages in an empty folder outside of the workspace, by the commands
 * of the tutorial, and uses it in a browser, on the newest Node that is supported, or on each. The packages come from a registry
 * on loopback, so the commands are literal.
 *
 *     pnpm consumers templates [--all] [name …]
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { TEMPLATES } from "../../packages/create/src/index.ts";
import { type Browser, launchBrowser } from "../../packages/testkit/src/index.ts";
import { installToolchain, nodeRuntimes, TRIES_ALL } from "../consumers/toolchain.ts";
import { buildPackages } from "../packages/pack.ts";
import { listPublished, ROOT } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";
import { publishToLoopback } from "../release/publish.ts";
import { startRegistry } from "../release/registry.ts";
import { checkDefaults } from "./defaults.ts";
import { linkAndSeePosts } from "./journey.ts";
import { emptyMachine, followTutorial, type Machine } from "./newcomer.ts";
import { commandsOf, forTemplate, type TutorialCommand } from "./tutorial.ts";

const TUTORIAL = "docs/tutorials/your-own-app.md";
/** From an empty folder to a linked account. */
const MOST_SECONDS = 5 * 60;

export async function checkTemplates(parameters: readonly string[]): Promise<void> {
  const names = parameters.filter((parameter) => !parameter.startsWith("--"));
  const known: readonly string[] = TEMPLATES.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`${unknown.join(", ")} is not one of ${known.join(", ")}`);
  const commands = commandsOf(await readFile(join(ROOT, TUTORIAL), "utf8"));
  await using folder = await scratchFolder("templates");
  await installToolchain();
  await buildPackages(listPublished());
  await using registry = await startRegistry(join(folder.path, "registry"));
  await using browser = await launchBrowser();
  await publishToLoopback(registry);
  for (const template of names.length === 0 ? known : names) {
    for (const node of TRIES_ALL ? nodeRuntimes() : nodeRuntimes().slice(-1)) {
      const place = join(folder.path, `${template}-${node.name.replace(" ", "-")}`);
      await mkdir(place);
      const machine = await emptyMachine(place, registry.url, node.program);
      await prove(`${template} on ${node.name}`, forTemplate(commands, template), machine, browser);
      await rm(place, { recursive: true, force: true });
    }
  }
}

async function prove(
  name: string,
  commands: readonly TutorialCommand[],
  machine: Machine,
  browser: Browser,
): Promise<void> {
  const beginMs = performance.now();
  const application = await followTutorial(commands, machine);
  try {
    await checkDefaults(application.url);
    const { posts } = await linkAndSeePosts(browser, application);
    const seconds = Math.round((performance.now() - beginMs) / 1_000);
    console.log(
      `  ${name}: ${commands.length} commands and edits, ${seconds} s from an empty folder to ${posts} posts of a linked account`,
    );
    if (seconds > MOST_SECONDS) throw new Error(`${name} took ${seconds} s; the limit is ${MOST_SECONDS} s`);
    await application.checkTypes();
    console.log(`  ${name}: type-checks`);
    await application.checkWrongStarts();
  } finally {
    await application.stop();
  }
}
