import { checkSupportReason, MOST_REASON_CHARACTERS } from "@social-connect/domain";
import type { Command } from "commander";
import { jsonOption, type OutputOptions, readConnectionId, UsageError, withService } from "./operator.ts";
import { type Cell, list, print, table } from "./output.ts";

export function addConnectionCommand(program: Command): void {
  program
    .command("connection")
    .summary("inspect a connection")
    .command("show")
    .argument("<connection id>", "", readConnectionId)
    .summary("its states, codes, times and counts; never a token or a text")
    .requiredOption("--reason <text>", "the reason for the audit log: a ticket or a correlation id", readReason)
    .addOption(jsonOption())
    .action(show);
}

async function show(id: string, { reason, json = false }: OutputOptions & { readonly reason: string }): Promise<void> {
  const { showConnection } = await import("../../modules/operations/showConnection.ts");
  const connection = await withService((service) => showConnection(service, id, reason));
  const { grant, posts, jobs, capabilities, ...columns } = connection;
  const rows = jobs.map(({ id: job, kind, status, waitReason, nextRetryAt, errorCode, createdAt, finishedAt }) => {
    return { job, kind, status, waitsFor: waitReason, nextTry: nextRetryAt, error: errorCode, createdAt, finishedAt };
  });
  const text = [
    list({ ...columns, capabilities: capabilities.join(" ") }),
    `\ncredential\n${grant === null ? "none" : list(grant satisfies Record<string, Cell>)}`,
    `\nposts\n${Object.keys(posts).length === 0 ? "none" : list(posts)}`,
    `\nlatest jobs\n${table(rows, "none")}`,
  ].join("\n");
  print(connection, { json, text });
}

function readReason(value: string): string {
  const reason = value.trim();
  if (checkSupportReason(reason) === null) return reason;
  throw new UsageError(`--reason must be one line of 1 to ${MOST_REASON_CHARACTERS} characters`);
}
