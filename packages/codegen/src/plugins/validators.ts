import type { PluginFunction } from "@graphql-codegen/plugin-helpers";
import { type GraphQLOutputType, getNullableType, isListType, isNonNullType, isObjectType } from "graphql";
import { type OperationsConfig, operationsOf } from "../operations.ts";
import { reachableFrom } from "../reachable.ts";
import { fileText } from "../typeScript.ts";

/** Validators by scalar. Values of enums are strings: an unknown one is data. */
const SCALARS: Readonly<Record<string, string>> = { Boolean: "boolean", Float: "number", Int: "number" };

/** A validator for each answer, made of a validator for each object type. */
export const plugin: PluginFunction<OperationsConfig, string> = (schema, _documents, config) => {
  const operations = operationsOf(schema, config);
  const objects = reachableFrom(operations).objects.map((type) => {
    const fields = Object.values(type.getFields()).map((field) => `${field.name}: ${validator(field.type)}`);
    return `const ${type.name} = object({ ${fields.join(", ")} });`;
  });
  const answers = operations.map(({ name, field }) => `  ${name}: ${validator(field.type)},`);
  const used = ["boolean", "list", "nullable", "number", "object", "string"].filter((name) =>
    new RegExp(`\\b${name}\\b`).test([...objects, ...answers].join("\n")),
  );
  return fileText([
    `import type { Validator } from "@social-connect/sdk-core";\nimport { ${used.join(", ")} } from "@social-connect/sdk-core";`,
    ...objects,
    `/** What each operation answers, to the last field of its document. */\nexport const ANSWERS = {\n${answers.join("\n")}\n} as const satisfies Readonly<Record<string, Validator>>;`,
  ]);
};

function validator(type: GraphQLOutputType): string {
  if (!isNonNullType(type)) return `nullable(${notNull(type)})`;
  return notNull(type);
}

function notNull(type: GraphQLOutputType): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return `list(${validator(nullable.ofType)})`;
  return isObjectType(nullable) ? nullable.name : (SCALARS[nullable.name] ?? "string");
}
