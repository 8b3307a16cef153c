import type { Command } from "commander";
import { findApplication, jsonOption, type OutputOptions, readTime, withService } from "./operator.ts";
import { print } from "./output.ts";

interface ResendOptions extends OutputOptions {
  readonly client: string;
  readonly since: Date;
  readonly failed?: boolean;
}

/** Commands for the events that are sent to applications. */
export function addEventCommands(program: Command): void {
  const events = program.command("events").summary("send events to an application's backend again");
  events
    .command("resend")
    .summary("send the events of a client since a time again, with the same ids")
    .requiredOption("--client <slug>", "the client; its id, too")
    .requiredOption("--since <time>", "the first time, e.g. 2027-01-31T12:00:00Z; at most 30 days ago", readTime)
    .option("--failed", "only what was not delivered: failed deliveries, and events while the endpoint was off")
    .addOption(jsonOption())
    .action(resend);
}

async function resend({ client: slug, since, failed = false, json = false }: ResendOptions): Promise<void> {
  const { resendEvents } = await import("../../modules/events/resendEvents.ts");
  const { SYSTEM } = await import("../../modules/admin/actor.ts");
  const sent = await withService(async (service) => {
    const { id } = await findApplication(service, slug);
    const total = { events: 0, deliveries: 0 };
    for (let from: readonly string[] | null = null, isFirst = true; isFirst || from !== null; isFirst = false) {
      const part = await resendEvents(service, SYSTEM, id, { since, failedOnly: failed }, from);
      total.events += part.events;
      total.deliveries += part.deliveries;
      from = part.next;
    }
    return total;
  });
  const text =
    sent.deliveries === 0
      ? `nothing to send: ${sent.events} events since ${since.toISOString()}, and no endpoint that is on has to receive one`
      : `sends ${sent.deliveries} deliveries of ${sent.events} events since ${since.toISOString()} again; the worker delivers them`;
  print({ ...sent, since, failed }, { json, text });
}
