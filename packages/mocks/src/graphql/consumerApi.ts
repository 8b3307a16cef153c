import { IDEMPOTENCY_KEY_HEADER } from "@social-connect/contract";
import { asUuid } from "@social-connect/domain";
import { checkDocumentLimits, MAX_DOCUMENT_TOKENS, needsNoKey, rootFields } from "@social-connect/transport";
import { CONSUMER_SCHEMA_TEXT } from "../_generated/consumerSchema.ts";
import { authenticate } from "../modules/applications/authenticate.ts";
import { lazy } from "../util/lazy.ts";
import { type ConsumerContext, consumerResolvers } from "./consumerResolvers.ts";
import { documentReader } from "./documents.ts";
import type { GraphqlApi } from "./graphqlApi.ts";
import { executableSchema } from "./schema.ts";
import { withStrictFields } from "./strict.ts";

/** Shared by all mocks: it has no state. */
const schema = lazy(() => withStrictFields(executableSchema(CONSUMER_SCHEMA_TEXT, consumerResolvers)));

export const consumerApi: GraphqlApi<ConsumerContext> = {
  name: "consumer",
  readsKeyFirst: false,
  alwaysHasData: false,
  schema,
  readDocument: documentReader(() => ({
    schema: schema(),
    maxTokens: MAX_DOCUMENT_TOKENS,
    checkLimits: checkDocumentLimits,
  })),
  contextOf: (world, request, document) => {
    if (document !== null && needsNoKey(rootFields(document))) return { world, caller: null, idempotencyKey: null };
    const header = request.headers.get("authorization");
    const idempotencyKey = asUuid(request.headers.get(IDEMPOTENCY_KEY_HEADER) ?? "");
    return { world, caller: authenticate(world, header === null ? [] : [header]), idempotencyKey };
  },
  callerId: ({ caller }) => caller?.application.id ?? null,
};
