import { checkDocumentLimits, MAX_DOCUMENT_TOKENS } from "@social-connect/transport";
import { type Api, createApi } from "../shared/api.ts";
import type { CallLanes } from "../shared/callLanes.ts";
import { Documents } from "../shared/documents.ts";
import { useDocuments } from "../shared/useDocuments.ts";
import { useApplicationKey } from "./applicationKey.ts";
import { type ConsumerContext, knownCaller } from "./context.ts";
import { consumerSchema } from "./schema.ts";

/** Health checks need no key, so they would not be cached otherwise. The last two are the SDK's. */
export const COMMON_DOCUMENTS = [
  "{ __typename }",
  "query { __typename }",
  "{ status { ok } }",
  "{ status { ok message } }",
  "query { status { ok } }",
  "query { status { ok message } }",
  "query Status { status { ok message } }",
  "query Status{status{message ok}}",
  "\n    query Status {\n  status {\n    message\n    ok\n  }\n}\n    ",
];

/**
 * The consumer API. The order of checks: body, document limits, validation, application key, the application's turn,
 * variables, execution. Source: service description, parts 4, 5, 7, 8.
 */
export function createConsumerApi(lanes: CallLanes): Api<ConsumerContext> {
  const documents = new Documents({
    schema: consumerSchema,
    maxTokens: MAX_DOCUMENT_TOKENS,
    checkLimits: checkDocumentLimits,
    owners: 48,
    ownerBytes: 1_000_000,
    commonDocuments: COMMON_DOCUMENTS,
  });
  return createApi<ConsumerContext>({
    name: "consumer",
    schema: consumerSchema,
    path: "/graphql",
    plugins: [
      useApplicationKey(),
      useDocuments(documents, ({ operation }) => lanes[operation.operation === "mutation" ? "mutation" : "query"]),
    ],
    alwaysHasData: false,
    callOf: (context) => ({ keyId: knownCaller(context)?.keyId ?? null, sessionId: null }),
    callerOf: (context) => ({ applicationId: knownCaller(context)?.application.id }),
    applicationOf: (context) => knownCaller(context)?.application.id ?? null,
  });
}
