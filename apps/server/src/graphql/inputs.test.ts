import { ADMIN_INPUTS, CONSUMER_INPUTS } from "@social-connect/domain";
import { type GraphQLInputType, type GraphQLSchema, getNamedType, isInputObjectType } from "graphql";
import { expect, test } from "vitest";
import { adminSchema } from "./admin/schema.ts";
import { consumerSchema } from "./consumer/schema.ts";

const rootFields = (from: GraphQLSchema) =>
  [from.getQueryType(), from.getMutationType()].flatMap((type) => Object.values(type?.getFields() ?? {}));

/** The names of the strings and numbers in an argument, at any depth. */
function valuesIn(name: string, type: GraphQLInputType): string[] {
  const named = getNamedType(type);
  if (isInputObjectType(named)) return Object.values(named.getFields()).flatMap((one) => valuesIn(one.name, one.type));
  return ["String", "Int", "Float"].includes(named.name) ? [name] : [];
}

test.each([
  ["consumer", consumerSchema, CONSUMER_INPUTS],
  ["admin", adminSchema, ADMIN_INPUTS],
] as const)("every field of the %s API with strings or numbers validates them", (_, api, inputs) => {
  const validated = rootFields(api).filter(({ extensions }) => Object(extensions.pothosOptions).validate !== undefined);
  expect(validated.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(inputs)));
  const others = rootFields(api).filter(({ name }) => !Object.hasOwn(inputs, name));
  const taking = others.filter(({ args }) => args.some(({ name, type }) => valuesIn(name, type).length > 0));
  // What they remove, or find by, is only compared.
  expect(taking.map(({ name }) => name).filter((name) => !/^removeClient|By[A-Z]/.test(name))).toEqual([]);
});
