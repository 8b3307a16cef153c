import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (file: "consumer.graphql" | "admin.graphql") =>
  readFileSync(fileURLToPath(import.meta.resolve(`@social-connect/contract/${file}`)), "utf8");

/** The published schemas. A bundle that takes the suite in has no such files, and puts a module with the texts in place of this one. */
export const CONSUMER_SCHEMA_TEXT = read("consumer.graphql");
export const ADMIN_SCHEMA_TEXT = read("admin.graphql");
