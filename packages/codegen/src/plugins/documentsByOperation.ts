import type { PluginFunction } from "@graphql-codegen/plugin-helpers";
import type { OperationsConfig } from "../operations.ts";

/** A map from each operation to its document, which typed-document-node has written into the same file. */
export const plugin: PluginFunction<OperationsConfig, string> = (_schema, _documents, { operations }) => {
  const entries = Object.keys(operations).map(
    (name) => `  ${name}: ${name.charAt(0).toUpperCase()}${name.slice(1)}Document,`,
  );
  return `\n/** The document of each operation. */\nexport const DOCUMENTS = {\n${entries.join("\n")}\n} as const;\n`;
};
