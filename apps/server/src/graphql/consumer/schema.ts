import { lexicographicSortSchema, printSchema } from "graphql";
import { builder } from "./builder.ts";
import "./connect.ts";
import "./connections.ts";
import "./content.ts";
import "./identity.ts";
import "./status.ts";
import "./jobs.ts";

/** The complete consumer API schema. It is published in `@social-connect/contract` and at `/schema.graphql`. */
export const consumerSchema = builder.toSchema();

export const consumerSchemaText = `${printSchema(lexicographicSortSchema(consumerSchema))}\n`;
