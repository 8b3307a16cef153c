import { handleEvent } from "../../lib/events";

// #region events
/** A signature of the raw body is the authentication. */
export async function POST(request: Request): Promise<Response> {
  return new Response(null, { status: await handleEvent(request) });
}
// #endregion events
