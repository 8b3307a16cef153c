import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { env } from "node:process";
import { DEV_PORTS, SIMULATOR_PORT } from "../../packages/testkit/src/harness/devPlace.ts";
import { type Environment, startProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { eventually, reservePort, reservePorts } from "../../packages/testkit/src/index.ts";
import { npm, run } from "../packages/commands.ts";
import type { TutorialCommand } from "./tutorial.ts";

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

export type Machine = Awaited<ReturnType<typeof emptyMachine>>;

/** npm settings of a machine without our packages, which come from this registry. */
export async function emptyMachine(folder: string, registryUrl: string, node: string) {
  const cache = join(folder, "npm");
  await mkdir(cache, { recursive: true });
  // What npx installs is removed with the folder; what npm downloads stays in the machine's cache.
  const downloads = (await npm(["config", "get", "cache"], { folder })).trim();
  await symlink(join(downloads, "_cacache"), join(cache, "_cacache"), "junction");
  // A file, because shells drop variables with such names: npm_config_@social-connect:registry.
  const userSettings = (await npm(["config", "get", "userconfig"], { folder })).trim();
  const settings = await readFile(userSettings, "utf8").catch(() => "");
  const userconfig = join(folder, "user.npmrc");
  await writeFile(userconfig, `${settings}\n@social-connect:registry=${registryUrl}\n`, { mode: 0o600 });
  const environment: Environment = {
    npm_config_userconfig: userconfig,
    NPM_CONFIG_USERCONFIG: userconfig,
    npm_config_cache: cache,
    npm_config_prefer_offline: "true",
    npm_config_yes: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    NEXT_TELEMETRY_DISABLED: "1",
    PATH: [dirname(node), env["PATH"]].join(delimiter),
    DATABASE_URL: undefined,
  };
  return { folder, environment };
}

/**
 * Runs the commands of the tutorial. The only differences are the ports, because a program on this machine may use those of
 * the tutorial: the template gets another port, and the service another first port.
 */
export async function followTutorial(commands: readonly TutorialCommand[], machine: Machine) {
  const [port, first] = [await reservePort(), await reservePorts(DEV_PORTS)];
  const url = `http://localhost:${port}`;
  let { folder } = machine;
  const { environment } = machine;
  const readEnvironment = () => readFile(join(folder, ".env"), "utf8");
  await using starting = new AsyncDisposableStack();
  // A package runner can end before the programs that it started.
  starting.defer(() =>
    eventually(() => {
      const isRunning = existsSync(join(folder, ".social-connect", "dev.json"));
      if (isRunning) throw new Error(`the service in ${folder} did not stop`);
    }, STOP_TIMEOUT_MS),
  );
  for (const { line, isLongRunning } of commands) {
    const [program = "", ...parameters] = line.split(" ");
    if (program === "cd") {
      folder = join(folder, parameters[0] ?? "");
    } else if (isLongRunning) {
      const isService = parameters.includes("service");
      const added = isService ? ["--", "--port", String(first)] : [];
      const running = startProgram({
        name: line,
        command: [program, ...parameters, ...added],
        folder,
        environment: isService ? environment : { ...environment, PORT: String(port) },
        isInTerminal: true,
      });
      starting.defer(() => running.stop().catch(() => undefined));
      const hasEnvironment = async () => (await readEnvironment()).includes("SOCIAL_CONNECT_KEY=");
      await running.until(() => (isService ? hasEnvironment() : fetch(url).then(({ ok }) => ok)));
    } else {
      const added = parameters[0] === "create" ? ["--port", String(port)] : [];
      await run(program, [...parameters, ...added], { folder, environment });
    }
  }
  const begun = starting.move();
  return {
    url,
    /** As the service wrote it. */
    eventSecret: /^SOCIAL_CONNECT_EVENT_SECRET=["']?([^"'\n]+)/m.exec(await readEnvironment())?.[1] ?? "",
    /** The control API of the simulator. */
    simulatorUrl: `http://127.0.0.1:${first + SIMULATOR_PORT}`,
    checkTypes: async () => void (await npm(["run", "types"], { folder, environment })),
    checkWrongStarts: () => checkWrongStarts(folder, environment, port),
    [Symbol.asyncDispose]: () => begun.disposeAsync(),
  };
}

/**
 * Checks that a start with a wrong environment ends with a message; only for applications that start without a build.
 * `usedPort` is that of the running application.
 */
async function checkWrongStarts(folder: string, environment: Machine["environment"], usedPort: number): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  if (!scripts.start.startsWith("tsx ")) return;
  const wrong: readonly (readonly [Readonly<Record<string, string>>, message: string])[] = [
    [{ PORT: String(usedPort) }, "EADDRINUSE"],
    [{ RETURN_URL: "localhost:3000/connected" }, "RETURN_URL is not an absolute URL"],
    [{ RETURN_URL: "http://" }, "RETURN_URL is not an absolute URL"],
    [{ SOCIAL_CONNECT_TENANT: "" }, "SOCIAL_CONNECT_TENANT is not set"],
    [{ SOCIAL_CONNECT_URL: "localhost" }, "baseUrl is not an absolute URL"],
    [{ SOCIAL_CONNECT_KEY: "key" }, "key is not an application key"],
  ];
  for (const [changes, message] of wrong) {
    const start = npm(["run", "start"], {
      folder,
      environment: { ...environment, PORT: "0", ...changes },
      timeoutMs: START_TIMEOUT_MS,
    });
    const said = await start.then(
      () => "it ended without an error",
      (error: unknown) => String(error),
    );
    if (!said.includes(message)) throw new Error(`with ${JSON.stringify(changes)} the application said: ${said}`);
  }
}
