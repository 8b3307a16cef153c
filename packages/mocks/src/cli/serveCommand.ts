import { parseArgs } from "node:util";
import type { ServeOptions } from "../node/serve.ts";
import { DEFAULT_HOST, serveMock } from "../node/serve.ts";
import type { ScenarioName } from "../scenarios/scenarios.ts";
import { SCENARIO_NAMES } from "../scenarios/scenarios.ts";
import type { CommandIo } from "./command.ts";
import { UsageError } from "./command.ts";

export const SERVE_USAGE = `serve    the mock over HTTP, until it is stopped
  --port N              4010 by default; 0 takes a free one
  --host NAME           where to listen: 127.0.0.1 by default. Whoever reaches the mock controls it
  --seed TEXT           ids, tokens, posts and numbers follow from it; 1 by default
  --now MOMENT          where the clock begins, to stand still until it is advanced; without it the clock is this machine's
  --per-request TIME    lets a clock that stands still go on by so much with each request, e.g. 200ms
  --origin URL          origin of the application's pages, e.g. http://localhost:3000; may be given several times
  --return-url URL      where Connect returns to; may be given several times
  --identity-return-url URL  where the identity handoff returns to; may be given several times
  --tenant KEY          a tenant of the application; may be given several times
  --scenario NAME       begins at a named starting point; \`social-connect-mocks scenarios\` lists them
  --strict              switches off what is the project's choice and not the contract's
  --json                tells the addresses and the key as one line of JSON`;

const DEFAULT_PORT = "4010";

const OPTIONS = {
  port: { type: "string", default: DEFAULT_PORT },
  host: { type: "string" },
  seed: { type: "string" },
  now: { type: "string" },
  "per-request": { type: "string" },
  origin: { type: "string", multiple: true },
  "return-url": { type: "string", multiple: true },
  "identity-return-url": { type: "string", multiple: true },
  tenant: { type: "string", multiple: true },
  scenario: { type: "string" },
  strict: { type: "boolean" },
  json: { type: "boolean" },
} as const;

export async function serve(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const options = optionsOf(values);
  const { url, mock, close } = await serveMock(options).catch((error: unknown) => {
    throw new Error(problemOf(error, options), { cause: error });
  });
  const { application } = mock;
  const facts = {
    baseUrl: url,
    key: mock.key,
    tenantKeys: application.tenantKeys,
    webOrigins: application.webOrigins,
    returnUrls: application.returnUrls,
    identityReturnUrls: application.identityReturnUrls,
    control: `${url}/__mock`,
  };
  if (values.json) io.print(JSON.stringify(facts));
  else io.print(words(facts));
  await io.untilStopped();
  await close();
  return 0;
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

function optionsOf(values: Values): ServeOptions {
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError("--port is a number from 0 to 65535.");
  if (values.seed === "") throw new UsageError("--seed is a text that is not empty.");
  for (const origin of values.origin ?? []) {
    if (!isAddress(origin) || new URL(origin).origin !== origin)
      throw new UsageError(
        `--origin ${origin} is none. It is written like http://localhost:3000, with nothing behind it.`,
      );
  }
  for (const name of ["return-url", "identity-return-url"] as const) {
    const wrong = values[name]?.find((address) => !isAddress(address));
    if (wrong !== undefined)
      throw new UsageError(`--${name} ${wrong} is no address. It is written like http://localhost:3000/connected.`);
  }
  const perRequest = values["per-request"];
  const scenario = values.scenario === undefined ? undefined : scenarioNamed(values.scenario);
  const application = {
    ...(values.origin && { webOrigins: values.origin }),
    ...(values["return-url"] && { returnUrls: values["return-url"] }),
    ...(values["identity-return-url"] && { identityReturnUrls: values["identity-return-url"] }),
    ...(values.tenant && { tenantKeys: values.tenant }),
  };
  return {
    port,
    now: values.now ?? "system",
    application,
    ...(values.host !== undefined && { host: values.host }),
    ...(values.seed !== undefined && { seed: values.seed }),
    ...(perRequest !== undefined && { advancePerRequest: perRequest }),
    ...(values.strict && { strict: true }),
    ...(scenario !== undefined && { scenario }),
  };
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Why the mock is not served, for somebody who does not know the codes of the operating system. */
function problemOf(error: unknown, { port, host = DEFAULT_HOST }: ServeOptions): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `Port ${port} of ${host} is taken. Name another with --port, or 0 for one that is free.`;
  if (code === "EACCES") return `Port ${port} is not for everybody on this machine. Name another with --port.`;
  if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL") return `--host ${host} is no address of this machine.`;
  return error instanceof Error ? error.message : String(error);
}

function scenarioNamed(name: string): ScenarioName {
  const found = SCENARIO_NAMES.find((one) => one === name);
  if (found !== undefined) return found;
  throw new UsageError(`There is no scenario ${name}. Those that there are: ${SCENARIO_NAMES.join(", ")}.`);
}

function words(facts: {
  readonly baseUrl: string;
  readonly key: string;
  readonly tenantKeys: readonly string[];
  readonly webOrigins: readonly string[];
  readonly returnUrls: readonly string[];
  readonly control: string;
}): string {
  return [
    `The mock answers at ${facts.baseUrl}`,
    `  application key   ${facts.key}`,
    `  tenants           ${facts.tenantKeys.join(", ")}`,
    `  pages of          ${facts.webOrigins.join(", ")}`,
    `  returns to        ${facts.returnUrls.join(", ")}`,
    `  control           ${facts.control}`,
  ].join("\n");
}
