import { isAnyAddress } from "@social-connect/domain";
import type { Command } from "commander";
import { type Role, readSettings, type Settings } from "../../config/settings.ts";
import { MOST_PROCESSES, type ProcessCount, processCount } from "../../config/values.ts";
import { ROLES } from "../../config/variables.ts";
import { lineOutput, type OutputName } from "../../platform/log/lineOutput.ts";
import { aborted, type Restart, stopController } from "../processes/stopSignal.ts";
import { UsageError } from "./operator.ts";

const SUPERVISOR = "supervisor";
/** Time beyond the documented bounds of a shutdown before a process is killed. */
const STOP_RESERVE_MS = 5_000;

export function addStartCommands(program: Command): void {
  program
    .command("start")
    .summary("run the API, the workers or both (configured by the environment)")
    .option("--role <role>", `${ROLES.join(", ")} (default: both)`, readRole)
    .option(
      "--processes <count>",
      "that many processes on one port, auto: one for each core; SIGUSR2 replaces them one by one",
      readProcesses,
    )
    .action(({ role, processes }: { readonly role?: Role; readonly processes?: ProcessCount }) => run(role, processes));
  program
    .command("worker")
    .summary("the same as start --role worker")
    .action(() => run("worker"));
}

async function run(role: Role | undefined, processes?: ProcessCount): Promise<void> {
  const restart: Restart = { run: null };
  const controller = stopController(restart);
  const { signal } = controller;
  const { isSupervised, reportStarted } = await import("../processes/supervisor.ts");
  // The GraphQL library reads this once, when it is loaded, and then skips its development checks.
  process.env.NODE_ENV ??= "production";
  const overrides = { ...(role && { role }), ...(processes && { processes }) };
  const settings = readSettings(process.env, overrides);
  if (settings.hasSupervisor && !isSupervised) return runProcesses(settings, signal, restart);
  limitStop(settings, signal);
  const { startServer } = await import("../../main.ts");
  const server = await startServer(settings);
  let isReplaced = false;
  if (isSupervised) {
    reportStarted(server, () => {
      isReplaced = true;
      controller.abort();
    });
  } else if (server.address !== null) say("stdout", listeningAt(server.address, settings));
  await aborted(signal);
  await server.stop({ isReplaced });
}

function say(output: OutputName, text: string): void {
  lineOutput(output).write(`${text}\n`);
}

function listeningAt(address: string, { host }: Settings): string {
  return `listening at ${address}${isAnyAddress(host) ? " and at every other address of this machine" : ""}`;
}

/** Exits in any case, for example while the start waits for another process to migrate. */
function limitStop({ drainMs, shutdownTimeoutMs }: Settings, signal: AbortSignal): void {
  signal.addEventListener("abort", () => {
    setTimeout(() => {
      say("stderr", "social-connect: stopping took longer than SHUTDOWN_TIMEOUT_SECONDS");
      process.exit(1);
    }, drainMs + shutdownTimeoutMs).unref();
  });
}

async function runProcesses(settings: Settings, signal: AbortSignal, restart: Restart): Promise<void> {
  const [{ createLogger, serviceOutput }, { serveOperations }, { startSupervisor }] = await Promise.all([
    import("../../platform/log/logger.ts"),
    import("../../observability/operations.ts"),
    import("../processes/supervisor.ts"),
  ]);
  const logger = createLogger({ level: settings.logLevel, role: SUPERVISOR, destination: serviceOutput(SUPERVISOR) });
  const stopTimeoutMs = settings.drainMs + settings.shutdownTimeoutMs + STOP_RESERVE_MS;
  const starting = startSupervisor({ processes: settings.processes, stopTimeoutMs, logger, signal });
  restart.run = () => {
    starting
      .then((supervisor) => supervisor.restart())
      .catch((error: unknown) => logger.error({ err: error }, "the processes were not all replaced"));
  };
  const supervisor = await starting;
  if (supervisor.address !== null) say("stdout", listeningAt(supervisor.address, settings));
  const { operations } = settings;
  const served = operations && (await serveOperations(supervisor.operations, operations.host, operations.port));
  await aborted(signal);
  await supervisor.stop();
  await served?.close(0);
}

function readRole(value: string): Role {
  const role = ROLES.find((name) => name === value);
  if (role === undefined) throw new UsageError(`--role must be ${ROLES.join(", ")}, not ${value}`);
  return role;
}

function readProcesses(value: string): ProcessCount {
  const { data } = processCount.safeParse(value);
  if (data === undefined) throw new UsageError(`--processes must be auto or 1 to ${MOST_PROCESSES}, not ${value}`);
  return data;
}
