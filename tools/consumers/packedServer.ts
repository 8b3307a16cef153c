import { access, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { env } from "node:process";
import type { DevFile } from "../../packages/testkit/src/harness/devFile.ts";
import { DEV_PORTS } from "../../packages/testkit/src/harness/devPlace.ts";
import { type Command, type Environment, StartedProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { eventually, reservePort, reservePorts } from "../../packages/testkit/src/index.ts";
import { npm } from "../packages/commands.ts";
import type { PackedPackage } from "../packages/pack.ts";

const COMMAND = ["node_modules", "@social-connect", "server", "dist", "cli.js"];
const DATA = ".social-connect";
const STOP_TIMEOUT_MS = 20_000;

/**
 * Starts the service from its package with the embedded database, checks readiness, status and panel, and shuts it
 * down.
 */
export async function proveServer(folder: string, program: string): Promise<void> {
  const [port, databasePort] = [await reservePort(), await reservePort()];
  const environment = { PORT: String(port), EMBEDDED_DATABASE_PORT: String(databasePort), LOG_LEVEL: "warn" };
  const service = startCommand(folder, program, ["start"], environment);
  try {
    const url = `http://127.0.0.1:${port}`;
    await service.until(async () => (await fetch(`${url}/readyz`)).ok);
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "{ status { ok } }" }),
    });
    const { data } = JSON.parse(await response.text());
    if (data?.status?.ok !== true) throw new Error("the packed service does not say that it is up");
    const panel = await fetch(`${url}/panel`);
    if (!panel.ok || !(await panel.text()).includes("<script")) throw new Error("the packed service has no panel");
  } finally {
    await service.stop();
  }
}

/** A Node that is too old is refused with the required version, before anything fails to load. */
export async function proveRefusal(folder: string, program: string): Promise<void> {
  const old = /^social-connect: this is Node [\d.]+, and the service needs Node \d.*$/;
  for (const command of ["start", "dev"]) await expectFailure(startCommand(folder, program, [command], {}), old);
}

/** The program ends with code 1 and with this one message. */
export async function expectFailure(program: StartedProgram, message: RegExp): Promise<void> {
  const failure = await program.until(async () => false).catch((error: Error) => error.message);
  if (/ ended with code 1\n/.test(failure ?? "") && message.test(program.output().trim())) return;
  await program.stop();
  throw new Error(`not refused with ${message}: ${failure}`);
}

/**
 * The documented first path: `npx @social-connect/server dev` in an empty folder. Without a registry that has the
 * package, npx gets the tarballs.
 */
export async function startFirstPath(
  folder: string,
  program: string,
  packages: readonly PackedPackage[],
): Promise<{ readonly dev: DevFile; stop(): Promise<void> }> {
  const tarballs = packages.map(({ tarball }) => `--package=${tarball}`);
  const place = join(folder, "empty");
  const cache = join(folder, "npx");
  await Promise.all([place, cache].map((path) => mkdir(path, { recursive: true })));
  // What npx installs is removed with the folder; what it downloads stays in the machine's cache.
  const downloads = (await npm(["config", "get", "cache"], { folder })).trim();
  await symlink(join(downloads, "_cacache"), join(cache, "_cacache"), "junction");
  const port = await reservePorts(DEV_PORTS);
  const npx = new StartedProgram({
    name: "npx social-connect dev",
    command: ["npx", "--yes", ...tarballs, "--", "social-connect", "dev", "--port", String(port)],
    folder: place,
    environment: {
      npm_config_cache: cache,
      npm_config_prefer_offline: "true",
      // The `node` that runs npx and what it starts.
      PATH: [dirname(program), env["PATH"]].join(delimiter),
      DATABASE_URL: undefined,
    },
    isInTerminal: true,
  });
  const file = join(place, DATA, "dev.json");
  const stop = async () => {
    await npx.stop();
    // npx can end before the program that it started.
    await eventually(async () => {
      const left = await leftovers(place);
      if (left.length > 0) throw new Error(`\`dev\` did not end in order: it left ${left.join(", ")}`);
    }, STOP_TIMEOUT_MS);
  };
  try {
    await npx.until(() => access(file).then(() => true));
    return { dev: JSON.parse(await readFile(file, "utf8")) as DevFile, stop };
  } catch (error) {
    await npx.stop();
    throw error;
  }
}

/** What a running `dev` has in its folder besides its data, and what it should never write. */
async function leftovers(place: string): Promise<readonly string[]> {
  const [data, beside] = await Promise.all([readdir(join(place, DATA)), readdir(place)]);
  return [...data.filter((name) => name === "dev.json" || name === "lock"), ...beside.filter((name) => name !== DATA)];
}

/** A command of the service, from the package that is installed in a folder. */
export function startCommand(
  folder: string,
  program: string,
  parameters: readonly string[],
  environment: Environment,
): StartedProgram {
  const name = `social-connect ${parameters.join(" ")}`;
  return new StartedProgram({ name, command: [...commandIn(folder, program), ...parameters], folder, environment });
}

/** `social-connect` of the package that is installed in a folder, for one Node. */
export function commandIn(folder: string, program: string): Command {
  return [program, join(folder, ...COMMAND)];
}
