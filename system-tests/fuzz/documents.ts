import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from "graphql";
import type { Random } from "./random.ts";

export interface GraphqlBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A schema with the document of each of its operations, by name. */
export interface Api {
  readonly schema: GraphQLSchema;
  readonly documents: Readonly<Record<string, string>>;
}

/** Meaningful values for the environment, by the name of an argument or field, or by `operation.argument`. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** A valid document for a random operation of an API, with values that fit its arguments. */
export function randomDocument({ schema, documents }: Api, known: KnownValues, random: Random): GraphqlBody {
  const [name, query] = random.pick(Object.entries(documents));
  const field = schema.getQueryType()?.getFields()[name] ?? schema.getMutationType()?.getFields()[name];
  const args = field?.args.filter(({ type }) => getNullableType(type) !== type || random.chance(0.5)) ?? [];
  const variables = args.map((argument) => {
    const own = known[`${name}.${argument.name}`];
    const values = own === undefined ? known : { ...known, [argument.name]: own };
    return [argument.name, fittingValue(argument.name, argument.type, values, random)];
  });
  return { query, variables: Object.fromEntries(variables) };
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
