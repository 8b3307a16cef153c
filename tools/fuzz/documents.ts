import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from "graphql";
import type { Random } from "./random.ts";

export interface GraphqlBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Meaningful values for the environment, by the name of an argument or field, or by `operation.argument`. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** A valid document for a random operation of a schema, with values that fit its arguments. */
export function randomDocument(schema: GraphQLSchema, known: KnownValues, random: Random): GraphqlBody {
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}).map((field) => ({
      kind: root === schema.getQueryType() ? "query" : "mutation",
      field,
    })),
  );
  const { kind, field } = random.pick(roots);
  const args = field.args.filter(({ type }) => getNullableType(type) !== type || random.chance(0.5));
  const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(", ");
  const passed = args.map(({ name }) => `${name}: $${name}`).join(", ");
  return {
    query: `${kind} Fuzz${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`}${selectionOf(schema, field, random)} }`,
    variables: Object.fromEntries(
      args.map(({ name, type }) => {
        const own = known[`${field.name}.${name}`];
        return [name, fittingValue(name, type, own === undefined ? known : { ...known, [name]: own }, random)];
      }),
    ),
  };
}

function selectionOf(schema: GraphQLSchema, { type }: GraphQLField<unknown, unknown>, random: Random): string {
  const text = selectionOfType(schema, type, random, 0);
  return text === "" ? "" : ` ${text}`;
}

function selectionOfType(schema: GraphQLSchema, type: GraphQLOutputType, random: Random, depth: number): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return "";
  if (isAbstractType(named)) {
    const types = schema.getPossibleTypes(named).slice(0, 4);
    return `{ __typename ${types.map((one) => `... on ${one.name} { __typename }`).join(" ")} }`;
  }
  if (!isObjectType(named)) return "{ __typename }";
  const fields = Object.values(named.getFields()).filter((one) => one.args.length === 0 && random.chance(0.7));
  const inner = fields.flatMap((one) => {
    const text = depth >= 4 ? "" : selectionOfType(schema, one.type, random, depth + 1);
    return text === "" && !isLeafType(getNamedType(one.type)) ? [] : [`${one.name}${text && ` ${text}`}`];
  });
  return `{ __typename ${inner.join(" ")} }`;
}

function fittingValue(name: string, type: GraphQLInputType, known: KnownValues, random: Random): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    return Array.from({ length: random.below(4) }, () => fittingValue(name, nullable.ofType, known, random));
  }
  const values = known[name];
  if (values !== undefined && values.length > 0 && random.chance(0.8)) return random.pick(values);
  const named = getNamedType(nullable);
  if (isEnumType(named)) return random.pick(named.getValues()).name;
  if (isInputObjectType(named)) {
    const fields = Object.values(named.getFields());
    return Object.fromEntries(fields.map((field) => [field.name, fittingValue(field.name, field.type, known, random)]));
  }
  switch (named.name) {
    case "Boolean":
      return random.chance(0.5);
    case "Int":
      return random.below(120);
    case "DateTime":
      return new Date(Date.UTC(2026, random.below(12), 1 + random.below(28))).toISOString();
    case "ID":
      return random.uuid();
    default:
      return `fuzz-${random.hex(8)}`;
  }
}
