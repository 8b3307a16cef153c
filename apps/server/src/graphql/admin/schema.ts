import { lexicographicSortSchema, printSchema } from "graphql";
import { builder } from "./builder.ts";
import "./apiKeys.ts";
import "./audit.ts";
import "./clients.ts";
import "./credentials.ts";
import "./deployment.ts";
import "./admins.ts";
import "./overview.ts";
import "./registrations.ts";

/** The admin schema, complete; the API and the panel are two ways to it. Its text is published in `@social-connect/contract`. */
export const adminSchema = builder.toSchema();

export const adminSchemaText = `${printSchema(lexicographicSortSchema(adminSchema))}\n`;
