import { resolve } from "node:path";
import type { Command } from "commander";
import type { ReadDevFile } from "../../dev/devFile.ts";
import { type ClientEntries, isEmpty, NO_ENTRIES } from "../../modules/clients/clientEntries.ts";
import { addClientOptions, type ClientOptions, entriesOf, entriesToAdd, writeEnvOption } from "./clientOptions.ts";
import { addEventEndpointCommands } from "./eventEndpoint.ts";
import { jsonOption, type OutputOptions, UsageError } from "./operator.ts";
import { print } from "./output.ts";
import { readRunningDev } from "./runningDev.ts";

interface ClientCommandOptions extends ClientOptions, OutputOptions {
  readonly data: string;
  readonly writeEnv?: string;
}

/** Commands for an integrator's own application at a running `dev`. */
export function addClientCommands(program: Command): void {
  const client = program.command("client").summary("the client of a development environment, for your own application");
  const add = (name: string) =>
    client.command(name).option("--data <folder>", "data folder of `dev`", ".social-connect");
  add("show")
    .summary("print where the application runs, and its environment variables")
    .addOption(writeEnvOption())
    .addOption(jsonOption())
    .action((options: ClientCommandOptions) => run("show", options));
  addClientOptions(add("add"), "register")
    .summary("register where your application runs")
    .addOption(writeEnvOption())
    .addOption(jsonOption())
    .action((options: ClientCommandOptions) => run("add", options));
  addClientOptions(add("remove"), "remove")
    .summary("remove entries")
    .addOption(jsonOption())
    .action((options: ClientCommandOptions) => run("remove", options));
  addEventEndpointCommands(client);
}

async function run(
  kind: "show" | "add" | "remove",
  { data, writeEnv, json = false, ...options }: ClientCommandOptions,
) {
  const entries = kind === "add" ? entriesToAdd(options) : entriesOf(options);
  if (kind !== "show" && isEmpty(entries)) {
    throw new UsageError(`\`client ${kind}\` needs --origin, --return-url, --identity-return-url or --tenant`);
  }
  const dev = await readRunningDev(data);
  const [{ devFilePath }, { ownEnvironment }, environmentFile] = await Promise.all([
    import("../../dev/devFile.ts"),
    import("../../dev/ownEnvironment.ts"),
    import("../../dev/applicationEnvironment.ts"),
  ]);
  const file = devFilePath(resolve(data));
  if (writeEnv !== undefined) await environmentFile.checkEnvironmentFile(writeEnv);
  const client = await change(dev, kind, entries);
  const environment = ownEnvironment(dev, client, kind === "remove" ? NO_ENTRIES : entries);
  if (writeEnv !== undefined) await environmentFile.writeEnvironmentFile(writeEnv, environment);
  const { slug, webOrigins, returnUrls, identityReturnUrls, tenantKeys } = client;
  const lists = { origins: webOrigins, returnUrls, identityReturnUrls, tenantKeys };
  const text = [
    ...Object.entries(lists).flatMap(([name, values]) => [name, ...values.map((value) => `  ${value}`)]),
    "environment",
    environmentFile.describeEnvironment(environment, file, "  "),
    ...(writeEnv === undefined ? [] : [`wrote the environment to ${writeEnv}, with the key`]),
  ].join("\n");
  print({ slug, ...lists }, { json, text });
}

async function change({ databaseUrl, consumer }: ReadDevFile, kind: "show" | "add" | "remove", entries: ClientEntries) {
  const [{ addClientEntries, removeClientEntries }, { operateDev }] = await Promise.all([
    import("../../modules/clients/changeEntries.ts"),
    import("../../dev/operateDev.ts"),
  ]);
  const apply = kind === "remove" ? removeClientEntries : addClientEntries;
  return operateDev(databaseUrl, (service) => apply(service, consumer.slug, entries));
}
