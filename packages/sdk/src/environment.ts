import { ConfigurationError, type KeySource, requireObject } from "@social-connect/sdk-core";
import { readSettings, type SocialConnectOptions } from "./wire/settings.ts";

/** Options of `SocialConnect.fromEnv`. */
export interface EnvironmentOptions extends Omit<SocialConnectOptions, "baseUrl" | "key"> {
  /** Instead of `SOCIAL_CONNECT_URL`. */
  readonly baseUrl?: string | undefined;
  /** Instead of `SOCIAL_CONNECT_KEY`. */
  readonly key?: KeySource | undefined;
  /** The environment, for runtimes that pass it to a handler; `process.env` by default. */
  readonly env?: Readonly<Record<string, unknown>> | undefined;
}

const URL_VARIABLE = "SOCIAL_CONNECT_URL";
const KEY_VARIABLE = "SOCIAL_CONNECT_KEY";

/** Messages name variables and contain no values. */
export function optionsFromEnv(options: EnvironmentOptions): SocialConnectOptions {
  requireObject("options", options);
  const { process } = globalThis as { process?: Runtime };
  const { env = process?.env ?? {}, ...given } = options;
  requireObject("env", env);
  const textOf = (name: string) => {
    const value = variableIn(env, name);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  // A file, as containers mount secrets.
  const read = (name: string) => textOf(name) ?? textInFile(process, textOf(`${name}_FILE`), name);
  const baseUrl = given.baseUrl ?? read(URL_VARIABLE);
  const key = given.key ?? read(KEY_VARIABLE);
  if (baseUrl !== undefined && key !== undefined) {
    const found = { ...given, baseUrl, key };
    // Checked here, so that an error names the variable.
    readSettings(found, {
      baseUrl: baseUrl === given.baseUrl ? "baseUrl" : URL_VARIABLE,
      key: key === given.key ? "key" : KEY_VARIABLE,
    });
    return found;
  }
  const missing = [...(baseUrl === undefined ? [URL_VARIABLE] : []), ...(key === undefined ? [KEY_VARIABLE] : [])];
  throw new ConfigurationError(
    `Set ${missing.join(" and ")} in the environment. If your framework keeps variables elsewhere, pass them as \`env\`: import.meta.env of Vite, or the \`env\` of a Cloudflare handler.`,
  );
}

/** Deno throws for a variable that the program may not read. */
function variableIn(env: Readonly<Record<string, unknown>>, name: string): unknown {
  try {
    return env[name];
  } catch {
    throw new ConfigurationError(
      `${name} cannot be read. Run Deno with --allow-env, or pass the variables as \`env\`.`,
    );
  }
}

/** Absent on some worker platforms, which also have no files. */
interface Runtime {
  readonly env?: Readonly<Record<string, unknown>>;
  readonly getBuiltinModule?: (name: string) => unknown;
}

function textInFile(process: Runtime | undefined, path: string | undefined, name: string): string | undefined {
  try {
    return path && Object(process?.getBuiltinModule?.("node:fs")).readFileSync(path, "utf8").trim();
  } catch {
    // The error may contain the path, and the path may be a key.
    throw new ConfigurationError(`${name}_FILE cannot be read.`);
  }
}
