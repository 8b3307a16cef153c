import type { GraphQLArgument, GraphQLSchema } from "graphql";

/** A document that calls one operation with all of its arguments, as variables of the same names. */
export function documentOf(schema: GraphQLSchema, name: string, selection: string): string {
  const mutation = schema.getMutationType()?.getFields()[name];
  const operation = mutation ?? schema.getQueryType()?.getFields()[name];
  if (operation === undefined) throw new Error(`the schema has no operation ${name}`);
  const { args } = operation;
  const list = (of: (arg: GraphQLArgument) => string) => (args.length === 0 ? "" : `(${args.map(of).join(", ")})`);
  const field = `${name}${list((arg) => `${arg.name}: $${arg.name}`)} ${selection === "" ? "" : `{ ${selection} }`}`;
  return `${mutation ? "mutation" : "query"} Tested${list((arg) => `$${arg.name}: ${arg.type}`)} { ${field} }`;
}
