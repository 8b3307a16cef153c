import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "@social-connect/contract";
import { AppError, utf8Text } from "@social-connect/domain";
import type { Api } from "../graphql/shared/api.ts";
import type { CallContext } from "../graphql/shared/callContext.ts";
import type { Service } from "../modules/service.ts";
import type { TimeShare } from "../platform/fairShare.ts";
import type { RequestRecord } from "../platform/telemetry.ts";
import { callerAddress } from "./clientAddress.ts";
import { compressBody } from "./compressBody.ts";
import { CallerLeftError, readBody } from "./readBody.ts";

/** A successful call without a key, such as `status`, reads nothing. */
const KEYLESS_PART = 0.25;
/** Of a refused call: callers that immediately repeat it also keep the process busy with their connections. */
const REFUSED_PART = 5;
/** Of a successful call of an application, whose slot already limits it. */
const COUNTED_FROM_MS = 1;

export interface GraphQLEndpoint<Context> {
  readonly service: Pick<Service, "clock" | "logger">;
  readonly api: Api<Context>;
  readonly throttle: TimeShare;
  /** Only for the panel, whose connection may be slow. */
  readonly isCompressed: boolean;
}

/** Handles one GraphQL request over HTTP. */
export async function exchange<Context extends CallContext>(
  { service, api, throttle, isCompressed }: GraphQLEndpoint<Context>,
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const { "content-type": types, "accept-encoding": encodings } = request.headersDistinct;
  try {
    const answer = await api({ contentType: types?.[0] ?? null, receive: () => receive(request) }, context);
    const text = await answer.text();
    const { body, headers } = isCompressed
      ? await compressBody(text, encodings?.join(",") ?? "")
      : { body: text, headers: {} };
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

async function waitForTurn(throttle: TimeShare, { record, from, whenLeft }: CallContext): Promise<void> {
  const { code, applicationId, surface, workMs } = record;
  const isAnswered = code === "OK" && surface === "consumer";
  if (isAnswered && applicationId !== null) {
    if (workMs >= COUNTED_FROM_MS) await throttle.wait(applicationId, whenLeft, workMs, 0);
    return;
  }
  const owner = applicationId ?? `${isAnswered ? "keyless" : surface} ${from().network}`;
  const part = code === "RATE_LIMITED" ? REFUSED_PART : 1;
  await throttle.wait(owner, whenLeft, workMs, isAnswered ? KEYLESS_PART : part);
}

/** What every call begins with. */
export function callContext(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  record: RequestRecord,
): CallContext {
  return {
    service,
    correlationId: record.correlationId,
    record,
    from: () => callerAddress(request, service),
    whenLeft: whenLeft(response),
    body: "",
    refusal: null,
    owner: null,
    document: null,
  };
}

/** Registers a function to run if the caller disconnects before the response has ended. */
export function whenLeft(response: ServerResponse): (run: () => void) => () => void {
  return (run) => {
    response.once("close", run);
    return () => response.off("close", run);
  };
}

/** Reads a body; null when it exceeds the size limit. */
async function receive(request: IncomingMessage): Promise<string | null> {
  try {
    const body = await readBody(request, LIMITS.bodyBytes);
    // A body that is not UTF-8 is as little JSON as an empty one.
    return body === null ? null : (utf8Text(body) ?? "");
  } catch (error) {
    if (!(error instanceof CallerLeftError)) throw error;
    // No one reads this response; a client that disconnects is not an error.
    throw new AppError({ code: "UPSTREAM_UNAVAILABLE", message: "The request was aborted." }, { cause: error });
  }
}
