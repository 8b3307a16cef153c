import { checkDocumentLimits, MAX_DOCUMENT_TOKENS, needsNoKey } from "@social-connect/domain";
import { authenticate } from "../../modules/applications/authenticate.ts";
import { Documents } from "../shared/documents.ts";
import { createEngine } from "../shared/engine.ts";
import { useDocuments } from "../shared/plugins/use-documents.ts";
import { useEnvelope } from "../shared/plugins/use-envelope.ts";
import { useRequest } from "../shared/plugins/use-request.ts";
import type { ConsumerContext } from "./context.ts";
import { answered, refused } from "./envelope.ts";
import { consumerSchema } from "./schema.ts";

/**
 * The consumer API's engine. A request meets, in this order: its shape, the limits of a document, validation, the
 * application key, the variables, and the operation itself. Source: service description, parts 4, 5, 7, 8.
 */
export function createConsumerYoga() {
  const documents = new Documents({
    schema: consumerSchema,
    maxTokens: MAX_DOCUMENT_TOKENS,
    checkLimits: checkDocumentLimits,
  });
  return createEngine<ConsumerContext>({
    schema: consumerSchema,
    endpoint: "/graphql",
    plugins: [
      useRequest({}),
      useDocuments<ConsumerContext>(documents, async ({ document }, context) => {
        if (needsNoKey(document)) return;
        context.caller = await authenticate(context.service, context.authorization);
      }),
      useEnvelope({ answered, refused }),
    ],
  });
}
