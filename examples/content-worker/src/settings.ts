import type { SocialConnectOptions, SubjectScope } from "@social-connect/sdk";
import type { Policy } from "./context.ts";

export interface Settings {
  readonly client: Pick<SocialConnectOptions, "baseUrl" | "key">;
  /** The worker's file. */
  readonly file: string;
  readonly subjects: readonly SubjectScope[];
  readonly policy: Policy;
}

/** A missing or invalid setting; the message names the variable and the solution, never its value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

type Environment = Readonly<Record<string, string | undefined>>;

const MINUTE_MS = 60_000;

export function readSettings(environment: Environment): Settings {
  const tenantKey = required(environment, "SOCIAL_CONNECT_TENANT", "a tenant key registered for the application");
  const subjects = required(environment, "SUBJECTS", "the ids of your users, separated by commas");
  return {
    client: {
      baseUrl: required(environment, "SOCIAL_CONNECT_URL", "the service's base address"),
      key: required(environment, "SOCIAL_CONNECT_KEY", "the application key that an admin issued"),
    },
    file: environment["WORKER_FILE"] ?? "content-worker.sqlite",
    subjects: subjects
      .split(",")
      .map((id) => id.trim())
      .filter(Boolean)
      .map((externalSubjectId) => ({ tenantKey, externalSubjectId })),
    policy: {
      intervalMs: wholeNumber(environment, "INTERVAL_MINUTES", 360, 1, 10_080) * MINUTE_MS,
      days: wholeNumber(environment, "DAYS", 14, 1, 90),
      concurrency: wholeNumber(environment, "CONCURRENCY", 4, 1, 20),
      patienceMs: wholeNumber(environment, "PATIENCE_MINUTES", 15, 1, 600) * MINUTE_MS,
    },
  };
}

function required(environment: Environment, name: string, what: string): string {
  const value = environment[name]?.trim();
  if (value) return value;
  throw new SettingsError(`${name} is not set. Set it to ${what}.`);
}

function wholeNumber(environment: Environment, name: string, standard: number, least: number, most: number): number {
  const text = environment[name] ?? String(standard);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new SettingsError(`${name} is not a number this worker can use. Set it to one from ${least} to ${most}.`);
}
