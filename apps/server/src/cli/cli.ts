#!/usr/bin/env node
import { once } from "node:events";
import { parseArgs } from "node:util";
import { nodeVersionProblem } from "../config/nodeVersion.ts";
import type { Role, Settings } from "../config/settings.ts";
import { ROLES, readSettings, SettingsError } from "../config/settings.ts";
import { MOST_PROCESSES, processCount } from "../config/values.ts";
import { DEFAULT_FIRST_PORT, MOST_FIRST_PORT } from "../dev/ports.ts";
import { retentionReport } from "../modules/retention/retentionReport.ts";
import { isErased } from "../modules/retention/verifyErasure.ts";
import { MovableClock } from "../platform/clock.ts";
import { asUuid } from "../platform/uuid.ts";
import { isSupervised, reportStarted, startSupervisor } from "./supervisor.ts";

const HELP = `social-connect: link social accounts, read their content

  social-connect start [--role api|worker|both] [--processes N|auto]
                                                  run the API, the workers or both (configured by the environment)
      --processes   that many processes on one port, auto: one for each core; SIGUSR2 replaces them one by one
  social-connect worker                           the same as start --role worker
  social-connect migrate                          apply database migrations and exit
  social-connect admin add <email>                add an admin by verified email address
  social-connect rotate-encryption                re-encrypt stored values with the newest key and exit
  social-connect dev [--port N] [--data DIR] [--clock] [--no-panel] [--verbose]
                                                  development environment: service, simulator, example
      --port N      the first of its ports (default ${DEFAULT_FIRST_PORT})
      --data DIR    data folder (default .social-connect)
      --clock       add a loopback endpoint that moves the clock
      --no-panel    start without the admin panel, which a clone has to build first
      --verbose     print all output of the processes
  social-connect verify-erasure <connection id>   check that a connection's data is erased
  social-connect retention-report                 show the age of the oldest stored observation
  social-connect help                             show this help
`;

/** A wrong command line: prints the message and a hint and exits with code 2. */
class UsageError extends Error {}

/** The settings of a command that only uses the database. */
const INSPECTION = { role: "both", needsNoEncryptionKey: true } as const;

type Command = (parameters: string[]) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = {
  start: async (parameters) => {
    const { role, processes } = parse(parameters, { role: { type: "string" }, processes: { type: "string" } });
    if (role !== undefined && !isRole(role)) throw new UsageError(`--role must be ${ROLES.join(", ")}, not ${role}`);
    const count = processes === undefined ? undefined : processCount.safeParse(processes);
    if (count?.success === false)
      throw new UsageError(`--processes must be auto or 1 to ${MOST_PROCESSES}, not ${processes}`);
    await run(role, count?.data);
  },
  worker: async (parameters) => {
    parse(parameters, {});
    await run("worker");
  },
  migrate: async (parameters) => {
    parse(parameters, {});
    const { migrate, settingsFromEnvironment } = await import("../main.ts");
    const applied = await migrate(settingsFromEnvironment(INSPECTION));
    console.log(applied.length === 0 ? "the database is up to date" : `applied ${applied.join(", ")}`);
  },
  admin: async ([verb, email, ...parameters]) => {
    parse(parameters, {});
    if (verb !== "add" || email === undefined)
      throw new UsageError("admin needs a subcommand and an email address: admin add <email>");
    const { addAdminToDeployment, settingsFromEnvironment } = await import("../main.ts");
    const isNew = await addAdminToDeployment(settingsFromEnvironment(INSPECTION), email);
    console.log(isNew ? `added admin ${email}` : `${email} is already an admin`);
  },
  "rotate-encryption": async (parameters) => {
    parse(parameters, {});
    const { rotateEncryption, settingsFromEnvironment } = await import("../main.ts");
    const { reencrypted, stale } = await rotateEncryption(settingsFromEnvironment({ role: "both" }));
    const rest = stale === 0 ? "no value needs the other keys" : `${stale} still need another key; run it again`;
    console.log(`values re-encrypted: ${reencrypted}; ${rest}`);
    if (stale > 0) process.exitCode = 1;
  },
  dev: async (parameters) => {
    const options = parse(parameters, {
      port: { type: "string" },
      data: { type: "string" },
      clock: { type: "boolean" },
      "no-panel": { type: "boolean" },
      verbose: { type: "boolean" },
    });
    const firstPort = options.port === undefined ? DEFAULT_FIRST_PORT : Number(options.port);
    if (!Number.isInteger(firstPort) || firstPort < 1 || firstPort > MOST_FIRST_PORT) {
      throw new UsageError(`--port must be a whole number from 1 to ${MOST_FIRST_PORT}, not ${options.port}`);
    }
    const { databaseUrl } = readSettings({ DATABASE_URL: process.env.DATABASE_URL }, INSPECTION);
    const controller = stopController();
    const { signal } = controller;
    const [{ startDev }, { watchPackageRunners }] = await Promise.all([
      import("../dev/dev.ts"),
      import("../dev/packageRunners.ts"),
    ]);
    await watchPackageRunners(() => controller.abort());
    const setup = await startDev({
      firstPort,
      dataFolder: options.data ?? ".social-connect",
      hasMovableClock: options.clock ?? false,
      isVerbose: options.verbose ?? false,
      hasPanel: !options["no-panel"],
      databaseUrl: databaseUrl?.reveal() ?? null,
      signal,
    });
    await aborted(signal);
    await setup.stop();
  },
  "verify-erasure": async ([id = "", ...parameters]) => {
    parse(parameters, {});
    if (asUuid(id) === null) throw new UsageError("verify-erasure needs the id of the connection");
    const { inspect, settingsFromEnvironment } = await import("../main.ts");
    const settings = settingsFromEnvironment(INSPECTION);
    const erased = await inspect(settings, ({ pool }) => isErased(pool, id.toLowerCase()));
    console.log(erased ? "erased" : "not erased");
    if (!erased) process.exitCode = 1;
  },
  "retention-report": async (parameters) => {
    parse(parameters, {});
    const { inspect, settingsFromEnvironment } = await import("../main.ts");
    const report = await inspect(settingsFromEnvironment(INSPECTION), async ({ pool }) =>
      // A clock that was not moved reports the system's time.
      retentionReport(pool, await new MovableClock(pool).now()),
    );
    console.log(JSON.stringify(report));
  },
  help: async () => {
    console.log(HELP);
  },
};

async function run(role: Role | undefined, processes?: number): Promise<void> {
  const controller = stopController();
  const { signal } = controller;
  // The GraphQL library reads this once, when it is loaded, and then skips its development checks.
  process.env.NODE_ENV ??= "production";
  const overrides = { ...(role && { role }), ...(processes && { processes }) };
  const settings = readSettings(process.env, overrides);
  if (settings.processes > 1 && !isSupervised) return runProcesses(settings, signal);
  const { startServer } = await import("../main.ts");
  const server = await startServer(settings);
  let isReplaced = false;
  if (isSupervised) {
    reportStarted(server.address, () => {
      isReplaced = true;
      controller.abort();
    });
  } else if (server.address !== null) console.log(`listening at ${server.address}`);
  await aborted(signal);
  await server.stop({ isReplaced });
}

async function runProcesses(settings: Settings, signal: AbortSignal): Promise<void> {
  const { createLogger } = await import("../platform/logger.ts");
  const logger = createLogger({ level: settings.logLevel, role: "supervisor" });
  const stopTimeoutMs = settings.drainMs + settings.shutdownTimeoutMs + STOP_RESERVE_MS;
  const starting = startSupervisor({ processes: settings.processes, stopTimeoutMs, logger, signal });
  // Registered before the processes have started: without a handler the signal would end this process.
  process.on("SIGUSR2", () => {
    starting
      .then((supervisor) => supervisor.restart())
      .catch((error: unknown) => logger.error({ err: error }, "the processes were not all replaced"));
  });
  const supervisor = await starting;
  if (supervisor.address !== null) console.log(`listening at ${supervisor.address}`);
  await aborted(signal);
  await supervisor.stop();
}

/** Time beyond the documented bounds of a shutdown before a process is killed. */
const STOP_RESERVE_MS = 5_000;

/** A signal to a process and to its process group arrives twice and counts once. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Registered before anything starts, so that a signal during start-up shuts down cleanly; a second signal exits
 * immediately.
 */
function stopController(): AbortController {
  const controller = new AbortController();
  let firstAtMs = 0;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (!controller.signal.aborted) {
        firstAtMs = performance.now();
        controller.abort();
      } else if (performance.now() - firstAtMs > SAME_SIGNAL_MS) {
        process.exit(1);
      }
    });
  }
  // A program that started this one with an IPC channel owns it: this process ends when the channel closes.
  process.on("disconnect", () => controller.abort());
  return controller;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

function isRole(value: string): value is Role {
  return ROLES.some((role) => role === value);
}

function parse<Options extends Readonly<Record<string, { type: "string" | "boolean" }>>>(
  parameters: string[],
  options: Options,
) {
  try {
    return parseArgs({ args: parameters, options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split("\n", 1)[0]?.split(". To specify", 1)[0]);
  }
}

async function main([name, ...parameters]: string[]): Promise<void> {
  if (name === undefined || name === "--help" || name === "-h" || parameters.includes("--help"))
    return COMMANDS.help?.([]);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`unknown command ${JSON.stringify(name)}`);
  const problem = nodeVersionProblem(process.versions.node);
  if (problem !== null) throw new Error(problem);
  await command(parameters);
}

main(process.argv.slice(2)).then(
  // Libraries may leave timers running, and everything that had to shut down has done so.
  () => process.exit(),
  (error: Error) => {
    if (error instanceof SettingsError) {
      console.error(`social-connect cannot start with these settings:\n${error.message}`);
    } else {
      console.error(`social-connect: ${error.message}`);
      if (error instanceof UsageError) console.error("`social-connect help` lists the commands.");
      else if (process.env.LOG_LEVEL === "debug") console.error(error);
    }
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
