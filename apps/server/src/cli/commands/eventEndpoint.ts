import { resolve } from "node:path";
import { SELECTABLE_EVENT_TYPES } from "@social-connect/domain";
import { type Command, Option } from "commander";
import { readSettings, settingsFromEnvironment } from "../../config/settings.ts";
import type { Service } from "../../modules/service.ts";
import { findApplication, jsonOption, type OutputOptions, readId, UsageError } from "./operator.ts";
import { print, table } from "./output.ts";
import { readRunningDev } from "./runningDev.ts";

interface PlaceOptions extends OutputOptions {
  readonly client?: string;
  readonly data: string;
}

interface InputOptions extends PlaceOptions {
  readonly url?: string;
  readonly type?: readonly string[];
}

interface ChangeOptions extends InputOptions {
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
    .action(addEndpoint);
  add("change", "change the URL or the types, or turn it on or off")
    .argument("<endpoint id>", "", readEndpointId)
    .option("--url <url>", "the new URL")
    .addOption(typeOption())
    .addOption(new Option("--all-types", "send all types, also later ones").conflicts("type"))
    .addOption(new Option("--on", "send events again; none from before").conflicts("off"))
    .option("--off", "send no events; waiting deliveries end")
    .action(change);
  add("rotate", "print a new secret once; the previous one signs for another day")
    .argument("<endpoint id>", "", readEndpointId)
    .action(rotate);
  add("remove", "remove an endpoint with its deliveries").argument("<endpoint id>", "", readEndpointId).action(remove);
}

async function list({ json = false, ...place }: PlaceOptions): Promise<void> {
  const { listEventEndpoints } = await import("../../modules/events/endpoints.ts");
  const endpoints = await withClient(place, (service, { id }) => listEventEndpoints(service, id));
  const rows = endpoints.map(({ id, url, types, enabled, turnedOffReason, failingSince, lastSucceededAt }) => ({
    ...{ id, url, types: types.join(" ") || "all", on: enabled, off: turnedOffReason },
    ...{ failingSince, lastDelivery: lastSucceededAt },
  }));
  print(endpoints.map(withoutSecrets), { json, text: table(rows, "no event endpoints") });
}

async function addEndpoint({ json = false, url = "", type = [], ...place }: InputOptions): Promise<void> {
  const { addEventEndpoint } = await import("../../modules/events/endpoints.ts");
  const { SYSTEM } = await import("../../modules/admin/actor.ts");
  const { endpoint, secret } = await withClient(place, (service, { id }) =>
    addEventEndpoint(service, SYSTEM, id, { url, types: type }),
  );
  const text = `added the event endpoint ${endpoint.id}\nsecret, shown only once: ${secret.reveal()}`;
  print({ ...withoutSecrets(endpoint), secret: secret.reveal() }, { json, text });
}

async function change(id: string, options: ChangeOptions): Promise<void> {
  const { json = false, url, type, allTypes = false, on = false, off = false, ...place } = options;
  const { changeEventEndpoint } = await import("../../modules/events/endpoints.ts");
  const { SYSTEM } = await import("../../modules/admin/actor.ts");
  const types = allTypes ? [] : type;
  if (url === undefined && types === undefined && !on && !off) {
    throw new UsageError("`event-endpoint change` needs --url, --type, --all-types, --on or --off");
  }
  const input = { url, types, ...((on || off) && { enabled: on }) };
  const endpoint = await withEndpoint(place, id, (service) => changeEventEndpoint(service, SYSTEM, id, input));
  print(withoutSecrets(endpoint), { json, text: `changed the event endpoint ${id}` });
}

async function rotate(id: string, { json = false, ...place }: PlaceOptions): Promise<void> {
  const { rotateEventEndpointSecret } = await import("../../modules/events/endpoints.ts");
  const { SYSTEM } = await import("../../modules/admin/actor.ts");
  const { endpoint, secret } = await withEndpoint(place, id, (service) =>
    rotateEventEndpointSecret(service, SYSTEM, id),
  );
  const until = endpoint.previousSecretUntil?.toISOString();
  const text = `rotated the secret of the event endpoint ${id}; the previous one signs until ${until}\nsecret, shown only once: ${secret.reveal()}`;
  print({ ...withoutSecrets(endpoint), secret: secret.reveal() }, { json, text });
}

async function remove(id: string, { json = false, ...place }: PlaceOptions): Promise<void> {
  const { removeEventEndpoint } = await import("../../modules/events/endpoints.ts");
  const { SYSTEM } = await import("../../modules/admin/actor.ts");
  const endpoint = await withEndpoint(place, id, (service) => removeEventEndpoint(service, SYSTEM, id));
  print(withoutSecrets(endpoint), { json, text: `removed the event endpoint ${id}` });
}

function withoutSecrets<Endpoint extends { secretSealed: string; previousSecretSealed: string | null }>({
  secretSealed: _,
  previousSecretSealed: __,
  ...shown
}: Endpoint) {
  return shown;
}

type Client = { readonly id: string; readonly slug: string };

/** Runs work on a client of the deployment, or on that of a development environment. Secrets are sealed, so it needs the encryption keys. */
async function withClient<T>(
  { client, data }: Pick<PlaceOptions, "client" | "data">,
  work: (service: Service, client: Client) => Promise<T>,
): Promise<T> {
  const { openForOperator } = await import("../../composition/operatorAccess.ts");
  const [settings, slug] =
    client === undefined ? await ofDev(data) : ([settingsFromEnvironment({ role: "both" }), client] as const);
  return openForOperator(settings, "with encryption keys", async ({ service }) =>
    work(service, await findApplication(service, slug)),
  );
}

async function ofDev(data: string) {
  const { databaseUrl, consumer } = await readRunningDev(data);
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: resolve(data), MODE: "sandbox", LOG_LEVEL: "warn" };
  return [readSettings(environment, { role: "both" }), consumer.slug] as const;
}

/** The same for one endpoint of the client. */
function withEndpoint<T>(
  place: Pick<PlaceOptions, "client" | "data">,
  endpointId: string,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  return withClient(place, async (service, { id, slug }) => {
    const { listEventEndpoints } = await import("../../modules/events/endpoints.ts");
    const endpoints = await listEventEndpoints(service, id);
    if (!endpoints.some((endpoint) => endpoint.id === endpointId)) {
      throw new Error(
        `the client ${slug} has no event endpoint with the id ${endpointId}; \`event-endpoint list\` shows them`,
      );
    }
    return work(service);
  });
}
