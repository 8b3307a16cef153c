import { asUuid, parseDateTime } from "@social-connect/domain";
import { type Command, Option } from "commander";
import { settingsFromEnvironment } from "../../config/settings.ts";
import type { Service } from "../../modules/service.ts";
import { redactText } from "../../platform/log/redact.ts";

export interface OutputOptions {
  readonly json?: boolean;
}

export interface ChangeOptions extends OutputOptions {
  readonly dryRun?: boolean;
}

export const jsonOption = () => new Option("--json", "print JSON");
export const dryRunOption = () => new Option("--dry-run", "only print what it would do");

const MOST_ROWS = 1_000;

export const limitOption = () =>
  new Option("--limit <number>", `at most so many rows, up to ${MOST_ROWS}`)
    .argParser((value) => wholeNumber("--limit", value, 1, MOST_ROWS))
    .default(50);

/**
 * A repeated option replaces its first value, so `--tenant a --tenant b` would change less than it seems to. The commands
 * that change something refuse it; for others it is how the arguments of a script are replaced.
 */
export function refuseRepeatedOptions(command: Command): void {
  command.commands.forEach(refuseRepeatedOptions);
  if (!command.options.some(({ long }) => long === "--dry-run")) return;
  for (const option of command.options) {
    if (!option.required || option.variadic) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw new UsageError(`${option.long} can be given only once`);
      isGiven = true;
    });
  }
}

export function wholeNumber(option: string, value: string, least: number, most: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${option} must be a whole number from ${least} to ${most}, not ${value}`);
}

/** Reads the value of `--since`. */
export function readTime(value: string): Date {
  const time = parseDateTime(value.replace(/(T\d\d:\d\d)(?=Z|[+-])/, "$1:00"));
  if (time !== null) return time;
  throw new UsageError(`--since must be a time such as 2027-01-31T12:00:00Z, not ${value}`);
}

/** Reads the id of a record. Someone may paste a whole key, so the message hides secrets. */
export const readId =
  (record: string) =>
  (value: string): string => {
    const id = asUuid(value);
    if (id === null) throw new UsageError(`the id of ${record} must be a UUID, not ${redactText(value)}`);
    return id;
  };
export const readConnectionId = readId("a connection");

/** Runs work with the use cases, on the database of the environment. */
export async function withService<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const { operate } = await import("../../composition/operatorAccess.ts");
  return operate(settingsFromEnvironment(DATABASE_ONLY), work);
}

/** The client of a slug, or of an id, which metrics and logs name. */
export async function findApplication(
  { prisma }: Pick<Service, "prisma">,
  slug: string,
): Promise<{ readonly id: string; readonly slug: string }> {
  const select = { id: true, slug: true } as const;
  const id = asUuid(slug);
  const ofSlug = await prisma.application.findUnique({ where: { slug }, select });
  const application = ofSlug ?? (id === null ? null : await prisma.application.findUnique({ where: { id }, select }));
  if (application === null) throw new Error(`no client has the slug ${JSON.stringify(slug)}`);
  return application;
}

/** A wrong command line: printed with a hint, exit code 2. */
export class UsageError extends Error {}

/** The settings of a command that only uses the database. */
export const DATABASE_ONLY = { role: "both", needsNoEncryptionKey: true } as const;
