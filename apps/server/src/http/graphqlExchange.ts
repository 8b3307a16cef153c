import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "@social-connect/contract";
import { utf8Text } from "@social-connect/domain";
import type { Api } from "../graphql/shared/api.ts";
import type { CallContext } from "../graphql/shared/callContext.ts";
import type { Service } from "../modules/service.ts";
import { CallerGoneError, type Presence } from "../platform/call/presence.ts";
import type { EndTurn } from "../platform/load/admission.ts";
import type { TimeShare } from "../platform/load/fairShare.ts";
import type { RequestRecord } from "../platform/log/telemetry.ts";
import { callerAddress } from "./clientAddress.ts";
import { compressBody } from "./compressBody.ts";
import { CallerLeftError, readBody } from "./readBody.ts";

/** A call without a key that succeeds, such as `status`, reads nothing. */
const KEYLESS_PART = 0.25;
/** For a refused call: callers that immediately repeat it also keep the process busy with their connections. */
const REFUSED_PART = 5;
/** From here, the time of a successful call of an application counts: its slot already limits it. */
const COUNTED_FROM_MS = 1;

export interface GraphQLEndpoint<Context> {
  readonly service: Pick<Service, "clock" | "logger">;
  readonly api: Api<Context>;
  readonly throttle: TimeShare;
  /** Only for the panel, whose connection may be slow. */
  readonly isCompressed: boolean;
}

/** A request that is being answered. */
export interface Exchanged {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly presence: Presence;
  /** Ends the turn of an unknown caller; null: it needed none. */
  readonly endTurn: EndTurn | null;
}

/** Handles one GraphQL request over HTTP. */
export async function exchange<Context extends CallContext>(
  { service, api, throttle, isCompressed }: GraphQLEndpoint<Context>,
  { request, response, endTurn }: Exchanged,
  context: Context,
): Promise<void> {
  const { "content-type": types, "accept-encoding": encodings } = request.headersDistinct;
  try {
    const answer = await api({ contentType: types?.[0] ?? null, receive: () => receive(request) }, context);
    const text = await answer.text();
    const { body, headers } = isCompressed
      ? await compressBody(text, encodings?.join(",") ?? "")
      : { body: text, headers: {} };
    endTurn?.(context.record.workMs, partOf(context));
    if (endTurn === null || context.owner !== null) await waitForTurn(throttle, context);
    const date = await dateOf(service, context.record);
    if (response.destroyed) return;
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...headers, ...date }).end(body);
  } catch (error) {
    endTurn?.();
    if (context.presence.hasLeft) return;
    service.logger.error({ err: error }, "failed to respond to a request");
    response.destroy();
  }
}

/** The part of a turn's minimum time that a call is charged. A caller with a known key has a separate share, and pays 0. */
function partOf({ record, owner }: CallContext): number {
  if (owner !== null) return 0;
  return record.code === "OK" && record.surface === "consumer" ? KEYLESS_PART : 1;
}

/**
 * The times in a response are of the service's clock, so callers compare them with its date. Other responses have the
 * machine's, and do not depend on the database.
 */
async function dateOf({ clock }: Pick<Service, "clock">, { code, applicationId }: RequestRecord) {
  return code === "OK" && applicationId !== null ? { date: (await clock.now()).toUTCString() } : {};
}

/** The response of a known caller whose call took no slot, or more time than its slot accounts for. */
async function waitForTurn(throttle: TimeShare, { record, from, presence, owner }: CallContext): Promise<void> {
  const { code, applicationId, surface, workMs } = record;
  const { whenLeft } = presence;
  if (code === "OK" && surface === "consumer" && applicationId !== null) {
    if (workMs >= COUNTED_FROM_MS) await throttle.wait(applicationId, whenLeft, workMs, 0);
    return;
  }
  const part = code === "RATE_LIMITED" ? REFUSED_PART : 1;
  await throttle.wait(applicationId ?? owner ?? `${surface} ${from().network}`, whenLeft, workMs, part);
}

/** What every call begins with. */
export function callContext(
  service: Service,
  request: IncomingMessage,
  presence: Presence,
  record: RequestRecord,
): CallContext {
  return {
    service,
    correlationId: record.correlationId,
    record,
    from: () => callerAddress(request, service),
    presence,
    body: "",
    refusal: null,
    owner: null,
    document: null,
  };
}

/** Reads a body; null when it exceeds the size limit. */
async function receive(request: IncomingMessage): Promise<string | null> {
  try {
    const body = await readBody(request, LIMITS.bodyBytes);
    // A body that is not valid UTF-8 is rejected, like an empty one.
    return body === null ? null : (utf8Text(body) ?? "");
  } catch (error) {
    if (!(error instanceof CallerLeftError)) throw error;
    throw new CallerGoneError(error);
  }
}
