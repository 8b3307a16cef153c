import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { BrokenBody } from "../shared/fault.ts";
import type { Call } from "../shared/http.ts";

const HUGE_BYTES = 64 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, '"padding",');
/** A stalled response ends after this time. */
const STALLED_MS = 120_000;
const JSON_TYPE = { "content-type": "application/json; charset=UTF-8" };

/** Returns 200 with an invalid body. Some forms write to the socket directly, because the framework would complete the response. */
export async function sendBrokenBody(call: Call, form: BrokenBody): Promise<Response> {
  const { outgoing } = call.env;
  switch (form) {
    case "not-json":
      return new Response("<!doctype html><title>Sorry</title><p>Something went wrong on our end.", {
        headers: { "content-type": "text/html; charset=utf-8" },
      });
    case "other-shape":
      return new Response('{"result":[1,"two",null],"items":{"0":false},"data":"none","error":[]}', {
        headers: JSON_TYPE,
      });
    case "empty":
      return new Response("", { headers: JSON_TYPE });
    case "cut":
      outgoing.writeHead(200, { ...JSON_TYPE, "content-length": "4096" });
      outgoing.write('{"items":[{"id":"', () => outgoing.destroy());
      return RESPONSE_ALREADY_SENT;
    case "stalled": {
      outgoing.writeHead(200, JSON_TYPE);
      outgoing.write('{"items":[');
      const timer = setTimeout(() => outgoing.destroy(), STALLED_MS);
      timer.unref();
      outgoing.once("close", () => clearTimeout(timer));
      return RESPONSE_ALREADY_SENT;
    }
    case "huge":
      outgoing.writeHead(200, JSON_TYPE);
      await pipeline(Readable.from(hugeList()), outgoing).catch(() => outgoing.destroy());
      return RESPONSE_ALREADY_SENT;
  }
}

/** Closes the connection before the response. */
export function dropConnection(call: Call): Response {
  call.env.outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}

function* hugeList(): Generator<Buffer> {
  yield Buffer.from('{"items":[');
  for (let sent = 0; sent < HUGE_BYTES; sent += CHUNK.length) yield CHUNK;
  yield Buffer.from('""]}');
}
