// #region receive-event
import { EventError, type ReceivedEvent, receiveEvent } from "@social-connect/sdk/events";

/** POST /events, in a framework with `Request` and `Response`. `store` keeps an event once for each `id`. */
export async function receive(
  request: Request,
  secret: string,
  store: (event: ReceivedEvent) => Promise<void>,
): Promise<Response> {
  try {
    await store(await receiveEvent(request, secret)); // a job does the work, after the answer
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!EventError.is(error)) throw error; // the service sends the event again
    console.warn(JSON.stringify(error)); // contains nothing of the request
    return new Response(null, { status: 400 });
  }
}
// #endregion receive-event
