import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "@social-connect/contract";
import { AppError, utf8Text } from "@social-connect/domain";
import type { ReceivedRequest } from "@social-connect/transport";
import type { Service } from "../modules/service.ts";
import { CallerLeftError, readBody } from "./readBody.ts";

/** One of the GraphQL engines, for requests of node:http. */
type Engine<Context> = (request: IncomingMessage, response: ServerResponse, context: Context) => unknown;

/** Handles one GraphQL request over HTTP. */
export async function exchange<Context extends object>(
  { logger, connectHost }: Service,
  engine: Engine<Context>,
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  // The engine builds a URL from the Host header, which may be invalid.
  request.headers.host = new URL(connectHost).host;
  // With a body given, the engine does not read the stream, which `receive` reads instead; this one is never read.
  Object.assign(request, { body: "-" });
  try {
    await engine(request, response, context);
  } catch (error) {
    logger.error({ err: error }, "failed to respond to a request");
    response.destroy();
  }
}

/** Reads a request; null when it exceeds the size limit. The engine's own limit reads a body twice. */
export async function receive(request: IncomingMessage): Promise<ReceivedRequest | null> {
  try {
    const body = await readBody(request, LIMITS.bodyBytes);
    return body === null ? null : { contentType: request.headers["content-type"] ?? null, body: utf8Text(body) };
  } catch (error) {
    if (!(error instanceof CallerLeftError)) throw error;
    // No one reads this response; a client that disconnects is not an error.
    throw new AppError({ code: "UPSTREAM_UNAVAILABLE", message: "The request was aborted." }, { cause: error });
  }
}
