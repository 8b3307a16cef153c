import { ADMIN_OPERATIONS, API_KEY_OPERATIONS } from "@social-connect/contract";
import {
  assertEnumType,
  assertInputObjectType,
  assertObjectType,
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  isUnionType,
  lexicographicSortSchema,
  parse,
  printSchema,
} from "graphql";
import { expect, test } from "vitest";
import { ADMIN_SCHEMA_TEXT } from "../wire/schemaTexts.ts";
import {
  ADMIN_ENUMERATIONS,
  ADMIN_INPUT_TYPES,
  ADMIN_MUTATIONS,
  ADMIN_OUTPUT_TYPES,
  ADMIN_QUERIES,
  PANEL_OWN_OPERATIONS,
} from "./adminSchemaTables.ts";

const sdl = ADMIN_SCHEMA_TEXT;
const schema = buildSchema(sdl);

function fieldsOf(fields: Readonly<Record<string, { readonly type: unknown }>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, String(type)]));
}

function argsOf(args: readonly (GraphQLArgument | GraphQLInputField)[]): Record<string, string> {
  return Object.fromEntries(args.map(({ name, type }) => [name, String(type)]));
}

/** What a schema declares of the operations in the tables, and which others it has. */
function operationsOf(text: GraphQLSchema) {
  const roots = { ...text.getQueryType()?.getFields(), ...text.getMutationType()?.getFields() };
  return Object.fromEntries(
    Object.entries(roots).map(([name, field]) => [name, { returns: String(field.type), args: argsOf(field.args) }]),
  );
}

function operationsOfTables() {
  const entries = Object.entries({ ...ADMIN_QUERIES, ...ADMIN_MUTATIONS });
  return Object.fromEntries(entries.map(([name, { returns, args }]) => [name, { returns, args }]));
}

test("the published admin schema has exactly the described operations and the panel's", () => {
  const published = Object.entries(operationsOf(schema));
  const described = published.filter(([name]) => !PANEL_OWN_OPERATIONS.includes(name));
  const own = published.filter(([name]) => PANEL_OWN_OPERATIONS.includes(name));
  expect(Object.fromEntries(described)).toEqual(operationsOfTables());
  expect(own.map(([name]) => name).toSorted()).toEqual(PANEL_OWN_OPERATIONS.toSorted());
});

test("no query is a mutation, and no mutation a query", () => {
  const queries = Object.keys(schema.getQueryType()?.getFields() ?? {});
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect(Object.keys(ADMIN_QUERIES).filter((name) => !queries.includes(name))).toEqual([]);
  expect(Object.keys(ADMIN_MUTATIONS).filter((name) => !mutations.includes(name))).toEqual([]);
});

test.each(Object.entries(ADMIN_OUTPUT_TYPES))("%s has exactly the described fields", (name, fields) => {
  expect(fieldsOf(assertObjectType(schema.getType(name)).getFields())).toEqual(fields);
});

test.each(Object.entries(ADMIN_INPUT_TYPES))("%s has exactly the described fields", (name, fields) => {
  const type = assertInputObjectType(schema.getType(name));
  expect(fieldsOf(type.getFields())).toEqual(fields);
});

test.each(Object.entries(ADMIN_ENUMERATIONS))("%s has exactly the described values", (name, values) => {
  const published = assertEnumType(schema.getType(name)).getValues();
  expect(published.map(({ name: value }) => value).toSorted()).toEqual(values.toSorted());
});

test("operations for keys return the record, panel operations a union of typed errors", () => {
  const roots = schema.getMutationType()?.getFields() ?? {};
  for (const [name, { access }] of Object.entries(ADMIN_MUTATIONS)) {
    const union = schema.getType(String(roots[name]?.type).replace("!", ""));
    expect([name, isUnionType(union)]).toEqual([name, access === "PANEL"]);
    if (!isUnionType(union)) continue;
    const errors = union
      .getTypes()
      .filter((type) => type.getInterfaces().some(({ name: base }) => base === "PanelError"));
    expect([name, union.getTypes().length - errors.length]).toEqual([name, 1]);
  }
});

// The control: without it the comparison above could pass by comparing nothing.
test("a schema with a missing argument is detected", () => {
  const text = sdl.replace(/(?<=addClientOrigin\([^)]*)"""[^"]*"""\s*origin: String!/, "");
  expect(text).not.toBe(sdl);
  const changed = buildSchema(text);
  expect(operationsOf(changed)["addClientOrigin"]).not.toEqual(operationsOfTables()["addClientOrigin"]);
});

test("it declares no subscription or custom directive, and is printed in sorted order", () => {
  expect(schema.getSubscriptionType()).toBeUndefined();
  expect(parse(sdl).definitions.filter(({ kind }) => kind === "DirectiveDefinition")).toEqual([]);
  expect(sdl.replace(/^#.*\n/gm, "").trim()).toBe(printSchema(lexicographicSortSchema(schema)).trim());
});

test("every root field is nullable, so that an error in one leaves the other fields of the document", () => {
  const roots = [...Object.values(operationsOf(schema))].map(({ returns }) => returns);
  expect(roots.filter((type) => type.endsWith("!"))).toEqual([]);
});

test("the contract package's list of operations has the described class of each, and otherwise only panel operations", () => {
  const described = [
    ...Object.entries(ADMIN_QUERIES).map(([name, { access }]) => `query ${name} ${access}`),
    ...Object.entries(ADMIN_MUTATIONS).map(([name, { access }]) => `mutation ${name} ${access}`),
  ];
  const listed = Object.entries(ADMIN_OPERATIONS).map(([name, { kind, access }]) => `${kind} ${name} ${access}`);
  expect(listed.filter((line) => described.includes(line)).toSorted()).toEqual(described.toSorted());
  const own = listed.filter((line) => !described.includes(line)).map((line) => line.split(" "));
  expect(own.map(([, name]) => name).toSorted()).toEqual(PANEL_OWN_OPERATIONS.toSorted());
  expect(own.filter(([kind, name = "", access]) => access !== "PANEL" || rootKind(name) !== kind)).toEqual([]);
  const callable = [...Object.entries(ADMIN_QUERIES), ...Object.entries(ADMIN_MUTATIONS)].filter(
    ([, { access }]) => access !== "PANEL",
  );
  expect(Object.keys(API_KEY_OPERATIONS).toSorted()).toEqual(callable.map(([name]) => name).toSorted());
});

function rootKind(name: string): string {
  return schema.getQueryType()?.getFields()[name] === undefined ? "mutation" : "query";
}

test("an operation can return ConfirmationRequiredError exactly when the contract package requires a confirmation", () => {
  const roots = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };
  for (const [name, { needsConfirmation }] of Object.entries(ADMIN_OPERATIONS)) {
    const type = schema.getType(String(roots[name]?.type).replace("!", ""));
    const answers = isUnionType(type) ? type.getTypes().map((member) => member.name) : [];
    expect([name, answers.includes("ConfirmationRequiredError")]).toEqual([name, needsConfirmation]);
  }
});
