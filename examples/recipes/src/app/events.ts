import { EventError, type ReceivedEvent, receiveEvent } from "@social-connect/sdk/events";

/** The application's table of events: its key is the event's id, so an event that comes twice is one row. */
export class EventTable {
  readonly #rows = new Map<string, ReceivedEvent>();

  async insert(event: ReceivedEvent): Promise<void> {
    this.#rows.set(event.id, event);
  }

  list(): readonly ReceivedEvent[] {
    return [...this.#rows.values()];
  }
}

/** POST /events: stores the event, and answers. */
export async function receive(request: Request, secrets: readonly string[], table: EventTable): Promise<Response> {
  try {
    await table.insert(await receiveEvent(request, secrets));
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!EventError.is(error)) throw error;
    return new Response(null, { status: 400 });
  }
}
