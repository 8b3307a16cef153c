import { formatDateTime, isDecimalCount, parseDateTime } from "@social-connect/domain";
import type { GraphQLFieldResolver, GraphQLSchema } from "graphql";
import { buildSchema, GraphQLError, GraphQLScalarType, Kind } from "graphql";

/** A resolver of a root field. It is synchronous, so requests do not interleave. */
export type RootResolver<Context> = (context: Context, args: Record<string, unknown>) => unknown;

export interface RootResolvers<Context> {
  readonly Query: Readonly<Record<string, RootResolver<Context>>>;
  readonly Mutation: Readonly<Record<string, RootResolver<Context>>>;
}

let latest = { ms: Number.NaN, text: "" };

/** Caches the latest time: a page repeats one observation time hundreds of times. */
function textOf(time: Date): string {
  const ms = time.getTime();
  if (ms !== latest.ms) latest = { ms, text: formatDateTime(time) };
  return latest.text;
}

/** The published schema with resolvers of its root fields. Throws when a field or a resolver is missing. */
export function executableSchema<Context>(text: string, resolvers: RootResolvers<Context>): GraphQLSchema {
  const schema = buildSchema(text, { assumeValidSDL: true });
  setScalar(schema, "DateTime", {
    serialize: (value) => {
      if (value instanceof Date) return textOf(value);
      throw new TypeError("DateTime can only show a Date");
    },
    parse: (text) => {
      const time = text === null ? null : parseDateTime(text);
      if (time === null) throw new GraphQLError("A DateTime must be an existing moment in ISO 8601, with its offset.");
      return time;
    },
  });
  setScalar(schema, "DecimalCount", { serialize: readDecimalCount, parse: readDecimalCount });
  for (const [name, type] of [
    ["Query", schema.getQueryType()],
    ["Mutation", schema.getMutationType()],
  ] as const) {
    const fields = type?.getFields() ?? {};
    const missing = Object.keys(fields).filter((field) => !(field in resolvers[name]));
    const unknown = Object.keys(resolvers[name]).filter((field) => !(field in fields));
    if (missing.length + unknown.length > 0) {
      throw new Error(`The resolvers of ${name} do not fit the schema: ${[...missing, ...unknown].join(", ")}.`);
    }
    for (const [field, resolve] of Object.entries(resolvers[name])) {
      const found = fields[field];
      if (found !== undefined) found.resolve = asField(resolve);
    }
  }
  return schema;
}

function asField<Context>(
  resolve: RootResolver<Context>,
): GraphQLFieldResolver<unknown, Context, Record<string, unknown>> {
  return (_root, args, context) => resolve(context, args);
}

interface ScalarRules {
  readonly serialize: (value: unknown) => string;
  /** `text` is null for a value of another type. */
  readonly parse: (text: string | null) => unknown;
}

function setScalar(schema: GraphQLSchema, name: string, rules: ScalarRules): void {
  const type = schema.getType(name);
  if (!(type instanceof GraphQLScalarType)) return;
  type.serialize = rules.serialize;
  type.parseValue = (value) => rules.parse(typeof value === "string" ? value : null);
  type.parseLiteral = (node) => rules.parse(node.kind === Kind.STRING ? node.value : null);
}

function readDecimalCount(value: unknown): string {
  if (typeof value === "string" && isDecimalCount(value)) return value;
  throw new GraphQLError("A DecimalCount must be a non-negative whole number as text.");
}
