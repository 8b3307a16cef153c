import * as contract from "@social-connect/contract";
import {
  type ASTNode,
  buildSchema,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
} from "graphql";
import { describe, expect, test } from "vitest";
import { CONSUMER_SCHEMA_TEXT } from "../wire/schemaTexts.ts";
import { ENUMERATIONS, INPUT_TYPES, MUTATIONS, OUTPUT_TYPES, QUERIES, SCALARS } from "./consumerSchemaTables.ts";

const sdl = CONSUMER_SCHEMA_TEXT;
/** The same without descriptions: one field per line, for the changes below. */
const bare = printSchema(buildSchema(print(visit(parse(sdl), { enter: withoutDescription }))));

function withoutDescription(node: ASTNode): ASTNode | undefined {
  if (!("description" in node) || !node.description) return undefined;
  const { description: _description, ...rest } = node;
  return rest;
}

/** Every statement of a schema as one line, so that a comparison shows missing and additional ones. */
function statementsOf(schema: GraphQLSchema): string[] {
  const lines: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    if (isScalarType(type)) lines.push(`scalar ${type.name}`);
    else if (isEnumType(type)) for (const { name } of type.getValues()) lines.push(`enum ${type.name} ${name}`);
    else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        lines.push(`input ${type.name}.${field.name}: ${field.type}${defaultOf(field)}`);
      }
    } else if (isObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        lines.push(`type ${type.name}.${field.name}: ${field.type}`);
        for (const arg of field.args) {
          lines.push(`type ${type.name}.${field.name}(${arg.name}: ${arg.type}${defaultOf(arg)})`);
        }
      }
    } else lines.push(`${type.constructor.name} ${type.name}`);
  }
  return lines.sort();
}

function defaultOf({ defaultValue }: { defaultValue?: unknown }): string {
  return defaultValue === undefined ? "" : ` = ${JSON.stringify(defaultValue)}`;
}

function statementsOfTables(): string[] {
  const lines = SCALARS.map((name) => `scalar ${name}`);
  for (const [name, values] of Object.entries(ENUMERATIONS))
    lines.push(...values.map((value) => `enum ${name} ${value}`));
  for (const [kind, types] of [
    ["input", INPUT_TYPES],
    ["type", OUTPUT_TYPES],
  ] as const) {
    for (const [name, fields] of Object.entries(types)) {
      for (const [field, type] of Object.entries(fields)) lines.push(`${kind} ${name}.${field}: ${type}`);
    }
  }
  for (const [root, operations] of [
    ["Query", QUERIES],
    ["Mutation", MUTATIONS],
  ] as const) {
    for (const [name, { returns, args }] of Object.entries(operations)) {
      lines.push(`type ${root}.${name}: ${returns}`);
      for (const [arg, type] of Object.entries(args)) lines.push(`type ${root}.${name}(${arg}: ${type})`);
    }
  }
  return lines.sort();
}

function difference(schemaText: string): { missing: string[]; extra: string[] } {
  const published = new Set(statementsOf(buildSchema(schemaText)));
  const described = new Set(statementsOfTables());
  return {
    missing: [...described].filter((line) => !published.has(line)),
    extra: [...published].filter((line) => !described.has(line)),
  };
}

describe("the published consumer schema", () => {
  test("matches the service description's tables exactly", () => {
    expect(difference(sdl)).toEqual({ missing: [], extra: [] });
  });

  // The controls: without them the comparison above could pass by comparing nothing.
  test.each([
    ["a missing field", "  resultCode: String\n", "", ["type ConnectSessionResult.resultCode: String"], []],
    [
      "an additional field",
      "type ApiStatus {",
      "type ApiStatus {\n  version: String",
      [],
      ["type ApiStatus.version: String"],
    ],
    [
      "a lost exclamation mark",
      "  message: String!",
      "  message: String",
      ["type ApiStatus.message: String!"],
      ["type ApiStatus.message: String"],
    ],
    ["a missing enum value", "  CAROUSEL\n", "", ["enum ContentKind CAROUSEL"], []],
    ["an additional enum value", "  CAROUSEL\n", "  CAROUSEL\n  STORY\n", [], ["enum ContentKind STORY"]],
    [
      "a missing argument",
      "continuationCursor: String, ",
      "",
      ["type Mutation.requestRefresh(continuationCursor: String)"],
      [],
    ],
    [
      "an undescribed default",
      "first: Int,",
      "first: Int = 20,",
      ["type Query.connections(first: Int)"],
      ["type Query.connections(first: Int = 20)"],
    ],
    ["a missing input field", "  maxItems: Int\n", "", ["input SyncWindow.maxItems: Int"], []],
    ["an additional type", "scalar DateTime", "scalar DateTime\nscalar Url", [], ["scalar Url"]],
    ["a union", "scalar DateTime", "scalar DateTime\nunion Any = Profile | SyncJob", [], ["GraphQLUnionType Any"]],
  ])("a schema with %s is detected", (_, from, to, missing, extra) => {
    expect(bare).toContain(from);
    expect(difference(bare.replace(from, to))).toEqual({ missing, extra });
  });

  test("declares no subscription or custom directive", () => {
    const schema = buildSchema(sdl);
    expect(schema.getSubscriptionType()).toBeUndefined();
    expect(parse(sdl).definitions.filter((definition) => definition.kind === "DirectiveDefinition")).toEqual([]);
  });

  test("is printed in sorted order, so that its history shows only changes", () => {
    const withoutComments = (text: string) => text.replace(/^#.*\n/gm, "").trim();
    expect(withoutComments(sdl)).toBe(printSchema(lexicographicSortSchema(buildSchema(sdl))).trim());
  });
});

test("the contract package's enumerations equal the description's, in its order", () => {
  expect({
    SocialProvider: contract.SOCIAL_PROVIDERS,
    Capability: contract.CAPABILITIES,
    Availability: contract.AVAILABILITIES,
    MetricName: contract.METRIC_NAMES,
    ContentKind: contract.CONTENT_KINDS,
    ConnectCreatorAction: contract.CONNECT_CREATOR_ACTIONS,
    ConnectSessionStatus: contract.CONNECT_SESSION_STATUSES,
    ConnectionStatus: contract.CONNECTION_STATUSES,
    SyncStatus: contract.SYNC_STATUSES,
    JobStatus: contract.JOB_STATUSES,
    IdpIdentityStatus: contract.IDP_IDENTITY_STATUSES,
  }).toEqual(ENUMERATIONS);
});

test("the contract package's list of operations has exactly the described queries and mutations", () => {
  const listed = Object.entries(contract.CONSUMER_OPERATIONS).map(([name, { kind }]) => `${kind} ${name}`);
  const described = [
    ...Object.keys(QUERIES).map((name) => `query ${name}`),
    ...Object.keys(MUTATIONS).map((name) => `mutation ${name}`),
  ];
  expect(listed.toSorted()).toEqual(described.toSorted());
  const reads = Object.entries(contract.CONSUMER_OPERATIONS).filter(([, { repeat }]) => repeat === "read");
  expect(reads.map(([name]) => name).toSorted()).toEqual(Object.keys(QUERIES).toSorted());
});
