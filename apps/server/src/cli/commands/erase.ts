import { setTimeout } from "node:timers/promises";
import { type Command, Option } from "commander";
import type { ErasureReport, ErasureScope } from "../../modules/operations/eraseConnections.ts";
import {
  type ChangeOptions,
  dryRunOption,
  findApplication,
  jsonOption,
  UsageError,
  wholeNumber,
  withService,
} from "./operator.ts";
import { list, print, table } from "./output.ts";

const POLL_MS = 1_000;
/** A revoke is retried for 24 hours before the erasure continues without it. */
const MOST_WAIT_SECONDS = 25 * 3_600;
/** Requested, but not everything is erased yet. */
export const EXIT_PENDING = 3;

interface EraseOptions extends ChangeOptions {
  readonly application: string;
  readonly tenant?: string;
  readonly subject?: string;
  readonly wait: number;
}

export function addEraseCommand(program: Command): void {
  program
    .command("erase")
    .summary("revoke and erase all connections of a client, of a tenant or of a subject, and report the receipts")
    .requiredOption("--application <slug>", "the client")
    .option("--tenant <key>", "only this tenant, also after it was removed from the client", readName("--tenant"))
    .option("--subject <id>", "only this external subject id; needs --tenant", readName("--subject"))
    .addOption(waitOption(600))
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .action(erase);
}

/** An unset variable of a shell would name nothing, and the erasure would find nothing. */
const readName = (option: string) => (value: string) => {
  if (value === "") throw new UsageError(`${option} must not be empty`);
  return value;
};

export const waitOption = (seconds: number) =>
  new Option("--wait <seconds>", "how long to wait for the worker; exits with 3 if it has not finished by then")
    .argParser((value) => wholeNumber("--wait", value, 0, MOST_WAIT_SECONDS))
    .default(seconds);

/** Reports each second how many are left. Resolves to false when the time is over. */
export function waitFor(seconds: number): (pending: number) => Promise<boolean> {
  const endsAtMs = performance.now() + seconds * 1_000;
  return async (pending) => {
    if (performance.now() >= endsAtMs) return false;
    console.error(`${pending} left`);
    return setTimeout(POLL_MS, true);
  };
}

async function erase({ application, tenant, subject, wait, dryRun, json = false }: EraseOptions): Promise<void> {
  if (subject !== undefined && tenant === undefined) throw new UsageError("--subject needs --tenant");
  const { eraseConnections, measureErasure } = await import("../../modules/operations/eraseConnections.ts");
  await withService(async (service) => {
    const client = await findApplication(service, application);
    const scope: ErasureScope = { application: client, tenantKey: tenant ?? null, externalSubjectId: subject ?? null };
    if (dryRun) {
      const size = await measureErasure(service, scope);
      return print({ ...size, dryRun }, { json, text: `would erase\n${list({ ...size })}` });
    }
    const report = await eraseConnections(service, scope, { wait: waitFor(wait) });
    print(report, { json, text: describe(report) });
    if (report.pending > 0) process.exitCode = EXIT_PENDING;
  });
}

function describe({ receipts, earlier, failed, pending, deleted, keptTesters }: ErasureReport): string {
  const rows = receipts.map(({ connectionId, provider, revoke, erase: { status, deletedCounts } }) => ({
    ...{ connection: connectionId, provider, revoke: revoke.status, error: revoke.errorCode },
    ...{ action: revoke.creatorAction, erase: status, posts: deletedCounts["content_item"] ?? 0 },
  }));
  return [
    table(rows, "no connections"),
    ...failed.map(({ connectionId, message }) => `not disconnected: ${connectionId}: ${message}`),
    ...earlier.map((at) => `also requested at ${at.toISOString()}: that report has the receipts that are not here`),
    `\nrows deleted\n${list(deleted)}`,
    ...(keptTesters > 0 ? [`testers that stay, because another subject has linked the account: ${keptTesters}`] : []),
    `\n${describeEnd()}`,
  ].join("\n");

  function describeEnd(): string {
    if (pending > 0) return `${pending} left; the worker continues, and the command can be repeated`;
    const isNothing = rows.length + earlier.length === 0 && Object.values(deleted).every((count) => count === 0);
    return `everything is erased${isNothing ? "; nothing was left, so check the names if you expected connections" : ""}`;
  }
}
