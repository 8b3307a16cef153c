import type { GraphQLError } from "graphql";
import { AppError } from "../../platform/appError.ts";
import type { Answer } from "../shared/answer.ts";
import { appErrorOf, asFault, originalOf } from "../shared/answer.ts";
import type { RefusedCall } from "../shared/recordRefusal.ts";
import { recordRefusal } from "../shared/recordRefusal.ts";
import type { SerializedError } from "../shared/serializeError.ts";
import { serializeError } from "../shared/serializeError.ts";
import type { ConsumerContext } from "./context.ts";

/** Nothing ran: the request's shape, the document or the variables are not what they have to be (service description, part 7). */
export function refused(error: GraphQLError, context: ConsumerContext): Answer {
  const described = describe(error, context);
  recordRefusal(context.service, asCall(context), described.extensions.code);
  return { status: 400, body: JSON.stringify({ errors: [described] }) };
}

/** The body was larger than one may be. */
export function tooLarge(context: ConsumerContext): void {
  recordRefusal(context.service, asCall(context), "BODY_TOO_LARGE");
}

/**
 * The operation ran, or was refused as a whole; whatever failed in it, the status is 200. Every error becomes `message` and
 * `extensions` with a code of the contract and the correlation id, whatever threw it (service description, part 7).
 */
export function answered(
  { data, errors }: { readonly data: unknown; readonly errors: readonly unknown[] },
  context: ConsumerContext,
): Answer {
  const described = errors.map((error) => describe(asFault(error), context));
  const [first] = described;
  if (first !== undefined)
    recordRefusal(context.service, asCall(context), first.extensions.code, appErrorOf(errors[0]));
  return { status: 200, body: JSON.stringify(described.length > 0 ? { data, errors: described } : { data }) };
}

function asCall({ correlationId, caller, from }: ConsumerContext): RefusedCall {
  return { correlationId, api: "consumer", keyId: caller?.keyId ?? null, sessionId: null, from: from() };
}

function describe(error: unknown, context: ConsumerContext): SerializedError {
  const serialized = serializeError(error, context.correlationId);
  const original = originalOf(error);
  const expected = original instanceof AppError || original === null;
  context.service.logger[expected ? "debug" : "error"](
    {
      correlationId: context.correlationId,
      code: serialized.extensions.code,
      applicationId: context.caller?.application.id,
      ...(original instanceof AppError ? { internal: original.internal } : {}),
      ...(expected ? {} : { error: original }),
    },
    "consumer operation failed",
  );
  return serialized;
}
