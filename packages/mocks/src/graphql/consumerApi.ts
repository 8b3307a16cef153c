import { checkDocumentLimits, MAX_DOCUMENT_TOKENS, needsNoKey } from "@social-connect/transport";
import { CONSUMER_SCHEMA_TEXT } from "../_generated/consumerSchema.ts";
import { authenticate } from "../modules/applications/authenticate.ts";
import { lazy } from "../util/lazy.ts";
import type { ConsumerContext } from "./consumerResolvers.ts";
import { consumerResolvers } from "./consumerResolvers.ts";
import { Documents } from "./documents.ts";
import type { GraphqlApi } from "./graphqlApi.ts";
import { executableSchema } from "./schema.ts";
import { withStrictFields } from "./strict.ts";

/** Shared by all mocks: it has no state. */
const schema = lazy(() => withStrictFields(executableSchema(CONSUMER_SCHEMA_TEXT, consumerResolvers)));

export const consumerApi: GraphqlApi<ConsumerContext> = {
  name: "consumer",
  alwaysHasData: false,
  schema,
  documents: lazy(
    () => new Documents({ schema: schema(), maxTokens: MAX_DOCUMENT_TOKENS, checkLimits: checkDocumentLimits }),
  ),
  contextOf: (world, request, document) => {
    if (document !== null && needsNoKey(document)) return { world, caller: null };
    const header = request.headers.get("authorization");
    return { world, caller: authenticate(world, header === null ? [] : [header]) };
  },
  callerId: ({ caller }) => caller?.application.id ?? null,
};
