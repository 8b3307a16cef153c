import type { PluginFunction } from "@graphql-codegen/plugin-helpers";
import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from "graphql";
import { selectionOf } from "../documents.ts";
import { type Operation, operationsOf } from "../operations.ts";
import { reachableFrom } from "../reachable.ts";
import type { ReferencePage } from "../referencePages.ts";
import { SAMPLE_VALUES } from "../referenceSamples.ts";
import { fileText } from "../typeScript.ts";

type Described = { readonly description?: string | null | undefined };

/** The Markdown reference of an API: its operations with example requests, then the types that they use. */
export const plugin: PluginFunction<ReferencePage, string> = (schema, _documents, page) => {
  const operations = operationsOf(schema, page);
  const { objects, inputs, enums } = reachableFrom(operations);
  const scalars = Object.values(schema.getTypeMap()).filter(
    (type) =>
      isScalarType(type) &&
      type.description !== undefined &&
      !["Boolean", "Float", "ID", "Int", "String"].includes(type.name),
  );
  const sections = [
    `# ${page.title}`,
    page.introduction,
    ...(["query", "mutation"] as const).flatMap((kind) => [
      kind === "query" ? "## Queries" : "## Mutations",
      ...operations.filter((operation) => operation.kind === kind).map((operation) => operationText(operation, page)),
    ]),
    "## Types",
    ...byName(objects).map((type) => typeText(type, fieldRows(Object.values(type.getFields())))),
    "## Input types",
    ...byName(inputs).map((type) => typeText(type, fieldRows(Object.values(type.getFields())))),
    "## Enums",
    ...enums.map((type) => typeText(type, enumRows(type))),
    "## Scalars",
    ...byName(scalars).map((type) => typeText(type, "")),
    ...(page.appendix === undefined ? [] : [page.appendix]),
  ];
  return fileText(sections.filter((text) => text !== ""));
};

function operationText(operation: Operation, { errors }: ReferencePage): string {
  const { name, field } = operation;
  const own = errors[name];
  if (own === undefined) throw new Error(`The errors of ${name} are missing in referencePages.ts.`);
  return [
    `### ${name}`,
    oneLine(field),
    `Returns ${typeLink(field.type)}.`,
    field.args.length === 0 ? "" : fieldRows(field.args, "Argument"),
    own.length === 0 ? "" : `Errors: ${own.map((code) => `[${code}](../errors/${code}.md)`).join(", ")}.`,
    `\`\`\`sh\ncall <<'JSON'\n${JSON.stringify(exampleOf(operation), null, 2)}\nJSON\n\`\`\``,
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** A request with every argument that is required, or that has a sample, and every field of the response. */
function exampleOf({ name, kind, field }: Operation): { query: string; variables: Record<string, unknown> } {
  const args = field.args.filter(
    (arg) => isNonNullType(arg.type) || SAMPLE_VALUES[`${name}.${arg.name}`] !== undefined,
  );
  const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(", ");
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  const selection = selectionOf(field.type);
  const call = `${name}${passed === "" ? "" : `(${passed})`}${selection === "" ? "" : ` { ${selection} }`}`;
  return {
    query: `${kind}${declared === "" ? "" : ` (${declared})`} { ${call} }`,
    variables: Object.fromEntries(args.map((arg) => [arg.name, sampleOf(`${name}.${arg.name}`, arg.type)])),
  };
}

/** The sample of an argument, else that of its type's fields. */
function sampleOf(place: string, type: GraphQLInputType): unknown {
  const sample = SAMPLE_VALUES[place] ?? SAMPLE_VALUES[place.slice(place.indexOf(".") + 1)];
  if (sample !== undefined) return sample;
  if (isNonNullType(type)) return sampleOf(place, type.ofType);
  if (isListType(type)) return [sampleOf(place, type.ofType)];
  if (!isInputObjectType(type)) throw new Error(`referenceSamples.ts has no sample for ${place}.`);
  const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
  return Object.fromEntries(fields.map((field) => [field.name, sampleOf(`${type.name}.${field.name}`, field.type)]));
}

function typeText(type: Described & { readonly name: string }, rows: string): string {
  return [`### ${type.name}`, oneLine(type), rows].filter((text) => text !== "").join("\n\n");
}

type Row = Described & { readonly name: string; readonly type: GraphQLType } & Partial<
    Pick<GraphQLArgument & GraphQLInputField, "defaultValue">
  >;

function fieldRows(fields: readonly Row[], title = "Field"): string {
  const rows = fields.map((field) => `| \`${field.name}\` | ${typeLink(field.type)} | ${oneLine(field)} |`);
  return [`| ${title} | Type | Description |`, "| --- | --- | --- |", ...rows].join("\n");
}

function enumRows(type: GraphQLEnumType): string {
  const rows = type.getValues().map((value) => `| \`${value.name}\` | ${oneLine(value)} |`);
  return ["| Value | Description |", "| --- | --- |", ...rows].join("\n");
}

function typeLink(type: GraphQLType): string {
  const { name } = getNamedType(type);
  const text = `\`${type}\``;
  return ["Boolean", "Float", "ID", "Int", "String"].includes(name) ? text : `[${text}](#${name.toLowerCase()})`;
}

function oneLine({ description }: Described): string {
  return (description ?? "").replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim();
}

function byName<Type extends { readonly name: string }>(types: readonly Type[]): readonly Type[] {
  return types.toSorted((one, other) => one.name.localeCompare(other.name));
}
