import { CORRELATION_ID_HEADER } from "@social-connect/contract";
import type { Refusal } from "@social-connect/domain";
import { type DescribeError, parseJson, readRequest, responseHeaders, showError } from "@social-connect/transport";
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from "graphql";
import { createYoga, type Plugin } from "graphql-yoga";
import { currentTrail } from "../../platform/call/trail.ts";
import type { CallContext, YogaContext } from "./callContext.ts";
import { measured } from "./measured.ts";
import { type ReportRules, reportResult, reportTooLarge } from "./report.ts";

export type ApiPlugin<Context> = Plugin<YogaContext<Context>, YogaContext<Context>>;

export interface ApiOptions<Context extends CallContext> extends ReportRules<Context> {
  readonly schema: GraphQLSchema;
  readonly path: string;
  /** They run before those of every API. */
  readonly plugins: readonly (ApiPlugin<Context> | ApiPlugin<CallContext>)[];
  /** Authenticates a call before its body is read; throws to refuse it. */
  readonly admit?: (context: Context) => Promise<void>;
  /** Checks the object before its query. */
  readonly checkBody?: (body: Readonly<Record<string, unknown>>) => Refusal | null;
  /** Changes the details of an error in the response. */
  readonly describe?: DescribeError;
  /** Responses have `data` even when no operation was executed. */
  readonly alwaysHasData: boolean;
}

/** A POST to an API. `receive` reads the body; null when it exceeds the size limit. */
export interface Posted {
  readonly contentType: string | null;
  readonly receive: () => Promise<string | null>;
}

/** Answers a POST. */
export type Api<Context> = (posted: Posted, context: Context) => Promise<Response>;

/**
 * An API on GraphQL Yoga. The size of the body is limited in front of it: Yoga's own limit would create a stream and a
 * second request per call, which takes longer than a small response. Source: service description, parts 4 and 7.
 */
export function createApi<Context extends CallContext>(options: ApiOptions<Context>): Api<Context> {
  const { schema, path, plugins, admit, describe } = options;
  const yoga = createYoga<YogaContext<Context>>({
    schema,
    graphqlEndpoint: path,
    plugins: [...plugins, useRequest(options), useReport(options)],
    maskedErrors: { maskError: (error) => maskError(error, describe) },
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
  });
  return async ({ contentType, receive }, context) => {
    let body: string | null = "";
    try {
      await admit?.(context);
      body = await receive();
      context.body = body ?? "";
    } catch (error) {
      context.refusal = error;
    }
    if (body === null) {
      reportTooLarge(context, options);
      const headers = { "content-length": "0", [CORRELATION_ID_HEADER]: context.correlationId };
      return new yoga.fetchAPI.Response(null, { status: 413, headers });
    }
    // Only the media type counts, in any case, and Yoga would choose another form of response by `Accept`.
    const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    const request = { method: "POST", headers: { "content-type": mediaType }, body };
    return yoga.fetch(`http://localhost${path}`, request, { call: context });
  };
}

/** Accepts one JSON object with one operation, and passes on what GraphQL knows of it. */
function useRequest<Context extends CallContext>({ checkBody }: ApiOptions<Context>): ApiPlugin<Context> {
  return {
    onRequestParse({ request, serverContext }) {
      const { refusal, record, body: text } = serverContext.call;
      if (refusal !== null) throw refusal;
      const body = measured(record, () => parseJson(text));
      const read = readRequest({ contentType: request.headers.get("content-type"), body }, checkBody);
      if (read instanceof Error) throw read;
      return { onRequestParseDone: ({ setRequestParserResult }) => setRequestParserResult({ ...read }) };
    },
  };
}

/** Logs and counts each result, and completes its response. */
function useReport<Context extends CallContext>(options: ApiOptions<Context>): ApiPlugin<Context> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const context = serverContext.call;
      const { data, errors: all = [] } = result as ExecutionResult;
      const isValid = all[0]?.extensions.http?.status !== 400;
      // An invalid request gets only its first error: hundreds would make a response many times its size.
      const errors = isValid ? all : all.slice(0, 1);
      reportResult(context, errors, options);
      // Yoga itself sends the content type.
      const { "content-type": _, ...headers } = responseHeaders(context.correlationId);
      setResult({
        ...((isValid || options.alwaysHasData) && { data: data ?? null }),
        ...(errors.length > 0 && { errors }),
        extensions: { http: { headers } },
      });
    },
  };
}

/** Every error has a code and the correlation id, and shows nothing internal. */
export function maskError(error: unknown, describe?: DescribeError): GraphQLError {
  const { error: shown, original, status } = showError(error, currentTrail().correlationId ?? "", describe);
  const { message, path = null, extensions, locations } = shown;
  const originalError = original === null || original instanceof Error ? original : new Error(String(original));
  const { source, positions } = locations !== undefined && error instanceof GraphQLError ? error : {};
  const masked = { path, originalError, extensions: { ...extensions, http: { status } } };
  return new GraphQLError(message, { ...masked, source, positions });
}
