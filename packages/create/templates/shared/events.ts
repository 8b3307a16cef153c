import type { EventRequest } from "@social-connect/sdk/events";
import { EventError, receiveEvent } from "@social-connect/sdk/events";

/**
 * PLACEHOLDER for your database: since when connections need a new consent, by their ids. On `globalThis`, because Next.js loads this
 * file once for routes and once for pages.
 */
const memory = globalThis as { reconnects?: Map<string, string> };
memory.reconnects ??= new Map();
const { reconnects } = memory;

/** Marks the connection of an event whose user has to consent again. Returns the HTTP status to respond with. */
export async function handleEvent(request: EventRequest): Promise<number> {
  try {
    // `npm run service` writes the secret to .env. In production, the panel shows it once when an admin adds the endpoint.
    const event = await receiveEvent(request, process.env["SOCIAL_CONNECT_EVENT_SECRET"] ?? "");
    // The same event may come twice, or late: a mark changes what a page says of an account, and not its status.
    if (event.type === "connection.reconnect_required") reconnects.set(event.data.connectionId, event.timestamp);
    return 204;
  } catch (error) {
    if (!EventError.is(error)) throw error;
    // It contains nothing of the request.
    console.error(JSON.stringify(error));
    return 400;
  }
}

/** Since when a connection needs a new consent, if an event said so. */
export function reconnectSince(connectionId: string): string | undefined {
  return reconnects.get(connectionId)?.slice(0, 10);
}
