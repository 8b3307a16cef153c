import { checkReturnUrlRegistration, checkTenantKey, checkWebOrigin } from "@social-connect/domain";
import { type Command, Option } from "commander";
import { canBeVariable } from "../../dev/applicationEnvironment.ts";
import type { ClientEntries } from "../../modules/clients/clientEntries.ts";
import { UsageError } from "./operator.ts";

/** Options that name where an integrator's own application runs. Each can be repeated. */
export interface ClientOptions {
  readonly origin?: readonly string[];
  readonly returnUrl?: readonly string[];
  readonly identityReturnUrl?: readonly string[];
  readonly tenant?: readonly string[];
}

/** A development environment accepts plain http on this machine. */
const RULES = { allowLoopbackHttp: true } as const;

export function addClientOptions(command: Command, verb: "register" | "remove"): Command {
  const repeated =
    (check: (value: string) => void) =>
    (value: string, others: readonly string[] = []): readonly string[] => {
      check(value);
      return [...others, value];
    };
  return command
    .option("--origin <origin>", `${verb} an origin of your application; repeatable`, repeated(checkOrigin))
    .option(
      "--return-url <url>",
      `${verb} a return URL of your application${verb === "register" ? ", with its origin" : ""}; repeatable`,
      repeated((url) => {
        checkReturnUrl("--return-url", url);
        if (verb === "register") checkVariable("--return-url", url);
      }),
    )
    .option(
      "--identity-return-url <url>",
      `${verb} a return URL of the identity handoff; repeatable`,
      repeated((url) => checkReturnUrl("--identity-return-url", url)),
    )
    .option(
      "--tenant <key>",
      `${verb} a tenant key; repeatable`,
      repeated((tenantKey) => {
        checkTenant(tenantKey);
        if (verb === "register") checkVariable("--tenant", tenantKey);
      }),
    );
}

export const writeEnvOption = () =>
  new Option(
    "--write-env <file>",
    "write the environment variables of your application to a file, with the key; its other lines stay",
  );

/** The entries to register: the origin of a return URL is registered with it. */
export function entriesToAdd(options: ClientOptions): ClientEntries {
  const entries = entriesOf(options);
  const urls = [...entries.returnUrls, ...entries.identityReturnUrls];
  return { ...entries, origins: [...new Set([...entries.origins, ...urls.map((url) => new URL(url).origin)])] };
}

export function entriesOf({
  origin = [],
  returnUrl = [],
  identityReturnUrl = [],
  tenant = [],
}: ClientOptions): ClientEntries {
  return { origins: origin, returnUrls: returnUrl, identityReturnUrls: identityReturnUrl, tenantKeys: tenant };
}

function checkOrigin(origin: string): void {
  if (checkWebOrigin(origin, RULES) === null) return;
  const meant = originIn(origin);
  throw new UsageError(
    meant === null
      ? `--origin must be an origin such as http://localhost:3000, with https unless it is on this machine, not ${origin}`
      : `--origin must have a scheme, a host and a port only; write ${meant}, not ${origin}`,
  );
}

export function checkReturnUrl(option: string, url: string): void {
  const origin = originIn(url);
  const isWhole = origin !== null && /^https?:/i.test(url);
  if (!isWhole) {
    throw new UsageError(
      `${option} must be a whole URL such as http://localhost:3000/connected, with https unless it is on this machine, not ${url}`,
    );
  }
  const refusal = checkReturnUrlRegistration(url, { ...RULES, webOrigins: [origin] });
  if (refusal === null) return;
  const { href } = new URL(url);
  const hasRemedy = href !== url && checkReturnUrlRegistration(href, { ...RULES, webOrigins: [origin] }) === null;
  throw new UsageError(`${option} ${url}: ${refusal.message}${hasRemedy ? ` Write ${href}` : ""}`);
}

function checkTenant(tenantKey: string): void {
  const refusal = checkTenantKey(tenantKey);
  if (refusal !== null) throw new UsageError(`--tenant: ${refusal.message}`);
}

/** Otherwise the entry would be registered, and its variable could not be shown. */
function checkVariable(option: string, value: string): void {
  if (canBeVariable(value)) return;
  throw new UsageError(
    `${option} ${value} cannot be the value of an environment variable in a file; choose a simpler one`,
  );
}

/** The registrable origin in a value that is not one itself: it has a path, or lacks the scheme; null without one. */
function originIn(value: string): string | null {
  const text = /^https?:/i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(text)) return null;
  const { origin } = new URL(text);
  return checkWebOrigin(origin, RULES) === null ? origin : null;
}
