import type { GraphQLSchema } from "graphql";
import type { Plugin } from "graphql-yoga";
import { createYoga } from "graphql-yoga";

/**
 * GraphQL Yoga as both APIs use it: its plugins stand in the order in which a request meets them, and all of its own ways to
 * be asked or to answer are off (service description, part 4).
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
    // The body is bounded where it is read (see `receive`). This bound would make a stream and a second request for each call,
    // which took longer than a small answer.
    maxRequestBodySize: false,
  });
}
