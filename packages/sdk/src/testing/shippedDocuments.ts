import { readFileSync } from "node:fs";
import { buildSchema, type DocumentNode, Kind, type OperationDefinitionNode, parse } from "graphql";
import * as documents from "../_generated/documents.ts";

/** The published schema, read from the contract's file. */
export const PUBLISHED_SCHEMA = buildSchema(
  readFileSync(new URL("../../../contract/consumer.graphql", import.meta.url), "utf8"),
);

export interface ShippedDocument {
  readonly name: string;
  readonly text: string;
  readonly parsed: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** Every document that the package can send. */
export const SHIPPED_DOCUMENTS: readonly ShippedDocument[] = Object.entries(documents)
  .filter(([name]) => name.endsWith("Document") && !name.startsWith("TypedDocument"))
  .map(([, document]) => {
    const text = String(document);
    const parsed = parse(text);
    const operation = parsed.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    if (operation?.name === undefined) throw new Error("A shipped document has no named operation.");
    return { name: operation.name.value, text, parsed, operation };
  });
