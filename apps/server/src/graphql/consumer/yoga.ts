import { parseApplicationKey } from "@social-connect/domain";
import { checkDocumentLimits, MAX_DOCUMENT_TOKENS, needsNoKey } from "@social-connect/transport";
import { LRUCache } from "lru-cache";
import { authenticate } from "../../modules/applications/authenticate.ts";
import { Documents } from "../shared/documents.ts";
import { createEngine } from "../shared/engine.ts";
import { useDocuments } from "../shared/plugins/use-documents.ts";
import { useEnvelope } from "../shared/plugins/use-envelope.ts";
import { useRequest } from "../shared/plugins/use-request.ts";
import { COMMON_DOCUMENTS } from "./commonDocuments.ts";
import type { ConsumerContext } from "./context.ts";
import { consumerSchema } from "./schema.ts";

/**
 * The consumer API's engine. The order of checks: body, document limits, validation, application key, variables,
 * execution. Source: service description, parts 4, 5, 7, 8.
 */
export function createConsumerYoga() {
  const documents = new Documents({
    schema: consumerSchema,
    maxTokens: MAX_DOCUMENT_TOKENS,
    checkLimits: checkDocumentLimits,
    cache: { ownerBytes: 4_000_000, ownerEntries: 200, totalBytes: 48_000_000 },
    commonDocuments: COMMON_DOCUMENTS,
  });
  /** The application of each authenticated key: whose cached documents to search before the key is checked. */
  const applications = new LRUCache<string, string>({ max: 2_000 });
  return createEngine<ConsumerContext>({
    schema: consumerSchema,
    endpoint: "/graphql",
    plugins: [
      useRequest({}),
      useDocuments<ConsumerContext>(documents, {
        claimedOwner: ({ authorization }) => {
          const key = parseApplicationKey(authorization[0] ?? null);
          return key === null ? null : (applications.get(key.keyId) ?? null);
        },
        allow: async ({ document }, context) => {
          if (needsNoKey(document)) return null;
          const caller = await authenticate(context.service, context.authorization);
          context.caller = caller;
          applications.set(caller.keyId, caller.application.id);
          return caller.application.id;
        },
      }),
      useEnvelope<ConsumerContext>({
        alwaysHasData: false,
        callOf: ({ caller }) => ({ api: "consumer", keyId: caller?.keyId ?? null, sessionId: null }),
        callerOf: ({ caller }) => ({ applicationId: caller?.application.id }),
      }),
    ],
  });
}
