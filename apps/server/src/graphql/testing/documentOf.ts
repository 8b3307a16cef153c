import {
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isUnionType,
} from "graphql";

/** Selects the fields of a type, and of the objects in them up to a depth; the members of a union by fragments. */
function selectAll(type: GraphQLNamedType, depth = 3): string {
  if (isUnionType(type)) {
    const fragments = type.getTypes().map((member) => `... on ${member.name} ${selectAll(member, depth)}`);
    return `{ __typename ${fragments.join(" ")} }`;
  }
  if (!isObjectType(type)) return "";
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    return isObjectType(named) && depth === 1 ? [] : `${field.name} ${selectAll(named, depth - 1)}`;
  });
  return `{ ${fields.join(" ")} }`;
}

/** A document that calls one operation with all of its arguments, as variables of the same names. It selects all fields. */
export function documentOf(schema: GraphQLSchema, name: string): string {
  const mutation = schema.getMutationType()?.getFields()[name];
  const operation = mutation ?? schema.getQueryType()?.getFields()[name];
  if (operation === undefined) throw new Error(`the schema has no operation ${name}`);
  const { args, type } = operation;
  const list = (of: (arg: GraphQLArgument) => string) => (args.length === 0 ? "" : `(${args.map(of).join(", ")})`);
  const field = `${name}${list((arg) => `${arg.name}: $${arg.name}`)} ${selectAll(getNamedType(type))}`;
  return `${mutation ? "mutation" : "query"} Tested${list((arg) => `$${arg.name}: ${arg.type}`)} { ${field} }`;
}
