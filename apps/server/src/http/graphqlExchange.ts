import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "@social-connect/contract";
import { utf8Text } from "@social-connect/domain";
import type { ReceivedRequest } from "../graphql/shared/readRequest.ts";
import type { Service } from "../modules/service.ts";
import { AppError } from "../platform/appError.ts";
import { CallerLeftError, readBody } from "./readBody.ts";

/** One of the engines, as it takes requests of node:http. */
type Engine<Context> = (request: IncomingMessage, response: ServerResponse, context: Context) => unknown;

/** One request to a GraphQL endpoint over HTTP. */
export async function exchange<Context extends object>(
  { logger, connectHost }: Service,
  engine: Engine<Context>,
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  // The engine builds an address of the Host header, and cannot of everything that may stand there.
  request.headers.host = new URL(connectHost).host;
  // With a body in hand it leaves the stream alone, which `receive` reads; nobody asks for this one.
  Object.assign(request, { body: "-" });
  try {
    await engine(request, response, context);
  } catch (error) {
    logger.error({ err: error }, "a request could not be answered");
    response.destroy();
  }
}

/** Reads a request; null when it is larger than one may be. The engine's own bound reads a body twice. */
export async function receive(request: IncomingMessage): Promise<ReceivedRequest | null> {
  try {
    const body = await readBody(request, LIMITS.bodyBytes);
    return body === null ? null : { contentType: request.headers["content-type"] ?? null, body: utf8Text(body) };
  } catch (error) {
    if (!(error instanceof CallerLeftError)) throw error;
    // Nobody will read the answer; it is one that nobody has to look into.
    throw new AppError({ code: "UPSTREAM_UNAVAILABLE", message: "The request broke off.", cause: error });
  }
}
