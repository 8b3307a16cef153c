import { readFileSync } from "node:fs";
import { ADMIN_OPERATIONS, type AdminOperation, API_KEY_OPERATIONS, LIMITS } from "@social-connect/contract";
import { selectionOf } from "@social-connect/sdk-core";
import { measureDocument } from "@social-connect/transport";
import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql";
import { describe, expect, it } from "vitest";
import { HEADS } from "../_generated/documents.ts";
import { type OperationName, REPEATING } from "../_generated/operations.ts";
import { ANSWERS } from "../_generated/validators.ts";
import { CLIENT_ID, fakeShop, fakeWriter, NEW_CLIENT } from "../testing/clients.ts";

const schema = buildSchema(readFileSync(new URL("../../../contract/admin.graphql", import.meta.url), "utf8"));
const OPERATIONS: Readonly<Record<string, AdminOperation>> = ADMIN_OPERATIONS;

/** Every document that is sent. */
const SHIPPED = (Object.keys(HEADS) as OperationName[]).map(
  (name) => [name, `${HEADS[name]}${selectionOf(ANSWERS[name])}}`] as const,
);

function operationsOf(document: DocumentNode): readonly OperationDefinitionNode[] {
  return document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}

function rootFieldsOf(document: DocumentNode): readonly string[] {
  return operationsOf(document).flatMap(({ selectionSet }) =>
    selectionSet.selections.map((selection) => (selection as FieldNode).name.value),
  );
}

describe.each(SHIPPED)("%s", (_, text) => {
  const document = parse(text);
  const [field = "", ...more] = rootFieldsOf(document);

  it("is one operation of one field of the published schema", () => {
    expect(validate(schema, document)).toEqual([]);
    expect(operationsOf(document)).toHaveLength(1);
    expect(more).toEqual([]);
  });

  it("has the access class of its retry rule, and is not panel-only", () => {
    expect(OPERATIONS[field]?.access).toBe(REPEATING[field as keyof typeof REPEATING].toUpperCase());
    expect(operationsOf(document)[0]?.operation).toBe(OPERATIONS[field]?.kind);
  });

  it("is well below all limits of documents", () => {
    const { operations, cost, depth, aliases } = measureDocument(document);
    expect(operations).toBe(1);
    expect(cost).toBeLessThanOrEqual(LIMITS.cost / 2);
    expect(depth).toBeLessThanOrEqual(LIMITS.depth);
    expect(aliases).toBe(0);
  });
});

it("control: finds a document that violates a rule", () => {
  expect(validate(schema, parse("{ adminClients { no } }"))).not.toEqual([]);
  expect(measureDocument(parse("{ a: adminMembers { email } adminMembers { email } }"))).toMatchObject({
    aliases: 1,
    cost: 22,
  });
});

it("has a document for exactly the operations that a key may call", () => {
  const fields = SHIPPED.flatMap(([, text]) => rootFieldsOf(parse(text)));
  expect(fields.toSorted()).toEqual(Object.keys(API_KEY_OPERATIONS).toSorted());
  expect(Object.keys(REPEATING).toSorted()).toEqual(fields.toSorted());
});

it("sends the full document, and a body below its limit for the longest lists of a client", async () => {
  const { api, admin } = fakeShop();
  const bodies: string[] = [];
  const fetch: typeof api.fetch = (url, init) => {
    bodies.push(String(init?.body));
    return api.fetch(url, init);
  };
  const watched = fakeWriter({ fetch }).admin;
  await watched.client(CLIENT_ID);
  await watched.createClient({
    ...NEW_CLIENT,
    tenantKeys: Array.from({ length: 300 }, (_, index) => `tenant-${index}`),
  });
  await admin.client(CLIENT_ID);
  for (const body of bodies) expect(Object.keys(JSON.parse(body)).sort()).toEqual(["query", "variables"]);
  expect(bodies.at(-1)).toContain("tenant-299");
  expect(Buffer.byteLength(bodies.at(-1) ?? "")).toBeLessThan(LIMITS.bodyBytes);
});
