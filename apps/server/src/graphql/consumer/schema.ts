import type { GraphQLFieldResolver } from "graphql";
import { lexicographicSortSchema, printSchema } from "graphql";
import { builder } from "./builder.ts";
import type { ConsumerContext } from "./context.ts";
import "./connect.ts";
import "./connections.ts";
import "./content.ts";
import "./identity.ts";
import "./status.ts";
import "./jobs.ts";

/** The complete consumer API schema. It is published in `@social-connect/contract` and at `/schema.graphql`. */
export const consumerSchema = builder.toSchema();

/** Root fields of a query run in parallel. One document must not read more at the same time than its application may. */
for (const field of Object.values(consumerSchema.getQueryType()?.getFields() ?? {})) {
  const resolve = field.resolve as GraphQLFieldResolver<unknown, ConsumerContext>;
  field.resolve = (root, values, context: ConsumerContext, info) => {
    const work = () => resolve(root, values, context, info);
    return context.fewAtATime === undefined ? work() : context.fewAtATime(work);
  };
}

export const consumerSchemaText = `${printSchema(lexicographicSortSchema(consumerSchema))}\n`;
