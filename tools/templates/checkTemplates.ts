/**
 * Creates each template's application with the packed packages in an empty folder outside of the workspace, by the commands
 * of the tutorial, and uses it in a browser, on the newest Node that is supported, or on each. The packages come from a registry
 * on loopback, so the commands are literal.
 *
 *     pnpm consumers templates [--all] [name …]
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { TEMPLATES } from "../../packages/create/src/index.ts";
import { type Browser, launchBrowser } from "../../packages/testkit/src/index.ts";
import { installToolchain, nodeRuntimes, TRIES_ALL } from "../consumers/toolchain.ts";
import { buildPackages } from "../packages/pack.ts";
import { listPublished, ROOT } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";
import { publishToLoopback, startRegistry } from "../release/registry.ts";
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
  await using application = await followTutorial(commands, machine);
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
}

const CONNECTION_TIMEOUT_MS = 5_000;
const NOBODY = "00000000-0000-4000-8000-000000000000";

/** Pages of an application that need no linked account. */
const PAGES = ["/", `/accounts/${NOBODY}/disconnect`, `/connected?ss_session_id=${NOBODY}`] as const;

type Shapes = Readonly<Record<string, RegExp>>;

/** What the value of a header must match on every page, the SDK's launch page included. */
const COMMON_HEADERS: Shapes = {
  "content-security-policy": /frame-ancestors 'none'/,
  "x-content-type-options": /^nosniff$/,
  "cache-control": /no-store/,
  "referrer-policy": /^(?:same-origin|strict-origin)$/,
};
const OWN_HEADERS: Shapes = { ...COMMON_HEADERS, "x-frame-options": /^DENY$/ };

/** Checks by requests to a running application the defaults that all templates share. */
async function checkDefaults(url: string): Promise<void> {
  for (const path of PAGES) checkHeaders(path, OWN_HEADERS, await fetch(url + path));
  const launch = await fetch(`${url}/connect`, {
    method: "POST",
    headers: { origin: url },
    body: new URLSearchParams({ provider: "PROVIDER_A" }),
  });
  if (launch.status !== 200) throw new Error(`the Connect button was answered with ${launch.status}`);
  checkHeaders("/connect", COMMON_HEADERS, launch);
  const [cookie = "none"] = launch.headers.getSetCookie();
  if (!/; *httponly/i.test(cookie) || !/; *samesite=lax/i.test(cookie))
    throw new Error(`the cookie of an attempt has other flags than HttpOnly and SameSite=Lax: ${cookie}`);
  const others = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  for (const { address, family, internal, scopeid } of others) {
    if (internal || (scopeid ?? 0) !== 0) continue;
    const host = family === "IPv6" ? `[${address}]` : address;
    const signal = AbortSignal.timeout(CONNECTION_TIMEOUT_MS);
    const answer = await fetch(`http://${host}:${new URL(url).port}`, { signal }).catch(() => null);
    if (answer !== null) throw new Error(`the application can be reached from other machines, at ${address}`);
  }
}

function checkHeaders(path: string, shapes: Shapes, { headers }: Response): void {
  for (const [name, shape] of Object.entries(shapes)) {
    const value = headers.get(name) ?? "";
    if (!shape.test(value)) throw new Error(`${path} has the header ${name}: ${value || "none"}`);
  }
  if (headers.has("x-powered-by")) throw new Error(`${path} names its framework`);
}
