import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (file: "consumer.graphql" | "admin.graphql") =>
  readFileSync(fileURLToPath(import.meta.resolve(`@social-connect/contract/${file}`)), "utf8");

/** The published schemas. A bundle of the suite has no such files, and replaces this module with the content. */
export const CONSUMER_SCHEMA_TEXT = read("consumer.graphql");
export const ADMIN_SCHEMA_TEXT = read("admin.graphql");
