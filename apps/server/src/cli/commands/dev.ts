import { checkDisplayName, checkEndpointUrl } from "@social-connect/domain";
import type { Command } from "commander";
import { readSettings } from "../../config/settings.ts";
import { DEFAULT_FIRST_PORT, MOST_FIRST_PORT } from "../../dev/ports.ts";
import { aborted, stopController } from "../processes/stopSignal.ts";
import { addClientOptions, type ClientOptions, checkReturnUrl, entriesToAdd, writeEnvOption } from "./clientOptions.ts";
import { DATABASE_ONLY, UsageError, wholeNumber } from "./operator.ts";

interface DevOptions extends ClientOptions {
  readonly port: number;
  readonly data: string;
  readonly name?: string;
  readonly signInUrl?: readonly string[];
  readonly clock?: true;
  readonly panel: boolean;
  readonly verbose?: true;
  readonly writeEnv?: string;
  readonly events?: string;
}

export function addDevCommand(program: Command): void {
  const command = program
    .command("dev")
    .summary("development environment: service, simulator, example")
    .option(
      "--port <number>",
      "the first of its ports",
      (value) => wholeNumber("--port", value, 1, MOST_FIRST_PORT),
      DEFAULT_FIRST_PORT,
    )
    .option("--data <folder>", "data folder", ".social-connect")
    .option("--name <name>", "the name of your application, on the consent pages and in the panel", checkedName)
    .option(
      "--sign-in-url <url>",
      "a redirect URL of your application's own sign-in at the issuer; repeatable",
      (url, others: readonly string[] = []) => {
        checkReturnUrl("--sign-in-url", url);
        return [...others, url];
      },
    )
    .option("--events <url>", "send the events of your application to this URL of it", checkedEventsUrl)
    .option("--clock", "add a loopback endpoint that moves the clock")
    .option("--no-panel", "start without the admin panel, which a clone has to build first")
    .option("--verbose", "print all output of the processes");
  addClientOptions(command, "register").addOption(writeEnvOption()).action(run);
}

async function run({
  port,
  data,
  name,
  signInUrl,
  clock,
  panel,
  verbose,
  writeEnv,
  events,
  ...client
}: DevOptions): Promise<void> {
  const { databaseUrl, databaseDirectUrl } = readSettings(databaseVariables(process.env), DATABASE_ONLY);
  const controller = stopController();
  const { signal } = controller;
  const [{ startDev }, { watchPackageRunners }] = await Promise.all([
    import("../../dev/dev.ts"),
    import("../../dev/packageRunners.ts"),
  ]);
  await watchPackageRunners(() => controller.abort());
  const setup = await startDev({
    firstPort: port,
    dataFolder: data,
    hasMovableClock: clock ?? false,
    isVerbose: verbose ?? false,
    hasPanel: panel,
    ...(name !== undefined && { applicationName: name }),
    ...(signInUrl !== undefined && { signInUrls: signInUrl }),
    ...(events !== undefined && { eventsUrl: events }),
    databaseUrl: (databaseDirectUrl ?? databaseUrl)?.reveal() ?? null,
    client: entriesToAdd(client),
    environmentFile: writeEnv ?? null,
    signal,
  });
  const failure = await Promise.race([aborted(signal), setup.failed]);
  await setup.stop();
  if (failure instanceof Error) throw failure;
}

function checkedEventsUrl(url: string): string {
  const refusal = checkEndpointUrl(url, "sandbox");
  if (refusal !== null) throw new UsageError(`--events: ${refusal.message}`);
  return url;
}

function checkedName(name: string): string {
  const refusal = checkDisplayName(name);
  if (refusal !== null) throw new UsageError(refusal.message.replace("`displayName`", "`--name`"));
  return name;
}

/** The other settings are decided here and not by the environment. */
function databaseVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ["DATABASE_URL", "DATABASE_DIRECT_URL"].flatMap((name) => [name, `${name}_FILE`]);
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}
