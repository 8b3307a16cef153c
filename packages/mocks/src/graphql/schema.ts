import type { AdminOperationName, ConsumerOperationName } from "@social-connect/contract";
import { accepted, checkInput } from "@social-connect/domain";
import { readDateTime, readDecimalCount, writeDateTime } from "@social-connect/transport";
import { buildSchema, type GraphQLFieldResolver, GraphQLScalarType, type GraphQLSchema, Kind } from "graphql";

/**
 * A resolver of a root field. It is synchronous, so requests do not interleave. `checkArguments` throws for arguments that
 * break the operation's rules. `field`: the name in the response, which distinguishes the fields of a document.
 */
export type RootResolver<Context> = (
  context: Context,
  args: Record<string, unknown>,
  call: { readonly checkArguments: () => void; readonly field: string },
) => unknown;

export interface RootResolvers<Context> {
  readonly Query: Readonly<Record<string, RootResolver<Context>>>;
  readonly Mutation: Readonly<Record<string, RootResolver<Context>>>;
}

/**
 * The published schema with resolvers of its root fields. Throws when a field is missing, or a resolver of one that
 * `isServed` names.
 */
export function executableSchema<Context>(
  text: string,
  resolvers: RootResolvers<Context>,
  isServed: (field: string) => boolean = () => true,
): GraphQLSchema {
  const schema = buildSchema(text, { assumeValidSDL: true });
  setScalar(schema, "DateTime", writeDateTime, readDateTime);
  setScalar(schema, "DecimalCount", readDecimalCount, readDecimalCount);
  for (const [name, type] of [
    ["Query", schema.getQueryType()],
    ["Mutation", schema.getMutationType()],
  ] as const) {
    const fields = type?.getFields() ?? {};
    const missing = Object.keys(fields).filter((field) => isServed(field) && !(field in resolvers[name]));
    const unknown = Object.keys(resolvers[name]).filter((field) => !(field in fields));
    if (missing.length + unknown.length > 0) {
      throw new Error(`The resolvers of ${name} do not fit the schema: ${[...missing, ...unknown].join(", ")}.`);
    }
    for (const [field, resolve] of Object.entries(resolvers[name])) {
      const found = fields[field];
      if (found !== undefined) found.resolve = asField(field as AdminOperationName | ConsumerOperationName, resolve);
    }
  }
  return schema;
}

function asField<Context>(
  operation: AdminOperationName | ConsumerOperationName,
  resolve: RootResolver<Context>,
): GraphQLFieldResolver<unknown, Context, Record<string, unknown>> {
  return (_root, args, context, { path }) =>
    resolve(context, args, {
      checkArguments: () => void accepted(checkInput(operation, args)),
      field: String(path.key),
    });
}

function setScalar(
  schema: GraphQLSchema,
  name: string,
  serialize: (value: unknown) => string,
  parse: (value: unknown) => unknown,
): void {
  const type = schema.getType(name);
  if (!(type instanceof GraphQLScalarType)) return;
  type.serialize = serialize;
  type.parseValue = parse;
  type.parseLiteral = (node) => parse(node.kind === Kind.STRING ? node.value : null);
}
