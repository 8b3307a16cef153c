import { LIMITS } from "@social-connect/contract";
import { checkMediaType, readGraphqlRequest, readJsonObject } from "@social-connect/domain";
import type { DocumentNode, ExecutionResult, GraphQLSchema, OperationDefinitionNode } from "graphql";
import { execute, GraphQLError } from "graphql";
import type { Incoming, Outcome, Reply } from "../http/exchange.ts";
import { isLongerThan, JSON_HEADERS, reply, textReply } from "../http/exchange.ts";
import { ServiceError } from "../modules/errors.ts";
import type { ServiceFault } from "../state/serviceFaults.ts";
import type { World } from "../world/world.ts";
import { argumentsOf, operationsOf, recordCall } from "./callLog.ts";
import type { Documents } from "./documents.ts";
import { operationOf } from "./documents.ts";
import { redact } from "./redact.ts";
import type { SerializedError } from "./serializeError.ts";
import { originalOf, serializeError } from "./serializeError.ts";
import { strictError } from "./strict.ts";
import { takeFault } from "./takeFault.ts";

/** The differences between the APIs of a mock. */
export interface GraphqlApi<Context> {
  readonly name: "consumer" | "admin";
  readonly schema: () => GraphQLSchema;
  readonly documents: () => Documents;
  /** Authenticates the caller; `document` is null when it will not run. Throws a ServiceError for the whole operation. */
  readonly contextOf: (world: World, request: Incoming, document: DocumentNode | null) => Context;
  /** Authenticates before the body is read, in place of `contextOf`. */
  readonly admit?: (world: World, request: Incoming) => Context;
  /** Refuses a document before it runs. */
  readonly refusalOf?: (document: DocumentNode, context: Context) => Error | null;
  /** Changes the details of an error in the response. */
  readonly describe?: (error: SerializedError, original: unknown) => SerializedError;
  /** Responses have `data` even when no operation was executed. */
  readonly alwaysData?: boolean;
  readonly callerId: (context: Context) => string | null;
  /** Checks the body before the query is parsed; throws a ServiceError to refuse it. */
  readonly inspectBody?: (body: Readonly<Record<string, unknown>>) => void;
}

interface Answer {
  readonly reply: Reply;
  readonly outcome: string;
  readonly correlationId: string | null;
  readonly callerId: string | null;
}

interface Asked {
  readonly operation: OperationDefinitionNode | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Answers a POST to a GraphQL endpoint and records it in the call log. */
export async function answerGraphql<Context>(
  world: World,
  api: GraphqlApi<Context>,
  request: Incoming,
): Promise<Outcome> {
  let admitted: Context | null;
  try {
    admitted = api.admit?.(world, request) ?? null;
  } catch (error) {
    const refused = respond(world, api, { data: null, errors: [error as GraphQLError] }, null);
    record(
      world,
      api,
      { operation: null, variables: {} },
      refused.outcome,
      refused.reply.status,
      null,
      refused.correlationId,
    );
    return refused.reply;
  }
  const tooLarge = request.bodyBytes !== undefined && request.bodyBytes > LIMITS.bodyBytes;
  const text = tooLarge ? "" : await request.text();
  if (tooLarge || (text !== null && isLongerThan(text, LIMITS.bodyBytes))) {
    record(world, api, { operation: null, variables: {} }, "413", 413, null, null);
    return reply(413);
  }
  const asked = askedIn(api, text, request.headers.get("content-type"));
  const fault = "error" in asked ? null : takeFault(world, operationsOf(asked.operation));
  if (fault?.delayMs !== undefined) await world.sleep(fault.delayMs);
  if (fault?.drop === "before") return dropped(world, api, asked, "dropped before");
  if (fault?.status !== undefined) {
    record(world, api, asked, `HTTP ${fault.status}`, fault.status, null, null);
    return textReply(fault.status, `Injected fault: HTTP ${fault.status}.\n`);
  }
  // Synchronous from here to the response, so requests do not interleave.
  const answer = run(world, api, request, asked, fault, admitted);
  if (fault?.drop === "after") return dropped(world, api, asked, "dropped after", answer);
  record(world, api, asked, answer.outcome, answer.reply.status, answer.callerId, answer.correlationId);
  return fault?.malformed === undefined ? answer.reply : malformed(answer.reply, fault.malformed);
}

type Parsed = Asked &
  (
    | {
        readonly documentErrors: readonly GraphQLError[];
        readonly query: string;
        readonly operationName: string | undefined;
      }
    | { readonly error: Error }
  );

function askedIn<Context>(api: GraphqlApi<Context>, text: string | null, contentType: string | null): Parsed {
  const nothing = { operation: null, variables: {} };
  const media = checkMediaType(contentType);
  if (media !== null) return { ...nothing, error: asInputError(media.message) };
  const read = readJsonObject(text);
  if ("violation" in read) return { ...nothing, error: asInputError(read.violation.message) };
  try {
    api.inspectBody?.(read.body);
  } catch (error) {
    return { ...nothing, error: error instanceof Error ? error : new Error(String(error)) };
  }
  const parsed = readGraphqlRequest(read.body);
  if ("violation" in parsed) return { ...nothing, error: asInputError(parsed.violation.message) };
  const { query, variables = {}, operationName } = parsed.request;
  const known = api.documents().read(query);
  const operation = operationOf(known.document, operationName);
  return { operation, variables, documentErrors: known.errors, query, operationName };
}

function run<Context>(
  world: World,
  api: GraphqlApi<Context>,
  request: Incoming,
  asked: Parsed,
  fault: ServiceFault | null,
  admitted: Context | null,
): Answer {
  if ("error" in asked) return respond(world, api, { errors: [asked.error as GraphQLError] }, null);
  if (asked.documentErrors.length > 0) return respond(world, api, { errors: asked.documentErrors }, null);
  const { document } = api.documents().read(asked.query);
  if (document === null) return respond(world, api, { errors: asked.documentErrors }, null);
  let context: Context;
  try {
    context = admitted ?? api.contextOf(world, request, asked.operation === null ? null : document);
    const refusal = api.refusalOf?.(document, context) ?? null;
    if (refusal !== null) throw refusal;
  } catch (error) {
    return respond(world, api, { data: null, errors: [error as GraphQLError] }, null);
  }
  const callerId = api.callerId(context);
  if (fault?.code !== undefined)
    return respond(world, api, { data: null, errors: [faultError(fault) as never] }, callerId);
  const result = execute({
    schema: api.schema(),
    document,
    contextValue: context,
    variableValues: asked.variables,
    ...(asked.operationName !== undefined && { operationName: asked.operationName }),
  });
  if (result instanceof Promise) throw new Error("A resolver of the mock returned a promise.");
  return respond(world, api, result as ExecutionResult, callerId);
}

/** A document or transport error is 400, a failed operation 200 (service description, part 7). */
function respond<Context>(
  world: World,
  api: GraphqlApi<Context>,
  result: ExecutionResult,
  callerId: string | null,
): Answer {
  const { errors } = result;
  if (errors === undefined || errors.length === 0) {
    return {
      reply: reply(200, JSON.stringify({ data: result.data ?? null }), JSON_HEADERS),
      outcome: "OK",
      correlationId: null,
      callerId,
    };
  }
  const correlationId = world.newId();
  const wasExecuted = !(result.data === undefined && errors.some((error) => originalOf(error) === null));
  const shown = wasExecuted ? errors : errors.slice(0, 1);
  const serialized = shown.map((error): SerializedError => {
    const plain = serializeError(error, correlationId);
    const described = api.describe?.(plain, originalOf(error)) ?? plain;
    return world.settings.strict ? strictError(described) : described;
  });
  const envelope = { ...(wasExecuted || api.alwaysData ? { data: result.data ?? null } : {}), errors: serialized };
  return {
    reply: reply(wasExecuted ? 200 : 400, JSON.stringify(envelope), JSON_HEADERS),
    outcome: serialized[0]?.extensions.code ?? "UPSTREAM_UNAVAILABLE",
    correlationId,
    callerId,
  };
}

function faultError(fault: ServiceFault): Error {
  const { code = "UPSTREAM_UNAVAILABLE", retryAfterSeconds } = fault;
  const message = `Injected fault: ${code}.`;
  return new ServiceError({ code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
}

function malformed(intact: Reply, kind: NonNullable<ServiceFault["malformed"]>): Reply {
  switch (kind) {
    case "not-json":
      return reply(200, "<!doctype html><title>Bad gateway</title>", { "content-type": "text/html; charset=utf-8" });
    case "truncated":
      return { ...intact, body: (intact.body ?? "").slice(0, Math.floor((intact.body ?? "").length / 2)) };
    case "empty":
      return { ...intact, body: "" };
    case "wrong-shape":
      return { ...intact, body: JSON.stringify({ data: 42 }) };
  }
}

function dropped<Context>(
  world: World,
  api: GraphqlApi<Context>,
  asked: Asked,
  outcome: string,
  answer?: Answer,
): "dropped" {
  record(world, api, asked, outcome, null, answer?.callerId ?? null, answer?.correlationId ?? null);
  return "dropped";
}

function record<Context>(
  world: World,
  api: GraphqlApi<Context>,
  { operation, variables }: Asked,
  outcome: string,
  httpStatus: number | null,
  applicationId: string | null,
  correlationId: string | null,
): void {
  recordCall(world, {
    operation: operationsOf(operation)[0] ?? null,
    api: api.name,
    arguments: operation === null ? redact(variables) : argumentsOf(operation, variables),
    outcome,
    httpStatus,
    applicationId,
    correlationId,
  });
}

function asInputError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "BAD_USER_INPUT" } });
}
