import { lexicographicSortSchema, printSchema } from "graphql";
import { builder } from "./builder.ts";
import "./apiKeys.ts";
import "./audit.ts";
import "./clients.ts";
import "./credentials.ts";
import "./deployment.ts";
import "./events.ts";
import "./admins.ts";
import "./overview.ts";
import "./people.ts";
import "./registrations.ts";
import "./sdkVersions.ts";
import "./support.ts";
import "./touched.ts";

/**
 * The complete admin schema, which the admin API and the panel share. It is published in `@social-connect/contract`.
 */
export const adminSchema = builder.toSchema();

export const adminSchemaText = `${printSchema(lexicographicSortSchema(adminSchema))}\n`;
