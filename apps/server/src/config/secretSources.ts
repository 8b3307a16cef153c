import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";

/** Settings with a secret, which `<name>_FILE` can provide. */
export const SECRET_SETTINGS = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "ENCRYPTION_KEYS",
  "ISSUER_CLIENT_SECRET",
] as const;

const MOST_BYTES = 64 * 1024;
const COMMAND_TIMEOUT_MS = 10_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Why a secret could not be read. The message contains no output of a command, and not the variable's text either: a secret
 * that was set there by mistake would be printed.
 */
export class SecretSourceError extends Error {
  readonly setting: string;
  readonly remedy: string;

  constructor(setting: string, problem: string, remedy: string) {
    super(problem);
    this.name = "SecretSourceError";
    this.setting = setting;
    this.remedy = remedy;
  }
}

/** The value of `<name>_FILE`'s file; undefined if neither the variable nor its file variable is set. */
export function readSecretFile(name: string, environment: Environment): string | undefined {
  const setting = `${name}_FILE`;
  const path = environment[setting]?.trim() || undefined;
  if (path === undefined) return undefined;
  if (isSet(environment[name])) {
    throw new SecretSourceError(setting, `${name} is set, too, and only one of them can apply`, "Remove one of them");
  }
  return readNamedSecret(setting, path);
}

/** The secret in a file, without the line end. `setting` names the file, e.g. an option of a command. */
export function readNamedSecret(setting: string, path: string): string {
  const text = readSmallFile(setting, path).trim();
  if (text === "") throw new SecretSourceError(setting, "the file that it names is empty", "Write the value into it");
  return text;
}

function readSmallFile(setting: string, path: string): string {
  try {
    const status = statSync(path);
    if (!status.isFile()) throw new SecretSourceError(setting, "it does not name a file", FILE_REMEDY);
    if (status.size > MOST_BYTES) {
      throw new SecretSourceError(setting, `the file that it names is larger than ${MOST_BYTES} bytes`, FILE_REMEDY);
    }
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof SecretSourceError) throw error;
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    const reason = FILE_ERRORS[code] ?? `cannot be read (${code})`;
    throw new SecretSourceError(setting, `the file that it names ${reason}`, FILE_REMEDY);
  }
}

const FILE_REMEDY = "Set it to a file that this process can read and that contains only the value";
const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "may not be read by the user of this process",
};

/**
 * What a command prints, such as the client of a key management service. Runs without a shell and with a bound on time and
 * output. Its standard error is dropped, because it may contain what the command was about to print.
 */
export function readSecretCommand(
  setting: string,
  [program = "", ...parameters]: readonly string[],
  environment: Environment,
  timeoutMs: number = COMMAND_TIMEOUT_MS,
): string {
  const { error, status, signal, stdout } = spawnSync(program, parameters, {
    env: withoutSecrets(environment),
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: MOST_BYTES,
    windowsHide: true,
  });
  const refuse = (problem: string, remedy = COMMAND_REMEDY) => new SecretSourceError(setting, problem, remedy);
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ETIMEDOUT") throw refuse(`the command did not end within ${timeoutMs / 1_000} seconds`);
  if (code === "ENOBUFS") throw refuse(`the command printed more than ${MOST_BYTES} bytes`);
  if (code !== undefined) throw refuse(`the command ${COMMAND_ERRORS[code] ?? `cannot be run (${code})`}`);
  if (signal !== null) throw refuse(`the command was ended by ${signal}`);
  if (status !== 0) throw refuse(`the command exited with code ${status}`);
  const text = stdout.trim();
  if (text === "") throw refuse(`the command printed nothing`);
  return text;
}

const COMMAND_REMEDY = "Run the command as the user of this process and correct it";
const COMMAND_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be run by the user of this process",
};

/** The command gets its own credentials from the environment, and none of this service's. */
function withoutSecrets(environment: Environment): Record<string, string | undefined> {
  const secret: ReadonlySet<string> = new Set(SECRET_SETTINGS);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !secret.has(name)));
}

export function isSet(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== "";
}
