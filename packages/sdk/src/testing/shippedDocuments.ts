import { readFileSync } from "node:fs";
import { selectionOf } from "@social-connect/sdk-core";
import { buildSchema, Kind, parse } from "graphql";
import { HEADS } from "../_generated/documents.ts";
import type { OperationName } from "../_generated/operations.ts";
import { ANSWERS } from "../_generated/validators.ts";

/** The published schema, read from the contract's file. */
export const PUBLISHED_SCHEMA = buildSchema(
  readFileSync(new URL("../../../contract/consumer.graphql", import.meta.url), "utf8"),
);

export type ShippedDocument = (typeof SHIPPED_DOCUMENTS)[number];

/** Every document that the package can send. */
export const SHIPPED_DOCUMENTS = (Object.keys(HEADS) as OperationName[]).map((root) => {
  const text = `${HEADS[root]}${selectionOf(ANSWERS[root])}}`;
  const parsed = parse(text);
  const operation = parsed.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation?.name === undefined) throw new Error("A shipped document has no named operation.");
  return { name: operation.name.value, text, parsed, operation };
});
