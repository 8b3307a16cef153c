import { resolve } from "node:path";
import { SELECTABLE_EVENT_TYPES } from "@social-connect/domain";
import { type Command, Option } from "commander";
import type { EventEndpoint } from "../../_generated/prisma/client.ts";
import { readSettings, settingsFromEnvironment } from "../../config/settings.ts";
import { SYSTEM } from "../../modules/admin/actor.ts";
import type { EndpointWithSecret } from "../../modules/events/endpoints.ts";
import type { Service } from "../../modules/service.ts";
import { findApplication, jsonOption, type OutputOptions, readId, UsageError } from "./operator.ts";
import { print, table } from "./output.ts";
import { readRunningDev } from "./runningDev.ts";

interface Options extends OutputOptions {
  readonly client?: string;
  readonly data: string;
  readonly url?: string;
  readonly type?: readonly string[];
  readonly allTypes?: boolean;
  readonly on?: boolean;
  readonly off?: boolean;
}

const readEndpointId = readId("an event endpoint");
const typeOption = () =>
  new Option("--type <type>", "a type of event that it receives, e.g. job.failed; repeatable").argParser(
    (type, others: readonly string[] = []) => {
      const known: readonly string[] = SELECTABLE_EVENT_TYPES;
      if (known.includes(type)) return [...others, type];
      throw new UsageError(`--type must be a type of event: ${SELECTABLE_EVENT_TYPES.join(", ")}`);
    },
  );

/** Commands for the URLs that receive a client's events. */
export function addEventEndpointCommands(client: Command): void {
  const endpoints = client
    .command("event-endpoint")
    .summary("the URLs of an application's backend that receive its events");
  const add = (name: string, summary: string) =>
    endpoints
      .command(name)
      .summary(summary)
      .option("--client <slug>", "the client, at the database of the environment; without it, that of `dev`")
      .option("--data <folder>", "data folder of `dev`", ".social-connect")
      .addOption(jsonOption());
  add("list", "the endpoints, without their secrets").action(list);
  add("add", "add an endpoint, and print its secret once")
    .requiredOption("--url <url>", "where events are sent: https, or http on this machine in a sandbox")
    .addOption(typeOption())
    .action((options: Options) =>
      change("added", null, options, ({ addEventEndpoint }, service, clientId) =>
        addEventEndpoint(service, SYSTEM, clientId, { url: options.url ?? "", types: options.type ?? [] }),
      ),
    );
  add("change", "change the URL or the types, or turn it on or off")
    .argument("<endpoint id>", "", readEndpointId)
    .option("--url <url>", "the new URL")
    .addOption(typeOption())
    .addOption(new Option("--all-types", "send all types, also later ones").conflicts("type"))
    .addOption(new Option("--on", "send events again; none from before").conflicts("off"))
    .option("--off", "send no events; waiting deliveries end")
    .action((id: string, options: Options) => {
      const { url, type, allTypes, on, off } = options;
      const input = { url, types: allTypes ? [] : type, enabled: on || off ? on === true : undefined };
      if (Object.values(input).every((value) => value === undefined)) {
        throw new UsageError("`event-endpoint change` needs --url, --type, --all-types, --on or --off");
      }
      return change("changed", id, options, (useCases, service) =>
        useCases.changeEventEndpoint(service, SYSTEM, id, input),
      );
    });
  add("rotate", "print a new secret once; the previous one signs for another day")
    .argument("<endpoint id>", "", readEndpointId)
    .action((id: string, options: Options) =>
      change("rotated the secret of", id, options, ({ rotateEventEndpointSecret }, service) =>
        rotateEventEndpointSecret(service, SYSTEM, id),
      ),
    );
  add("remove", "remove an endpoint with its deliveries")
    .argument("<endpoint id>", "", readEndpointId)
    .action((id: string, options: Options) =>
      change("removed", id, options, ({ removeEventEndpoint }, service) => removeEventEndpoint(service, SYSTEM, id)),
    );
}

async function list({ json = false, ...options }: Options): Promise<void> {
  const endpoints = await withClient(options, ({ listEventEndpoints }, service, { id }) =>
    listEventEndpoints(service, id),
  );
  const rows = endpoints.map(({ id, url, types, enabled, turnedOffReason, failingSince, lastSucceededAt }) => ({
    ...{ id, url, types: types.join(" ") || "all", on: enabled, off: turnedOffReason },
    ...{ failingSince, lastDelivery: lastSucceededAt },
  }));
  print(endpoints.map(withoutSecrets), { json, text: table(rows, "no event endpoints") });
}

type UseCases = typeof import("../../modules/events/endpoints.ts");

/** Changes an endpoint of the client, or adds one, and prints it with its new secret, if it has one. */
async function change(
  verb: string,
  endpointId: string | null,
  { json = false, ...options }: Options,
  work: (useCases: UseCases, service: Service, clientId: string) => Promise<EventEndpoint | EndpointWithSecret>,
): Promise<void> {
  const result = await withClient(options, async (useCases, service, { id: clientId, slug }) => {
    const endpoints = await useCases.listEventEndpoints(service, clientId);
    if (endpointId === null || endpoints.some(({ id }) => id === endpointId)) return work(useCases, service, clientId);
    throw new Error(
      `the client ${slug} has no event endpoint with the id ${endpointId}; \`event-endpoint list\` shows them`,
    );
  });
  const { endpoint, secret } = "secret" in result ? result : { endpoint: result, secret: null };
  const until = endpoint.previousSecretUntil?.toISOString();
  const also = secret !== null && until !== undefined ? `; the previous one signs until ${until}` : "";
  const once = secret === null ? "" : `\nsecret, shown only once: ${secret.reveal()}`;
  print(
    { ...withoutSecrets(endpoint), ...(secret !== null && { secret: secret.reveal() }) },
    { json, text: `${verb} the event endpoint ${endpoint.id}${also}${once}` },
  );
}

function withoutSecrets({ secretSealed: _, previousSecretSealed: __, ...shown }: EventEndpoint) {
  return shown;
}

/** Runs work on a client of the deployment, or on that of a development environment. Secrets are sealed, so it needs the encryption keys. */
async function withClient<T>(
  { client, data }: Options,
  work: (useCases: UseCases, service: Service, client: { readonly id: string; readonly slug: string }) => Promise<T>,
): Promise<T> {
  const { openForOperator } = await import("../../composition/operatorAccess.ts");
  const useCases = await import("../../modules/events/endpoints.ts");
  const [settings, slug] =
    client === undefined ? await ofDev(data) : ([settingsFromEnvironment({ role: "both" }), client] as const);
  return openForOperator(settings, "with encryption keys", async ({ service }) =>
    work(useCases, service, await findApplication(service, slug)),
  );
}

async function ofDev(data: string) {
  const { databaseUrl, consumer } = await readRunningDev(data);
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: resolve(data), MODE: "sandbox", LOG_LEVEL: "warn" };
  return [readSettings(environment, { role: "both" }), consumer.slug] as const;
}
