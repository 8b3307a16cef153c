import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import type { ReplayReport } from "../../modules/operations/replayErasures.ts";
import { EXIT_PENDING, waitFor, waitOption } from "./erase.ts";
import { type ChangeOptions, dryRunOption, jsonOption, readTime, withService } from "./operator.ts";
import { list, print, table } from "./output.ts";

const STANDARD_INPUT = "-";

export function addErasureCommands(program: Command): void {
  const erasures = program
    .command("erasures")
    .summary("erasures after a backup: export them, and repeat them on the restored database");
  erasures
    .command("export")
    .summary("write the erasures of the last week, one JSON object in each line")
    .option("--since <time>", "only those requested since this time, e.g. 2027-01-31T12:00:00Z", readTime)
    .requiredOption("--to <file>", "a file that does not exist yet")
    .addOption(jsonOption())
    .action(exportAll);
  erasures
    .command("replay")
    .summary("revoke and erase again what a backup restored")
    .requiredOption("--from <files...>", "exports or logs; - is standard input")
    .option("--end-deliveries", "send no event that waits since before the restore")
    .addOption(waitOption(0))
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .action(replay);
}

interface ExportOptions {
  readonly since?: Date;
  readonly to: string;
  readonly json?: boolean;
}

async function exportAll({ since = undefined, to, json = false }: ExportOptions): Promise<void> {
  const { exportableSince, exportErasures } = await import("../../modules/operations/exportErasures.ts");
  const result = await withService(async (service) => {
    const from = await exportableSince(service, since ?? null);
    // Never over another export.
    const file = await open(to, "wx", 0o600);
    let erasures = 0;
    try {
      for await (const entry of exportErasures(service, from)) {
        await file.write(`${JSON.stringify(entry)}\n`);
        erasures += 1;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    return { file: to, since: from, erasures };
  });
  const text = `wrote ${result.erasures} erasures since ${result.since.toISOString()} to ${to}`;
  print(result, { json, text });
}

interface ReplayOptions extends ChangeOptions {
  readonly from: readonly string[];
  readonly endDeliveries?: boolean;
  readonly wait: number;
}

async function replay({ from, wait, endDeliveries = false, dryRun, json = false }: ReplayOptions): Promise<void> {
  const { readErasureJournal } = await import("../../modules/operations/erasureJournal.ts");
  const { measureReplay, replayErasures } = await import("../../modules/operations/replayErasures.ts");
  const journal = await readErasureJournal(from.map((place) => ({ place, lines: linesOf(place) })));
  const { lines } = journal;
  await withService(async (service) => {
    if (dryRun) {
      const size = await measureReplay(service, journal);
      return print({ lines, ...size, dryRun }, { json, text: `would erase again\n${list({ lines, ...size })}` });
    }
    const report = await replayErasures(service, journal, {
      wait: waitFor(wait),
      endsDeliveries: endDeliveries,
    });
    print({ lines, ...report }, { json, text: describe(lines, report) });
    if (report.pending > 0) process.exitCode = EXIT_PENDING;
  });
}

async function* linesOf(place: string): AsyncGenerator<string, void, undefined> {
  if (place === STANDARD_INPUT) return yield* createInterface({ input: process.stdin });
  const file = await open(place);
  try {
    yield* file.readLines();
  } finally {
    await file.close();
  }
}

function describe(lines: number, { receipts, failed, pending, ...size }: ReplayReport): string {
  const rows = receipts.map(({ connectionId, provider, revoke, erase }) => ({
    ...{ connection: connectionId, provider, revoke: revoke.status, error: revoke.errorCode },
    ...{ action: revoke.creatorAction, erase: erase.status },
  }));
  return [
    list({ lines, ...size }),
    `\n${table(rows, size.connections === 0 ? "the journal names no erasure: check the files" : "no receipts")}`,
    ...failed.map(({ connectionId, message }) => `not disconnected: ${connectionId}: ${message}`),
    pending === 0
      ? "\nno connection of the journal is left"
      : `\n${pending} left; start the workers, then repeat the command with --wait`,
  ].join("\n");
}
