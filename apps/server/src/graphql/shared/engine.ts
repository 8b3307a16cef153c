import type { GraphQLSchema } from "graphql";
import type { Plugin } from "graphql-yoga";
import { createYoga } from "graphql-yoga";

/**
 * GraphQL Yoga as both APIs use it: plugins run in the given order, and Yoga's own transports and pages are disabled
 * (service description, part 4).
 */
export function createEngine<Context extends object>(options: {
  readonly schema: GraphQLSchema;
  readonly endpoint: string;
  readonly plugins: readonly Plugin[];
}) {
  return createYoga<Context>({
    schema: options.schema,
    graphqlEndpoint: options.endpoint,
    plugins: [...options.plugins],
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    maskedErrors: false,
    logging: false,
    parserAndValidationCache: false,
    // `receive` bounds the body. Yoga's own bound would create a stream and a second request per call, which takes
    // longer than a small response.
    maxRequestBodySize: false,
  });
}
