import { parseArgs } from "node:util";
import { printableJson } from "@social-connect/contract";
import { messageOf } from "@social-connect/domain";
import { checkedUrl } from "../control/eventsControl.ts";
import { checkHostName } from "../http/exchange.ts";
import { readSeedFile, type SeedFile } from "../node/seedFile.ts";
import { DEFAULT_HOST, type ServeOptions, serveMock } from "../node/serve.ts";
import { SCENARIO_NAMES, type ScenarioName } from "../scenarios/scenarios.ts";
import { durationMs, timeMs } from "../util/duration.ts";
import { type CommandIo, explainListening, portOf, UsageError } from "./commandIo.ts";

export const SERVE_USAGE = `serve    serves the mock over HTTP until it is interrupted
  --port N              4010 by default; 0 selects a free port
  --host NAME           listening address, 127.0.0.1 by default. Every client that can connect controls the mock
  --public-url URL      base URL under which browsers reach the mock, if not the listening address: behind a proxy, or where a
                        container's port is mapped. With --host 0.0.0.0 or ::, by default the host of each request
  --allowed-host NAME   another host name under which clients reach the mock, e.g. a service's name in a container network;
                        repeatable. Names of this machine, of --host and of --public-url are allowed; others get a 403
  --seed TEXT           seed of ids, tokens, posts and metrics; 1 by default
  --seed-file PATH      options and data as JSON or YAML: accounts, connections, faults. Other options override it
  --now TIME            starts the clock at this time, e.g. 2026-03-01T09:00:00Z; by default the mock uses the system clock
  --clock KIND          with --now: running, the default, runs on from this time; manual only moves when a client advances it
  --per-request TIME    advances a manual clock with each request, e.g. 200ms; implies --clock manual
  --origin URL          origin of the application's pages, e.g. http://localhost:3000; repeatable
  --return-url URL      return URL of Connect; repeatable
  --identity-return-url URL  return URL of the identity handoff; repeatable
  --event-url URL       a URL of this machine to which the application's events are sent; repeatable. Prints their secrets
  --tenant KEY          a tenant of the application; repeatable
  --scenario NAME       loads a scenario; \`social-connect-mocks scenarios\` lists them
  --state-file PATH     keeps the state in this file, and continues with it after a restart; only its owner may read it
  --strict              disables behavior that the contract does not specify
  --json                prints the addresses and the key as one line of JSON`;

const DEFAULT_PORT = "4010";

const OPTIONS = {
  port: { type: "string", default: DEFAULT_PORT },
  host: { type: "string" },
  "public-url": { type: "string" },
  "allowed-host": { type: "string", multiple: true },
  seed: { type: "string" },
  "seed-file": { type: "string" },
  now: { type: "string" },
  clock: { type: "string" },
  "per-request": { type: "string" },
  origin: { type: "string", multiple: true },
  "return-url": { type: "string", multiple: true },
  "identity-return-url": { type: "string", multiple: true },
  "event-url": { type: "string", multiple: true },
  tenant: { type: "string", multiple: true },
  scenario: { type: "string" },
  "state-file": { type: "string" },
  strict: { type: "boolean" },
  json: { type: "boolean" },
} as const;

export async function serve(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  for (const [name, value] of Object.entries(values))
    if ([value].flat().includes("")) throw new UsageError(`--${name} must not be empty.`);
  const file = values["seed-file"] === undefined ? {} : await readSeedFile(values["seed-file"]);
  const options = optionsOf(values, file);
  const onError = ({ message }: Error) => io.warn(message);
  const { url, mock, close } = await serveMock({ ...options, onError }).catch((error: unknown) => {
    throw new Error(explainListening(error, options.port, options.host ?? DEFAULT_HOST), { cause: error });
  });
  const { application } = mock;
  const control = `${url}/__mock`;
  const facts = {
    baseUrl: url,
    key: mock.key,
    tenantKeys: application.tenantKeys,
    webOrigins: application.webOrigins,
    returnUrls: application.returnUrls,
    identityReturnUrls: application.identityReturnUrls,
    events: mock.events.endpoints().map(({ url: eventUrl, secret }) => ({ url: eventUrl, secret })),
    control,
  };
  const lines = [
    `The mock answers at ${url}`,
    `  application key   ${mock.key}`,
    `  tenants           ${application.tenantKeys.join(", ")}`,
    `  pages of          ${application.webOrigins.join(", ")}`,
    `  returns to        ${application.returnUrls.join(", ")}`,
    ...facts.events.map(({ url: eventUrl, secret }) => `  events to         ${eventUrl}, signed with ${secret}`),
    `  control           ${control}`,
    `  inspect           ${url}/`,
  ];
  io.print(values.json ? printableJson(facts, 0) : lines.join("\n"));
  await io.untilStopped();
  await close();
  return 0;
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

function optionsOf(values: Values, file: SeedFile): ServeOptions & { readonly port: number } {
  for (const origin of values.origin ?? []) {
    if (!isAddress(origin) || new URL(origin).origin !== origin)
      throw new UsageError(`--origin ${origin} is not an origin. Use the form http://localhost:3000.`);
  }
  for (const name of ["return-url", "identity-return-url"] as const) {
    const wrong = values[name]?.find((address) => !isAddress(address));
    if (wrong !== undefined)
      throw new UsageError(`--${name} ${wrong} is not a URL. Use the form http://localhost:3000/connected.`);
  }
  const publicUrl = values["public-url"];
  if (publicUrl !== undefined && !isAddress(publicUrl))
    throw new UsageError(`--public-url ${publicUrl} is not a URL. Use the form http://localhost:4010.`);
  const perRequest = values["per-request"];
  if (values.now !== undefined && values.now !== "system") named("now", values.now, timeMs);
  if (perRequest !== undefined) named("per-request", perRequest, durationMs);
  for (const name of values["allowed-host"] ?? []) named("allowed-host", name, checkHostName);
  for (const url of values["event-url"] ?? []) named("event-url", url, checkedUrl);
  const now = values.now ?? file.now ?? "system";
  if (values.clock !== undefined && now === "system") throw new UsageError("--clock requires --now.");
  if (values.clock === "running" && perRequest !== undefined)
    throw new UsageError("--per-request requires --clock manual.");
  const isAdvancedByRequests = perRequest !== undefined || file.advancePerRequest !== undefined;
  const clock = clockNamed(values.clock ?? (isAdvancedByRequests ? "manual" : (file.clock ?? "running")));
  const scenario = values.scenario === undefined ? undefined : scenarioNamed(values.scenario);
  const eventEndpoints = [...(file.eventEndpoints ?? []), ...(values["event-url"] ?? []).map((url) => ({ url }))];
  const application = {
    ...file.application,
    ...(values.origin && { webOrigins: values.origin }),
    ...(values["return-url"] && { returnUrls: values["return-url"] }),
    ...(values["identity-return-url"] && { identityReturnUrls: values["identity-return-url"] }),
    ...(values.tenant && { tenantKeys: values.tenant }),
  };
  return {
    ...file,
    port: portOf(values.port ?? DEFAULT_PORT),
    now,
    application,
    ...(now !== "system" && { clock }),
    ...(values.host !== undefined && { host: values.host }),
    ...(values["public-url"] !== undefined && { publicUrl: values["public-url"] }),
    ...(values["allowed-host"] && { allowedHosts: values["allowed-host"] }),
    ...(values.seed !== undefined && { seed: values.seed }),
    ...(perRequest !== undefined && { advancePerRequest: perRequest }),
    ...(eventEndpoints.length > 0 && { eventEndpoints }),
    ...(values.strict && { strict: true }),
    ...(scenario !== undefined && { scenario }),
    ...(values["state-file"] !== undefined && { stateFile: values["state-file"] }),
  };
}

/** Names the option in the error of its value. */
function named(option: string, value: string, check: (value: string) => unknown): void {
  try {
    check(value);
  } catch (error) {
    throw new UsageError(`--${option}: ${messageOf(error)}`);
  }
}

function clockNamed(name: string): "manual" | "running" {
  if (name === "manual" || name === "running") return name;
  throw new UsageError(`--clock must be manual or running, not ${name}.`);
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function scenarioNamed(name: string): ScenarioName {
  const found = SCENARIO_NAMES.find((one) => one === name);
  if (found !== undefined) return found;
  throw new UsageError(`Unknown scenario ${name}. Scenarios: ${SCENARIO_NAMES.join(", ")}.`);
}
