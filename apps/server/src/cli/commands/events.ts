import type { Command } from "commander";
import { SYSTEM } from "../../modules/admin/actor.ts";
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
  const { events, deliveries } = await withService(async (service) =>
    resendEvents(service, SYSTEM, (await findApplication(service, slug)).id, { since, failedOnly: failed }),
  );
  const text =
    deliveries === 0
      ? `nothing to send: no endpoint that is on has to receive an event since ${since.toISOString()}`
      : `sends ${deliveries} deliveries of ${events} events since ${since.toISOString()} again; the worker delivers them`;
  print({ events, deliveries, since, failed }, { json, text });
}
