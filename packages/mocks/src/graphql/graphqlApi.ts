import { CORRELATION_ID_HEADER, LIMITS } from "@social-connect/contract";
import { AppError, type Refusal } from "@social-connect/domain";
import {
  checkOperationName,
  type DescribeError,
  isPreparedWithoutKey,
  isReadWithoutKey,
  parseJson,
  RESPONSE_HEADERS,
  type ReadDocument,
  readRequest,
  responseHeaders,
  showError,
} from "@social-connect/transport";
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { type Incoming, isLongerThan, type Outcome, type Reply, reply, textReply } from "../http/exchange.ts";
import { ANY_OPERATION, type ServiceFault } from "../state/serviceFaults.ts";
import type { World } from "../world/world.ts";
import { argumentsOf, operationsOf, recordCall, redact } from "./callLog.ts";
import { strictError } from "./strict.ts";

export interface GraphqlApi<Context> {
  readonly name: "consumer" | "admin";
  readonly schema: () => GraphQLSchema;
  readonly readDocument: (text: string) => ReadDocument;
  /** Authenticates the caller of a document, or of a request that is not read yet. Throws an AppError for the whole operation. */
  readonly contextOf: (world: World, request: Incoming, document: DocumentNode | null) => Context;
  /** Authenticates before the body is read. */
  readonly readsKeyFirst: boolean;
  readonly refusalOf?: (document: DocumentNode, context: Context) => Error | null;
  readonly callerId: (context: Context) => string | null;
  /** Checks the body before the query is parsed. */
  readonly checkBody?: (body: Readonly<Record<string, unknown>>) => Refusal | null;
  /** Responses have `data` even when no operation was executed. */
  readonly alwaysHasData: boolean;
  readonly describe?: DescribeError;
}

interface Answer {
  /** null closes the connection. */
  readonly reply: Reply | null;
  readonly outcome: string;
  readonly correlationId?: string | null;
  readonly callerId?: string | null;
}

interface Asked {
  readonly operation: OperationDefinitionNode | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

const NOTHING_READ: Asked = { operation: null, variables: {} };

/** Answers a POST to a GraphQL endpoint and records it in the call log. */
export async function answerGraphql<Context>(
  world: World,
  api: GraphqlApi<Context>,
  request: Incoming,
): Promise<Outcome> {
  const finish = (asked: Asked, answer: Answer) => record(world, api.name, asked, answer);
  let admitted: Context | null;
  try {
    admitted = api.readsKeyFirst ? api.contextOf(world, request, null) : null;
  } catch (error) {
    return finish(NOTHING_READ, respond(world, api, { data: null, errors: [error as GraphQLError] }));
  }
  const tooLarge = request.bodyBytes !== undefined && request.bodyBytes > LIMITS.bodyBytes;
  const text = tooLarge ? "" : await request.text();
  if (tooLarge || (text !== null && isLongerThan(text, LIMITS.bodyBytes))) {
    const headers = world.settings.strict ? {} : { [CORRELATION_ID_HEADER]: world.newId() };
    return finish(NOTHING_READ, { reply: reply(413, null, headers), outcome: "413" });
  }
  const asked = askedIn(api, text, request.headers.get("content-type"));
  const fault = "error" in asked ? null : takeFault(world, operationsOf(asked.operation));
  if (fault?.delayMs !== undefined) await world.sleep(fault.delayMs);
  if (fault?.drop === "before") return finish(asked, { reply: null, outcome: "dropped before" });
  if (fault?.status !== undefined) {
    const outcome = `HTTP ${fault.status}`;
    return finish(asked, { reply: textReply(fault.status, `Injected fault: ${outcome}.\n`), outcome });
  }
  // Synchronous from here to the response, so requests do not interleave.
  const answer = run(world, api, asked, fault, (document) => admitted ?? api.contextOf(world, request, document));
  if (fault?.drop === "after") return finish(asked, { ...answer, reply: null, outcome: "dropped after" });
  const outcome = finish(asked, answer);
  return fault?.malformed === undefined || outcome === "dropped" ? outcome : malformed(outcome, fault.malformed);
}

/** The body of the response to an admitted caller, without faults and the call log. */
export function answerDirectly<Context>(
  world: World,
  api: GraphqlApi<Context>,
  context: Context,
  body: string,
): unknown {
  const { reply } = run(world, api, askedIn(api, body, "application/json"), null, () => context);
  return JSON.parse(reply?.body ?? "null");
}

/** `isKeyFirst`: an invalid key comes before an error of the request. */
type Parsed = Asked & { readonly isKeyFirst: boolean } & (
    | { readonly error: Error }
    | { readonly document: DocumentNode | null; readonly errors: readonly GraphQLError[] }
  );

function askedIn<Context>(api: GraphqlApi<Context>, body: string | null, contentType: string | null): Parsed {
  const request = readRequest({ contentType, body: parseJson(body) }, api.checkBody);
  const isLarge = !isReadWithoutKey(body);
  if (!("query" in request)) return { ...NOTHING_READ, isKeyFirst: isLarge, error: request };
  const { query, variables = {}, operationName } = request;
  const isKeyFirst = isLarge || !isPreparedWithoutKey(query);
  const read = api.readDocument(query);
  const unknown = read.operation && checkOperationName(read.operation, operationName);
  if (read.errors.length === 0 && unknown !== null)
    return { ...read, isKeyFirst, operation: null, variables, errors: [unknown] };
  return { ...read, isKeyFirst, variables };
}

function run<Context>(
  world: World,
  api: GraphqlApi<Context>,
  asked: Parsed,
  fault: ServiceFault | null,
  contextOf: (document: DocumentNode | null) => Context,
): Answer {
  let context: Context;
  let document: DocumentNode;
  try {
    const early = asked.isKeyFirst ? contextOf(null) : null;
    if ("error" in asked) return respond(world, api, { errors: [asked.error as GraphQLError] });
    if (asked.errors.length > 0 || asked.document === null) return respond(world, api, { errors: asked.errors });
    document = asked.document;
    context = early ?? contextOf(document);
    const refusal = api.refusalOf?.(document, context) ?? null;
    if (refusal !== null) throw refusal;
  } catch (error) {
    return respond(world, api, { data: null, errors: [error as GraphQLError] });
  }
  const callerId = api.callerId(context);
  if (fault?.code !== undefined)
    return respond(world, api, { data: null, errors: [faultError(fault) as never] }, callerId);
  const result = execute({
    schema: api.schema(),
    document,
    contextValue: context,
    variableValues: asked.variables,
    options: { maxCoercionErrors: 1 },
  });
  if ("then" in result) throw new Error("A resolver of the mock returned a promise.");
  return respond(world, api, result, callerId);
}

function respond<Context>(
  world: World,
  api: GraphqlApi<Context>,
  { data, errors = [] }: ExecutionResult,
  callerId: string | null = null,
): Answer {
  const requestId = world.newId();
  const describe: DescribeError = (error, original) => {
    const described = api.describe?.(error, original) ?? error;
    return world.settings.strict ? strictError(described) : described;
  };
  const shown = errors.map((error) => showError(error, requestId, describe));
  const { status = 200, error: first } = shown[0] ?? {};
  // An invalid request gets only its first error.
  const sent = first === undefined ? {} : { errors: status === 400 ? [first] : shown.map(({ error }) => error) };
  const body = JSON.stringify({ ...((status === 200 || api.alwaysHasData) && { data: data ?? null }), ...sent });
  const { code: outcome = "OK", correlationId = null } = first?.extensions ?? {};
  const headers = world.settings.strict ? RESPONSE_HEADERS : responseHeaders(requestId);
  // Callers compare the times in a response with its date.
  const date = world.now().toUTCString();
  return { reply: reply(status, body, { ...headers, date }), outcome, correlationId, callerId };
}

function faultError(fault: ServiceFault): Error {
  const { code = "UPSTREAM_UNAVAILABLE", retryAfterSeconds } = fault;
  const message = `Injected fault: ${code}.`;
  return new AppError({ code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
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

function record(world: World, api: "consumer" | "admin", { operation, variables }: Asked, answer: Answer): Outcome {
  const { reply, outcome, callerId = null, correlationId = null } = answer;
  recordCall(world, {
    operation: operationsOf(operation)[0] ?? null,
    api,
    arguments: operation === null ? redact(variables) : argumentsOf(operation, variables),
    outcome,
    httpStatus: reply?.status ?? null,
    applicationId: callerId,
    correlationId,
  });
  return reply ?? "dropped";
}

/** Uses the oldest fault that matches a request for these operations. */
function takeFault(world: World, operations: readonly string[]): ServiceFault | null {
  const { state } = world;
  for (const rule of state.faults) {
    if (rule.operation !== ANY_OPERATION && !operations.includes(rule.operation)) continue;
    if (rule.probability < 1 && world.random.fraction() >= rule.probability) continue;
    if (rule.left !== null) {
      rule.left -= 1;
      if (rule.left <= 0) state.faults = state.faults.filter((one) => one !== rule);
    }
    return rule.fault;
  }
  return null;
}
