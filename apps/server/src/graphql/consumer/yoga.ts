import {
  checkDocumentLimits,
  isPreparedWithoutKey,
  isReadWithoutKey,
  MAX_DOCUMENT_TOKENS,
  needsNoKey,
} from "@social-connect/transport";
import { authenticate } from "../../modules/applications/authenticate.ts";
import type { CallLanes } from "../shared/callLanes.ts";
import { runInTurn } from "../shared/callLanes.ts";
import type { ReadyDocument } from "../shared/documents.ts";
import { Documents } from "../shared/documents.ts";
import { createEngine } from "../shared/engine.ts";
import { useDocuments } from "../shared/plugins/use-documents.ts";
import { useEnvelope } from "../shared/plugins/use-envelope.ts";
import type { Authentication } from "../shared/plugins/use-request.ts";
import { useRequest } from "../shared/plugins/use-request.ts";
import { COMMON_DOCUMENTS } from "./commonDocuments.ts";
import type { ConsumerContext } from "./context.ts";
import { callerOf, knownCaller } from "./context.ts";
import { FREQUENT_READS } from "./frequentReads.ts";
import { ReturningKeys, ReturningReader } from "./returningKeys.ts";
import { consumerSchema } from "./schema.ts";

/**
 * The consumer API's engine. The order of checks: body, document limits, validation, application key, the application's
 * turn, variables, execution. Of a large body or document, the key is checked first. A returning caller's is checked later,
 * by the statement that reads or before an error is the response. Source: service description, parts 4, 5, 7, 8.
 */
export function createConsumerYoga(lanes: CallLanes) {
  const documents = new Documents({
    schema: consumerSchema,
    maxTokens: MAX_DOCUMENT_TOKENS,
    checkLimits: checkDocumentLimits,
    cache: { ownerBytes: 4_000_000, ownerEntries: 200, totalBytes: 48_000_000 },
    commonDocuments: COMMON_DOCUMENTS,
  });
  const keys = new ReturningKeys();
  const claimedOwner = ({ sentKey }: ConsumerContext) => sentKey && keys.applicationOf(sentKey);
  const authenticateCaller = async (context: ConsumerContext) => {
    context.caller = await authenticate(context.service, context.authorization);
    keys.remember(context.caller);
  };
  const isUnknown = (context: ConsumerContext) => context.caller === null && claimedOwner(context) === null;
  const authentication: Authentication<ConsumerContext> = {
    beforeReading: async (body, context) => {
      context.isKeyFirst = !isReadWithoutKey(body);
      if (context.isKeyFirst && isUnknown(context)) await authenticateCaller(context);
    },
    beforePreparing: async (document, context) => {
      if (isUnknown(context) && !isPreparedWithoutKey(document)) await authenticateCaller(context);
    },
    beforeRefusing: async (document, context) => {
      const isKeyFirst = context.isKeyFirst || (document !== null && !isPreparedWithoutKey(document));
      if (context.caller !== null || !isKeyFirst) return;
      if (context.sentKey !== null) keys.forget(context.sentKey.keyId);
      await authenticateCaller(context);
    },
  };
  return createEngine<ConsumerContext>({
    schema: consumerSchema,
    endpoint: "/graphql",
    plugins: [
      useRequest<ConsumerContext>({ authentication }),
      useDocuments<ConsumerContext>(documents, {
        claimedOwner,
        authentication,
        allow: async (document, context) => {
          if (isKeyless(document)) return null;
          const { sentKey } = context;
          const application = context.caller === null && checksKey(document) ? claimedOwner(context) : null;
          if (sentKey !== null && application !== null) {
            context.reader = new ReturningReader(sentKey, application);
            return application;
          }
          if (context.caller === null) await authenticateCaller(context);
          return callerOf(context).application.id;
        },
        confirm: async (context) => {
          const { service, authorization, reader } = context;
          if (reader === null || reader.isValid) return;
          keys.forget(reader.keyId);
          await reader.confirm(async () => {
            context.caller = await authenticate(service, authorization);
          });
        },
        inTurn: (application, document, context, execute) =>
          runInTurn(
            lanes[document.operation.operation === "mutation" ? "mutation" : "query"],
            application,
            document,
            context,
            execute,
          ),
      }),
      useEnvelope<ConsumerContext>({
        alwaysHasData: false,
        callOf: (context) => ({ api: "consumer", keyId: knownCaller(context)?.keyId ?? null, sessionId: null }),
        callerOf: (context) => ({ applicationId: knownCaller(context)?.application.id }),
        applicationOf: (context) => knownCaller(context)?.application.id ?? null,
      }),
    ],
  });
}

/** Of cached documents, which most calls run. */
const keyless = new WeakMap<ReadyDocument, boolean>();

function isKeyless(document: ReadyDocument): boolean {
  const known = keyless.get(document) ?? needsNoKey(document.document);
  keyless.set(document, known);
  return known;
}

/** True if the document is one read whose statement checks the key, so that the key needs no separate statement. */
function checksKey({ operation }: ReadyDocument): boolean {
  const [field, ...others] = operation.selectionSet.selections;
  return others.length === 0 && field?.kind === "Field" && FREQUENT_READS.has(field.name.value);
}
