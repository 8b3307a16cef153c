import type { GraphQLError } from "graphql";
import { InvalidInputError } from "../../modules/admin/errors.ts";
import { AppError } from "../../platform/appError.ts";
import type { Answer } from "../shared/answer.ts";
import { appErrorOf, asFault, originalOf } from "../shared/answer.ts";
import type { RefusedCall } from "../shared/recordRefusal.ts";
import { recordRefusal } from "../shared/recordRefusal.ts";
import type { SerializedError } from "../shared/serializeError.ts";
import { serializeError } from "../shared/serializeError.ts";
import type { AdminContext } from "./context.ts";

/** The same for every argument and document: the message does not name the field (service description, part 7). */
const INVALID_MESSAGE = "The request is not valid.";

/** Nothing ran: the request's shape, the document or the variables are not what they have to be. */
export function refused(error: GraphQLError, context: AdminContext): Answer {
  const described = describe(error, context);
  recordRefusal(context.service, asCall(context), described.extensions.code);
  return { status: 400, body: JSON.stringify({ data: null, errors: [described] }) };
}

/** The body was larger than one may be. */
export function tooLarge(context: AdminContext): void {
  recordRefusal(context.service, asCall(context), "BODY_TOO_LARGE");
}

/**
 * The operation ran, or was refused as a whole; whatever failed in it, the status is 200. Every error gets a code, the
 * correlation id and, where there is one, the reason (service description, part 7).
 */
export function answered(
  { data, errors }: { readonly data: unknown; readonly errors: readonly unknown[] },
  context: AdminContext,
): Answer {
  const described = errors.map((error) => describe(asFault(error), context));
  const [first] = described;
  if (first !== undefined)
    recordRefusal(context.service, asCall(context), first.extensions.code, appErrorOf(errors[0]));
  return { status: 200, body: JSON.stringify(described.length > 0 ? { data, errors: described } : { data }) };
}

function asCall({ correlationId, actor, incoming, from }: AdminContext): RefusedCall {
  return {
    correlationId,
    api: incoming.surface === "api" ? "admin" : "panel",
    keyId: actor?.via === "key" ? actor.keyId : null,
    sessionId: actor?.via === "session" ? actor.sessionId : null,
    from: from(),
  };
}

function describe(error: unknown, context: AdminContext): SerializedError {
  const serialized = serializeError(error, context.correlationId);
  const original = originalOf(error);
  const expected = original instanceof AppError || original === null;
  context.service.logger[expected ? "debug" : "error"](
    {
      correlationId: context.correlationId,
      code: serialized.extensions.code,
      reason: serialized.extensions.reason,
      actor: context.actor?.via === "key" ? context.actor.keyId : context.actor?.memberId,
      ...(original instanceof AppError ? { internal: original.internal } : {}),
      ...(expected ? {} : { err: original }),
    },
    "admin operation failed",
  );
  return context.incoming.surface === "panel" ? atItsField(serialized, original) : withoutField(serialized);
}

/** A script is told that its input failed; which part is for it to know. */
function withoutField(error: SerializedError): SerializedError {
  return error.extensions.code === "BAD_USER_INPUT" ? { ...error, message: INVALID_MESSAGE } : error;
}

/** The panel shows the message where the person can mend it. */
function atItsField(error: SerializedError, original: unknown): SerializedError & { extensions: { field?: string } } {
  if (!(original instanceof InvalidInputError) || original.field === null) return error;
  return { ...error, extensions: { ...error.extensions, field: original.field } };
}
