import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "@social-connect/contract";
import { AppError, utf8Text } from "@social-connect/domain";
import type { ReceivedRequest } from "@social-connect/transport";
import type { Incoming } from "../graphql/shared/plugins/use-request.ts";
import type { Service } from "../modules/service.ts";
import type { RequestRecord } from "../platform/telemetry.ts";
import type { Throttle } from "../platform/throttle.ts";
import { compressBody } from "./compressBody.ts";
import { CallerLeftError, readBody } from "./readBody.ts";

/** One of the GraphQL engines, for requests of node:http. */
interface Engine<Context> {
  handleNodeRequestAndResponse(
    request: IncomingMessage,
    response: ServerResponse,
    context: Context,
  ): Response | Promise<Response>;
}

/** A successful call without a key, such as `status`, reads nothing. */
const KEYLESS_TOKENS = 0.25;
/** Of a successful call of an application, whose slot already limits it. */
const COUNTED_FROM_MS = 1;

export interface GraphQLEndpoint<Context> {
  readonly service: Pick<Service, "clock" | "logger">;
  readonly engine: Engine<Context>;
  readonly throttle: Throttle;
  /** Only for the panel, whose connection may be slow. */
  readonly isCompressed: boolean;
}

interface RequestContext {
  readonly record: RequestRecord;
  readonly from: Incoming["from"];
  readonly whenLeft: (run: () => void) => () => void;
}

/** Handles one GraphQL request over HTTP. */
export async function exchange<Context extends RequestContext>(
  { service, engine, throttle, isCompressed }: GraphQLEndpoint<Context>,
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const acceptEncoding = request.headersDistinct["accept-encoding"]?.join(",") ?? "";
  // The engine builds a URL from `host`, which may be invalid, and parses `accept`: 50 KB took ten times as long as a refusal.
  request.headers = { host: "localhost" };
  // With a body given, the engine does not read the stream, which `receive` reads instead; this one is never read.
  Object.assign(request, { body: "-" });
  try {
    // The engine's own listener copies the context property by property, and writes a body apart from its head.
    const answer = await engine.handleNodeRequestAndResponse(request, response, context);
    const text = await answer.text();
    const { body, headers } = isCompressed ? await compressBody(text, acceptEncoding) : { body: text, headers: {} };
    await waitForTurn(throttle, context);
    const date = await dateOf(service, context.record);
    if (response.destroyed) return;
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...headers, ...date }).end(body);
  } catch (error) {
    service.logger.error({ err: error }, "failed to respond to a request");
    response.destroy();
  }
}

/**
 * The times in a response are of the service's clock, so callers compare them with its date. Other responses have the
 * machine's, and do not depend on the database.
 */
async function dateOf({ clock }: Pick<Service, "clock">, { code, applicationId }: RequestRecord) {
  return code === "OK" && applicationId !== null ? { date: (await clock.now()).toUTCString() } : {};
}

async function waitForTurn(throttle: Throttle, { record, from, whenLeft }: RequestContext): Promise<void> {
  const { code, applicationId, surface, workMs } = record;
  if (code === "OK" && applicationId !== null && workMs < COUNTED_FROM_MS) return;
  const isKeyless = surface === "consumer" && applicationId === null && code === "OK";
  const owner = applicationId ?? `${isKeyless ? "keyless" : surface} ${from().network}`;
  await throttle.wait(owner, whenLeft, isKeyless ? KEYLESS_TOKENS : 1, workMs);
}

/** Registers a function to run if the caller disconnects before the response has ended. */
export function whenLeft(response: ServerResponse): (run: () => void) => () => void {
  return (run) => {
    response.once("close", run);
    return () => response.off("close", run);
  };
}

/** Reads a request; null when it exceeds the size limit. The engine's own limit reads a body twice. */
export async function receive(request: IncomingMessage): Promise<ReceivedRequest | null> {
  try {
    const body = await readBody(request, LIMITS.bodyBytes);
    const [contentType = null] = request.headersDistinct["content-type"] ?? [];
    return body === null ? null : { contentType, body: utf8Text(body) };
  } catch (error) {
    if (!(error instanceof CallerLeftError)) throw error;
    // No one reads this response; a client that disconnects is not an error.
    throw new AppError({ code: "UPSTREAM_UNAVAILABLE", message: "The request was aborted." }, { cause: error });
  }
}
