import { checkDocumentLimits, MAX_DOCUMENT_TOKENS, needsNoKey } from "@social-connect/transport";
import type { GraphQLSchema } from "graphql";
import { CONSUMER_SCHEMA_TEXT } from "../_generated/consumerSchema.ts";
import { authenticate } from "../modules/applications/authenticate.ts";
import type { ConsumerContext } from "./consumerResolvers.ts";
import { consumerResolvers } from "./consumerResolvers.ts";
import { Documents } from "./documents.ts";
import type { GraphqlApi } from "./graphqlApi.ts";
import { executableSchema } from "./schema.ts";
import { withStrictFields } from "./strict.ts";

let schema: GraphQLSchema | undefined;
let documents: Documents | undefined;

/** Built at the first call and shared by all mocks: it has no state. */
function consumerSchema(): GraphQLSchema {
  schema ??= withStrictFields(executableSchema(CONSUMER_SCHEMA_TEXT, consumerResolvers));
  return schema;
}

export const consumerApi: GraphqlApi<ConsumerContext> = {
  name: "consumer",
  alwaysHasData: false,
  schema: consumerSchema,
  documents: () => {
    documents ??= new Documents({
      schema: consumerSchema(),
      maxTokens: MAX_DOCUMENT_TOKENS,
      checkLimits: checkDocumentLimits,
    });
    return documents;
  },
  contextOf: (world, request, document) => {
    if (needsNoKey(document)) return { world, caller: null };
    const header = request.headers.get("authorization");
    return { world, caller: authenticate(world, header === null ? [] : [header]) };
  },
  callerId: ({ caller }) => caller?.application.id ?? null,
};
