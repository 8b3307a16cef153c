import { CORRELATION_ID_HEADER } from "@social-connect/contract";
import { AppError } from "@social-connect/domain";
import type { SerializedError } from "@social-connect/transport";
import { originalOf, responseHeaders, showError } from "@social-connect/transport";
import type { ExecutionResult } from "graphql";
import type { FetchAPI, Plugin } from "graphql-yoga";
import type { Service } from "../../../modules/service.ts";
import { RefusedCallError } from "../../../platform/refusedCallError.ts";
import type { RefusedCall } from "../recordRefusal.ts";
import { recordRefusal } from "../recordRefusal.ts";
import type { Incoming } from "./use-request.ts";
import { RequestTooLargeError } from "./use-request.ts";

export interface EnvelopeContext extends Incoming {
  readonly service: Service;
  /** Correlates the request's response, errors and log lines. */
  readonly correlationId: string;
}

/** How an API responds to a request and logs its errors. */
export interface EnvelopeOptions<Context> {
  readonly alwaysHasData: boolean;
  readonly callOf: (context: Context) => Omit<RefusedCall, "correlationId" | "from">;
  /** Who called, for the log. */
  readonly callerOf: (context: Context) => Readonly<Record<string, unknown>>;
  /** The authenticated application; null without one. */
  readonly applicationOf?: (context: Context) => string | null;
  /** Changes the details of an error in the response. */
  readonly describe?: (error: SerializedError, original: unknown, context: Context) => SerializedError;
}

/** Writes every response as plain JSON, regardless of the Accept header. */
export function useEnvelope<Context extends EnvelopeContext>(options: EnvelopeOptions<Context>): Plugin {
  return {
    onResultProcess({ result, serverContext, setResultProcessor }) {
      const context = serverContext as unknown as Context;
      setResultProcessor(
        (_result: unknown, { Response }: FetchAPI) => respond(result as ExecutionResult, context, options, Response),
        "application/json",
      );
    },
  };
}

function respond<Context extends EnvelopeContext>(
  result: ExecutionResult,
  context: Context,
  options: EnvelopeOptions<Context>,
  Response: FetchAPI["Response"],
) {
  const { service, correlationId, record } = context;
  record.applicationId = options.applicationOf?.(context) ?? null;
  const callOf = (): RefusedCall => ({ correlationId, from: context.from(), ...options.callOf(context) });
  if (result.errors?.some((error) => originalOf(error) instanceof RequestTooLargeError)) {
    record.code = "BODY_TOO_LARGE";
    recordRefusal(service, callOf(), "BODY_TOO_LARGE");
    const headers = { "content-length": "0", [CORRELATION_ID_HEADER]: correlationId };
    return new Response(null, { status: 413, headers });
  }
  const all = (result.errors ?? []).map((error) =>
    showError(error, correlationId, (shown, original) => options.describe?.(shown, original, context) ?? shown),
  );
  const status = all[0]?.status ?? 200;
  const failures = status === 400 ? all.slice(0, 1) : all;
  const body = JSON.stringify({
    ...((status === 200 || options.alwaysHasData) && { data: result.data ?? null }),
    ...(all.length > 0 && { errors: failures.map(({ error }) => error) }),
  });
  for (const { error, original } of failures) {
    const isExpected = original instanceof AppError || original === null;
    const { code, reason } = error.extensions;
    const fields = { correlationId, code, reason, ...options.callerOf(context) };
    const refusal = original instanceof RefusedCallError && { refusal: original.security.reason };
    const message = `${options.callOf(context).api} operation failed`;
    if (isExpected) service.logger.debug({ ...fields, ...refusal }, message);
    else service.logger.error({ ...fields, error: original }, message);
  }
  const [first] = failures;
  record.code = first?.error.extensions.code ?? "OK";
  if (first !== undefined) {
    recordRefusal(
      service,
      callOf(),
      first.error.extensions.code,
      first.original instanceof AppError ? first.original : null,
    );
  }
  return new Response(body, {
    status,
    // Set explicitly, so that the response is sent in one piece and not chunked.
    headers: { ...responseHeaders(correlationId), "content-length": String(Buffer.byteLength(body)) },
  });
}
