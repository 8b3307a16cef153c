import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { environmentValue, isLoopbackName } from "@social-connect/domain";
import { readIfPresent, writeOwnerFile } from "../platform/process/ownerFile.ts";

/** The environment variables of an integrator's own application. */
export interface ApplicationEnvironment {
  readonly SOCIAL_CONNECT_URL: string;
  /** The application key: a secret. */
  readonly SOCIAL_CONNECT_KEY: string;
  readonly SOCIAL_CONNECT_TENANT: string;
  /** Absent while no return URL besides the example's is registered. */
  readonly RETURN_URL?: string;
  /** Signs the application's events: a secret. Absent while it receives none. */
  readonly SOCIAL_CONNECT_EVENT_SECRET?: string;
}

export interface EnvironmentParts {
  readonly baseUrl: string;
  readonly key: string;
  readonly eventSecret: string | null;
  readonly client: { readonly tenantKeys: readonly string[]; readonly returnUrls: readonly string[] };
  /** The entries of the example application, which are not those of the integrator's. */
  readonly example: { readonly tenantKeys: readonly string[]; readonly returnUrl: string };
  /** What this command line registers, which comes before what an earlier one did. */
  readonly wanted: { readonly tenantKeys: readonly string[]; readonly returnUrls: readonly string[] };
}

export function applicationEnvironment({
  baseUrl,
  key,
  eventSecret,
  client,
  example,
  wanted,
}: EnvironmentParts): ApplicationEnvironment {
  // The panel accepts values that no file of variables can have.
  const returnUrls = [...wanted.returnUrls, ...client.returnUrls].filter(canBeVariable);
  const returnUrl = returnUrls.find((url) => url !== example.returnUrl);
  const tenants = [...wanted.tenantKeys, ...client.tenantKeys].filter(canBeVariable);
  const tenantKey = tenants.find((tenant) => !example.tenantKeys.includes(tenant)) ?? tenants[0] ?? "";
  return {
    SOCIAL_CONNECT_URL: baseUrl,
    SOCIAL_CONNECT_KEY: key,
    SOCIAL_CONNECT_TENANT: tenantKey,
    ...(returnUrl !== undefined && { RETURN_URL: returnUrl }),
    ...(eventSecret !== null && { SOCIAL_CONNECT_EVENT_SECRET: eventSecret }),
  };
}

/** Where `dev.json` has the secrets. */
const SECRETS: Readonly<Record<string, string>> = {
  SOCIAL_CONNECT_KEY: "consumer.key",
  SOCIAL_CONNECT_EVENT_SECRET: "consumer.eventSecret",
};

/** The same for a terminal: secrets are named by the file that has them, and never printed. */
export function describeEnvironment(environment: ApplicationEnvironment, secretFile: string, indent = ""): string {
  return Object.entries(environment)
    .map(([name, value]) => {
      const secret = SECRETS[name];
      return `${indent}${name}=${secret === undefined ? quoted(value) : `<${secret} in ${secretFile}>`}`;
    })
    .join("\n");
}

/**
 * Throws when the variables cannot be written to a file, so that a wrong name fails before anything starts: a folder, a
 * missing folder, or a file with the settings of a service elsewhere, whose key would be lost.
 */
export async function checkEnvironmentFile(path: string): Promise<void> {
  const target = await findTarget(path);
  const text = (await readIfPresent(target)) ?? "";
  const url = storedValue(text, "SOCIAL_CONNECT_URL");
  if (url === "") return;
  if (URL.canParse(url) && isLoopbackName(new URL(url).hostname)) return;
  throw new Error(
    `${path} has the settings of another service in SOCIAL_CONNECT_URL; remove that line, or choose another file with --write-env`,
  );
}

/** Writes the variables to a file that only its owner may read. Every other line is unchanged. */
export async function writeEnvironmentFile(path: string, environment: ApplicationEnvironment): Promise<void> {
  const target = await findTarget(path);
  await writeOwnerFile(target, withVariables((await readIfPresent(target)) ?? "", environment));
}

/** A line that sets a variable; the first group is its name. */
const VARIABLE_LINE = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[^\r\n]*/gm;

function withVariables(text: string, environment: ApplicationEnvironment): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  let result = text;
  for (const [name, value] of Object.entries(environment)) {
    const line = `${name}=${quoted(value)}`;
    let isWritten = false;
    result = result.replace(VARIABLE_LINE, (existing: string, variable: string) => {
      if (variable !== name) return existing;
      isWritten = true;
      return line;
    });
    if (!isWritten) {
      const separator = result === "" || result.endsWith("\n") ? "" : end;
      result = `${result}${separator}${line}${end}`;
    }
  }
  return result;
}

function storedValue(text: string, name: string): string {
  const line = [...text.matchAll(VARIABLE_LINE)].find(([, variable]) => variable === name)?.[0] ?? "";
  const value = line.slice(line.indexOf("=") + 1).trim();
  return /^(["'`]).*\1$/.test(value) ? value.slice(1, -1) : value;
}

/** Whether shells and the readers of files with variables can read a value unchanged. */
export function canBeVariable(value: string): boolean {
  return environmentValue(value) !== null;
}

function quoted(value: string): string {
  const written = environmentValue(value);
  if (written === null) throw new Error(`${value} cannot be written to an environment file; choose a simpler value`);
  return written;
}

/** The file itself, also behind a symbolic link, which stays one. */
async function findTarget(path: string): Promise<string> {
  const target = await realpath(path).catch(() => resolve(path));
  if ((await stat(target).catch(() => null))?.isDirectory()) {
    throw new Error(`${path} is a folder; name a file with --write-env`);
  }
  if (!(await stat(resolve(target, "..")).catch(() => null))?.isDirectory()) {
    throw new Error(`the folder of ${path} does not exist; create it, or choose another file with --write-env`);
  }
  return target;
}
