import type { AppContext, Dependencies } from "../core/context.ts";
import type { LiveState } from "../core/live.ts";

/** Answers with a stream of events, or 503 when too many are open: the page then fetches itself at an interval. */
export function liveResponse({ streams }: Dependencies, c: AppContext, read: () => Promise<LiveState>) {
  const since = c.req.header("last-event-id") ?? c.req.query("since") ?? "";
  const stream = streams.open(c.get("signedIn").user.id, since, read);
  if (stream === undefined) return c.text("Too many streams are open.", 503, { "retry-after": "20" });
  // A connection that stays open after its stream would hold a process that shuts down.
  return c.body(stream, 200, {
    "content-type": "text/event-stream",
    "x-accel-buffering": "no",
    connection: "close",
  });
}
