import type { PluginFunction } from "@graphql-codegen/plugin-helpers";
import { headOf } from "../documents.ts";
import { type OperationsConfig, operationsOf } from "../operations.ts";
import { compact } from "../storedForm.ts";

/** Each operation with the type of its document, which typed-document-node has written into the same file, and its beginning. */
export const plugin: PluginFunction<OperationsConfig, string> = (schema, _documents, config) => {
  const operations = operationsOf(schema, config);
  const types = operations.map(
    ({ name }) => `  readonly ${name}: typeof ${name.charAt(0).toUpperCase()}${name.slice(1)}Document;`,
  );
  const heads = operations.map((operation) => `  ${operation.name}: "${compact(headOf(operation))}",`);
  return [
    `\n/** The document of each operation, for its types. */\nexport interface Documents {\n${types.join("\n")}\n}\n`,
    `/** The beginning of each document. Its answer's validator lists the fields of the rest. */\nexport const HEADS = {\n${heads.join("\n")}\n} as const;\n`,
  ].join("\n");
};
